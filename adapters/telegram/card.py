"""The score card as a picture: a row a player, a column a round. Pure.

    title          who won
    bands          at most ten rounds in one, so that a phone shows them large enough: the rounds'
                   numbers, then a row a player, best first; the last band has the totals
    notes          the game and its variants

A winner has a star, bold type and a tint; whoever was not there in a round has a dash. A name that
is too long ends in an ellipsis. All lengths are pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace
from PIL import Image
from PIL.ImageDraw import Draw, ImageDraw

from adapters.telegram.paper import (
    FAINT,
    GAP,
    GREEN,
    INK,
    MARGIN,
    NOTE,
    NOTE_LINE,
    PAPER,
    QUIET,
    RULE,
    SINK,
    TINT,
    TITLE,
    TITLE_LINE,
    WIDTH,
    lines,
    name_of,
    png,
    wrapped,
)
from adapters.telegram.typeset import Style, draw, fitted, seen, width
from core.game import Score, ScoreCard, Seat

ROUNDS_IN_A_BAND = 10
MOST_ROUNDS = 40
"""Of a longer game only the last rounds are shown: a taller picture would not be taken."""
_STAR, _TOTAL, _COLUMN, _NAME = 50, 120, 62, 320
_HEAD_LINE, _ROW = 50, 68
_HEAD = Style(26, 400, QUIET)
_PLAYER, _POINTS = Style(34, 400, INK), Style(32, 400, INK)


def picture(card: ScoreCard[str], names: Mapping[Seat, str]) -> bytes:
    """The card as a PNG, 960 pixels wide."""
    title = list(wrapped(card.title, names, TITLE))
    notes = [line for note in card.notes for line in wrapped(note, names, NOTE)]
    bands = tuple(_bands(len(card.rounds)))
    table = GAP + _HEAD_LINE + len(card.scores) * _ROW
    height = 2 * MARGIN + len(title) * TITLE_LINE + len(bands) * table
    height += GAP + len(notes) * NOTE_LINE if notes else 0
    image = Image.new("RGB", (WIDTH, height), PAPER)
    canvas = Draw(image)
    top = lines(canvas, MARGIN, title, TITLE, TITLE_LINE)
    for band in bands:
        top = _table(canvas, top + GAP, card, names, band)
    lines(canvas, top + GAP, notes, NOTE, NOTE_LINE)
    return png(image)


def _bands(rounds: int) -> Iterator[range]:
    """The rounds, in bands of about the same length; one without a round if there was none."""
    shown = range(max(0, rounds - MOST_ROUNDS), rounds)
    count = max(1, -(-len(shown) // ROUNDS_IN_A_BAND))
    length = -(-len(shown) // count)
    for number in range(count):
        yield shown[number * length : (number + 1) * length]


def _table(
    canvas: ImageDraw, top: int, card: ScoreCard[str], names: Mapping[Seat, str], band: range
) -> int:
    """Draw the rows of some rounds; gives where they end."""
    last = band.stop == len(card.rounds)
    column = min(_COLUMN, (WIDTH - 2 * MARGIN - _STAR - _NAME - _TOTAL) // max(len(band), 1))
    right = WIDTH - MARGIN - _TOTAL
    middles = [right - column * (band.stop - at) + column / 2 for at in band]
    room_for_name = right - column * len(band) - MARGIN - _STAR - 16
    for at, middle in zip(band, middles, strict=True):
        _centred(canvas, middle, top, _HEAD_LINE, fitted(card.rounds[at], _HEAD, column), _HEAD)
    if last:
        _total(canvas, top, _HEAD_LINE, fitted(seen(card.total), _HEAD, _TOTAL), _HEAD)
    top += _HEAD_LINE
    for score in card.scores:
        won = score.seat in card.winners
        style = replace(_PLAYER, weight=700) if won else _PLAYER
        _row(canvas, top, won=won)
        name = fitted(name_of(score.seat, names), style, room_for_name)
        draw(canvas, MARGIN + _STAR, top + _ROW / 2 + SINK, name, style)
        for at, middle in zip(band, middles, strict=True):
            _points(canvas, middle, top, score, at)
        if last:
            _total(canvas, top, _ROW, str(score.total), replace(_POINTS, weight=700))
        top += _ROW
    return top


def _row(canvas: ImageDraw, top: int, *, won: bool) -> None:
    left, right = MARGIN - 8, WIDTH - MARGIN + 8
    canvas.line((left, top, right, top), RULE, 2)
    if won:
        canvas.rectangle((left, top + 2, right, top + _ROW - 1), TINT)
        star = Style(34, 400, GREEN)
        draw(canvas, MARGIN + 4, top + _ROW / 2 + SINK, "★", star)


def _points(canvas: ImageDraw, middle: float, top: int, score: Score, at: int) -> None:
    gained = score.gained[at] if at < len(score.gained) else None
    colour = INK if gained else FAINT if gained is None else QUIET
    shown = "–" if gained is None else str(gained)
    _centred(canvas, middle, top, _ROW, shown, replace(_POINTS, colour=colour))


def _centred(
    canvas: ImageDraw, middle: float, top: int, height: int, text: str, style: Style
) -> None:
    draw(canvas, middle - width(text, style) / 2, top + height / 2 + SINK, text, style)


def _total(canvas: ImageDraw, top: int, height: int, text: str, style: Style) -> None:
    left = WIDTH - MARGIN - 12 - width(text, style)
    draw(canvas, left, top + height / 2 + SINK, text, style)
