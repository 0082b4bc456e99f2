"""The key of a word: what is left of it when two words are compared (rule F-15)."""

from __future__ import annotations

import re

from core.spelling import fold, tidy
from core.spelling import key as letters

_POSSESSIVE = re.compile(r"(?<=\w)'s\W*$")
_FILLERS = [phrase.split() for phrase in "is it,it is,its,i think,maybe,a,an,the".split(",")]


def key(text: str) -> str:
    """`text` as it is compared: `"Is it the Café's?"` is `cafe`. Words shown are never keyed.

    Only 's is taken off: `dogs'` ends as `dogs`, a listed form, and `glass'` stays whole.
    """
    said = _POSSESSIVE.sub("", fold(tidy(text)))
    words = [word for part in said.split() if (word := letters(part))]
    return "".join(_without_filler(words))


def _without_filler(words: list[str]) -> list[str]:
    """`words` without the phrases in front; the last word always stays."""
    while filler := [f for f in _FILLERS if len(words) > len(f) and words[: len(f)] == f]:
        words = words[len(filler[0]) :]
    return words
