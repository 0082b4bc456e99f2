"""Cards and players as options to pick from, and what was picked as cards and players.

Cards of one Animal that face the same way are alike: they are one option, `rabbit` or
`rabbit-open`, which may be picked as many times as there are cards.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.game import Given, Line, Option, Seat, Who
from core.games.smallseat.state import Card, Kind, State

OPEN = "-open"
"""What ends the value of an option for cards that everybody sees."""


def named(kind: Kind) -> Line:
    """An Animal's name."""
    return Line(f"animal-{kind}")


def card_options(
    state: State, seat: Seat, among: Iterable[Card], most: int = 1, *, costs: Iterable[Card] = ()
) -> tuple[Option, ...]:
    """Options for cards `among` a seat's hand, each up to `most` times. What `costs` says so."""
    dear = set(costs)
    return tuple(
        Option(
            value,
            Line("card-at-a-price" if cards[0] in dear else "card", _shown(value)),
            times=min(most, len(cards)),
        )
        for value, cards in _sorts(state, seat, among).items()
    )


def kind_options(kinds: Iterable[Kind]) -> tuple[Option, ...]:
    """Options for Animals."""
    return tuple(Option(kind, named(kind)) for kind in kinds)


def seat_options(seats: Iterable[Seat]) -> tuple[Option, ...]:
    """Options for players."""
    return tuple(Option(seat, Who(seat)) for seat in seats)


def cards_in(
    state: State, seat: Seat, given: Given, *, among: Iterable[Card] | None = None
) -> tuple[Card, ...]:
    """The cards of a seat's hand, or `among` it, that an answer names, in its order."""
    left = {sort: list(cards) for sort, cards in _sorts(state, seat, among).items()}
    return tuple(left[value].pop(0) for value in given.picked if left.get(value))


def seats_in(state: State, given: Given) -> tuple[Seat, ...]:
    """The players that an answer names, in its order."""
    return tuple(value for value in given.picked if value in state.chairs)


def _sorts(state: State, seat: Seat, among: Iterable[Card] | None = None) -> dict[str, list[Card]]:
    """Cards that are alike to whoever holds them, by the value of their option."""
    hand = state.hands[seat]
    wanted = set(hand.cards if among is None else among)
    sorts: dict[str, list[Card]] = {}
    for cards, facing in ((hand.secret, ""), (hand.open, OPEN)):
        for card in sorted(wanted.intersection(cards)):
            sorts.setdefault(state.kind(card) + facing, []).append(card)
    return sorts


def _shown(value: str) -> dict[str, str | int | Line]:
    facing = "open" if value.endswith(OPEN) else "secret"
    return {"animal": named(value.removesuffix(OPEN)), "facing": facing}
