"""What all pictures are drawn on: a sheet 960 pixels wide, its colours, its lines of text. Pure.

All lengths are pixels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import TypeAlias

from PIL import Image
from PIL.ImageDraw import ImageDraw

from adapters.telegram.typeset import Style, draw, fitted, seen, width
from core.game import Seat
from core.text import CLOSE, OPEN

WIDTH, MARGIN, GAP = 960, 40, 30
PAPER, TINT, RULE = "#fcfbf8", "#e9f1e6", "#e3e0d9"
INK, QUIET, FAINT, GREEN = "#22262b", "#646a71", "#a4a8ad", "#2b6a4a"
TITLE_LINE, NOTE_LINE = 58, 40
SINK = 12
"""How far below the middle of its line a text stands."""
TITLE, NOTE = Style(42, 700, INK), Style(26, 400, QUIET)
MOST_FITTED = 120
"""No line has room for more characters: what is longer is not measured."""
_MARKED = re.compile(f"{OPEN}(.*?){CLOSE}")

Word: TypeAlias = tuple[str, ...]
"""What stands together on a line; a name in it is a part of its own, with its own direction."""


def png(image: Image.Image) -> bytes:
    """The picture as a file."""
    stored = BytesIO()
    image.save(stored, "PNG")
    return stored.getvalue()


def lines(
    canvas: ImageDraw, top: int, shown: Sequence[Sequence[Word]], style: Style, height: int
) -> int:
    """Draw lines of words from the left margin; gives where they end."""
    for line in shown:
        x = float(MARGIN)
        for word in line:
            for part in word:
                x = draw(canvas, x, top + height / 2 + SINK, part, style)
            x += width(" ", style)
        top += height
    return top


def wrapped(text: str, names: Mapping[Seat, str], style: Style) -> Iterator[list[Word]]:
    """The text in lines of words that fit."""
    line: list[Word] = []
    left = 0.0
    for word in words(text, names):
        short = tuple(fitted(part[:MOST_FITTED], style, WIDTH / 2) for part in word)
        taken = sum(width(part, style) for part in short)
        if not line or left < taken:
            if line:
                yield line
            line = []
            left = WIDTH - 2.0 * MARGIN
        line.append(short)
        left -= taken + width(" ", style)
    if line:
        yield line


def words(text: str, names: Mapping[Seat, str]) -> Iterator[Word]:
    """The words of a text that holds marks for seats."""
    for word in text.split():
        parts = (
            name_of(part, names) if at % 2 else seen(part)
            for at, part in enumerate(_MARKED.split(word))
        )
        yield tuple(part for part in parts if part)


def name_of(seat: Seat, names: Mapping[Seat, str]) -> str:
    """What a seat is called, or a question mark."""
    return seen(names.get(seat, "")) or "?"
