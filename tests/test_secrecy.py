"""Twins: what a seat may not know changes nothing that it sees (design §3).

Two worlds that differ only in a secret are played in step, through the engine, until the secret is
told. All that leaves for the seat and for the public place must be the same: the words in both
forms, their order and number, buttons, toasts, and when the room wakes.
"""

from importlib import import_module
from types import ModuleType

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from msgspec import Raw, json
from msgspec.structs import replace

from core import playing
from core.engine import Decision, Pressed, Spoke
from core.game import AnyGame, Seat
from core.games import find_games
from core.room import Playing, Room
from tests.plays import MOVES, Move, Options, Play, tables

GAMES = find_games()
TABLES = tables(endings=False)
SEEDS = st.integers(0, 99)


def secrets_of(game: AnyGame) -> ModuleType:
    return import_module(f"{game.state_type.__module__.rpartition('.')[0]}.twins")


def seen(decision: Decision, room: Room, seat: Seat, *, pressed: bool) -> list[object]:
    """All that can reach a seat because of a decision."""
    mine = {room.place, room.seated(seat).address}
    letters = [letter for letter in decision.letters if letter.to in mine]
    return [*letters, decision.toast if pressed else None, decision.wake_ms]


def answers(room: Room) -> dict[str, object]:
    return {ask.to: (ask.id, ask.answered) for ask in playing.asks(room)}


def holding(room: Room, state: object) -> Room:
    assert isinstance(room.stage, Playing)
    return replace(room, stage=replace(room.stage, state=Raw(json.encode(state))))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_gives_twins(game: AnyGame) -> None:
    assert secrets_of(game).twins
    assert secrets_of(game).told


@pytest.mark.parametrize(("game", "options"), TABLES.values(), ids=list(TABLES))
@settings(max_examples=100)
@given(
    seed=SEEDS,
    before=MOVES,
    moves=MOVES,
    who=st.integers(0, 6),
    which=st.integers(0, 999),
)
def test_a_seat_sees_the_same_in_twin_worlds(
    game: AnyGame, options: Options, seed: int, before: list[Move], moves: list[Move],
    who: int, which: int,
) -> None:  # fmt: skip
    fewest, most = game.seats(options)
    people = fewest + seed % (most - fewest + 1)
    one, other = (Play(game, seed, people, options=options) for _ in range(2))
    for move in before[:20]:
        one.move(move)
    state = playing.state_of(one.room)
    seat = one.room.seats[who % len(one.room.seats)].seat
    if not isinstance(one.room.stage, Playing) or one.room.seated(seat).gone:
        return
    twins = list(secrets_of(game).twins(state, seat))
    if not twins:
        return
    twin = twins[which % len(twins)]
    other.now_ms, other.room = one.now_ms, holding(one.room, twin)
    assert answers(one.room).get(seat) == answers(other.room).get(seat)
    for step, move in enumerate(moves):
        if not in_step(game, one, other, seat, move):
            event(f"parted after {min(step, 10)}")
            break


def in_step(game: AnyGame, one: Play, other: Play, seat: Seat, move: Move) -> bool:
    """Let a move happen in both worlds; whether they are still twins after it."""
    states = [playing.state_of(play.room) for play in (one, other)]
    happening = one.made(move)
    other.now_ms = one.now_ms
    here = len(one.room.here)
    decisions = [play.happen(happening) for play in (one, other)]
    after = [playing.state_of(play.room) for play in (one, other)]
    told = [secrets_of(game).told(a, b) for a, b in zip(states, after, strict=True)]
    mine = isinstance(happening, Spoke | Pressed) and (
        happening.speaker.person == one.room.seated(seat).person
    )
    left = here != len(one.room.here)
    if any(told):
        # The clock tells in both worlds at once; who gets up may be the secret itself.
        assert all(told) or left
        return False
    answered = [answers(play.room) for play in (one, other)]
    if not mine and answered[0] != answered[1]:
        return False  # somebody else holds another card here, and was refused for it
    pressed = mine and isinstance(happening, Pressed)
    views = [seen(decision, one.room, seat, pressed=pressed) for decision in decisions]
    assert views[0] == views[1]
    return answered[0] == answered[1]
