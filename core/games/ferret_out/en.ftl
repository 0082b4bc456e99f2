# Ferret Out, in English. `.sms` is the form for whoever pays for each message: GSM-7, short,
# and empty where it is not worth a message.

rules-ferret-out =
    Ferret Out: everybody gets a secret word, the same for all but one. That one is the Weasel, and nobody knows who it is, not even the Weasel.
    1. Give a one-word clue for your word: clear enough for the others to know you by, vague enough not to give it away.
    2. When all clues are in, name the Weasel in secret. If you think it is you, name yourself, with a guess at the others' word.
    Ferrets score 1 for naming the Weasel, 1 if all of them did, and 1 if the Weasel did not guess their word.
    The Weasel scores 1 if any Ferret missed, 1 for naming itself, and 2 more for guessing the word.
    Most points after eight rounds wins; a tie plays on.
    .sms = One of you, the Weasel, has another word than all others; nobody knows who. Give a 1-word clue, then name the Weasel. If it's you: ME + their word. 8 rounds.

round-began = Round { $number } of { $rounds }.
    .sms = Round { $number }/{ $rounds }
extra-round-began = The lead is tied: extra round { $number }.
    .sms = Tie! Extra round { $number }
cfo-picks = { $who } is Chief Ferret Officer and picks the number.
    .sms = { "" }
number-is = Number { $number } it is. Everybody, look at your word in private and send me a clue.
    .sms = { "" }
your-card = Your word is { $word }. Your card also has { $others }: none of these six may be your clue.
    .sms = Your word: { $word }. Also on your card, so no clues: { $others }
ask-number = You are Chief Ferret Officer. Your card has { $words }. Which number shall it be? Everybody gets the word at that place of their own card.
    .sms = You are CFO. Which number? Your card: { $words }
ask-clue = Send your clue: one word.
    .sms = Your 1-word clue?

clue-is-on-your-card = { $word } is on your own card, so it can't be your clue. Try another word.
    .sms = { $word } is on your card. Another clue?

clues-are-in = The clues are in:
    .sms = { "" }
clue-was = { $who }: { $clue }
    .sms = { "" }
no-clue-from = { $who }: (no clue)
    .sms = { "" }
ask-vote = Who is the Weasel? Name one player; nobody sees it until all are in. If you think it is you, name yourself and add your guess at the Ferrets' word.
    .sms = Who is the Weasel? If it's you: ME + the others' word.
ask-word = If that is so: what is the Ferrets' word? Send it, or leave it at that.
    .sms = And the Ferrets' word? Send it if you like.

weasel-was = { $who } was the Weasel, with { $weasels }. The Ferrets had { $ferrets }.
    .sms = Weasel: { $who } ({ $weasels }). Ferrets: { $ferrets }.
ballot-was = { $who } named { $named }: +{ $gained }, { $total } in all
    .sms = { "" }
named-themself = { $who } named themself: +{ $gained }, { $total } in all
    .sms = { "" }
no-ballot-from = { $who } named nobody in time: +{ $gained }, { $total } in all
    .sms = { "" }
guess-was = { $who } guessed “{ $word }”: { $hit ->
        [yes] right!
       *[no] no.
    }
    .sms = { $hit ->
        [yes] { $who } guessed the word!
       *[no] { "" }
    }
your-points-were = { "" }
    .sms = You +{ $gained }, { $total } in all. Best: { $leader } { $best }.

round-is-void = Without them this round can't be played: it is void, and nobody scores.
    .sms = Round void, no scores.
paused = Too few are left to play on: it takes { $least }. The game waits for somebody to come back or join, then goes on.
    .sms = Paused until { $least } play.
paused-for-all = Everybody is away: this round doesn't count, and the game waits.
    .sms = The game waits for you.
rounds-played = Played so far: { $played } of { $rounds } rounds.
    .sms = { $played }/{ $rounds } rounds played
ended-early = The game ends here. The scores so far:
    .sms = Game over. Scores:
winner-is = { $who } wins the game with { $total } points!
    .sms = { $who } wins! Scores:
winners-are = { $who } share the win with { $total } points!
    .sms = { $who } share the win! Scores:
score-is = { $who }: { $total }
