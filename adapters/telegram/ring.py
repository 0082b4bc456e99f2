"""A table seen from above as a picture: who sits where, clockwise from the head. Pure.

    title          what is shown
    places         cards on the rim of an ellipse, one row below another: the first at the top, then
                   down the right side and up the left one; an even number has its middle at the
                   bottom. A card has the name, the labels as pills and a line a note
    notes          what everybody can know

Whoever has a label has bold type and a tint. What is too long ends in an ellipsis. All lengths are
pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from math import sqrt

from msgspec.structs import replace
from PIL import Image
from PIL.ImageDraw import Draw, ImageDraw

from adapters.telegram.paper import (
    FAINT,
    GAP,
    GREEN,
    INK,
    MARGIN,
    MOST_FITTED,
    NOTE,
    NOTE_LINE,
    PAPER,
    QUIET,
    RULE,
    TINT,
    TITLE,
    TITLE_LINE,
    WIDTH,
    Word,
    lines,
    name_of,
    png,
    words,
    wrapped,
)
from adapters.telegram.shapes import Box, around, clockwise, inside, oval, rounded
from adapters.telegram.typeset import ELLIPSIS, Style, draw, fitted, width
from core.game import Place, Ring, Seat

MOST_LABELS, MOST_NOTES = 3, 4
"""What a card has room for; a game says the rest in lines."""
MOST_TITLE_LINES, MOST_NOTE_LINES = 3, 12
_WOOD, _RIM, _CARD, _CHIP = "#f1eee7", "#e3ddd0", "#ffffff", "#cfe2cb"
_BROAD, _ROUND, _PAD, _BETWEEN = 330, 18, 16, 20
_NAME_LINE, _LABEL_LINE, _LINE = 44, 42, 34
_RAISED = 3
"""A line has its air above: so much higher, the texts look centred."""
_LEAST = 300
"""Half the height of a table that few sit at."""
_ARROW = 120
_CHIP_TALL, _SIDE, _SPACE = 34, 13, 8
_ROOM = _BROAD - 2 * _PAD
_NAME, _LABEL, _SMALL = Style(30, 400, INK), Style(22, 700, GREEN), Style(24, 400, QUIET)


def picture(ring: Ring[str], names: Mapping[Seat, str]) -> bytes:
    """The table as a PNG, 960 pixels wide."""
    title = _cut(wrapped(ring.title, names, TITLE), MOST_TITLE_LINES)
    said = chain.from_iterable(wrapped(note, names, NOTE) for note in ring.notes)
    notes = _cut(said, MOST_NOTE_LINES)
    top = MARGIN + len(title) * TITLE_LINE + (GAP if title else 0)
    table, places = _seating(len(ring.places), _height(ring.places), top)
    below = max(bottom for *_, bottom in (table, *places)) if places else top
    height = below + MARGIN + (GAP + len(notes) * NOTE_LINE if notes else 0)
    image = Image.new("RGB", (WIDTH, height), PAPER)
    canvas = Draw(image)
    lines(canvas, MARGIN, title, TITLE, TITLE_LINE)
    if places:
        _table(image, table)
    for place, box in zip(ring.places, places, strict=True):
        # On a sheet of its own, so that nothing in a card reaches out of it.
        card = image.crop(box)
        _card(card, place, names)
        image.paste(card, box)
    lines(canvas, below + GAP, notes, NOTE, NOTE_LINE)
    return png(image)


def _cut(wanted: Iterable[list[Word]], most: int) -> list[list[Word]]:
    """The first lines; no more of them are made, however many there would be."""
    shown = list(islice(wanted, most + 1))
    if len(shown) > most:
        shown[most - 1][-1] = (ELLIPSIS,)
    return shown[:most]


def _height(places: Sequence[Place[str]]) -> int:
    """How high each card is: as the fullest one needs."""
    labelled = any(place.labels for place in places)
    notes = max((min(len(place.notes), MOST_NOTES) for place in places), default=0)
    return 2 * _PAD + _NAME_LINE + labelled * _LABEL_LINE + notes * _LINE


def _seating(count: int, tall: int, top: int) -> tuple[Box, list[Box]]:
    """The table, and a box for each place, `tall` high, the first at `top`.

    Each row has the same height, so that no card is above half of another; in a row are at most
    two, the same way right and left of the middle.
    """
    across = (WIDTH - 2 * MARGIN - _BROAD) / 2
    down = max(_LEAST, count * (tall + _BETWEEN) / 4)
    middle = top + tall / 2 + down
    table = around(WIDTH / 2, middle, 2 * across, 2 * down)
    places: list[Box] = []
    for at in range(count):
        row = min(at, count - at)
        y = 4 * row / count - 1
        x = max(across * sqrt(max(0, 1 - y * y)), (_BROAD + _BETWEEN) / 2)
        side = 0 if 2 * row in {0, count} else 1 if at == row else -1
        places.append(around(WIDTH / 2 + side * x, middle + y * down, _BROAD, tall))
    return table, places


def _table(image: Image.Image, box: Box) -> None:
    oval(image, box, _RIM)
    oval(image, inside(box, 3), _WOOD)
    left, top, right, bottom = box
    arrow = around((left + right) / 2, (top + bottom) / 2, _ARROW, _ARROW)
    clockwise(image, arrow, FAINT, _ARROW // 20)


def _card(card: Image.Image, place: Place[str], names: Mapping[Seat, str]) -> None:
    """Draw a place onto its card; the texts stand in the middle of its height."""
    whole = (0, 0, *card.size)
    rounded(card, whole, GREEN if place.labels else RULE, _ROUND)
    rounded(card, inside(whole, 2), TINT if place.labels else _CARD, _ROUND - 2)
    notes = place.notes[:MOST_NOTES]
    used = _NAME_LINE + bool(place.labels) * _LABEL_LINE + len(notes) * _LINE
    top = (card.height - used) // 2 - _RAISED
    style = replace(_NAME, weight=700) if place.labels else _NAME
    canvas = Draw(card)
    name = fitted(name_of(place.seat, names)[:MOST_FITTED], style, _ROOM)
    _centred(canvas, top + _NAME_LINE / 2, [name], style)
    top += _NAME_LINE
    if place.labels:
        _labels(card, top + _LABEL_LINE // 2, place.labels[:MOST_LABELS], names)
        top += _LABEL_LINE
    for note in notes:
        _centred(canvas, top + _LINE / 2, _line(note, names, _SMALL, _ROOM), _SMALL)
        top += _LINE


def _labels(
    card: Image.Image, middle: int, labels: Sequence[str], names: Mapping[Seat, str]
) -> None:
    """Draw the labels side by side, each with its share of the room at most."""
    share = (_ROOM - _SPACE * (len(labels) - 1)) / len(labels) - 2 * _SIDE
    shown = [_line(label, names, _LABEL, share) for label in labels]
    broad = [round(_broad(line, _LABEL)) + 2 * _SIDE for line in shown]
    left = (card.width - sum(broad) - _SPACE * (len(labels) - 1)) // 2
    for line, wide in zip(shown, broad, strict=True):
        box = (left, middle - _CHIP_TALL // 2, left + wide, middle + _CHIP_TALL // 2)
        rounded(card, box, _CHIP, _CHIP_TALL // 2)
        _drawn(Draw(card), left + _SIDE, middle, line, _LABEL)
        left += wide + _SPACE


def _line(text: str, names: Mapping[Seat, str], style: Style, room: float) -> list[str]:
    """The parts of a text on one line, the last one cut short where the room ends."""
    parts = [part for word in words(text, names) for part in (*word, " ")][:-1]
    spare = width(ELLIPSIS, style)
    for at, part in enumerate(parts):
        taken = width(part[:MOST_FITTED], style)
        if taken > room - spare:
            rest = "".join(parts[at:])[:MOST_FITTED]
            return [*parts[:at], fitted(rest, style, room)]
        room -= taken
    return parts


def _centred(canvas: ImageDraw, middle: float, line: Sequence[str], style: Style) -> None:
    _drawn(canvas, (_BROAD - _broad(line, style)) / 2, middle, line, style)


def _drawn(canvas: ImageDraw, x: float, middle: float, line: Sequence[str], style: Style) -> None:
    for part in line:
        x = draw(canvas, x, middle + style.size * 0.36, part, style)


def _broad(line: Sequence[str], style: Style) -> float:
    return sum(width(part, style) for part in line)
