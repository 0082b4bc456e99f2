"""A word that no pack has, matched as if somebody had just put it into one, with its usual forms.

For whoever tries out words before they are in a pack: a pack lists its forms itself.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec

from msgspec.structs import replace

from core.games.ferret_out.pouches import Family, Pack
from core.games.ferret_out.pouches.keys import key
from core.games.ferret_out.pouches.lint import SPELLINGS

IRREGULAR = {
    "child": "children", "die": "dice", "foot": "feet", "goose": "geese", "louse": "lice",
    "man": "men", "mouse": "mice", "ox": "oxen", "person": "people", "tooth": "teeth",
    "woman": "women",
}  # fmt: skip
_IES = re.compile(r"[^aeiou]y")
_HISSES = re.compile(r".*(s|x|z|ch|sh)")
RARELY = 1e-7
"""Once in ten million words: what is said more often is a word."""


def forms(word: str) -> tuple[str, ...]:
    """The noun forms that a word usually has: plurals, possessive, both spellings."""
    words = {word, *(one for pair in SPELLINGS if word in pair for one in pair)}
    return tuple(sorted({form for one in words for form in (*_plurals(one), f"{one}s")} | words))


class Words:
    """The words of a pack, and any other word as one more of them."""

    def __init__(self, pack: Pack) -> None:
        """The words of `pack`."""
        self.pack = pack
        self._last: tuple[str, Pack] = ("", pack)

    def find(self, word: str) -> tuple[Pack, str]:
        """A pack that has the word, and the word as it stands there."""
        meant = key(word)
        if meant in self.pack.owners:
            return self.pack, self.pack.owners[meant]
        if meant != self._last[0]:
            its = tuple(form for form in forms(meant) if form not in self.pack.owners)
            stray = Family("", (meant,), {meant: its})
            # One is kept, no more: each has a whole pack's indexes.
            self._last = meant, replace(self.pack, families=(*self.pack.families, stray))
        return self._last[1], meant


def is_real(typed: str, language: str) -> bool:
    """Whether something is said often enough to be a word, as far as `wordfreq` is installed."""
    if not find_spec("wordfreq"):
        return False
    return bool(import_module("wordfreq").word_frequency(key(typed), language) >= RARELY)


def _plurals(word: str) -> set[str]:
    if word in IRREGULAR:
        return {IRREGULAR[word]}
    if _IES.search(word[-2:]):
        return {f"{word[:-1]}ies"}
    if _HISSES.fullmatch(word):
        return {f"{word}es"}
    if word.endswith(("f", "fe")):
        return {f"{word}s", f"{word.removesuffix('e')[:-1]}ves"}
    return {f"{word}s", f"{word}es"} if word.endswith("o") else {f"{word}s"}
