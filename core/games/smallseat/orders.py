"""By mail a vote carries what shall be done with the card if it loses, in the same answer.

`rabbit` is a vote alone; `rabbit swap Bo` and `rabbit Bo` add with whom to swap places, `rabbit do
Bo pig` adds to do what the card says, and with what. So a round needs one answer of each player.
Orders are checked as they are given; one that can't be carried out when its turn comes is void,
and the card is put away.
"""

from __future__ import annotations

from msgspec.structs import replace

from core.game import Given, Line, Option, Pick, Refused, Seat
from core.games.smallseat import animals
from core.games.smallseat.choosing import (
    OPEN,
    card_options,
    cards_in,
    kind_options,
    named,
    seat_options,
)
from core.games.smallseat.state import Card, Kind, State, taken_from
from core.games.smallseat.voting import choice

DO, SWAP, OVER = "do", "swap", "over"
"""To do what a card says; to swap places; to a Koala, that the round shall end."""
MOST_WORDS = 8
"""A vote, what to do, and six more at most: the Pig's three cards and who gets them."""


def vote_options(state: State, seat: Seat) -> Pick:
    """A card to vote with, and what to do if it loses."""
    may = choice(state, seat)
    votes = card_options(state, seat, (*may.free, *may.dear), costs=may.dear)
    return _all_of(state, seat, votes)


def order_options(state: State, seat: Seat) -> Pick:
    """What to do with a card that lost."""
    return _all_of(state, seat, ())


def _all_of(state: State, seat: Seat, votes: tuple[Option, ...]) -> Pick:
    """The cards to vote with, what to do, players, and all Animals that are not named yet."""
    held = card_options(state, seat, state.hands[seat].cards)
    known = {one.value for one in votes}
    cards = [one for one in held if one.value not in known]
    known |= {one.value.removesuffix(OPEN) for one in held}
    kinds = [one for one in kind_options(state.animals) if one.value not in known]
    ways = (Option(DO, Line("do-it")), Option(SWAP, Line("swap-places")))
    others = seat_options(s for s in state.chairs if s != seat)
    # An Animal may be named as a vote, and again as what is given or shown.
    many = (replace(one, times=4) for one in (*votes, *cards, *kinds))
    every = (*many, *ways, *others)
    return Pick(every, 1, MOST_WORDS, listed=False)


def split(state: State, seat: Seat, given: Given) -> tuple[Card | None, tuple[str, ...]]:
    """The card voted with, and the order; None: the first thing named is no card to vote with."""
    may = choice(state, seat)
    votes = {one.value for one in card_options(state, seat, (*may.free, *may.dear))}
    first, order = given.picked[0], given.picked[1:]
    if first not in votes:
        return None, ()
    return cards_in(state, seat, Given((first,)))[0], plain(order)


def plain(order: tuple[str, ...]) -> tuple[str, ...]:
    """An order as it is kept: to swap places, a name is enough."""
    return order[1:] if order[:1] == (SWAP,) else order


def wrong_vote(state: State, seat: Seat, given: Given) -> Refused | None:
    """Why a vote with an order will not do."""
    card, order = split(state, seat, given)
    if card is None:
        return Refused(Line("vote-comes-first"))
    if given.picked[1:] == (SWAP,):
        return Refused(Line("do-or-swap"))
    if not order:
        return None
    voted = replace(taken_from(state, seat, [card]), votes={**state.votes, seat: card})
    return wrong(voted, seat, order)


def wrong(state: State, seat: Seat, order: tuple[str, ...]) -> Refused | None:
    """Why an order for a player's vote will not do, as far as can be known now."""
    kind = state.kind(state.votes[seat])
    first, *what = plain(order) or ("",)
    if first in state.chairs:
        return Refused(Line("swap-needs-no-more")) if what or first == seat else None
    if first != DO:
        return Refused(Line("do-or-swap"))
    if not animals.needs_choice(state, seat, kind):
        # Of a Cat that has few cards left all are shown, whichever were named.
        return Refused(Line("needs-no-more")) if what and kind != "cat" else None
    if not what and kind != "pig":
        return Refused(Line("needs-more", {"animal": named(kind)}))
    return _wrong_choice(state, seat, kind, chosen_by(kind, (DO, *what)))


def is_void(state: State, seat: Seat, order: tuple[str, ...]) -> bool:
    """Whether an order can't be carried out any more."""
    if order[0] in state.chairs:
        return order[0] not in animals.partners(state, seat)
    return not animals.can_act(state, seat) or wrong(state, seat, order) is not None


def chosen_by(kind: Kind, order: tuple[str, ...]) -> Given:
    """What an order to do what a card says chooses. An Animal is named however its cards lie."""
    _, *what = order
    if kind in {"rabbit", "panda"}:
        what = [one.removesuffix(OPEN) for one in what]
    return Given(tuple(what))


def _wrong_choice(state: State, seat: Seat, kind: Kind, given: Given) -> Refused | None:
    pick = animals.options(state, seat, kind)
    left = {one.value: one.times for one in pick.options}
    fits = all(given.picked.count(one) <= left.get(one, 0) for one in given.picked)
    if not fits or not pick.at_least <= len(given.picked) <= pick.at_most:
        return Refused(Line("needs-more", {"animal": named(kind)}))
    return animals.wrong(state, seat, kind, given)
