"""How words are compared: their keys, and how far off a slip may be (rule F-15)."""

from __future__ import annotations

import re

from core.spelling import fold, tidy
from core.spelling import key as letters

_POSSESSIVE = re.compile(r"(?<=\w)'s\W*$")
_FILLERS = [phrase.split() for phrase in "is it,it is,its,i think,maybe,a,an,the".split(",")]

ONE_SLIP_LETTERS = 4
TWO_SLIPS_LETTERS = 8


def key(text: str) -> str:
    """`text` as it is compared: `"Is it the Café's?"` is `cafe`. Words shown are never keyed.

    Only 's is taken off: `dogs'` ends as `dogs`, a listed form, and `glass'` stays whole.
    """
    said = _POSSESSIVE.sub("", fold(tidy(text)))
    words = [word for part in said.split() if (word := letters(part))]
    return "".join(_without_filler(words))


def forgiven(*texts: str) -> int:
    """The edits a guess may be off: 0, 1 or 2, by the letters of the shortest of the texts."""
    count = min(len(key(text)) for text in texts)
    return (count >= ONE_SLIP_LETTERS) + (count >= TWO_SLIPS_LETTERS)


def _without_filler(words: list[str]) -> list[str]:
    """`words` without the phrases in front; the last word always stays."""
    while filler := [f for f in _FILLERS if len(words) > len(f) and words[: len(f)] == f]:
        words = words[len(filler[0]) :]
    return words
