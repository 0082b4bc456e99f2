"""What only the host may do: choose, start, show out, end. Whoever is host has all the powers.

A power that hurts others and is used by text waits until a number is typed back (`_confirmed`),
because the sender of a text can be forged.
"""

from __future__ import annotations

from typing import get_args

from msgspec.structs import replace

from core import playing
from core.commands import HostCommand
from core.dice import Dice
from core.game import Each, Joined, Line, Option, Refused, Say, Who, tell
from core.game import room as aloud
from core.pace import PaceName
from core.reading import MIN_PREFIX, Called, clean_name, meant_by
from core.room import Confirmation, Lobby, Over, Room, Seated
from core.spelling import key
from core.table import Outcome, get_up, name_for, unready, what_now
from core.text import Catalogue

BOT_NAMES = tuple(
    "Ada Bea Cal Dot Eli Fay Gil Hew Ian Jay Kit Lee Mae Ned Oli Pia Ray Sue Tia Vic".split()
)


def rule(
    room: Room, seated: Seated, command: HostCommand, typed: str, words: Catalogue, now_ms: int
) -> Outcome:
    """Use one of the host's powers."""
    if seated.seat != room.host:
        return Outcome(room, answer=(Line("only-the-host", {"who": Who(room.host)}),))
    match command:
        case "go":
            return _go(room, seated, now_ms)
        case "kick":
            return _kick(room, seated, typed, now_ms)
        case "finish":
            return _finish(room, seated, typed)
        case "pace":
            return _pace(room, typed)
        case "pick":
            return _pick(room, words)
        case "variant":
            return _variant(room, typed, words)
        case "bot":
            return _bot(room, typed, now_ms)


def _go(room: Room, seated: Seated, now_ms: int) -> Outcome:
    if not isinstance(room.stage, Lobby):
        return Outcome(room, answer=(what_now(room, seated),))
    late = unready(room)
    if late:
        return Outcome(room, answer=(Line("must-press-start", {"who": Each(late)}),))
    (least, most), now = playing.seats_of(room), sum(one.plays for one in room.seats)
    if now < least:
        return Outcome(room, answer=(Line("too-few", {"least": least, "now": now}),))
    if now > most:
        return Outcome(room, answer=(Line("too-many", {"most": most, "now": now}),))
    room, says = playing.start(room, now_ms)
    return Outcome(room, says)


def _called(others: list[Seated], typed: str, *, cut: bool) -> Seated | None:
    """Who is called so; `cut`: the beginning will do, by SMS a long name is shown no further."""
    meant = key(typed)
    found = [one for one in others if key(one.name) == meant]
    if not found and cut and len(meant) >= MIN_PREFIX:
        found = [one for one in others if key(one.name).startswith(meant)]
    return found[0] if len(found) == 1 else None


def _kick(room: Room, seated: Seated, typed: str, now_ms: int) -> Outcome:
    others = [one for one in room.here if one.seat != seated.seat]
    called, _, number = typed.rpartition(" ")
    target = _called(others, typed, cut=seated.texting)
    if target is None and number.isdigit():
        target = _called(others, called, cut=seated.texting)
    if target is None:
        names = Each(tuple(one.seat for one in others))
        whom = Line("kick-whom", {"who": names}) if others else Line("nobody-else")
        return Outcome(room, answer=(whom,))
    asked = _confirmed(room, seated, f"KICK {target.name}", number)
    if asked:
        return asked
    gone = get_up(replace(room, confirmation=None), target, "was-shown-out", now_ms)
    return replace(gone, says=(*gone.says, tell(target.seat, "you-were-shown-out")))


def _finish(room: Room, seated: Seated, typed: str) -> Outcome:
    if isinstance(room.stage, Over):
        return Outcome(room, answer=(Line("room-is-over"),))
    asked = _confirmed(room, seated, "FINISH", typed)
    if asked:
        return asked
    says = (
        aloud("finished", who=Who(seated.seat)),
        *(Say(line) for line in playing.lines_of(room)),
    )
    return Outcome(replace(room, stage=playing.over(room), confirmation=None), says)


def _bot(room: Room, typed: str, now_ms: int) -> Outcome:
    if playing.dealt(room) is not None:
        return Outcome(room, answer=(Line("no-bot-now"),))
    if len(room.here) >= playing.seats_of(room)[1]:
        return Outcome(room, answer=(Line("room-full"),))
    taken = {key(one.name) for one in room.seats}
    free = next((name for name in BOT_NAMES if key(name) not in taken), BOT_NAMES[0])
    name = name_for(room, clean_name(typed) or free)
    seat = f"s{len(room.seats) + 1}"
    room, says = playing.tell_game(room.with_seat(Seated(seat, name)), Joined(seat), now_ms)
    return Outcome(room, (aloud("bot-sat-down", who=Who(seat)), *says))


def _pace(room: Room, typed: str) -> Outcome:
    wanted: PaceName | None = next((one for one in get_args(PaceName) if one == key(typed)), None)
    if wanted is None:
        return Outcome(room, answer=(Line("which-pace", {"pace": room.pace.name}),))
    room = replace(room, pace=replace(room.pace, name=wanted), pace_fixed=True)
    return Outcome(room, (aloud("pace-is", pace=wanted),))


def _pick(room: Room, words: Catalogue) -> Outcome:
    picks = "pick" in room.options or ("roll" not in room.options and not room.texting)
    return _variant(room, "roll" if picks else "pick", words)


def _variant(room: Room, typed: str, words: Catalogue) -> Outcome:
    if not isinstance(room.stage, Lobby):
        return Outcome(room, answer=(Line("only-in-the-lobby"),))
    if not typed:
        return Outcome(room, menu=True)
    game = playing.game_of(room)
    meant = meant_by(typed, playing.menu(room), Called(room.names, words))
    choice = meant.value if isinstance(meant, Option) else typed.casefold()
    chosen = game.choose(room.options, choice)
    if isinstance(chosen, Refused):
        return Outcome(room, answer=(chosen.line,))
    room = replace(room, options=chosen)
    shown = next((one.shown for one in playing.menu(room) if one.value == choice), None)
    line = Line("chosen-no-more") if shown is None else Line("chosen", {"what": shown})
    return Outcome(room, (Say(line),))


def _confirmed(room: Room, seated: Seated, command: str, number: str) -> Outcome | None:
    """None when the power may be used; else the outcome that asks for its number."""
    if not seated.texting:
        return None
    waiting = room.confirmation
    if waiting and number and waiting == Confirmation(seated.seat, command, key(number)):
        return None
    number = Dice(room.seed, room.step).one_of([str(n) for n in range(1_000, 10_000)], "confirm")
    room = replace(
        room, confirmation=Confirmation(seated.seat, command, number), step=room.step + 1
    )
    return Outcome(room, answer=(Line("confirm", {"command": command.upper(), "number": number}),))
