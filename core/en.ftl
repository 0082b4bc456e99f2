# The words of the lobby and of whatever is the same in every game. `.sms` is the short GSM-7 form.

# --- the desk
hello = Hello, this is Parlour: parlour games by text message. To open a room, send NEW. To join your friends, send JOIN and their room's code.
    .sms = Parlour: party games by text. Send NEW for a room, or JOIN and a room's code.
rules-of-the-house = Parlour plays word and voting games with friends, wherever they write from. Send NEW to open a room, JOIN and a code to take a seat. In a room: GO starts, WHO tells who is waited for, RULES explains, LEAVE gets you out.
    .sms = Send NEW for a room, JOIN + a code for a seat. In a room: GO, WHO, RULES, SCORES, LEAVE.
join-how = Which room? Send JOIN and the code your friends gave you, like JOIN KTRGW.
    .sms = Which room? Send JOIN and its code, like JOIN KTRGW.
no-such-room = No open room has that code. Check it with your friends, or send NEW to open one.
    .sms = No open room has that code. Check it, or send NEW.
no-such-game = I don't have that game. I have: { $games }.
    .sms = Games here: { $games }
in-a-room = You already sit in room { $code }. Send LEAVE to get up first.
    .sms = You sit in room { $code }. LEAVE it first.
in-another-room = You already sit in another room. Send me LEAVE in private to get up first.
    .sms = You sit in another room. LEAVE it first.
room-here = Room { $code } is open here already: /join takes a seat.
room-is-over = That game is over. Send NEW for another one.
    .sms = That game is over. NEW opens another.
room-full = Sorry, that room is full.
no-seat-to-take = They are playing already, and every seat has its player. Come back when it is over.
    .sms = They are playing, and no seat is free. Try again later.
no-bot-now = The game has begun: a bot can sit down before the next one.
    .sms = The game has begun: no bot now.
took-over = { $who } takes over the seat of { $old }.
no-cards-here = This game has no cards to explain. RULES explains it.
cards-are = Send CARD and a name: { $cards }.

# --- the lobby
room-open = { $who } opened a room. Its code is { $code }.
    .sms = Your room: { $code }
way-in = { $text }
    .sms = { $short }
you-host = You are the host: send GO when everybody is here, WHO to see who is.
    .sms = Send GO when all are here.
you-joined = Welcome, { $who }, you have a seat in room { $code }. RULES explains the game, WHO shows who is here.
    .sms = You are in room { $code } as { $who }. Msg rates may apply. STOP ends texts, HELP for help.
name-yourself = To be called something else, send NAME and your name.
    .sms = Send NAME and your name.
already-in = You have a seat in this room already.
is-ready = { $who } is ready.
    .sms = { "" }
joined = { $who } is here.
    .sms = { "" }
bot-sat-down = { $who }, a bot, takes a seat.
    .sms = { "" }
joined-late = { $who } takes a seat and plays from the next round on.
    .sms = { $who } joins.
who-lobby = Here: { $who }. Host: { $host }.
must-press-start = Still to open their private chat with me and press Start: { $who }.
    .sms = Must press Start on Telegram: { $who }
you-can-go = You are the host: GO starts the game.
    .sms = GO starts the game.
you-can-wait = The host starts the game.
too-few = It takes { $least } to play; here are { $now }.
lobby-closed = Nothing has happened here for a while, so the room is closed. NEW opens another.
    .sms = The room is closed. NEW opens another.
only-in-the-lobby = That can only be changed before the game starts.
too-many = { $most } can play so, and here are { $now }.
ask-variant = Tap what to switch on or off, or send VARIANT and its number.
    .sms = Send VARIANT + a number:
variant-on = { $name }: on
variant-off = { $name }: off
chosen = { $what }.
chosen-no-more = That is off again.
rematch = Once more, with fresh words!
rematch-waits = Once more! Whoever is missing can join; the host sends GO.
    .sms = Once more! GO starts.
not-over-yet = The game isn't over yet.
which-pace = The pace is { $pace }. Send PACE LIVE, RELAXED, MAIL or OFF.
pace-is = The pace is { $pace } from now on.

# --- inviting
invite-share = Send your friends this, from your own phone: Play a parlour game with me! The room is { $code }.
    .sms = Send your friends: Play with me! Text JOIN { $code } to this number.
invite-not-here = I can't text anybody first here.
    .sms = I can't text them first.
invite-a-room = Open a room first, with NEW. Then I can invite your friends.
    .sms = Open a room first: NEW
invite-in-private = Phone numbers are for you and me alone: send me INVITE and the numbers in our private chat.
invite-whom = I found no phone number in that. Send INVITE and your friends' numbers, or INVITE alone for something to share.
    .sms = I found no number. Send INVITE + numbers, or INVITE alone.
invited = { $number }: invited.
    .sms = { $number }: invited
invite-already-in = { $number }: already in.
    .sms = { $number }: already in
invite-unreachable = { $number }: can't be reached.
    .sms = { $number }: can't be reached
invite-which-country = { $number }: in which country? Begin with + and its code.
    .sms = { $number }: which country? Start with +
invite-asleep = { $number }: it is night there. Try again between 8 and 21 o'clock their time.
    .sms = { $number }: night there, try 8-21
invite-again = { $number }: the same number again.
    .sms = { $number }: twice
invite-enough = { $number }: that is enough for today. Share the code instead.
    .sms = { $number }: enough for today
invite-is-it = { $number }?
invite-confirm = Each gets one text from Parlour. Are the numbers right, and did these people agree to that? Then send INVITE { $word }.
    .sms = Right, and they agreed to one text? Send INVITE { $word }
invitation = { $game }: { $host } asked us to invite you to a game by text. Reply JOIN { $code } to play. Msg&data rates may apply. STOP to opt out, HELP for help.

# --- at the table
name-wont-do = That name won't do. Take two letters or more, no number, no command's name.
    .sms = That name won't do: 2 letters or more, no number, no command.
you-are-called = You are called { $who }.
you-are-now-called = { "" }
    .sms = You are called { $who }.
is-now-called = { $old } is { $who } now.
    .sms = { "" }
not-in-this-room = You have no seat in that room.
only-the-host = Only the host, { $who }, can do that.
nobody-else = There is nobody else here.
kick-whom = Whom? Here are: { $who }.
confirm = To be sure it is you: send { $command } { $number }
leave-how = To get up from the table, send LEAVE.
left = { $who } left.
you-left = You got up. Thanks for playing!
    .sms = You left. Thanks for playing!
was-shown-out = { $who } was shown out by the host.
    .sms = { $who } was shown out.
you-were-shown-out = The host showed you out of the room.
new-host = { $who } is the host now.
finished = { $who } ended the game.
cant-be-reached = { $who } can't be reached and sits out.
    .sms = { $who } can't be reached.
sits-out = { $count ->
        [one] { $who } has been quiet and sits out.
       *[other] { $who } have been quiet and sit out.
    }
    .sms = { "" }
you-sit-out = You have been quiet and sit out. Write anything to play on.
    .sms = You sit out. Text anything to play on.
you-are-back = Welcome back! You are dealt in from the next round on.
    .sms = You are back from the next round on.
came-back = { $who } is back.
    .sms = { "" }
no-scores-yet = There are no scores before the game starts.
no-card-now = You hold nothing secret right now.
only-in-private = Your card is for you alone: ask for it in our private chat.
answer-in-private = Answers go in our private chat, where nobody sees them.
show-mine = Show mine

# --- waiting
waiting-for = Waiting for { $who }, { $unit ->
        [days] { $amount } days
        [hours] { $amount } hours
        [minutes] { $amount } minutes
       *[seconds] { $amount } seconds
    } left.
    .sms = Waiting: { $who } ({ $amount } { $unit ->
        [days] days
        [hours] h
        [minutes] min
       *[seconds] s
    })
waiting-for-nobody = Everybody is in; { $unit ->
        [days] { $amount } days
        [hours] { $amount } hours
        [minutes] { $amount } minutes
       *[seconds] { $amount } seconds
    } left to change your mind.
    .sms = All are in.
waiting-for-players = The game waits for players. Without any it ends in { $unit ->
        [days] { $amount } days
        [hours] { $amount } hours
        [minutes] { $amount } minutes
       *[seconds] { $amount } seconds
    }.
    .sms = Waiting for players.
you-are-asked = You: your { $verb } is wanted.
    .sms = Your { $verb } is wanted.
you-can-change-it = You: your { $verb } is in; you can still change it.
    .sms = Your { $verb } is in.
nothing-asked-of-you = You: nothing to do right now.
    .sms = Nothing to do for you now.
status-waiting = { $count ->
        [one] Waiting for one more.
       *[other] Waiting for { $count }.
    }
status-all-in = All in.
status-scene = { $what } ({ $unit ->
        [days] { $amount } days
        [hours] { $amount } hours
        [minutes] { $amount } minutes
       *[seconds] { $amount } seconds
    })
time-put-off = I was away when time ran out, so there is more of it now.
    .sms = Time was extended.
grace-given = Time is up, but the others wait a while longer for you.
    .sms = Time is up, but we still wait for you.

# --- understanding
not-understood = I didn't get that. WHO tells what is going on, RULES explains the game.
    .sms = I didn't get that. WHO tells what goes on, ? explains.
no-such-command = I don't know { $word }. WHO tells what is going on, RULES explains the game.
    .sms = I don't know { $word }. Try WHO or ?
reserved-word = { $word } belongs to the phone companies: it can't be used here. Try another word.
    .sms = That word belongs to the phone companies. Try another.
write-letters = That has no letters. Send a word.
write-fewer-words = One word only, please.
    .sms = { $count ->
        [one] One word only, please.
       *[other] At most { $count } words, please.
    }
write-shorter = That is too long: { $count } letters at most.
as-your-answer = As your { $verb }? Then send: { $verb } { $word }
one-of-them = { $one }
no-word-with = No word goes with { $who }: send just that.
which-one = Which one: { $who }?
pick-one = I didn't get that. Name one of: { $who }.
    .sms = Name one of: { $who }
pick-some = { $least ->
        [0] Name up to { $most } of: { $who }. Or NONE.
       *[other] Name { $least } to { $most } of: { $who }.
    }
pick-exactly = Name { $most } of: { $who }.
question-is-closed = That question is closed.
wrote = Your { $verb }: { $word }. You can still change it.
    .sms = { "" }
wrote-a-command = Your { $verb }: { $word }. If you wanted the command, send /{ $command }.
    .sms = Your { $verb }: { $word }. For the command send /{ $command }
picked = Noted: { $who }.
    .sms = { "" }
done = Done
picked-so-far = So far: { $who }.
    .sms = { "" }
picked-enough = That is enough: { $most }. Press one of them again to take it back.
pick-more = It takes { $least } at least.
picked-too-often = { $times ->
        [one] { $what } can be named once only.
       *[other] { $what } can be named { $times } times at most.
    }
picked-nothing = Noted: nothing.
    .sms = { "" }
picked-with-word = Noted: { $who }, with the word “{ $word }”.
    .sms = { "" }
