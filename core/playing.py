"""The only caller of games: time, answers, bots and ends of whatever is being played.

Theory of operation. The deadline is read off the game's state. Whatever happens at or past it,
time is settled first (`settle`), so that early, doubled and stale timers, and the race of the last
answer with the clock, are all one rule. A deadline can be put off once, without the game knowing:
when nobody was awake to see it pass, and by mail as a grace for those who are missing.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from core.dice import Dice
from core.game import (
    Answered,
    AnyGame,
    Ask,
    Context,
    Each,
    Event,
    Line,
    Option,
    Refused,
    Ring,
    Say,
    Scene,
    Seat,
    TimeUp,
    Turn,
    tell,
)
from core.game import (
    room as aloud,
)
from core.games import find_games
from core.room import NO_STATE, Lobby, Over, Playing, Room

ASLEEP_MS = 30_000
"""A deadline found later than this (and a quarter of its wait) means that nobody was awake."""


def game_of(room: Room) -> AnyGame:
    """The game the room plays, or will."""
    return find_games()[room.game]


def context(room: Room, now_ms: int) -> Context:
    """The outside world as the game sees it. Bots don't play while every person is away."""
    plays = tuple(one.seat for one in room.seats if one.plays)
    somebody = not room.people or any(one.plays for one in room.people)
    return Context(
        now_ms=now_ms,
        dice=Dice(room.seed, room.step),
        pace=room.pace,
        table=tuple(one.seat for one in room.seats),
        seats=plays if somebody else (),
        bots=tuple(one.seat for one in room.seats if one.bot),
        texting=tuple(one.seat for one in room.seats if one.texting),
        chosen=room.options,
        last=_decoded(room, room.stage.last) if isinstance(room.stage, Lobby) else None,
    )


def seats_of(room: Room) -> tuple[int, int]:
    """How few and how many can play what was chosen."""
    return game_of(room).seats(room.options)


def menu(room: Room) -> tuple[Option, ...]:
    """What the host can choose before the start, and what is chosen."""
    seats = tuple(one.seat for one in room.seats if one.plays)
    return game_of(room).menu(room.options, seats)


def state_of(room: Room) -> Any:  # noqa: ANN401  (each game has its own type)
    """The game's state, decoded, or None before the start."""
    return None if isinstance(room.stage, Lobby) else _decoded(room, room.stage.state)


def _decoded(room: Room, raw: Raw) -> Any:  # noqa: ANN401
    return None if raw == NO_STATE else msgspec.json.decode(raw, type=game_of(room).state_type)


def asks(room: Room) -> tuple[Ask, ...]:
    """The questions that are open now."""
    return game_of(room).asks(state_of(room)) if isinstance(room.stage, Playing) else ()


def ask_of(room: Room, seat: Seat) -> Ask | None:
    """The one question that is open for a seat."""
    return next((ask for ask in asks(room) if ask.to == seat), None)


def offer_of(room: Room, seat: Seat) -> Ask | None:
    """What a seat may do unasked, if anything."""
    if not isinstance(room.stage, Playing):
        return None
    return game_of(room).offer(state_of(room), seat)


def dealt(room: Room) -> tuple[Seat, ...] | None:
    """The seats that are in the game, if whoever comes now can only have one of those."""
    seats = game_of(room).dealt
    return seats(state_of(room)) if seats and isinstance(room.stage, Playing) else None


def scene_of(room: Room) -> Scene | None:
    """What everybody is shown now, of a game that has scenes and asks something."""
    return game_of(room).scene(state_of(room)) if asks(room) else None


def ring_of(room: Room) -> Ring[Line] | None:
    """Who sits where, for platforms that draw it."""
    state = state_of(room)
    return None if state is None else game_of(room).ring(state)


def needed(room: Room) -> tuple[Seat, ...]:
    """Those who are waited for, in seat order."""
    waited = {ask.to for ask in asks(room) if ask.answered is None}
    return tuple(one.seat for one in room.seats if one.seat in waited and one.plays)


def deadline_ms(room: Room) -> int | None:
    """When time is up; None when the room is over."""
    match room.stage:
        case Lobby(closes_ms):
            return closes_ms
        case Playing(put_off=put_off):
            deadline = game_of(room).deadline(state_of(room))
            if deadline is None:
                return None
            waits = put_off is not None and put_off[0] == deadline.at_ms and needed(room)
            return put_off[1] if put_off and waits else deadline.at_ms
        case Over():
            return None


def start(room: Room, now_ms: int) -> tuple[Room, tuple[Say, ...]]:
    """Deal the game to whoever is at the table."""
    return _after(room, game_of(room).start(context(room, now_ms)))


def feed(room: Room, event: Event, now_ms: int) -> tuple[Room, tuple[Say, ...]] | Refused:
    """Let the game see an event."""
    turn = game_of(room).play(state_of(room), event, context(room, now_ms))
    return turn if isinstance(turn, Refused) else _after(room, turn)


def tell_game(room: Room, event: Event, now_ms: int) -> tuple[Room, tuple[Say, ...]]:
    """`feed` for what a game has no right to refuse; nothing while nothing is played."""
    if not isinstance(room.stage, Playing):
        return room, ()
    fed = feed(room, event, now_ms)
    return (room, ()) if isinstance(fed, Refused) else fed


def advance(room: Room, now_ms: int) -> tuple[Room, tuple[Say, ...]]:
    """Let bots answer and time pass until somebody must be waited for."""
    said: tuple[Say, ...] = ()
    while True:
        room, more = _bots_answer(room, now_ms)
        said += more
        at_ms = deadline_ms(room)
        if at_ms is None or now_ms < at_ms:
            return room, said
        room, more = _time_up(room, now_ms)
        said += more


def _time_up(room: Room, now_ms: int) -> tuple[Room, tuple[Say, ...]]:
    if isinstance(room.stage, Playing):
        put_off = _put_off(room, room.stage, now_ms)
        return put_off or tell_game(room, TimeUp(), now_ms)
    return replace(room, stage=over(room)), (aloud("lobby-closed"),)


def over(room: Room) -> Over:
    """The stage of a room in which nothing more is played; it keeps the game that was."""
    match room.stage:
        case Lobby(last=last):
            return Over(last=last)
        case Playing(state):
            return Over(state)
        case Over() as stage:
            return stage


def _put_off(room: Room, stage: Playing, now_ms: int) -> tuple[Room, tuple[Say, ...]] | None:
    deadline = game_of(room).deadline(state_of(room))
    missing = needed(room)
    already = stage.put_off[0] if stage.put_off else None
    if deadline is None or deadline.at_ms == already or not missing:
        return None
    late_ms = now_ms - deadline.at_ms
    if late_ms > max(ASLEEP_MS, deadline.length_ms // 4):
        until_ms = now_ms + max(deadline.length_ms // 2, ASLEEP_MS)
        says = (aloud("time-put-off"),)
    elif room.pace.grace_ms:
        until_ms = deadline.at_ms + room.pace.grace_ms
        says = tuple(tell(seat, "grace-given") for seat in missing)
    else:
        return None
    return replace(room, stage=replace(stage, put_off=(deadline.at_ms, until_ms))), says


def _bots_answer(room: Room, now_ms: int) -> tuple[Room, tuple[Say, ...]]:
    said: tuple[Say, ...] = ()
    bots = {one.seat for one in room.seats if one.bot}
    asked: set[tuple[str, Seat]] = set()
    while True:
        open_now = (a for a in asks(room) if a.to in bots and a.answered is None)
        ask = next((a for a in open_now if (a.id, a.to) not in asked), None)
        if ask is None:
            return room, said
        asked.add((ask.id, ask.to))
        given = game_of(room).bot(state_of(room), ask, context(room, now_ms))
        room, more = tell_game(room, Answered(ask.to, ask.id, given), now_ms)
        said += more


def _after(room: Room, turn: Turn[Any]) -> tuple[Room, tuple[Say, ...]]:
    raw = Raw(msgspec.json.encode(turn.state))
    before = room.stage if isinstance(room.stage, Playing) else Playing(raw)
    ended = game_of(room).result(turn.state) is not None
    stage = Over(raw) if ended else replace(before, state=raw)
    room = replace(room, stage=stage, step=room.step + 1)
    if not turn.sits_out:
        return room, turn.says
    for seat in turn.sits_out:
        room = room.with_seat(replace(room.seated(seat), away=True))
    out = aloud("sits-out", who=Each(turn.sits_out), count=len(turn.sits_out))
    told = (tell(seat, "you-sit-out") for seat in turn.sits_out)
    return room, (out, *turn.says, *told)


def rules_of(room: Room) -> tuple[Line, ...]:
    """How it is played here."""
    return game_of(room).rules(room.options, state_of(room))


def lines_of(room: Room) -> tuple[Line, ...]:
    """How far the game is, and the points."""
    state = state_of(room)
    return () if state is None else game_of(room).recap(state)


def card_of(room: Room, seat: Seat) -> tuple[Line, ...]:
    """What a seat holds in secret."""
    return game_of(room).look(state_of(room), seat) if isinstance(room.stage, Playing) else ()
