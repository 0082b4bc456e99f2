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

card = { $facing ->
        [open] { $animal } (open)
       *[secret] { $animal }
    }
card-at-a-price = { $facing ->
        [open] { $animal } (open), costs you a card
       *[secret] { $animal }, costs you a card
    }
    .sms = { $facing ->
        [open] { $animal } (open)*
       *[secret] { $animal }*
    }

teller-is = { $who } is the Teller, sits in the Smallseat, and calls an Animal before the deal.
    .sms = { $who } is the Teller.
ask-calling = Which Animal shall win? If it does, you win alone.
call-is = { $who } calls { $animal }: if it wins, the Teller wins alone. The cards are dealt.
    .sms = { $who } calls { $animal }.
smallseat-round = Round { $number }.
nobody-here = Nobody is here: the game waits.
cap-reached = That was enough rounds. Whoever has several cards keeps one.

ask-voting = Which card do you vote with?
votes-openly = { $who } votes { $animal }, for all to see.
    .sms = { $who } votes { $animal }.
vote-was = { $who }: { $animal }
ask-paying = You could have followed and did not: name one card and who gets it.
pay-one-of-each = Name one card, and one player to get it.
paid = { $who } pays { $to } a card.
paid-openly = It is open: { $card }.
you-got = { $who } gave you: { $card }.
round-won = { $animal } wins the round with { $count ->
        [one] one vote
       *[other] { $count } votes
    }.

do-it = Do what it says
    .sms = Do it
swapped = { $who } swaps places with { $other }.
card-lost = { $who } puts the card away.

ask-lost-chick = Your Chick lost. Do it (next round the Boss votes first, and all follow), or swap places with somebody.
    .sms = Chick lost. Do it (next round all follow the Boss), or swap with whom?
ask-lost-hedgehog = Your Hedgehog lost. Do it (nobody can swap places with you this round), or swap places with somebody.
    .sms = Hedgehog lost. Do it (nobody swaps with you this round), or swap with whom?
ask-lost-koala = Your Koala lost. Do it (all Koala voters may end the round), or swap places with somebody.
    .sms = Koala lost. Do it (Koalas may end the round), or swap with whom?
ask-lost-rabbit = Your Rabbit lost. Do it (show somebody an Animal, learn how many they hold), or swap places with somebody.
    .sms = Rabbit lost. Do it (learn how many of an Animal somebody holds), or swap with whom?
ask-lost-squirrel = Your Squirrel lost. Do it (take it back, give up another card for it), or swap places with somebody.
    .sms = Squirrel lost. Do it (take it back for another card), or swap with whom?
ask-lost-pig = Your Pig lost. Do it (give away up to three cards, get as many of the Teller's secret ones), or swap places with somebody.
    .sms = Pig lost. Do it (give up to 3 cards, get as many from the Teller), or swap with whom?
ask-lost-panda = Your Red Panda lost. Do it (name an Animal: whoever holds none gives you a card), or swap places with somebody.
    .sms = Red Panda lost. Do it (who holds none of an Animal gives you a card), or swap with whom?
ask-lost-cat = Your Cat lost. Do it (show three cards; next round all vote what they hold most of), or swap places with somebody.
    .sms = Cat lost. Do it (next round all vote what they hold most of), or swap with whom?
ask-lost-otter = Your Otter lost. Do it (take the Smallseat, end the round; Otters vote by chance next), or swap places with somebody.
    .sms = Otter lost. Do it (take the Smallseat, end the round), or swap with whom?
ask-lost-seal = Your Seal lost. Do it (slip the Teller a secret card; the Teller turns three over), or swap places with somebody.
    .sms = Seal lost. Do it (slip the Teller a secret card), or swap with whom?
ask-lost-dog = Your Dog lost. Do it (show your hand; nobody can do anything to you until the end of the next round), or swap places with somebody.
    .sms = Dog lost. Do it (show your hand, be safe next round too), or swap with whom?
ask-lost-pony = Your Pony lost. Do it (the winning cards go to the Boss, one of them to you), or swap places with somebody.
    .sms = Pony lost. Do it (the winning cards go to the Boss, one to you), or swap with whom?

ask-rabbit = Whom do you show an Animal, and which?
ask-squirrel = Which card do you give up for the Squirrel?
ask-pig = Which cards do you give away, three at most, and to whom? The first card goes to the first player, and so on.
    .sms = Which cards, 3 at most, to whom, in that order?
ask-panda = Which Animal? Whoever holds none of it gives you a card.
    .sms = Which Animal?
ask-cat = Which three cards do you show?
ask-seal = Which card do you slip the Teller?
ask-poll = { $who } asks all Koalas: shall the round end at once? Nobody learns who said what.
    .sms = { $who }'s Koala: shall the round end at once?
ask-owed-panda = { $who } takes a card of yours, for all to see: which? ({ $count ->
       *[other] one
    })
    .sms = { $who } takes a card of yours: which?
ask-owed-pig = { $who } gets { $count ->
        [one] one secret card
       *[other] { $count } secret cards
    } of yours: which?
ask-owed-seal = For { $who }, turn { $count ->
        [one] one card
       *[other] { $count } cards
    } over: which?
ask-keeping = Which card do you end with?

rabbit-needs-one-of-each = Name one player and one Animal of yours.
pig-needs-both = Name cards and players, no more players than cards.
pig-gives-too-much = You can part with { $most } at most.

chick-did = { $who }'s Chick: next round the Boss votes first, and everybody follows the Boss.
    .sms = { $who }'s Chick: next round all follow the Boss.
hedgehog-did = { $who }'s Hedgehog: nobody can swap places with { $who } this round.
    .sms = { $who }'s Hedgehog: no swaps with { $who } this round.
koala-polls = { $who }'s Koala: all Koala voters are asked whether the round shall end.
    .sms = { $who }'s Koala asks for the round to end.
koala-ends-it = All agree: the round is over.
koala-goes-on = Not all agree: the round goes on, and { $who } plays a Koala next.
rabbit-did = { $who } shows { $to } an Animal, and learns how many of it { $to } holds.
    .sms = { $who } shows { $to } an Animal.
rabbit-shows = { $who } shows you { $animal }, and learns that you hold { $count }.
rabbit-learns = { $to } holds { $count } of { $animal }.
squirrel-did = { $who } takes the Squirrel back and gives up { $card }.
pig-did = { $who } gives away { $count ->
        [one] one card
       *[other] { $count } cards
    }.
pig-got = The Teller gives { $who } { $count ->
        [one] one secret card
       *[other] { $count } secret cards
    } back.
panda-did = { $who } asks for { $animal }: whoever holds none gives a card.
panda-got = { $who } gives { $card }.
cat-did = { $who } shows { $cards }. Next round everybody votes what they hold most of.
otter-did = { $who } takes the Smallseat, and the round is over. Next round the Otters vote by chance.
    .sms = { $who }'s Otter takes the Smallseat and ends the round.
otter-failed = { $who }'s Otter can't get at { $boss }.
seal-did = { $who } slips the Teller a card, and the Teller turns cards over.
seal-failed = { $who }'s Seal can't get at the Teller.
teller-flipped = { $who } turns over { $cards }.
dog-did = { $who } shows { $cards }, and is safe until the end of the next round.
pony-did = { $who }'s Pony brings { $boss } { $count ->
        [one] the winning card
       *[other] the { $count } winning cards
    }, but for one.
pony-failed = { $who }'s Pony finds nothing to carry.

smallseat-broken-off = Nobody came back: the game ends, and nobody wins.
final-was = { $who } kept { $animal }
nobody-won = Nobody kept the Animal the Teller holds most of: nobody wins.
teller-won = The called Animal won: { $who }, the Teller, wins alone.
candidate-won = { $who } wins!
yes = Yes
no = No
