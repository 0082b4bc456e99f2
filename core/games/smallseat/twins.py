"""Worlds that a seat can't tell apart before the reveal. Used by tests and by nothing that plays.

A seat knows its own hand, what lies open, and all votes once they are in. So in two worlds any two
others may have one secret card of each other's, as long as nobody has voted with one or put it into
an answer; and whoever was asked by a Koala may have answered otherwise, as long as not all agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from core.game import Given, Seat
from core.games.smallseat.state import (
    Calling,
    Card,
    Ended,
    Hand,
    Handling,
    Paused,
    Polling,
    State,
    Voting,
)


def twins(state: State, seat: Seat) -> Iterator[State]:
    """Other worlds in which `seat` sees what it sees."""
    match state.phase:
        case Voting(ballot=ballot) | Handling(ballot=ballot):
            free = [s for s in state.chairs if s != seat and s not in ballot.cast]
            for one, other in combinations(free, 2):
                yield from _exchanged(state, one, other)
        case Polling(ballot=ballot) as phase:
            for other, given in ballot.cast.items():
                said_no = [s for s, one in ballot.cast.items() if one.picked == ("on",)]
                if other != seat and set(said_no) - {other}:
                    turned = Given(("on" if given.picked == ("over",) else "over",))
                    cast = {**ballot.cast, other: turned}
                    yield replace(state, phase=replace(phase, ballot=replace(ballot, cast=cast)))
        case _:
            return


def told(before: State, after: State) -> bool:
    """Whether the secrets of `before` may have been told, or are void, in `after`."""
    moved = (before.votes, before.hands, before.immune, before.next_duties) != (
        after.votes, after.hands, after.immune, after.next_duties,
    )  # fmt: skip
    asked = isinstance(before.phase, Calling | Voting | Polling) and before.asked != after.asked
    acted = before.asked != after.asked and not isinstance(after.phase, Handling)
    return moved or asked or acted or isinstance(after.phase, Paused | Ended)


def _exchanged(state: State, one: Seat, other: Seat) -> Iterator[State]:
    """The worlds in which two players hold a secret card of each other's."""
    for mine in _secret(state, one):
        for theirs in _secret(state, other):
            if state.kind(mine) != state.kind(theirs):
                hands = {
                    one: _with(state.hands[one], mine, theirs),
                    other: _with(state.hands[other], theirs, mine),
                }
                yield replace(state, hands={**state.hands, **hands})


def _with(hand: Hand, old: Card, new: Card) -> Hand:
    """The hand with another secret card in place of one."""
    return hand.without([old]).plus([new], is_open=False)


def _secret(state: State, seat: Seat) -> list[Card]:
    """One secret card of each sort; none that has just come, which others may know."""
    fresh = state.fresh.get(seat, ())
    found = {state.kind(card): card for card in state.hands[seat].secret if card not in fresh}
    return list(found.values())
