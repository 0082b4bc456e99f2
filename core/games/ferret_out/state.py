"""A game of Ferret Out as it is stored: the deal, and the phase it is in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from core.ballot import Ballot
from core.game import Seat
from core.games.ferret_out.pouches import Pack, find
from core.games.ferret_out.variants import Variant

SLOTS = 6
"""Words on a face of a card."""


class Deal(Struct, frozen=True):
    """One round's cards. `number` counts the deals, the void ones included; `slot` is the die's.

    `players` were dealt a word and have not left; `weasels` are those of them with a card of the
    second of the `pouches`: one, and in variants none or two.
    """

    number: int
    players: tuple[Seat, ...]
    weasels: tuple[Seat, ...]
    cfo: Seat
    pouches: tuple[int, int]
    face: int
    slot: int = 0

    @property
    def ferrets(self) -> tuple[Seat, ...]:
        """The others."""
        return tuple(seat for seat in self.players if seat not in self.weasels)


class Choosing(Struct, frozen=True, tag="choosing"):
    """The CFO picks a number (F-19)."""

    ballot: Ballot


class Clueing(Struct, frozen=True, tag="clueing"):
    """Everybody writes a clue (F-04 … F-08)."""

    ballot: Ballot


class Ordering(Struct, frozen=True, tag="ordering"):
    """Point-of-Order: one after the other gives a clue, public at once. `rest` come after."""

    clues: Mapping[Seat, str]
    ballot: Ballot
    rest: tuple[Seat, ...]


class Studying(Struct, frozen=True, tag="studying"):
    """The clues are known; everybody names the Weasel (F-09 … F-12, F-20)."""

    clues: Mapping[Seat, str]
    ballot: Ballot


class Paused(Struct, frozen=True, tag="paused"):
    """Too few are left; waits for a replacement, then ends with the scores so far (F-24)."""

    since_ms: int
    until_ms: int


class Ended(Struct, frozen=True, tag="ended"):
    """It is over; nobody won if it was broken off."""

    winners: tuple[Seat, ...]


Phase: TypeAlias = Choosing | Clueing | Ordering | Studying | Paused | Ended


class State(Struct, frozen=True):
    """A game. `positions` is the game's one shuffle of the 24 positions of every pouch.

    `history` has the points of each round that counted; `missed` counts the rounds in a row in
    which a seat gave neither clue nor ballot (F-18); `used` are the pouches that have been dealt.
    """

    variant: Variant
    positions: tuple[int, ...]
    history: tuple[Mapping[Seat, int], ...]
    used: tuple[int, ...]
    scores: Mapping[Seat, int]
    missed: Mapping[Seat, int]
    deal: Deal
    phase: Phase

    @property
    def played(self) -> int:
        """How many rounds counted."""
        return len(self.history)


def pack_of(state: State) -> Pack:
    """The words that are played with."""
    return find(state.variant.pack)


def word_of(state: State, seat: Seat) -> str:
    """The secret word a seat was dealt."""
    return word_at(state, int(seat in state.deal.weasels))


def word_at(state: State, side: int) -> str:
    """The secret word of the Ferrets' pouch (0), or of the Weasel's (1)."""
    return _six(state, side)[state.deal.slot - 1]


def face(state: State, seat: Seat) -> tuple[str, ...]:
    """The six words a seat sees on its card."""
    return _six(state, int(seat in state.deal.weasels))


def _six(state: State, side: int) -> tuple[str, ...]:
    first = state.deal.face * SLOTS
    return pack_of(state).face(state.deal.pouches[side], state.positions[first : first + SLOTS])
