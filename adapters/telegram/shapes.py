"""Shapes with smooth edges: each is drawn larger as a mask, and its colour laid through it. Pure.

All lengths are pixels, and all angles degrees clockwise from the right.
"""

from __future__ import annotations

from math import cos, radians, sin
from typing import TypeAlias

from PIL import Image
from PIL.ImageDraw import Draw, ImageDraw

_TIMES = 4

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom."""


def oval(image: Image.Image, box: Box, colour: str) -> None:
    """The ellipse that fills a box."""
    mask, canvas = _mask(box)
    canvas.ellipse((0, 0, mask.width - 1, mask.height - 1), 255)
    _lay(image, box, mask, colour)


def rounded(image: Image.Image, box: Box, colour: str, radius: int) -> None:
    """A rectangle with round corners."""
    mask, canvas = _mask(box)
    canvas.rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), radius * _TIMES, 255)
    _lay(image, box, mask, colour)


def clockwise(image: Image.Image, box: Box, colour: str, thick: int) -> None:
    """An arrow nearly once around, in a square."""
    mask, canvas = _mask(box)
    thick *= _TIMES
    middle = mask.width / 2
    far, start, end = middle - 2 * thick, 0, 285
    canvas.arc((middle - far, middle - far, middle + far, middle + far), start, end, 255, thick)
    on_line = far - thick / 2
    head = ((on_line + 2.4 * thick, end - 2), (on_line, end + 46), (on_line - 2.4 * thick, end - 2))
    canvas.polygon(
        [
            (middle + out * cos(radians(turn)), middle + out * sin(radians(turn)))
            for out, turn in head
        ],
        255,
    )
    _lay(image, box, mask, colour)


def around(x: float, y: float, broad: float, tall: float) -> Box:
    """The box with its middle there."""
    left, top = round(x - broad / 2), round(y - tall / 2)
    return left, top, left + round(broad), top + round(tall)


def inside(box: Box, rim: int) -> Box:
    """What a box has within its rim."""
    left, top, right, bottom = box
    return left + rim, top + rim, right - rim, bottom - rim


def _mask(box: Box) -> tuple[Image.Image, ImageDraw]:
    left, top, right, bottom = box
    mask = Image.new("L", ((right - left) * _TIMES, (bottom - top) * _TIMES))
    return mask, Draw(mask)


def _lay(image: Image.Image, box: Box, mask: Image.Image, colour: str) -> None:
    image.paste(colour, box, mask.reduce(_TIMES))
