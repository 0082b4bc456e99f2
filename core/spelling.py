"""How typed text is compared: folded keys, graphemes, and the distance of a typo."""

from __future__ import annotations

import unicodedata

import regex

_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})
_PLAIN = str.maketrans("’‘“”–—‐", "''\"\"---") | dict.fromkeys(map(ord, "\ufe0e\ufe0f\u20e3"))
_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn"}
_TOWER = regex.compile(r"(\p{M}{4})\p{M}+")


def tidy(text: str) -> str:
    """What somebody typed, without what nobody can see: NFKC, no controls, single spaces.

    Private-use characters go too: they stand for seats in our own texts (`core.text`). So does all
    but the foot of a tower of marks, whose letter is one grapheme however high it is.
    """
    seen = "".join(ch for ch in text if ch.isspace() or unicodedata.category(ch) not in _UNSEEN)
    plain = unicodedata.normalize("NFKC", seen).translate(_PLAIN)
    return " ".join(_TOWER.sub(r"\1", plain).split())


def trim(text: str) -> str:
    """`text` without the punctuation around it: `"Bo."` is `Bo`, `well-known` stays."""
    start, end = 0, len(text)
    while start < end and not _is_word(text[start]):
        start += 1
    while end > start and not _is_word(text[end - 1]):
        end -= 1
    return text[start:end]


def fold(text: str) -> str:
    """`text` without case and marks, for comparing: `Café` and `cafe` are one."""
    bare = unicodedata.normalize("NFKD", text).casefold().translate(_LETTERS)
    return "".join(ch for ch in bare if not unicodedata.combining(ch))


def key(text: str) -> str:
    """`fold` without spaces and punctuation: what two names or commands are compared by."""
    return "".join(ch for ch in fold(text) if ch.isalnum())


def graphemes(text: str) -> list[str]:
    """`text` as the characters a person sees."""
    found: list[str] = regex.findall(r"\X", text)
    return found


def edits(one: str, other: str) -> int:
    """Damerau-Levenshtein distance (optimal string alignment): a swap of neighbours is one edit."""
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, a in enumerate(one, 1):
        here = [row]
        for column, b in enumerate(other, 1):
            cost = min(above[column] + 1, here[-1] + 1, above[column - 1] + (a != b))
            if row > 1 and column > 1 and a == other[column - 2] and b == one[row - 2]:
                cost = min(cost, before[column - 2] + 1)
            here.append(cost)
        before, above = above, here
    return above[-1]


def _is_word(ch: str) -> bool:
    return ch.isalnum() or unicodedata.category(ch) in {"Mn", "Mc", "So", "Sk"}
