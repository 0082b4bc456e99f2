"""Worlds that a seat can't tell apart before the reveal. Used by tests and by nothing that plays.

A seat knows its own card and nothing of anybody's role, its own included: so whoever it is, the
Weasels may be anybody, itself too, as many as the variant allows, and the cards of the others may
come from any other pouch.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from core.game import Seat
from core.games.ferret_out.pouches import POUCHES
from core.games.ferret_out.state import Ended, Paused, State
from core.games.ferret_out.variants import Variant


def twins(state: State, seat: Seat) -> Iterator[State]:
    """Every other world in which `seat` holds the card it holds."""
    deal = state.deal
    own = deal.pouches[seat in deal.weasels]
    before = tuple(pouch for pouch in state.used if pouch not in deal.pouches)
    this = (deal.weasels, deal.pouches)
    for weasels in _weasels(state.variant, deal.players):
        for other in range(POUCHES):
            pouches = (other, own) if seat in weasels else (own, other)
            if other == own or other in before or (weasels, pouches) == this:
                continue
            twin = replace(deal, weasels=weasels, pouches=pouches)
            yield replace(state, deal=twin, used=(*before, *pouches))


def told(before: State, after: State) -> bool:
    """Whether the secrets of `before` have been told, or are void, in `after`."""
    return before.deal.number != after.deal.number or isinstance(after.phase, Paused | Ended)


def _weasels(variant: Variant, players: tuple[Seat, ...]) -> Iterator[tuple[Seat, ...]]:
    most = variant.weasel_cards
    for count in range(most - variant.spare_cards, most + 1):
        yield from combinations(players, count)
