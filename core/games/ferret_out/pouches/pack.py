"""What a pack of words is: 24 pouches of 24, as a matrix of positions and pouches (F-01, F-03).

A *position* is one family of words, with one word for each pouch: any two pouches may meet at
any position, so all words of a family can be taken for each other. The six words a player
sees are one pouch at six positions, unrelated to each other.

Every noun form that counts as a word is written into the pack: nothing is inflected when
a game runs. A form that is only the word with an `s` stands for the possessive too, as it is
typed without its apostrophe (`foxs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from core.games.ferret_out.pouches.keys import key

POUCHES = 24
POSITIONS = 24


class Family(Struct, frozen=True, forbid_unknown_fields=True):
    """One position: a word for each pouch, and clues that would do for most of them.

    `associations` are what each word makes people think of: what bots know of the world.
    """

    name: str
    words: tuple[str, ...]
    forms: dict[str, tuple[str, ...]] = {}
    clues: tuple[str, ...] = ()
    associations: dict[str, tuple[str, ...]] = {}


class Pack(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """All words of a game: `families[position].words[pouch]`.

    `near` are the keys of real words so like one of the pack's that, typed, they are meant and no
    slip (F-15).
    """

    id: str
    language: str
    licence: str
    author: str
    families: tuple[Family, ...]
    near: tuple[str, ...] = ()

    def word(self, pouch: int, position: int) -> str:
        """The word of a pouch at a position, each 0–23."""
        return self.families[position].words[pouch]

    def face(self, pouch: int, positions: Sequence[int]) -> tuple[str, ...]:
        """The words of a pouch at these positions, in their order."""
        return tuple(self.word(pouch, position) for position in positions)

    def forms(self, word: str) -> frozenset[str]:
        """The keys of a word of this pack and of all its noun forms. KeyError: another word."""
        return self._forms[word]

    def clues(self, position: int) -> tuple[str, ...]:
        """Vague clues for the words at a position; none is a word of the house pack."""
        return self.families[position].clues

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words, position by position."""
        return tuple(word for family in self.families for word in family.words)

    @cached_property
    def owners(self) -> dict[str, str]:
        """The word that each form's key stands for."""
        return {form: word for word, forms in self._forms.items() for form in forms}

    @cached_property
    def by_length(self) -> dict[int, tuple[tuple[str, frozenset[str]], ...]]:
        """The forms of so many letters, each with its set of letters: what makes a search quick."""
        lengths = {len(form) for form in self.owners}
        return {
            length: tuple((form, frozenset(form)) for form in self.owners if len(form) == length)
            for length in lengths
        }

    @cached_property
    def known(self) -> frozenset[str]:
        """The keys of what this pack shows to be words: typed, they are meant (rule F-15)."""
        return frozenset(self.owners).union(self.near, *(map(key, clues) for clues in self._said()))

    def _said(self) -> list[Sequence[str]]:
        return [
            clues
            for family in self.families
            for clues in (family.clues, *family.associations.values())
        ]

    @cached_property
    def _forms(self) -> dict[str, frozenset[str]]:
        return {
            word: frozenset(map(key, (word, *family.forms.get(word, ()))))
            for family in self.families
            for word in family.words
        }
