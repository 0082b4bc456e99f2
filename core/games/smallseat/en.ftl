# The words of Smallseat. Keys are facts; `.sms` is the short GSM-7 form.

animal-chick = Chick
animal-hedgehog = Hedgehog
animal-koala = Koala
animal-rabbit = Rabbit
animal-squirrel = Squirrel
animal-pig = Pig
animal-panda = Red Panda
animal-cat = Cat
animal-otter = Otter
animal-seal = Seal
animal-dog = Dog
animal-pony = Pony

# --- what the host chooses

menu-on = { $name }: on
menu-off = { $name }: off
name-medium = Medium Animals first
    .sms = Medium first
name-advanced = Advanced Animals first
    .sms = Advanced first
name-random = Animals at random
    .sms = Random
name-all = All twelve Animals
    .sms = All twelve
name-easy = Easy bots
name-fair = Fair bots
name-sharp = Sharp bots
name-teller = Teller: { $who }
no-such-choice = There is nothing of that name to switch on. VARIANT lists what there is.
    .sms = No such choice. VARIANT lists them.

# --- cards and hands

so-many = { $count ->
        [1] { $animal }
       *[other] { $count } { $animal }
    }
card = { $facing ->
        [open] { $animal } (open)
       *[secret] { $animal }
    }
    .sms = { $facing ->
        [open] { $animal } open
       *[secret] { $animal }
    }
card-at-a-price = { $facing ->
        [open] { $animal } (open), costs a card
       *[secret] { $animal }, costs a card
    }
    .sms = { $facing ->
        [open] { $animal } open*
       *[secret] { $animal }*
    }
hand-empty = no card
hand-secret = { $secret }
hand-open = { $open }, open
hand-both = { $secret }; open: { $open }
hand-is-offered = { $hand }
    .sms = { "" }
look-hand = Your hand: { $hand }.
    .sms = Hand: { $hand }.
look-lost = Your { $animal } lost, and waits for what you do with it.
    .sms = In play: { $animal }.
look-fresh = Just come: { $cards }. Send TURN and its name to turn one over, until the next votes.
    .sms = New: { $cards }. TURN + name turns it over.
you-got = { $who } gave you { $cards }.
by-chance = No answer came in time, so chance chose for you: { $cards }.
    .sms = Chance chose for you: { $cards }.
got-openly = All see which: { $cards }.
    .sms = It was { $cards }.
turn-nothing = No card has come to you since the last votes.
ask-turn = Which of the cards that came do you turn over?
turned-up = { $who } turns up { $cards }, for all to see.
    .sms = { $who } turns up { $cards }.
turned-down = { $who } turns down { $cards }: secret now.
    .sms = { $who } turns down { $cards }.
turn-later = Your answer is in, with the cards as they lie: turn none over now.
turn-what-came = You can turn over what has come since the last votes, and nothing else. LOOK shows it.
    .sms = You can turn over only what just came. LOOK shows it.

# --- the start

played-with-animals = The Animals: { $animals }. CARD and a name explains one.
    .sms = Animals: { $animals }
teller-is = { $who } is the Teller, sits in the Smallseat, and calls an Animal before the deal.
    .sms = { $who } is the Teller.
ask-calling = You are the Teller. Which Animal shall win? If it does, you win alone.
    .sms = You are the Teller. Which Animal shall win?
teller-calls = { $who }, the Teller, calls an Animal; then the cards are dealt.
    .sms = { $who } calls an Animal.
call-is = { $who } calls { $animal }: if it wins, the Teller wins alone. The cards are dealt.
    .sms = { $who } calls { $animal }.

# --- votes

smallseat-round = Round { $number }. Clockwise from the Smallseat: { $seats }.
    .sms = Round { $number }. Seats: { $seats }
ask-vote-card = Your hand: { $hand }. Which card do you vote with?
    .sms = Your vote? { $hand }
ask-vote-boss = Your hand: { $hand }. You are the Boss, and vote first, for all to see: which card?
    .sms = Your vote, as the Boss: first, openly? { $hand }
ask-vote-freely = Your hand: { $hand }. You have no { $animal } to follow with: vote what you like.
    .sms = Your vote? No { $animal }, so as you like. { $hand }
ask-follow = Your hand: { $hand }. You have to follow with { $animal }.
    .sms = Your vote? Follow with { $animal }. { $hand }
ask-follow-or-pay = Your hand: { $hand }. Follow with { $animal }, or vote something else and pay with another card.
    .sms = Your vote? Follow with { $animal }; * costs a card. { $hand }
ask-vote-koala = Your hand: { $hand }. After last round you have to vote a Koala.
    .sms = Your vote? A Koala, you have to. { $hand }
ask-vote-cat = Your hand: { $hand }. After the Cat, all vote an Animal they hold most of.
    .sms = Your vote? What you hold most of. { $hand }
ask-by-mail = { $ask } In the same answer you can say what to do if it loses: DO, and with what; or SWAP and a name.
    .sms = { $ask }. If it loses: + DO (and with what), or SWAP + name.
vote-comes-first = Name the card you vote with first, then what to do if it loses.
teller-has-no-card = { $who }, the Teller, has no card, and does not vote: nobody has to follow.
    .sms = { $who } has no card: vote freely.
votes-openly = { $who } votes { $animal }, for all to see.
    .sms = { $who } votes { $animal }.
votes-are-in = { $count ->
        [one] The vote is in:
       *[other] The { $count } votes are in:
    }
    .sms = { "" }
vote-was = { $who }: { $animal }
round-won = { $animal } wins the round with { $count ->
        [one] one vote
       *[other] { $count } votes
    }.
    .sms = { $animal } wins: { $count }.
round-won-by-seat = { $animal } wins the round with { $count ->
        [one] one vote
       *[other] { $count } votes
    } (tied, and first from the Smallseat).
    .sms = { $animal } wins by seat: { $count }.
ask-paying = Your hand: { $hand }. You could have followed and did not. What do you pay with, and to whom?
    .sms = You pay for not following: a card, and to whom?
pay-one-of-each = Name one card, and one player to get it.
paid = { $who } pays { $to } a card.
    .sms = { $who } pays { $to }.

# --- what to do with a card that lost

do-it = Do what it says
    .sms = Do it
swap-places = Swap places
    .sms = Swap
ask-lost = Your { $animal } lost. Do what it says, or swap places with whom?
    .sms = Your { $animal } lost. Do it, or swap with whom?
ask-lost-first = Your { $animal } lost. It says: { $effect } Do that, or swap places with whom?
    .sms = Your { $animal } lost. { $effect } Or swap with whom?
ask-lost-swap = Your { $animal } lost, and what it says can't be done. With whom do you swap places?
    .sms = Your { $animal } lost. Swap with whom?
ask-order = Your { $animal } lost. DO, and with what; or SWAP and a name? Until all are in, you can change it.
    .sms = Your { $animal } lost. DO (and with what), or SWAP + name?
do-or-swap = Say DO, and with what; or SWAP and the name of another player.
swap-needs-no-more = To swap places, one name is enough, and not your own.
needs-no-more = DO is enough for that: there is nothing to choose.
needs-more = For the { $animal }, name behind DO what you choose, and of what you can spare. CARD { $animal } explains it.
    .sms = For { $animal }, say behind DO what you choose. CARD { $animal } explains.
swapped = { $who } swaps places with { $other }.
    .sms = { $who } swaps with { $other }.
card-lost = { $who } puts the card away.
    .sms = { "" }

effect-chick = next round the Boss votes first, and all follow the Boss.
    .sms = Next round all follow the Boss.
effect-hedgehog = nobody can swap places with you for the rest of this round.
    .sms = Nobody swaps with you this round.
effect-koala = if all who voted Koala agree, the round ends at once; else you play a Koala next round.
    .sms = If all Koalas agree the round ends; else you play Koala next.
effect-rabbit = show somebody an Animal you hold, and learn how many of it they hold.
    .sms = Show an Animal, learn how many somebody holds.
effect-squirrel = take it back, and give up another card in its place.
    .sms = Take it back, give up another card.
effect-pig = give away up to three cards, and get as many of the Teller's secret ones.
    .sms = Give away up to 3 cards, get as many of the Teller's.
effect-panda = name an Animal, and whoever holds none of it gives you a card.
    .sms = Name an Animal: who holds none gives you a card.
effect-cat = show three cards; next round all vote an Animal they hold most of.
    .sms = Show 3 cards; next round all vote what they hold most of.
effect-otter = take the Smallseat and end the round; next round the Otters vote by chance.
    .sms = Take the Smallseat, end the round; Otters vote by chance next.
effect-seal = slip the Teller a secret card; then the Teller turns three over.
    .sms = Slip the Teller a card; the Teller turns 3 over.
effect-dog = show your hand; until the end of the next round nobody can do anything to you.
    .sms = Show your hand; nobody can do anything to you till next round ends.
effect-pony = the winning cards go to the Boss, and one of them to you.
    .sms = The winning cards go to the Boss, one to you.

ask-rabbit = Your hand: { $hand }. Whom do you show an Animal, and which of yours?
    .sms = Whom do you show an Animal, and which?
ask-squirrel = Your hand: { $hand }. Which card do you give up for the Squirrel?
    .sms = Which card do you give up for the Squirrel?
ask-pig = Your hand: { $hand }. Which cards do you give away, three at most, and to whom? The first card goes to the first player, and so on; the last one gets the rest.
    .sms = Which cards (3 at most), then to whom, in that order? Or NONE
ask-panda = Which Animal? Whoever holds none of it gives you a card.
    .sms = Which Animal?
ask-cat = Your hand: { $hand }. Which three cards do you show?
    .sms = Which three cards do you show?
ask-seal = Your hand: { $hand }. Which card do you slip the Teller?
    .sms = Which card do you slip the Teller?
ask-poll = { $who } asks all Koalas: shall the round end at once? Nobody learns who said what.
    .sms = { $who }'s Koala: shall the round end at once?
ask-poll-alone = You alone voted Koala: shall the round end at once?
ask-owed-panda = Your hand: { $hand }. { $who }'s Red Panda takes a card of yours, for all to see: which?
    .sms = { $who } takes a card of yours: which?
ask-owed-pig = Your hand: { $hand }. { $who }'s Pig gets { $count ->
        [one] one secret card
       *[other] { $count } secret cards
    } of yours: which?
    .sms = { $who } gets { $count ->
        [one] one secret card
       *[other] { $count } secret cards
    } of yours: which?
ask-owed-seal = Your hand: { $hand }. For { $who }'s Seal, turn { $count ->
        [one] one card
       *[other] { $count } cards
    } over: which?
    .sms = For { $who }, turn { $count ->
        [one] one card
       *[other] { $count } cards
    } over: which?
ask-keeping = Which card do you end with?

rabbit-needs-one-of-each = Name one player and one Animal of yours.
pig-needs-both = Name cards and players, no more players than cards.
pig-gives-too-much = You can part with { $most } at most.

chick-did = { $who }'s Chick: next round the Boss votes first, and everybody follows the Boss.
    .sms = { $who }'s Chick: next round follow the Boss.
nobody-follows = The Chick: { $boss } is Teller and Boss, so nobody has to follow.
    .sms = Chick: nobody has to follow.
boss-cant-vote = The Chick: { $boss }, the Boss, can't vote, so all follow the Teller.
    .sms = Chick: the Boss can't vote.
hedgehog-did = { $who }'s Hedgehog: nobody can swap places with { $who } this round.
    .sms = { $who }'s Hedgehog bristles.
koala-polls = { $who }'s Koala: all who voted Koala are asked whether the round shall end.
    .sms = { $who }'s Koala asks.
koala-ends-it = The Koalas agree: the round is over.
    .sms = The Koalas end the round.
koala-goes-on = The Koalas don't all agree: the round goes on, and { $who } has to play a Koala next round, if there is one to play.
    .sms = The round goes on; { $who } plays Koala next.
rabbit-did = { $who }'s Rabbit shows { $to } an Animal, and learns how many of it { $to } holds.
    .sms = { $who }'s Rabbit asked { $to }.
rabbit-shows = { $who } shows you { $animal }, and learns that you hold { $count ->
        [0] none
       *[other] { $count }
    }.
rabbit-learns = { $to } holds { $count ->
        [0] no
       *[other] { $count }
    } { $animal }.
squirrel-did = { $who } takes the Squirrel back and gives up { $card }.
    .sms = { $who }'s Squirrel: gave up { $card }.
pig-gave = { $who }'s Pig: a card for { $to }.
    .sms = { $who }'s Pig: card for { $to }.
pig-got = The Teller gives { $who } { $count ->
        [one] one secret card
       *[other] { $count } secret cards
    } back.
    .sms = { $who } got { $count } of the Teller.
panda-did = { $who }'s Red Panda asks for { $animal }: whoever holds none gives a card.
    .sms = { $who }'s Red Panda: who has no { $animal }?
panda-got = { $who } gives { $to } { $card }.
panda-got-nothing = Nobody has to give a card.
    .sms = Nobody gives.
cat-did = { $who }'s Cat shows { $cards }. Next round everybody votes what they hold most of.
    .sms = { $who }'s Cat: { $cards }. Next: vote what you hold most of.
otter-did = { $who }'s Otter takes the Smallseat, and the round is over. Next round the Otters vote by chance.
    .sms = { $who }'s Otter takes the Smallseat; round over.
otter-stayed = { $who }'s Otter keeps the Smallseat, and the round is over. Next round the Otters vote by chance.
    .sms = { $who }'s Otter ends the round.
otter-failed = { $who }'s Otter can't get at { $boss }.
seal-did = { $who }'s Seal slips the Teller a card, and the Teller turns cards over.
    .sms = { $who }'s Seal slips the Teller a card.
seal-failed = { $who }'s Seal can't get at the Teller.
dog-did = { $who }'s Dog shows the whole hand: { $cards }. Nobody can do anything to { $who } until the end of the next round.
    .sms = { $who }'s Dog: { $cards }; safe.
pony-did = { $who }'s Pony takes the winning cards: one to { $who }, { $count ->
        [one] the other
       *[other] the other { $count }
    } to { $boss }, the Boss.
    .sms = { $who }'s Pony: 1 to { $who }, { $count } to { $boss }.
pony-got-one = { $who }'s Pony brings { $who } one of the winning cards.
    .sms = { $who }'s Pony: 1 to { $who }.
pony-kept = { $who }'s Pony brings { $who }, the Boss, { $count ->
        [one] the winning card
       *[other] all { $count } winning cards
    }.
    .sms = { $who }'s Pony: { $count } to { $who }.
pony-failed = { $who }'s Pony finds nothing to carry.
    .sms = { $who }'s Pony finds nothing.
pony-barred = { $who }'s Pony can't get at { $boss }, the Boss.

# --- who is waited for

status-calls = { $who } calls an Animal
status-votes-first = { $who } votes first, openly
status-votes-next = { $who } votes next, openly
status-votes = { $count ->
        [one] Waiting for one vote
       *[other] Waiting for { $count } votes
    }
status-decides = { $who } decides what becomes of the { $animal }
status-chooses = { $who } does what the { $animal } says
status-paying = Who pays for not following: { $who }
status-ordering = Their cards lost: { $who }
status-polling = Asked, in private: { $who }
status-owing = Cards are chosen by { $who }
status-keeping = A last card is chosen by { $who }

# --- the table

round-is = Round { $number }
place-is = { $role ->
        [bossteller] { $who } (Boss, Teller)
        [boss] { $who } (Boss)
        [teller] { $who } (Teller)
       *[candidate] { $who }
    }: { $count ->
        [one] one card
       *[other] { $count } cards
    }
    .sms = { $who } { $count }
place-is-open = { $role ->
        [bossteller] { $who } (Boss, Teller)
        [boss] { $who } (Boss)
        [teller] { $who } (Teller)
       *[candidate] { $who }
    }: { $count ->
        [one] one card
       *[other] { $count } cards
    }; open: { $open }
    .sms = { $who } { $count }: { $open }
was-called = { $who }, the Teller, called { $animal }
    .sms = Call: { $animal } ({ $who })
votes-won = Votes won so far: { $animals }
    .sms = Won: { $animals }
label-boss = Boss
label-teller = Teller
label-winner = wins
cards-held = { $count ->
        [one] 1 card
       *[other] { $count } cards
    }
open-are = open: { $open }
kept = kept { $animal }

# --- the end

nobody-here = Nobody is here: the game waits.
cap-reached = That was enough rounds. Whoever has several cards keeps one.
smallseat-ends = Every Candidate has one last card: the game is over.
    .sms = The end.
smallseat-over = Smallseat: the end
smallseat-broken-off = Nobody came back: the game ends, and nobody wins.
final-was = { $who } kept { $animal }
teller-held = The Teller's secret cards: { $cards }.
    .sms = Teller: { $cards }.
most-was = Most of them: { $animals }.
    .sms = Most: { $animals }.
teller-held-nothing = The Teller has no secret card.
    .sms = Teller: none.
nobody-won = Nobody kept what the Teller holds most of: nobody wins.
    .sms = Nobody wins.
teller-won = The called Animal won: { $who }, the Teller, wins alone.
    .sms = { $who }, the Teller, wins alone!
teller-won-absent = The called Animal won for { $who }, the Teller, who has left: nobody here wins.
    .sms = { $who }'s call won, but { $who } left: nobody wins.
candidate-won = { $who } wins!
candidate-won-absent = { $who } would have won, but has left.
    .sms = { $who } would have won, but left.

poll-over = End the round
    .sms = Over
poll-on = Go on
    .sms = On

# --- the rules

rules-smallseat = Vote with Animals. Most votes win the round and go to the Teller in secret; whose card lost does what it says or swaps places. At the end, keep a card of the Animal the Teller holds most of. The Teller wins alone if that is the one they called.
    .sms = Vote Animals; follow the Teller or pay. The top one goes to the Teller. Losers act or swap. End with what the Teller has most of. CARD + name explains.
rules-smallseat-deal = The Teller sits in the Smallseat and calls an Animal. All cards are dealt to the others, the Candidates: nine of each Animal. Hands are secret, but for cards that lie open.
    .sms = { "" }
rules-smallseat-votes = Each round the Teller votes first, openly, then all others in secret. Whoever holds that Animal follows, or pays for it with a card of their choice to anybody; that takes three cards. Of a tie the Animal wins that is met first, clockwise from the Smallseat. A Candidate with one card left keeps it, and votes no more.
    .sms = { "" }
rules-smallseat-lost = Clockwise from the Smallseat, everybody whose card lost does what it says, or swaps places with somebody. Then it lies open before the Teller. Whoever sits in the Smallseat is the Boss.
    .sms = { "" }
rules-smallseat-end = When no Candidate has two cards, the Teller's secret cards are counted. If the called Animal is among those there are most of, the Teller wins alone; else every Candidate whose last card is one of them; else nobody.
    .sms = { "" }
rules-smallseat-cards = CARD and a name explains an Animal, LOOK shows your hand, SCORES who sits where, TURN and a name turns over a card that has just come. Who does not answer in time votes by chance, and puts a lost card away. Smallseat is by Pandaqi; Parlour is not theirs.
    .sms = { "" }
rules-animals = In this game: { $animals }.
    .sms = { "" }
rules-by-mail = By mail a vote can say what to do if it loses: RABBIT DO BO PIG, or PIG SWAP CY. A Koala's DO says yes to other Koalas too. What anybody owes is chosen by chance.
    .sms = By mail: RABBIT DO BO PIG, or PIG SWAP CY, in one answer.

about-chick = Chick: next round the Boss votes first, face up, and everybody, the Teller too, follows the Boss. If the Boss can't vote, nothing changes; if the Teller is the Boss, nobody has to follow.
    .sms = Chick: next round the Boss votes first, openly, and all follow the Boss. If the Teller is Boss, nobody has to follow.
about-hedgehog = Hedgehog: for the rest of this round nobody can swap places with you, and no Otter can take your seat. You can still swap with others.
    .sms = Hedgehog: for the rest of this round nobody can take your place. You can still swap with others.
about-koala = Koala: all who voted Koala this round are asked in private. If all say yes, the round ends at once, and the other lost cards do nothing. If not, you have to vote a Koala next round, if you can.
    .sms = Koala: if all Koala voters agree, the round ends at once. If not, you have to vote Koala next round, if you can.
about-rabbit = Rabbit: show an Animal that you hold to another player, in secret. They tell you, and only you, how many of it they hold.
    .sms = Rabbit: show one of your Animals to somebody in secret, and learn how many of it they hold.
about-squirrel = Squirrel: take the Squirrel back into your hand and put down another card in its place. That card does nothing.
    .sms = Squirrel: take it back, and put down another card in its place. That card does nothing.
about-pig = Pig: give up to three cards to others, each to whom you like. For each, the Teller gives you one of their secret cards, of the Teller's choice.
    .sms = Pig: give up to 3 cards to others. For each, the Teller gives you a secret card of theirs.
about-panda = Red Panda: name an Animal of this game. Everybody who holds none of it gives you a card of their choice, for all to see. Nobody gives their last card.
    .sms = Red Panda: name an Animal. Whoever holds none of it gives you a card, openly, but never the last one.
about-cat = Cat: show three cards of your hand. Next round everybody votes an Animal they hold most of, and nobody follows.
    .sms = Cat: show 3 cards. Next round everybody votes an Animal they hold most of, and nobody follows.
about-otter = Otter: swap places with the Boss; the round ends at once. Next round all who voted Otter vote with a card drawn by chance. It fails if the Boss can't be moved.
    .sms = Otter: take the Smallseat; the round ends. Next round all who voted Otter vote by chance.
about-seal = Seal: put a card of your hand among the Teller's secret ones. Then the Teller turns three cards over, from secret to open or back.
    .sms = Seal: put a card among the Teller's secret ones. Then the Teller turns 3 cards over, either way.
about-dog = Dog: show your whole hand once. Until the end of the next round nobody can swap with you, or take from you, give to you or show you anything by what a card says.
    .sms = Dog: show your whole hand. Until the end of the next round nobody's card or swap can touch you.
about-pony = Pony: the cards that won this round go from the Teller to the Boss, and one of them, by chance, to you. Once a round.
    .sms = Pony: this round's winning cards go to the Boss, and one of them, by chance, to you. Once a round.
