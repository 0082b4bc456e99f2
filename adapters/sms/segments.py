"""How many SMS segments a text costs, counted as the network will cut it (3GPP TS 23.038, 23.040).

A text whose every character is in the GSM 03.38 alphabet is counted in septets, 160 alone or 153
in each part of a long one. One character outside makes the whole text UTF-16, 70 or 67 units.
Nothing that must stay whole is cut at a border: neither the two septets of an extension character,
nor a surrogate pair, nor a letter with its marks, a flag, a family. Only a cluster longer than a
whole part has to be cut, between its code points.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

# In the order of the alphabet's table; its ESC (0x1B) is no character and is left out.
_BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ"
    " !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§"
    "¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_EXTENSION = frozenset("\f^{}\\[~]|€")
_GSM7 = _BASIC | _EXTENSION

_SEPTETS_ALONE, _SEPTETS_IN_PART = 160, 153
_UNITS_ALONE, _UNITS_IN_PART = 70, 67

_JOINERS = "\u200c\u200d"


class Segments(msgspec.Struct, frozen=True):
    """What a text costs: `parts` holds the units (septets or UTF-16 units) of each segment."""

    encoding: Literal["GSM-7", "UCS-2"]
    parts: tuple[int, ...]

    @property
    def segments(self) -> int:
        """How many segments are billed, at least 1."""
        return len(self.parts)


def is_gsm7(text: str) -> bool:
    """Say whether every character is in GSM 03.38, its extension table included."""
    return _GSM7.issuperset(text)


def septets(text: str) -> int:
    """Count the septets of a GSM-7 text; an extension character takes two.

    Raises ValueError for a text that is not GSM-7.
    """
    if not is_gsm7(text):
        raise ValueError("the text has characters outside GSM 03.38")
    return len(text) + sum(char in _EXTENSION for char in text)


def utf16_units(text: str) -> int:
    """Count the 16-bit units of a text."""
    return len(text) + sum(char > "\uffff" for char in text)


def count(text: str) -> Segments:
    """Cut a text into segments, greedily, as the sending side does. An empty text is one of 0."""
    if is_gsm7(text):
        sizes = (septets(char) for char in text)
        return Segments("GSM-7", _pack(sizes, _SEPTETS_ALONE, _SEPTETS_IN_PART))
    return Segments("UCS-2", _pack(_unbreakable(text), _UNITS_ALONE, _UNITS_IN_PART))


def clusters(text: str) -> list[str]:
    """Split a text into what a reader takes for one sign, close to Unicode's UAX 29.

    Conjoining Hangul letters are the exception: they are composed by NFC, and apart otherwise.
    """
    found: list[str] = []
    for char in text:
        if found and _continues(found[-1], char):
            found[-1] += char
        else:
            found.append(char)
    return found


def _continues(cluster: str, char: str) -> bool:
    if cluster in "\r\n":
        return False
    if "\U0001f1e6" <= char <= "\U0001f1ff":  # two regional indicators make one flag
        return len(cluster) == 1 and "\U0001f1e6" <= cluster <= "\U0001f1ff"
    if "\U0001f3fb" <= char <= "\U0001f3ff":  # a skin tone
        return unicodedata.category(cluster[0]) == "So"
    category = unicodedata.category(char)
    if cluster[-1] == "\u200d" and category == "So":
        return True
    is_tag = "\U000e0020" <= char <= "\U000e007f"
    return category in {"Mn", "Mc", "Me"} or char in _JOINERS or is_tag


def _unbreakable(text: str) -> Iterator[int]:
    for cluster in clusters(text):
        units = utf16_units(cluster)
        if units <= _UNITS_IN_PART:
            yield units
        else:
            yield from map(utf16_units, cluster)


def _pack(sizes: Iterable[int], alone: int, in_part: int) -> tuple[int, ...]:
    sizes = tuple(sizes)
    if sum(sizes) <= alone:
        return (sum(sizes),)
    parts = [0]
    for size in sizes:
        if parts[-1] + size > in_part:
            parts.append(0)
        parts[-1] += size
    return tuple(parts)
