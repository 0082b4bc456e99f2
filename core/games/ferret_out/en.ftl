# Ferret Out, in English. `.sms` is the form for whoever pays for each message: GSM-7, short,
# and empty where it is not worth a message.

rules-ferret-out =
    Ferret Out: everybody gets a secret word, the same for all but one. That one is the Weasel, and nobody knows who it is, not even the Weasel.
    1. Give a one-word clue for your word: clear enough for the others to know you by, vague enough not to give it away.
    2. When all clues are in, name the Weasel in secret. If you think it is you, name yourself, with a guess at the others' word.
    Ferrets score 1 for naming the Weasel, 1 if all of them did, and 1 if the Weasel did not guess their word.
    The Weasel scores 1 if any Ferret missed, 1 for naming itself, and 2 more for guessing the word.
    { $points ->
        [0] Most points after { $rounds ->
                [one] one round
               *[other] { $rounds } rounds
            } wins; a tie plays on.
       *[other] Whoever first has { $points } points after a round wins; a tie plays on.
    }
    .sms = One of you, the Weasel, has another word than all others; nobody knows who. Give a 1-word clue, then name the Weasel. If it's you: ME + their word. { $points ->
        [0] { $rounds ->
                [one] One round
               *[other] { $rounds } rounds
            }.
       *[other] To { $points } points.
    }
rules-point-of-order = Point-of-Order: clues are given in turn, the Chief Ferret Officer first, for all to see. None may come twice.
    .sms = Point-of-Order: clues in turn, none twice.
rules-weasel-brained = Weasel-Brained: a Ferret may add a guess at the Weasel's word to the name it gives. A hit is 3 points.
    .sms = Weasel-Brained: name + the Weasel's word = 3.
rules-paranoia = Paranoia: there may be no Weasel at all. If you think so, name nobody.
    .sms = Paranoia: maybe no Weasel, then name NOBODY.
rules-team-weasel = Team Weasel: there are two Weasels, with the same word, and neither knows of the other. Naming either is right.
    .sms = Team Weasel: two Weasels, name either.
rules-paranoia-team-weasel = Paranoia and Team Weasel: there are two Weasels, with the same word, or only one. Naming either is right.
    .sms = Paranoia + Team Weasel: 1 or 2 Weasels, name either.
rules-duel = Duel: two players, three cards, one left out. Your words may be the same: if you think so, name nobody.
    .sms = Duel: maybe no Weasel, then name NOBODY.

score-card-total = Total
score-card-game = { $count ->
        [0] Ferret Out
       *[other] Ferret Out: { $played }
    }
name-point-of-order = Point-of-Order
name-weasel-brained = Weasel-Brained
name-paranoia = Paranoia
name-team-weasel = Team Weasel
name-duel = Duel
name-to = To { $count } points
name-rounds = { $count ->
        [one] One round
       *[other] { $count } rounds
    }
name-pack = Words of { $pack }
name-pick = The Chief Ferret Officer picks the numbers
    .sms = The CFO picks the numbers
name-roll = The die rolls the numbers
duel-is-paranoid = Duel has Paranoia in it already: in both, there may be no Weasel.
    .sms = Duel has Paranoia in it already.
duel-has-no-team = A Duel has no room for two Weasels.
no-such-variant = I don't know that one. VARIANT lists what there is.
played-with = Played with: { $variants }.
    .sms = { $variants }
variant-dropped = { $name } is off from now on: too few are left for it.
    .sms = { $name } is off now.

round-began = Round { $number } of { $rounds }.
    .sms = Round { $number }/{ $rounds }
round-to-points-began = Round { $number }, to { $points } points.
    .sms = Round { $number }
extra-round-began = The lead is tied: extra round { $number }.
    .sms = Tie! Extra round { $number }
cfo-picks = { $who } is Chief Ferret Officer and picks the number.
    .sms = { "" }
number-is = Number { $number } it is. Everybody, look at your word in private and send me a clue.
    .sms = { "" }
number-is-in-order = Number { $number } it is. Look at your word in private. Clues come one by one, for all to see.
    .sms = { "" }
turn-is = { $who } is next.
    .sms = { "" }
your-card = Your word is { $word }. Your card also has { $others }: none of these six may be your clue.
    .sms = Your word: { $word }. Not as clues: { $others }
ask-number = You are Chief Ferret Officer. Your card has { $words }. Which number shall it be? Everybody gets the word at that place of their own card.
    .sms = You are CFO. Which number? Your card: { $words }
ask-clue = Send your clue: one word.
    .sms = Your 1-word clue?
ask-clue-in-order = Your turn: send your clue, one word.{ $given ->
        [0] { "" }
       *[other] {" "}Given so far, so no clues any more: { $clues }
    }
    .sms = Your turn: 1-word clue?{ $given ->
        [0] { "" }
       *[other] {" "}Given: { $clues }
    }

clue-is-on-your-card = { $word } is on your own card, so it can't be your clue. Try another word.
    .sms = { $word } is on your card. Another clue?
clue-was-given = { $word } was given already. Try another word.
    .sms = { $word } was given. Another clue?

clues-are-in = The clues are in:
    .sms = { "" }
clue-was = { $who }: { $clue }
    .sms = { "" }
no-clue-from = { $who }: (no clue)
    .sms = { "" }
ask-vote = { $weasels ->
        [two] Who is a Weasel? There are two; name one of them
        [maybe-two] Who is a Weasel? There are one or two; name one of them
        [maybe-one] Who is the Weasel? Name one player, or nobody if you think there is none
       *[one] Who is the Weasel? Name one player
    }; no one sees it until all are in. If you think it is you, name yourself and add your guess at the Ferrets' word.{ $brained ->
        [yes] {" "}With another's name, you may add a guess at the Weasel's word.
       *[no] { "" }
    }
    .sms = { $weasels ->
        [two] Who is a Weasel (of 2)?
        [maybe-two] Who is a Weasel (of 1 or 2)?
        [maybe-one] Who is the Weasel, or nobody?
       *[one] Who is the Weasel?
    }{ $brained ->
        [yes] {" "}Name (+ its word), or ME + the others' word.
       *[no] {" "}If it's you: ME + the others' word.
    }
ask-word = If that is so: what is the Ferrets' word? Send it, or leave it at that.
    .sms = And the Ferrets' word? Send it if you like.
ask-their-word = If you like, add the Weasel's word: a hit is 3 points.
    .sms = { "" }
nobody = nobody

weasel-was = { $who } was the Weasel, with { $weasels }. The Ferrets had { $ferrets }.
    .sms = Weasel: { $who } ({ $weasels }). Ferrets: { $ferrets }.
weasels-were = { $who } were the Weasels, with { $weasels }. The Ferrets had { $ferrets }.
    .sms = Weasels: { $who } ({ $weasels }). Ferrets: { $ferrets }.
no-weasel-was = There was no Weasel: all of you had { $ferrets }. { $weasels } was left out.
    .sms = No Weasel! All had { $ferrets }.
ballot-was = { $who } named { $named }: +{ $gained }{ $ways ->
        [0] { "" }
       *[other] {" "}({ $why })
    }, { $total } in all
    .sms = { "" }
named-themself = { $who } named themself: +{ $gained }{ $ways ->
        [0] { "" }
       *[other] {" "}({ $why })
    }, { $total } in all
    .sms = { "" }
no-ballot-from = { $who } named no one in time: +{ $gained }{ $ways ->
        [0] { "" }
       *[other] {" "}({ $why })
    }, { $total } in all
    .sms = { "" }
scored-found = right
scored-all-found = all were right
    .sms = all right
scored-safe = word kept safe
    .sms = word safe
scored-their-word = 3 for the Weasel's word
    .sms = 3 for its word
scored-missed = not all found the Weasel
    .sms = not all found
scored-self = knew itself
    .sms = knew it
scored-word = 2 for the Ferrets' word
    .sms = 2 for the word
guess-was = { $who } guessed “{ $word }”: { $hit ->
        [yes] right!
       *[no] no.
    }
    .sms = { $hit ->
        [yes] { $who } guessed the word!
       *[no] { "" }
    }
their-guess-was = { $who } guessed the Weasel's word, “{ $word }”: { $hit ->
        [yes] right!
       *[no] no.
    }
    .sms = { "" }
your-points-were = { "" }
    .sms = You +{ $gained }{ $ways ->
        [0] { "" }
       *[other] {" "}({ $why })
    }, now { $total }. Best: { $leader } { $best }.

round-is-void = Without them this round can't be played: it is void, and nobody scores.
    .sms = Round void, no scores.
paused = Too few are left to play on: it takes { $least }. The game waits for somebody to come back or join, then goes on.
    .sms = Paused until { $least } play.
paused-while-away = Everybody is away: the game waits.
    .sms = The game waits for you.
paused-for-all = Everybody is away: this round doesn't count, and the game waits.
    .sms = The game waits for you.
rounds-played = Rounds played so far: { $played }.
ended-early = The game ends here. The scores so far:
    .sms = Game over. Scores:
winner-is = { $who } wins the game with { $total } points!
    .sms = { $who } wins! Scores:
winners-are = { $who } share the win with { $total } points!
    .sms = { $who } share the win! Scores:
score-is = { $who }: { $total }
final-score-is = { $who }: { $total } ({ $rounds })
    .sms = { $who }: { $total }
