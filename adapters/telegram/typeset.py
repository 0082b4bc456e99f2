"""Text in any script as pixels: each part in a font that has it, in the order it is read. Pure.

Theory of operation. A font has some scripts, so a text falls into runs of one font. Inside a run
Pillow shapes and orders the characters (libraqm); the runs themselves are put in order here, by the
two rules of Unicode's bidirectional algorithm that names need: in a text from left to right,
neighbouring runs from right to left change places; in one from right to left all do, and what runs
from left to right in it changes back.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import Literal, TypeAlias
from unicodedata import bidirectional

from msgspec import Struct
from PIL import ImageFont, features
from PIL.ImageDraw import ImageDraw

from adapters.telegram.fonts import file_of, font_for
from core.spelling import graphemes

Direction: TypeAlias = Literal["ltr", "rtl"]
Weight: TypeAlias = Literal[400, 700]
ELLIPSIS = "…"
_LEFTWARDS = {"R", "AL"}
_STRONG = {*_LEFTWARDS, "L"}
_SHAPES = features.check("raqm")


class Style(Struct, frozen=True):
    """How a text looks: its size in pixels, its weight, its colour."""

    size: int
    weight: Weight = 400
    colour: str = "#000000"


class Run(Struct, frozen=True):
    """A part of a text in one font."""

    text: str
    font: str

    @property
    def leftwards(self) -> bool:
        """It is read from right to left."""
        return any(bidirectional(ch) in _LEFTWARDS for ch in self.text)


def direction_of(text: str) -> Direction:
    """The direction of the first character that has one."""
    strong = (kind for kind in map(bidirectional, text) if kind in _STRONG)
    return "rtl" if next(strong, "L") in _LEFTWARDS else "ltr"


def width(text: str, style: Style) -> float:
    """How many pixels a text takes."""
    direction = direction_of(text)
    return sum(_length(run, style, direction) for run in _runs(text))


def draw(canvas: ImageDraw, x: float, baseline: float, text: str, style: Style) -> float:
    """Draw a text from `x` to the right; gives where it ends."""
    direction = direction_of(text)
    for run in _ordered(_runs(text), direction):
        shown, way = _shown(run, direction)
        font = _font(run.font, style.size, style.weight)
        canvas.text((x, baseline), shown, style.colour, font, anchor="ls", direction=way)
        x += _length(run, style, direction)
    return x


def fitted(text: str, style: Style, most: float) -> str:
    """`text`, or as many of its characters as fit into `most` pixels with an ellipsis."""
    if width(text, style) <= most:
        return text
    rest = graphemes(text)
    while rest and width("".join(rest).rstrip() + ELLIPSIS, style) > most:
        rest.pop()
    return "".join(rest).rstrip() + ELLIPSIS


def seen(text: str) -> str:
    """`text` without what has no shape: controls, and characters that are not assigned."""
    kept = (ch if ch.isprintable() else " " if ch.isspace() else "" for ch in text)
    return " ".join("".join(kept).split())


def _runs(text: str) -> list[Run]:
    """The parts of one font, as they are typed. A space stays in the font before it."""
    pairs: list[tuple[str, str]] = []
    for one in graphemes(text):
        font = pairs[-1][1] if one == " " and pairs else font_for(one)
        pairs.append((one, font))
    grouped = groupby(pairs, key=lambda pair: pair[1])
    return [Run("".join(one for one, _ in part), font) for font, part in grouped]


def _ordered(runs: list[Run], direction: Direction) -> list[Run]:
    """The runs from left to right."""
    against = direction == "ltr"
    placed: list[Run] = []
    for leftwards, part in groupby(runs, key=lambda run: run.leftwards):
        together = list(part)
        placed += reversed(together) if leftwards == against else together
    return placed if against else placed[::-1]


def _shown(run: Run, direction: Direction) -> tuple[str, Direction | None]:
    if _SHAPES:
        return run.text, direction
    # Without libraqm nothing is shaped, but a text at least runs the right way.
    return "".join(reversed(graphemes(run.text))) if run.leftwards else run.text, None


def _length(run: Run, style: Style, direction: Direction) -> float:
    shown, way = _shown(run, direction)
    return _font(run.font, style.size, style.weight).getlength(shown, direction=way)


@cache
def _font(name: str, size: int, weight: Weight) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(file_of(name), size)
    try:
        font.set_variation_by_axes([weight])
    except OSError:
        # A font of one weight.
        return font
    return font
