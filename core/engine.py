"""decide(room, happening, now) -> Decision: the whole pure machine.

Rules of this file
    1. Time first: whatever happens at or past the deadline finds the phase already closed.
    2. One happening, one decision, one commit: the room after it, every letter it makes, and when
       to wake next.
    3. What a seat may not know changes nothing that seat sees: not the words, not their number,
       not their order, not the delay. So a refusal is told to whoever made the mistake, and only
       there, and the public status line counts, it doesn't name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Raw, Struct
from msgspec.structs import replace

from core import hosting, playing, table
from core.codec import encode_room
from core.commands import COMMANDS, Command
from core.delivery import DONE, Letter, Mail, so_far
from core.game import (
    Answered,
    Ask,
    Each,
    Given,
    Line,
    Pick,
    Refused,
    Ring,
    ScoreCard,
    Seat,
    Who,
    Write,
)
from core.game import (
    room as aloud,
)
from core.reading import Answer, Called, read
from core.room import NO_STATE, Lobby, Over, Playing, Room, Seated
from core.spelling import key
from core.table import House, Outcome, Speaker
from core.text import Catalogue

ALL_IN = Line("status-all-in")
MENU = "variant/1"
"""The id of the host's menu in the lobby."""


class Arrived(Struct, frozen=True, tag="arrived"):
    """Somebody wants a seat; `public`: they will hear the room in its public place."""

    speaker: Speaker
    name: str = ""
    public: bool = False


class Spoke(Struct, frozen=True, tag="spoke"):
    """A seated person typed something, in their own thread or (`public`) where all can read it."""

    speaker: Speaker
    text: str
    public: bool = False


class Pressed(Struct, frozen=True, tag="pressed"):
    """Somebody pressed a button that was once shown to somebody."""

    speaker: Speaker
    ask: str
    option: str


class Opened(Struct, frozen=True, tag="opened"):
    """A person's own thread takes messages now."""

    speaker: Speaker


class Unreached(Struct, frozen=True, tag="unreached"):
    """A seat's own thread takes no more messages."""

    seat: Seat


class Departed(Struct, frozen=True, tag="departed"):
    """A person whose game here is over has sat down somewhere else; "": a new room replaces it."""

    person: str = ""


class Woke(Struct, frozen=True, tag="woke"):
    """A timer rang. It may be early, late, doubled or for a phase that is over."""


Act: TypeAlias = Spoke | Pressed | Opened
"""What somebody does at the table."""

Happening: TypeAlias = Arrived | Act | Unreached | Departed | Woke
"""All that can happen to a room."""


class Toast(Struct, frozen=True):
    """What only the presser of a button sees, at once; `names` resolves the marks of seats."""

    text: str
    names: Mapping[Seat, str]


class Decision(Struct, frozen=True):
    """All that a happening makes: what to store, what to send, when to wake, what to toast."""

    room: Room
    letters: tuple[Letter, ...] = ()
    wake_ms: int | None = None
    toast: Toast | None = None

    @property
    def blob(self) -> bytes:
        """The room as it is stored."""
        return encode_room(self.room)


def open_room(  # noqa: PLR0913  (a room's birth certificate)
    room_id: str,
    code: str,
    game: str,
    seed: str,
    host: Speaker,
    house: House,
    words: Catalogue,
    *,
    now_ms: int,
    place: str = "",
    bots: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
    last: Raw = NO_STATE,
) -> Decision:
    """A new room, with its host seated, and bots where wanted."""
    room = Room(room_id, code, game, seed, "s1", (), Lobby(now_ms, last), place, options=options)
    room = replace(room, pace=replace(room.pace, second_ms=house.second_ms))
    sat = table.sit_down(room, host, "", public=bool(place), now_ms=now_ms)
    room = sat.room
    for bot in bots:
        room = room.with_seat(Seated(f"s{len(room.seats) + 1}", bot))
    mail = Mail(room, words)
    opened = (Line("room-open", {"code": code, "who": Who("s1")}), *table.ways_in(room, house))
    mail.answer(place or host.address, "" if place else "s1", opened, secret=False)
    if host.open:
        mail.answer(host.address, "s1", (*sat.answer[1:], Line("you-host")), secret=False)
    else:
        mail.say((aloud("must-press-start", who=Each(("s1",))),))
    return Decision(room, mail.letters(), playing.deadline_ms(room))


def decide(
    room: Room, happening: Happening, now_ms: int, house: House, words: Catalogue
) -> Decision:
    """What `happening` makes of `room`."""
    before = room
    room, settled = playing.advance(room, now_ms)
    outcome = _apply(before, room, happening, house, words, now_ms)
    room, followed = playing.advance(outcome.room, now_ms)
    room, succeeded = table.succeeded(room)
    stages = (one for one in (room.stage, before.stage) if isinstance(one, Playing))
    mail, toast = Mail(room, words, playing.scene_of(room), next(stages, None)), None
    mail.say(settled)
    match happening:
        case Pressed() if outcome.answer:
            toast = _toast(room, words, outcome.answer)
        case Arrived(speaker, public=public):
            _answer(mail, speaker, outcome, public=public and not speaker.open)
        case Spoke(speaker, public=public):
            _answer(mail, speaker, outcome, public=public and not outcome.secret)
        case Opened(speaker):
            _answer(mail, speaker, outcome, public=False)
        case _:
            pass
    mail.say((*outcome.says, *followed, *succeeded))
    if card := _final(before, room):
        mail.add(card)
    if outcome.menu:
        mail.menu(_menu(room))
    if outcome.ring and (ring := playing.ring_of(room)) and isinstance(happening, Spoke):
        mail.draw(room.place if happening.public else happening.speaker.address, ring)
    _put_questions(mail, before, room, again=_again(happening, outcome))
    room = _show(mail, before, room, now_ms)
    letters = mail.letters()
    return Decision(_holding(room, mail), letters, playing.deadline_ms(room), toast)


def _apply(
    before: Room, room: Room, happening: Happening, house: House, words: Catalogue, now_ms: int
) -> Outcome:
    match happening:
        case Woke():
            return Outcome(room)
        case Departed(person):
            return Outcome(table.depart(room, person))
        case Unreached(seat):
            return table.unreachable(room, room.seated(seat), now_ms)
        case Arrived(speaker, name, public):
            return table.sit_down(room, speaker, name, public=public, now_ms=now_ms)
        case Opened(speaker) | Spoke(speaker) | Pressed(speaker):
            seated = room.seat_of(speaker.person)
            if seated is None:
                return Outcome(room, answer=(Line("not-in-this-room"),))
            back = _present(room, seated, speaker, now_ms)
            room, seated = back.room, back.room.seated(seated.seat)
            done = _do(before, room, seated, happening, house, words, now_ms)
            return replace(
                done,
                says=(*back.says, *done.says),
                answer=(*back.answer, *done.answer),
                again=back.again or done.again,
            )


def _present(room: Room, seated: Seated, speaker: Speaker, now_ms: int) -> Outcome:
    """The room with the seat as reachable as its person has just shown themself to be."""
    if seated.away and (speaker.open or seated.open):
        return table.come_back(room, seated, now_ms)
    if speaker.open and not seated.open:
        says = (aloud("is-ready", who=Who(seated.seat)),)
        return Outcome(room.with_seat(replace(seated, open=True)), says, again=True)
    return Outcome(room)


def _do(
    before: Room, room: Room, seated: Seated, done: Act, house: House, words: Catalogue, now_ms: int
) -> Outcome:
    match done:
        case Spoke():
            return _spoke(before, room, seated, done, house, words, now_ms)
        case Pressed(ask="look"):
            card = playing.card_of(room, seated.seat)
            return Outcome(room, answer=card or (Line("no-card-now"),))
        case Pressed(ask=ask_id, option=option):
            return _pressed(room, seated, ask_id, option, words, now_ms)
        case Opened():
            return table.show_in(room, seated)


def _spoke(
    before: Room, room: Room, seated: Seated, spoke: Spoke, house: House, words: Catalogue,
    now_ms: int,
) -> Outcome:  # fmt: skip
    """What was typed, read as an answer only to a question that had been asked by then."""
    known, ask = playing.ask_of(before, seated.seat), playing.ask_of(room, seated.seat)
    ask = ask if ask and known and ask.id == known.id else None
    offer = playing.offer_of(room, seated.seat)
    called = Called(room.names, words)
    answerable = ask if not spoke.public or (ask and ask.public) else None
    meant = read(spoke.text, answerable, called, None if spoke.public else offer)
    if isinstance(meant, Command):
        return _obeyed(room, seated, meant, house, words, public=spoke.public, now_ms=now_ms)
    if isinstance(meant, Answer):
        return _answered(room, seated, meant.ask, meant.given, now_ms)
    if ask and spoke.public and not ask.public:
        return Outcome(room, answer=(Line("answer-in-private"),))
    if known and not ask:
        return Outcome(room, answer=(Line("question-is-closed"),))
    came_back = before.seated(seated.seat).away
    unclear = () if came_back or isinstance(meant, Answer) else (meant.line,)
    # What can be answered here is the asked one's own: not for the place where it was written.
    return Outcome(room, answer=unclear, secret=spoke.public and answerable is not None)


def _obeyed(
    room: Room, seated: Seated, command: Command, house: House, words: Catalogue, *,
    public: bool, now_ms: int,
) -> Outcome:  # fmt: skip
    typed = command.argument
    match command.name:
        case "go" | "kick" | "finish" | "pace" | "pick" | "variant" | "bot" as power:
            return hosting.rule(room, seated, power, typed, words, now_ms)
        case "card":
            return Outcome(room, answer=table.explained(room, typed, words))
        case order:
            return table.obey(room, seated, order, typed, house, public=public, now_ms=now_ms)


def _pressed(
    room: Room, seated: Seated, ask_id: str, option: str, words: Catalogue, now_ms: int
) -> Outcome:
    if ask_id == MENU:
        done = hosting.rule(room, seated, "variant", option, words, now_ms)
        menu = seated.seat == room.host and isinstance(room.stage, Lobby)
        return replace(done, answer=done.answer or tuple(say.line for say in done.says), menu=menu)
    ask = playing.ask_of(room, seated.seat)
    if ask is None or ask.id != ask_id or not isinstance(ask.answer, Pick):
        return Outcome(room, answer=(Line("question-is-closed"),))
    if ask.several:
        return _marked(room, seated, ask, ask.answer, option, now_ms)
    if option not in {one.value for one in ask.answer.options}:
        return Outcome(room, answer=(Line("question-is-closed"),))
    given = Given((option,))
    if ask.answered and ask.answered.picked == given.picked:
        given = ask.answered
    return _answered(room, seated, ask, given, now_ms)


def _marked(room: Room, seated: Seated, ask: Ask, pick: Pick, option: str, now_ms: int) -> Outcome:
    """A press on one of several: once more of it, or none again. It is an answer when it's whole.

    Where there may be more or fewer, DONE says that it is.
    """
    picked = room.marked(ask)
    if option == DONE:
        if len(picked) < pick.at_least:
            return Outcome(room, answer=(Line("pick-more", {"least": pick.at_least}),))
        return _answered(room, seated, ask, Given(picked), now_ms)
    chosen = pick.option(option)
    if chosen is None:
        return Outcome(room, answer=(Line("question-is-closed"),))
    full = len(picked) == pick.at_most
    if option in picked and (full or picked.count(option) == chosen.times):
        picked = tuple(one for one in picked if one != option)
    elif full:
        return Outcome(room, answer=(Line("picked-enough", {"most": len(picked)}),))
    else:
        picked = (*picked, option)
    if len(picked) == pick.at_least == pick.at_most:
        return replace(_answered(room, seated, ask, Given(picked), now_ms), again=True)
    room = room.with_marks(ask.to, ask.id, picked)
    noted = so_far(pick, picked) if picked else Line("picked-nothing")
    return Outcome(room, answer=(noted,), again=True)


def _answered(room: Room, seated: Seated, ask: Ask, given: Given, now_ms: int) -> Outcome:
    fed = playing.feed(room, Answered(seated.seat, ask.id, given), now_ms)
    if isinstance(fed, Refused):
        return Outcome(room, answer=(fed.line,), secret=True)
    room, says = fed
    return Outcome(room.with_marks(seated.seat, "", ()), says, answer=_echo(ask, given))


def _echo(ask: Ask, given: Given) -> tuple[Line, ...]:
    match ask.answer:
        case Write() if key(given.words) in COMMANDS:
            word, command = given.words.upper(), key(given.words)
            args = {"verb": ask.verb, "word": word, "command": command}
            return (Line("wrote-a-command", args),)
        case Write() if ask.public:
            return ()  # everybody has just been told
        case Write():
            return (Line("wrote", {"verb": ask.verb, "word": given.words.upper()}),)
        case Pick() as pick if ask.several:
            noted = so_far(pick, given.picked, "picked")
            return (noted if given.picked else Line("picked-nothing"),)
        case Pick(options):
            chosen = next(one for one in options if one.value == given.picked[0])
            if given.words:
                return (Line("picked-with-word", {"who": chosen.shown, "word": given.words}),)
            again = ask.answered is not None and ask.answered.picked == given.picked
            noted = Line("picked", {"who": chosen.shown})
            return (noted, chosen.word) if chosen.word and not again else (noted,)


def _menu(room: Room) -> Ask:
    """What the host can choose, as a question that is never closed before the game starts."""
    return Ask(MENU, room.host, Line("ask-variant"), Pick(playing.menu(room)))


def _toast(room: Room, words: Catalogue, lines: tuple[Line, ...]) -> Toast:
    return Toast("\n".join(words.render(line).full for line in lines), room.names)


def _answer(mail: Mail, speaker: Speaker, outcome: Outcome, *, public: bool) -> None:
    room = outcome.room
    if public:
        return mail.answer(room.place, "", outcome.answer, secret=False)
    if not speaker.open:
        return None
    seated = room.seat_of(speaker.person)
    secret = isinstance(room.stage, Playing)
    return mail.answer(
        speaker.address, seated.seat if seated else "", outcome.answer, secret=secret
    )


def _final(before: Room, room: Room) -> ScoreCard[Line] | Ring[Line] | None:
    """The score card, or who sits where, in the decision that ends a game."""
    if not isinstance(before.stage, Playing) or not isinstance(room.stage, Over):
        return None
    state, game = playing.state_of(room), playing.game_of(room)
    return None if state is None else game.score_card(state) or playing.ring_of(room)


def _again(happening: Happening, outcome: Outcome) -> Seat:
    """The seat whose open question is put once more, if any."""
    match happening:
        case Arrived(speaker) | Spoke(speaker) | Pressed(speaker) | Opened(speaker):
            seated = outcome.room.seat_of(speaker.person)
            return seated.seat if outcome.again and seated else ""
        case _:
            return ""


def _put_questions(mail: Mail, before: Room, room: Room, *, again: Seat) -> None:
    """Ask what is newly open."""
    known = {(ask.id, ask.to) for ask in playing.asks(before)}
    for ask in playing.asks(room):
        once_more = ask.to == again and (ask.answered is None or ask.several)
        if (ask.id, ask.to) not in known or once_more:
            mail.ask(ask)


def _show(mail: Mail, before: Room, room: Room, now_ms: int) -> Room:
    """Bring up to date what everybody sees of who is waited for."""
    now_open, waiting = playing.asks(room), playing.needed(room)
    if isinstance(room.stage, Over) and playing.scene_of(before):
        mail.close()
    if not isinstance(room.stage, Playing) or not now_open:
        return room
    status, shown = room.stage.board
    if mail.scene:
        seen = playing.scene_of(before)
        waited = bool(playing.needed(before))
        if not mail.told and mail.scene == seen and bool(waiting) == waited:
            return room
        left = table.time_left(room, now_ms)
        line = Line("status-scene", {"what": mail.scene.status, **left}) if waiting else ALL_IN
        board = mail.show(mail.scene, line)
    elif room.place:
        asked, fresh = now_open[0].id, status != now_open[0].id
        if not fresh and len(waiting) == len(playing.needed(before)):
            return room
        line = Line("status-waiting", {"count": len(waiting)}) if waiting else ALL_IN
        board = asked, mail.board(asked, "" if fresh else shown, line)
    else:
        return room
    return replace(room, stage=replace(room.stage, board=board))


def _holding(room: Room, mail: Mail) -> Room:
    """The room with the lines that have to wait."""
    if not isinstance(room.stage, Playing):
        return room
    held = {seat: tuple(lines) for seat, lines in mail.held.items() if lines}
    return replace(room, stage=replace(room.stage, held=held)) if held != room.stage.held else room
