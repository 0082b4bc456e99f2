"""What people do at a table, whatever is played: sit down, get up, ask who is waited for.

Every function takes the room and gives an `Outcome`: the room after it, what is said to whom, and
the answer to whoever asked. A mistake is an answer, never an exception.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from core import playing
from core.commands import TableCommand
from core.game import Arg, Each, Joined, Left, Line, Lines, Option, Say, Seat, Undeliverable, Who
from core.game import room as aloud
from core.reading import Called, clean_name, meant_by
from core.room import Lobby, Over, Playing, Room, Seated
from core.spelling import key
from core.text import Catalogue

LOBBY_SECONDS = 30 * 60


class Way(Struct, frozen=True):
    """A way into a room, as a platform words it; `{code}` stands for the room's code."""

    text: str
    short: str = ""


class House(Struct, frozen=True):
    """What the operator decided: the ways in, and how long a second of the tables lasts."""

    ways: tuple[Way, ...] = ()
    second_ms: int = 1_000


class Speaker(Struct, frozen=True):
    """Whoever does something: a person at an address, and how that address takes messages."""

    person: str
    address: str
    name: str = ""
    texting: bool = False
    open: bool = True


class Outcome(Struct, frozen=True):
    """The room after it, what is said, and the answer to whoever did it.

    `secret`: the answer is for the speaker alone, wherever they spoke; `again`: the speaker's open
    question is put to them once more; `menu`: they are shown what a host can choose; `ring`: and
    who sits where, if it can be drawn.
    """

    room: Room
    says: tuple[Say, ...] = ()
    answer: tuple[Line, ...] = ()
    secret: bool = False
    again: bool = False
    menu: bool = False
    ring: bool = False


def sit_down(room: Room, speaker: Speaker, name: str, *, public: bool, now_ms: int) -> Outcome:
    """A person takes a seat, or gets their old one back."""
    if isinstance(room.stage, Over):
        return Outcome(room, answer=(Line("room-is-over"),))
    if room.seat_of(speaker.person):
        return Outcome(room, answer=(Line("already-in"),), again=True)
    old = next((one for one in room.seats if one.person == speaker.person), None)
    taken_over, dealt = None, playing.dealt(room)
    if dealt is not None:
        taken_over = old if old and old.seat in dealt else _empty(room, dealt)
        if taken_over is None:
            return Outcome(room, answer=(Line("no-seat-to-take"),))
    elif len(room.here) >= playing.seats_of(room)[1]:
        return Outcome(room, answer=(Line("room-full"),))
    number = len(room.seats) + 1
    wanted = clean_name(name) or (old.name if old else clean_name(speaker.name))
    before = taken_over or old
    seated = Seated(
        before.seat if before else f"s{number}",
        name_for(room, wanted or f"Player {number}", before),
        speaker.person,
        speaker.address,
        public,
        speaker.texting,
        speaker.open,
    )
    room = _paced(room.with_seat(seated))
    who = Who(seated.seat)
    answer = _welcome(room, seated, named=wanted is not None)
    if taken_over and taken_over is old:
        says = (aloud("came-back", who=who),)
    elif taken_over:
        says = (aloud("took-over", who=who, old=taken_over.name),)
    else:
        says = (aloud("joined" if isinstance(room.stage, Lobby) else "joined-late", who=who),)
    if not speaker.open:
        says += (aloud("must-press-start", who=Each((seated.seat,))),)
    if isinstance(room.stage, Lobby):
        closes_ms = now_ms + room.pace.wait_ms(LOBBY_SECONDS, slow=False)
        return Outcome(replace(room, stage=replace(room.stage, closes_ms=closes_ms)), says, answer)
    if taken_over and isinstance(room.stage, Playing):
        # What stands on the board was said when somebody else sat there: begin a new one.
        room = replace(room, stage=replace(room.stage, board=("", "")))
    room, more = playing.tell_game(room, Joined(seated.seat), now_ms)
    held = playing.card_of(room, seated.seat) if taken_over and speaker.open else ()
    return Outcome(room, (*says, *more), (*answer, *held), again=taken_over is not None)


def _empty(room: Room, dealt: tuple[Seat, ...]) -> Seated | None:
    """A seat of the game that nobody sits at: one that was left, else a bot's."""
    seats = [one for one in room.seats if one.seat in dealt]
    left = [one for one in seats if one.gone]
    return next(iter((*left, *(one for one in seats if one.bot))), None)


def get_up(room: Room, seated: Seated, line: str, now_ms: int) -> Outcome:
    """A seat is given up. The host's chair passes to whoever has been there longest."""
    seat = seated.seat
    room = room.with_seat(replace(seated, gone=True))
    says = [aloud(line, who=Who(seat))]
    if not room.people:
        return Outcome(replace(room, stage=playing.over(room)), tuple(says))
    room, more = succeeded(room)
    room, still_more = playing.tell_game(room, Left(seat), now_ms)
    return Outcome(room, (*says, *more, *still_more))


def unreachable(room: Room, seated: Seated, now_ms: int) -> Outcome:
    """A seat's thread takes no messages: a block, a STOP and a dead number are one event."""
    if seated.gone or (seated.away and not seated.open):
        return Outcome(room)
    room = room.with_seat(replace(seated, away=True, open=False))
    says: tuple[Say, ...] = (aloud("cant-be-reached", who=Who(seated.seat)),)
    room, more = succeeded(room)
    room, still_more = playing.tell_game(room, Undeliverable(seated.seat), now_ms)
    return Outcome(room, (*says, *more, *still_more))


def depart(room: Room, person: str) -> Room:
    """A person, or everybody, has gone after the game: no rematch waits for them."""
    leaving = [one for one in room.people if person in {"", one.person}]
    if not isinstance(room.stage, Over):
        return room
    for seated in leaving:
        room = room.with_seat(replace(seated, gone=True))
    return succeeded(room)[0]


def come_back(room: Room, seated: Seated, now_ms: int) -> Outcome:
    """An absent seat is dealt in again."""
    room = room.with_seat(replace(seated, away=False, open=True))
    room, says = playing.tell_game(room, Joined(seated.seat), now_ms)
    later = isinstance(room.stage, Playing) and not playing.card_of(room, seated.seat)
    answer = (Line("you-are-back"),) if later else ()
    return Outcome(room, (aloud("came-back", who=Who(seated.seat)), *says), answer, again=True)


def obey(
    room: Room,
    seated: Seated,
    command: TableCommand,
    typed: str,
    house: House,
    *,
    public: bool,
    now_ms: int,
) -> Outcome:
    """Do what a seated person's command says."""
    match command:
        case "new" | "join":
            return Outcome(room, answer=(Line("in-a-room", {"code": room.code}),))
        case "leave":
            left = get_up(room, seated, "left", now_ms)
            return replace(left, answer=(Line("you-left"),))
        case "who":
            return Outcome(room, answer=_who(room, seated, house, now_ms))
        case "rules":
            return Outcome(room, answer=playing.rules_of(room))
        case "scores":
            lines = playing.lines_of(room) or (Line("no-scores-yet"),)
            return Outcome(room, answer=lines, ring=True)
        case "look":
            return _look(room, seated, public=public)
        case "name":
            return _rename(room, seated, typed)
        case "again":
            return _again(room, now_ms)
        case "invite":
            return Outcome(room, answer=sharing(room, house))


def explained(room: Room, typed: str, words: Catalogue) -> tuple[Line, ...]:
    """What a card of the game does, or which cards there are."""
    cards = playing.game_of(room).cards
    options = tuple(Option(card.called[0], card.name) for card in cards)
    meant = meant_by(typed, options, Called(room.names, words)) if typed else []
    if isinstance(meant, Option):
        return tuple(card.about for card in cards if card.called[0] == meant.value)
    if not cards:
        return (Line("no-cards-here"),)
    return (Line("cards-are", {"cards": Lines(tuple(card.name for card in cards))}),)


def _again(room: Room, now_ms: int) -> Outcome:
    """A rematch with whoever is still here; to the lobby if they are too few, or not reachable."""
    if not isinstance(room.stage, Over):
        return Outcome(room, answer=(Line("not-over-yet"),))
    seats = tuple(replace(one, away=one.away and not one.open) for one in room.seats)
    closes_ms = now_ms + room.pace.wait_ms(LOBBY_SECONDS, slow=False)
    room = replace(room, seats=seats, stage=Lobby(closes_ms, room.stage.latest), confirmation=None)
    least, most = playing.seats_of(room)
    if unready(room) or not least <= sum(one.plays for one in room.seats) <= most:
        return Outcome(room, (aloud("rematch-waits"),))
    room, says = playing.start(room, now_ms)
    return Outcome(room, (aloud("rematch"), *says))


def ways_in(room: Room, house: House) -> tuple[Line, ...]:
    """How others join, a line for each platform."""
    return tuple(
        Line(
            "way-in",
            {
                "text": way.text.replace("{code}", room.code),
                "short": way.short.replace("{code}", room.code),
            },
        )
        for way in house.ways
    )


def sharing(room: Room, house: House) -> tuple[Line, ...]:
    """What to send to friends, so that they write first."""
    if isinstance(room.stage, Over):
        return (Line("room-is-over"),)
    return (Line("invite-share", {"code": room.code}), *ways_in(room, house))


def show_in(room: Room, seated: Seated) -> Outcome:
    """A person has opened their own thread: tell them where they are, and what they hold."""
    if isinstance(room.stage, Playing):
        card = playing.card_of(room, seated.seat)
        return Outcome(room, answer=(*playing.lines_of(room), *card), again=True)
    return Outcome(room, answer=_welcome(room, seated, named=True), again=True)


def _welcome(room: Room, seated: Seated, *, named: bool) -> tuple[Line, ...]:
    if not seated.open:
        return ()
    line = Line("you-joined", {"who": Who(seated.seat), "code": room.code})
    return (line,) if named else (line, Line("name-yourself"))


def _look(room: Room, seated: Seated, *, public: bool) -> Outcome:
    if public:
        return Outcome(room, answer=(Line("only-in-private"),))
    card = playing.card_of(room, seated.seat)
    return Outcome(room, answer=card or (Line("no-card-now"),), again=True)


def _who(room: Room, seated: Seated, house: House, now_ms: int) -> tuple[Line, ...]:
    names = Each(tuple(one.seat for one in room.here))
    match room.stage:
        case Lobby():
            late = unready(room)
            lines = [Line("who-lobby", {"who": names, "host": Who(room.host)})]
            lines += [Line("must-press-start", {"who": Each(late)})] if late else []
            lines += _chosen(room)
            return (*lines, *ways_in(room, house), what_now(room, seated))
        case Playing():
            return (_waiting(room, now_ms), what_now(room, seated))
        case Over():
            return (Line("room-is-over"),)


def _chosen(room: Room) -> list[Line]:
    """What is switched on, if anything is."""
    options = playing.menu(room)
    on = [Line("one-of-them", {"one": one.shown}) for one in options if one.value in room.options]
    return [Line("chosen", {"what": Lines(tuple(on))})] if on else []


def _waiting(room: Room, now_ms: int) -> Line:
    missing, left = playing.needed(room), time_left(room, now_ms)
    if not playing.asks(room):
        return Line("waiting-for-players", left)
    if not missing:
        return Line("waiting-for-nobody", left)
    return Line("waiting-for", {"who": Each(missing), **left})


def time_left(room: Room, now_ms: int) -> dict[str, Arg]:
    """How long until time is up, as `amount` and `unit`."""
    left_ms = max(0, (playing.deadline_ms(room) or now_ms) - now_ms)
    amount, unit = _time_left(left_ms // 1_000)
    return {"amount": amount, "unit": unit}


def _time_left(seconds: int) -> tuple[int, str]:
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return round(seconds / size), unit
    return seconds, "seconds"


def what_now(room: Room, seated: Seated) -> Line:
    """What a seat can do now."""
    ask = playing.ask_of(room, seated.seat)
    if ask:
        return Line("you-can-change-it" if ask.answered else "you-are-asked", {"verb": ask.verb})
    if isinstance(room.stage, Lobby):
        return Line("you-can-go" if seated.seat == room.host else "you-can-wait")
    return Line("room-is-over" if isinstance(room.stage, Over) else "nothing-asked-of-you")


def unready(room: Room) -> tuple[Seat, ...]:
    """Those who can't be dealt in before their own thread is open."""
    return tuple(one.seat for one in room.people if one.plays and not one.open)


def _rename(room: Room, seated: Seated, typed: str) -> Outcome:
    wanted = clean_name(typed)
    if wanted is None:
        return Outcome(room, answer=(Line("name-wont-do"),))
    named = replace(seated, name=name_for(room, wanted, seated))
    who = Who(seated.seat)
    if named.name == seated.name:
        return Outcome(room, answer=(Line("you-are-called", {"who": who}),))
    line = aloud("is-now-called", old=seated.name, who=who)
    return Outcome(room.with_seat(named), (line,), (Line("you-are-now-called", {"who": who}),))


def name_for(room: Room, wanted: str, me: Seated | None = None) -> str:
    """`wanted`, or with a number behind it if another seat, or a card, is called that."""
    # Those who left count too: their names stay on the score card.
    taken = {key(one.name) for one in room.seats if me is None or one.seat != me.seat}
    game = playing.game_of(room)
    taken |= {key(name) for card in game.cards for name in card.called}
    taken |= {key(word) for word in game.words}
    names = (wanted, *(f"{wanted} {n}" for n in range(2, len(taken) + 3)))
    return next(name for name in names if key(name) not in taken)


def succeeded(room: Room) -> tuple[Room, tuple[Say, ...]]:
    """The room with a host who is there: whoever has been at the table longest takes over."""
    host = room.seated(room.host)
    heirs = [one for one in room.people if one.plays and one.seat != host.seat]
    if host.plays or not heirs:
        return room, ()
    return replace(room, host=heirs[0].seat), (aloud("new-host", who=Who(heirs[0].seat)),)


def _paced(room: Room) -> Room:
    if room.pace_fixed or not room.texting:
        return room
    return replace(room, pace=replace(room.pace, name="relaxed"))
