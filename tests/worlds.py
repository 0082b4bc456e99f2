"""Two worlds that differ only in a secret, played in step until the secret is told.

All that leaves for a seat and for the public place must be the same in both: the words in both
forms, their order and number, buttons, toasts, and when the room wakes.
"""

from importlib import import_module
from random import Random
from types import ModuleType

from hypothesis import event
from hypothesis import strategies as st
from msgspec import Raw, Struct, json
from msgspec.structs import replace

from core import playing
from core.engine import Decision, Pressed, Spoke
from core.game import AnyGame, Seat
from core.room import Playing, Room
from tests.plays import KINDS, MOVES, WORDS, Move, Options, Play, on_card, open_seats
from tests.simulation.platforms import find_platforms, flat

EVENING_MOVES = 400


class World(Struct, frozen=True):
    """What happens `before` there are two worlds, which twin it is, whose eyes, what happens."""

    seed: int
    before: list[Move]
    moves: list[Move]
    who: int
    which: int


WORLDS = st.builds(
    World,
    seed=st.integers(0, 99),
    before=MOVES,
    moves=MOVES,
    who=st.integers(0, 6),
    which=st.integers(0, 999),
)


def secrets_of(game: AnyGame) -> ModuleType:
    """The game's own `twins` and `told`."""
    return import_module(f"{game.state_type.__module__.rpartition('.')[0]}.twins")


def compare(game: AnyGame, options: Options, world: World) -> None:
    """Play a world and its twin. AssertionError: somebody sees what they may not know."""
    fewest, most = game.seats(options)
    people = fewest + world.seed % (most - fewest + 1)
    one, other = (Play(game, world.seed, people, options=options) for _ in range(2))
    for move in world.before[:40]:
        one.move(move)
    state = playing.state_of(one.room)
    seats = open_seats(one.room) or tuple(seated.seat for seated in one.room.here)
    if not isinstance(one.room.stage, Playing) or not seats:
        return
    seat = seats[world.who % len(seats)]
    twins = list(secrets_of(game).twins(state, seat))
    if not twins:
        return
    other.now_ms, other.room = one.now_ms, holding(one.room, twins[world.which % len(twins)])
    one.me, one.typed = seat, typed_in(one.room, other.room)
    assert answers(one.room).get(seat) == answers(other.room).get(seat)
    for step, move in enumerate(world.moves):
        if not in_step(game, one, other, seat, move):
            event(f"parted after {min(step, 10)}")
            break


def evening(game: AnyGame, options: Options, seed: int) -> int:
    """A whole game, and beside it a twin of every round: how many steps were compared.

    What is compared is what the platforms make of it, too. AssertionError: somebody sees what they
    may not know, or the log tells it.
    """
    dice = Random(f"{seed}/{options}")
    fewest, most = game.seats(options)
    people = dice.randint(fewest, most)
    one, other = (Play(game, seed, people, options=options) for _ in range(2))
    seat = dice.choice(one.room.here).seat
    twinned, compared = False, 0
    for _ in range(EVENING_MOVES):
        if not isinstance(one.room.stage, Playing):
            break
        move = (dice.choice(KINDS), dice.randrange(8), dice.randrange(100))
        if not twinned:
            twins = list(secrets_of(game).twins(playing.state_of(one.room), seat))
            if twins and one.room.seated(seat).plays and open_seats(one.room):
                other.now_ms, other.room = one.now_ms, holding(one.room, dice.choice(twins))
                one.me, one.typed = seat, typed_in(one.room, other.room)
                twinned = answers(one.room).get(seat) == answers(other.room).get(seat)
        if not twinned:
            one.move(move)
            continue
        twinned = in_step(game, one, other, seat, move)
        compared += 1
    return compared


def typed_in(one: Room, other: Room) -> tuple[str, ...]:
    """What is worth typing in two worlds: nonsense, and the secret words of either."""
    return (*WORDS[:2], *first_words(one), *first_words(other))


def in_step(game: AnyGame, one: Play, other: Play, seat: Seat, move: Move) -> bool:
    """Let a move happen in both worlds; whether they are still twins after it."""
    rooms = one.room, other.room
    states = [playing.state_of(room) for room in rooms]
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
    answered = [answers(play.room) for play in (one, other)]
    if isinstance(happening, Spoke | Pressed) and not mine and any(told) and not all(told):
        # As below; and what was answered in the one world was all that was waited for.
        assert answered[0] != answered[1] or left
        one.room, other.room = rooms
        return True
    if any(told):
        # The clock tells in both worlds at once; who gets up may be the secret itself.
        assert all(told) or left
        return False
    if not mine and answered[0] != answered[1]:
        # Somebody else holds another card here, and was refused for it: they say nothing, then.
        one.room, other.room = rooms
        return True
    pressed = mine and isinstance(happening, Pressed)
    views = [seen(decision, one.room, seat, pressed=pressed) for decision in decisions]
    assert views[0] == views[1]
    return answered[0] == answered[1]


def first_words(room: Room) -> list[str]:
    """The secret words that are out."""
    cards = (on_card(room, one.seat) for one in room.seats)
    return [card[0] for card in cards if card]


def seen(decision: Decision, room: Room, seat: Seat, *, pressed: bool) -> list[object]:
    """All that can reach a seat because of a decision."""
    mine = {room.place, room.seated(seat).address}
    letters = [letter for letter in decision.letters if letter.to in mine]
    made = [flat(one.render(letter)) for letter in letters for one in find_platforms().values()]
    return [*letters, *made, decision.toast if pressed else None, decision.wake_ms]


def answers(room: Room) -> dict[str, object]:
    """What is open for each seat, and what it has answered."""
    return {ask.to: (ask.id, ask.answered) for ask in playing.asks(room)}


def holding(room: Room, state: object) -> Room:
    """The room with another state of its game."""
    assert isinstance(room.stage, Playing)
    return replace(room, stage=replace(room.stage, state=Raw(json.encode(state))))
