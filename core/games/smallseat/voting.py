"""Who may vote with which cards (S-05 … S-10, S-17).

Theory of operation. Of all duties on a vote only the highest that can be met counts: the Otter's
chance, the Koala, then Chick or Cat, then following the Teller. Only the last of them, or following
the Boss under a Chick, can be bought off, with a card.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from core.game import Seat
from core.games.smallseat.state import Card, Kind, State

FEWEST_TO_VOTE = 2
FEWEST_TO_DISOBEY = 3


class Choice(Struct, frozen=True):
    """Cards a player may vote with: `free`, or at the price of another card. Or one by chance."""

    free: tuple[Card, ...]
    dear: tuple[Card, ...] = ()
    at_random: bool = False


def can_vote(state: State, seat: Seat) -> bool:
    """Whether a player has cards enough: the Teller one, a Candidate two (S-07)."""
    least = 1 if seat == state.teller else FEWEST_TO_VOTE
    return len(state.hands[seat].cards) >= least


def votable(state: State, seat: Seat) -> tuple[Card, ...]:
    """The cards a player could vote with, if nothing bound them (S-06, S-08)."""
    hand = state.hands[seat]
    if seat == state.teller:
        return hand.cards
    return hand.secret or hand.open


def boss_votes_first(state: State) -> bool:
    """Whether a Chick is in force and has the Boss vote before the Teller."""
    boss = state.boss
    return (
        state.duties.rule == "chick"
        and boss != state.teller
        and (boss in state.votes or can_vote(state, boss))
    )


def to_follow(state: State, seat: Seat) -> Kind | None:
    """The Animal whose vote a player should join: the Boss's under a Chick, else the Teller's."""
    if state.duties.rule == "chick" and state.boss == state.teller:
        return None
    leader = state.boss if boss_votes_first(state) else state.teller
    if seat == leader or leader not in state.votes:
        return None
    return state.kind(state.votes[leader])


def choice(state: State, seat: Seat) -> Choice:
    """What a player may vote with now."""
    cards = votable(state, seat)
    if seat in state.duties.at_random:
        return Choice(cards, at_random=True)
    koalas = tuple(card for card in cards if state.kind(card) == "koala")
    if seat in state.duties.koala and koalas:
        return Choice(koalas)
    if state.duties.rule == "cat":
        count = Counter(state.kind(card) for card in cards)
        most = max(count.values(), default=0)
        return Choice(tuple(card for card in cards if count[state.kind(card)] == most))
    wanted = to_follow(state, seat)
    following = tuple(card for card in cards if state.kind(card) == wanted)
    if not following:
        return Choice(cards)
    least = FEWEST_TO_VOTE if seat == state.teller else FEWEST_TO_DISOBEY
    can_pay = len(state.hands[seat].cards) >= least
    others = tuple(card for card in cards if card not in following)
    return Choice(following, others if can_pay else ())


def winner(state: State) -> Kind:
    """The Animal with most votes; of several, the one that is met first from the Smallseat."""
    count = Counter(state.kind(card) for card in state.votes.values())
    most = max(count.values())
    voted = (state.votes[seat] for seat in state.chairs if seat in state.votes)
    return next(kind for kind in map(state.kind, voted) if count[kind] == most)
