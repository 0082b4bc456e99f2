"""Cards and players as options to pick from, and what was picked as cards and players.

Cards of one Animal that face the same way are alike, so an option stands for the first of them,
`rabbit-2` for the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.game import Given, Line, Option, Seat, Who
from core.games.smallseat.state import Card, Hand, State


def named_cards(
    state: State, hand: Hand, among: Iterable[Card], most: int
) -> Iterator[tuple[str, Card]]:
    """The options' values for cards `among` a hand, at most so many of one sort, with the cards."""
    wanted = set(among)
    for cards, facing in ((hand.secret, ""), (hand.open, "-open")):
        count: dict[str, int] = {}
        for card in sorted(wanted.intersection(cards)):
            sort = state.kind(card) + facing
            count[sort] = count.get(sort, 0) + 1
            if count[sort] <= most:
                yield (sort if count[sort] == 1 else f"{sort}-{count[sort]}"), card


def card_options(
    state: State, seat: Seat, among: Iterable[Card], most: int = 1, *, costs: Iterable[Card] = ()
) -> tuple[Option, ...]:
    """Options for cards `among` a seat's hand. Those that `costs` has say so."""
    dear = set(costs)
    return tuple(
        Option(value, Line("card-at-a-price" if card in dear else "card", _shown(value)))
        for value, card in named_cards(state, state.hands[seat], among, most)
    )


def kind_options(kinds: Iterable[str]) -> tuple[Option, ...]:
    """Options for Animals."""
    return tuple(Option(kind, Line(f"animal-{kind}")) for kind in kinds)


def seat_options(seats: Iterable[Seat]) -> tuple[Option, ...]:
    """Options for players."""
    return tuple(Option(seat, Who(seat)) for seat in seats)


def cards_in(state: State, seat: Seat, given: Given, most: int) -> tuple[Card, ...]:
    """The cards of a seat's hand that an answer names, in its order."""
    hand = state.hands[seat]
    known = dict(named_cards(state, hand, hand.cards, most))
    return tuple(known[value] for value in given.picked if value in known)


def seats_in(state: State, given: Given) -> tuple[Seat, ...]:
    """The players that an answer names, in its order."""
    return tuple(value for value in given.picked if value in state.chairs)


def _shown(value: str) -> dict[str, str | int | Line]:
    kind, *rest = value.split("-")
    number = int(rest[-1]) if rest and rest[-1].isdecimal() else 1
    facing = "open" if "open" in rest else "secret"
    return {"animal": Line(f"animal-{kind}"), "facing": facing, "number": number}
