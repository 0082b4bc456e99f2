"""The fonts that come with Parlour, and which of them has a character.

All of them are free: NotoSans*.ttf and NotoEmoji.ttf under OFL.txt, WenQuanYiMicroHei.ttf (Chinese,
Japanese, Korean) under APACHE-2.0.txt. A font is a file in this folder, and nothing else.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from struct import unpack_from

FOLDER = Path(__file__).parent
PLAIN = "NotoSans"
# Emoji before what else has symbols; last the font that has nearly everything, in its own style.
_LAST = ("NotoEmoji", "NotoSansSymbols", "WenQuanYiMicroHei")


def file_of(font: str) -> Path:
    """Where a font is."""
    return FOLDER / f"{font}.ttf"


@cache
def font_for(grapheme: str) -> str:
    """The first font that has all of a grapheme, else its first character, else the plain one.

    What no font has is drawn by the plain one as an empty box.
    """
    for wanted in (set(map(ord, grapheme)), {ord(grapheme[0])}):
        for font in _in_order():
            if wanted <= _covered(font):
                return font
    return PLAIN


@cache
def _in_order() -> tuple[str, ...]:
    scripts = sorted(path.stem for path in FOLDER.glob("*.ttf"))
    return (PLAIN, *(font for font in scripts if font not in {PLAIN, *_LAST}), *_LAST)


@cache
def _covered(font: str) -> frozenset[int]:
    """The code points that a font has glyphs for, from its `cmap` table (OpenType 1.9)."""
    data = file_of(font).read_bytes()
    (count,) = unpack_from(">H", data, 4)
    tables = {data[at : at + 4]: at for at in range(12, 12 + 16 * count, 16)}
    (cmap,) = unpack_from(">I", data, tables[b"cmap"] + 8)
    (count,) = unpack_from(">H", data, cmap + 2)
    found: set[int] = set()
    for at in range(cmap + 4, cmap + 4 + 8 * count, 8):
        table = cmap + unpack_from(">I", data, at + 4)[0]
        match unpack_from(">H", data, table)[0]:
            case 4:
                found |= _segments(data, table)
            case 12:
                found |= _groups(data, table)
            case _:
                pass
    return frozenset(found)


def _groups(data: bytes, at: int) -> set[int]:
    """Format 12: ranges of code points, each with its first glyph."""
    (count,) = unpack_from(">I", data, at + 12)
    groups = (unpack_from(">II", data, at + 16 + 12 * number) for number in range(count))
    return {code for first, last in groups for code in range(first, last + 1)}


def _segments(data: bytes, at: int) -> set[int]:
    """Format 4: ranges of the lowest 65,536, each with a shift to its glyphs or a list of them."""
    (double,) = unpack_from(">H", data, at + 6)
    lasts, firsts = at + 14, at + 16 + double
    found: set[int] = set()
    for step in range(0, double, 2):
        (last,), (first,) = (
            unpack_from(">H", data, lasts + step),
            unpack_from(">H", data, firsts + step),
        )
        (shift,) = unpack_from(">H", data, firsts + double + step)
        listed = firsts + 2 * double + step
        (offset,) = unpack_from(">H", data, listed)
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if offset:
                (glyph,) = unpack_from(">H", data, listed + offset + 2 * (code - first))
            if (not offset and (glyph + shift) & 0xFFFF) or (offset and glyph):
                found.add(code)
    return found
