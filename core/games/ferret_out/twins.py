"""Worlds that a seat can't tell apart before the reveal. Used by tests and by nothing that plays.

A seat knows its own card and nothing of anybody's role, its own included: so whoever it is, the
Weasel may be anybody, itself too, and the cards of the others may come from any other pouch.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from core.game import Seat
from core.games.ferret_out.pouches import POUCHES
from core.games.ferret_out.rules import Ended, Paused, State


def twins(state: State, seat: Seat) -> Iterator[State]:
    """Every other world in which `seat` holds the card it holds."""
    deal = state.deal
    own = deal.pouches[seat == deal.weasel]
    before = tuple(pouch for pouch in state.used if pouch not in deal.pouches)
    for weasel in deal.players:
        for other in range(POUCHES):
            pouches = (other, own) if weasel == seat else (own, other)
            if other == own or other in before or (weasel, pouches) == (deal.weasel, deal.pouches):
                continue
            twin = replace(deal, weasel=weasel, pouches=pouches)
            yield replace(state, deal=twin, used=(*before, *pouches))


def told(before: State, after: State) -> bool:
    """Whether the secrets of `before` have been told, or are void, in `after`."""
    return before.deal.number != after.deal.number or isinstance(after.phase, Paused | Ended)
