"""A game of Smallseat as it is stored: chairs, hands, votes, and the phase it is in.

Cards are numbers: card `c` is the copy `c % 9` of the Animal `animals[c // 9]`. All copies are
alike, but this round's winning cards must be found again (Ponytailors).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from core.ballot import Ballot
from core.game import Seat

COPIES = 9
Card: TypeAlias = int
Kind: TypeAlias = str
Voters: TypeAlias = Literal["boss", "teller", "rest"]


class Hand(Struct, frozen=True):
    """What a player holds: cards nobody else sees, and cards everybody sees."""

    secret: tuple[Card, ...] = ()
    open: tuple[Card, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """All of it."""
        return (*self.secret, *self.open)

    def without(self, gone: Iterable[Card]) -> Hand:
        """The hand less some cards."""
        out = set(gone)
        return Hand(
            tuple(card for card in self.secret if card not in out),
            tuple(card for card in self.open if card not in out),
        )

    def plus(self, cards: Iterable[Card], *, is_open: bool) -> Hand:
        """The hand and more cards, all facing one way."""
        if is_open:
            return Hand(self.secret, tuple(sorted((*self.open, *cards))))
        return Hand(tuple(sorted((*self.secret, *cards))), self.open)

    def turned(self, cards: Iterable[Card]) -> Hand:
        """The hand with some of its cards facing the other way."""
        over = set(cards)
        hidden, shown = over & set(self.open), over & set(self.secret)
        rest = self.without(over)
        return rest.plus(hidden, is_open=False).plus(shown, is_open=True)


class Duties(Struct, frozen=True):
    """What binds one round's votes besides following the Teller (S-17).

    `at_random` are the Otter's, `koala` who must play a Koala; of Chick and Cat only the one that
    was done last is left as `rule`.
    """

    at_random: tuple[Seat, ...] = ()
    koala: tuple[Seat, ...] = ()
    rule: Literal["", "chick", "cat"] = ""


class Calling(Struct, frozen=True, tag="calling"):
    """The Teller names the Animal they want to win (S-04)."""

    ballot: Ballot


class Voting(Struct, frozen=True, tag="voting"):
    """Votes: under a Chick first the `boss`, then the `teller`, then the `rest` in secret."""

    who: Voters
    ballot: Ballot


class Paying(Struct, frozen=True, tag="paying"):
    """Whoever could have followed and did not gives a card away (S-10)."""

    ballot: Ballot


class Handling(Struct, frozen=True, tag="handling"):
    """One player's card lost: do what it says, or swap places (S-13, S-16).

    `first`: this player was never asked about this Animal before.
    """

    ballot: Ballot
    first: bool = False


class Ordering(Struct, frozen=True, tag="ordering"):
    """By mail, all whose cards lost say what to do with them; who has said it can change it."""

    ballot: Ballot


class Acting(Struct, frozen=True, tag="acting"):
    """One player does what their card says, and has to choose with whom and with what."""

    kind: Kind
    ballot: Ballot


class Polling(Struct, frozen=True, tag="polling"):
    """All who voted Koala say whether the round shall end. `seat` asked."""

    seat: Seat
    ballot: Ballot


class Owing(Struct, frozen=True, tag="owing"):
    """Others do their part of `seat`'s action: give a card, or turn `count` of them over."""

    kind: Kind
    seat: Seat
    count: int
    ballot: Ballot


class Keeping(Struct, frozen=True, tag="keeping"):
    """The cap on rounds was reached: everybody picks the card they end with (S-24)."""

    ballot: Ballot


class Paused(Struct, frozen=True, tag="paused"):
    """Nobody is there; waits for somebody, then ends."""

    since_ms: int
    until_ms: int


class Ended(Struct, frozen=True, tag="ended"):
    """It is over. `finals` are the cards the Candidates end with, `most` the Animals that won.

    Of the `winners` those who are `absent` have left, and only their seats have won (S-29).
    """

    winners: tuple[Seat, ...] = ()
    finals: Mapping[Seat, Card] = {}
    most: tuple[Kind, ...] = ()
    absent: tuple[Seat, ...] = ()


Asking: TypeAlias = (
    Calling | Voting | Paying | Handling | Ordering | Acting | Polling | Owing | Keeping
)
Phase: TypeAlias = Asking | Paused | Ended


class State(Struct, frozen=True):
    """A game. `chairs` has who sits where: chair 0 is the Smallseat, and clockwise is up.

    `votes` are this round's, in play until they are handled; `losing` are those who still have to
    handle theirs, `chair` is the one that is looked at next. `payers` owe a card for their vote.
    `won` are this round's winning cards, `tally` how many votes of each Animal ever won.
    `immune` has the last round of each immunity. `fresh` are cards that came since the last votes:
    their owner may still turn them over (S-21). `asked` counts the questions, and goes on in the
    next `game` of the same people: a button of the last one answers nothing. By mail a vote
    carries `orders`: what shall be done with it if it loses. `taught` are the Animals whose effect
    a player was told with a choice.
    """

    animals: tuple[Kind, ...]
    teller: Seat
    chairs: tuple[Seat, ...]
    phase: Phase
    call: Kind = ""
    hands: Mapping[Seat, Hand] = {}
    number: int = 0
    asked: int = 0
    votes: Mapping[Seat, Card] = {}
    losing: tuple[Seat, ...] = ()
    chair: int = 0
    won: tuple[Card, ...] = ()
    payers: tuple[Seat, ...] = ()
    ponies_ran: bool = False
    duties: Duties = Duties()
    next_duties: Duties = Duties()
    immune: Mapping[Seat, int] = {}
    prickly: tuple[Seat, ...] = ()
    fresh: Mapping[Seat, tuple[Card, ...]] = {}
    history: tuple[Kind, ...] = ()
    tally: Mapping[Kind, int] = {}
    missed: Mapping[Seat, int] = {}
    by_mail: bool = False
    orders: Mapping[Seat, tuple[str, ...]] = {}
    taught: Mapping[Seat, tuple[Kind, ...]] = {}
    game: int = 1

    @property
    def boss(self) -> Seat:
        """Whoever sits in the Smallseat."""
        return self.chairs[0]

    @property
    def candidates(self) -> tuple[Seat, ...]:
        """All but the Teller, clockwise."""
        return tuple(seat for seat in self.chairs if seat != self.teller)

    @property
    def deck(self) -> int:
        """How many cards there are."""
        return COPIES * len(self.animals)

    def kind(self, card: Card) -> Kind:
        """The Animal on a card."""
        return self.animals[card // COPIES]

    def is_immune(self, seat: Seat) -> bool:
        """Whether nobody can do anything to a player now (S-18)."""
        return self.immune.get(seat, 0) >= self.number

    def holds(self, seat: Seat, kind: Kind) -> int:
        """How many cards of an Animal a player holds, either way up."""
        return sum(self.kind(card) == kind for card in self.hands[seat].cards)

    def with_hand(self, seat: Seat, hand: Hand) -> State:
        """The state with another hand."""
        return replace(self, hands={**self.hands, seat: hand})


def given_to(state: State, seat: Seat, cards: Iterable[Card]) -> State:
    """The state with cards that have come to a player, who may still turn them over (S-21)."""
    new = tuple(cards)
    hand = state.hands[seat].plus(new, is_open=seat == state.teller)
    fresh = {**state.fresh, seat: (*state.fresh.get(seat, ()), *new)}
    return replace(state.with_hand(seat, hand), fresh=fresh)


def taken_from(state: State, seat: Seat, cards: Iterable[Card]) -> State:
    """The state without cards that have left a player's hand."""
    gone = tuple(cards)
    fresh = {s: tuple(c for c in known if c not in gone) for s, known in state.fresh.items()}
    return replace(state.with_hand(seat, state.hands[seat].without(gone)), fresh=fresh)


def discarded(state: State, cards: Iterable[Card]) -> State:
    """The state with losing cards in the Teller's hand, open (S-30)."""
    teller = state.teller
    return state.with_hand(teller, state.hands[teller].plus(cards, is_open=True))
