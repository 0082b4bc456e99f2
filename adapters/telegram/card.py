"""The score card as a picture: a row a player, a column a round. Pure.

    title          who won
    bands          at most ten rounds in one, so that a phone shows them large enough: the rounds'
                   numbers, then a row a player, best first; the last band has the totals
    notes          the game and its variants

A winner has a star, bold type and a tint; whoever was not there in a round has a dash. A name that
is too long ends in an ellipsis. All lengths are pixels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import TypeAlias

from msgspec.structs import replace
from PIL import Image
from PIL.ImageDraw import Draw, ImageDraw

from adapters.telegram.typeset import Style, draw, fitted, seen, width
from core.game import Score, ScoreCard, Seat
from core.text import CLOSE, OPEN

WIDTH = 960
ROUNDS_IN_A_BAND = 10
MOST_ROUNDS = 40
"""Of a longer game only the last rounds are shown: a taller picture would not be taken."""
_PAPER, _TINT, _RULE = "#fcfbf8", "#e9f1e6", "#e3e0d9"
_INK, _QUIET, _FAINT, _GREEN = "#22262b", "#646a71", "#a4a8ad", "#2b6a4a"
_MARGIN, _GAP = 40, 30
_STAR, _TOTAL, _COLUMN, _NAME = 50, 120, 62, 320
_TITLE_LINE, _HEAD_LINE, _ROW, _NOTE_LINE = 58, 50, 68, 40
_SINK = 12
"""How far below the middle of its line a text stands."""
_TITLE = Style(42, 700, _INK)
_HEAD, _NOTE = Style(26, 400, _QUIET), Style(26, 400, _QUIET)
_PLAYER, _POINTS = Style(34, 400, _INK), Style(32, 400, _INK)
_MARKED = re.compile(f"{OPEN}(.*?){CLOSE}")

Word: TypeAlias = tuple[str, ...]
"""What stands together on a line; a name in it is a part of its own, with its own direction."""


def picture(card: ScoreCard[str], names: Mapping[Seat, str]) -> bytes:
    """The card as a PNG, 960 pixels wide."""
    title = _wrapped(card.title, names, _TITLE)
    notes = [line for note in card.notes for line in _wrapped(note, names, _NOTE)]
    bands = tuple(_bands(len(card.rounds)))
    table = _GAP + _HEAD_LINE + len(card.scores) * _ROW
    height = 2 * _MARGIN + len(title) * _TITLE_LINE + len(bands) * table
    height += _GAP + len(notes) * _NOTE_LINE if notes else 0
    image = Image.new("RGB", (WIDTH, height), _PAPER)
    canvas = Draw(image)
    top = _lines(canvas, _MARGIN, title, _TITLE, _TITLE_LINE)
    for band in bands:
        top = _table(canvas, top + _GAP, card, names, band)
    _lines(canvas, top + _GAP, notes, _NOTE, _NOTE_LINE)
    stored = BytesIO()
    image.save(stored, "PNG")
    return stored.getvalue()


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
    column = min(_COLUMN, (WIDTH - 2 * _MARGIN - _STAR - _NAME - _TOTAL) // max(len(band), 1))
    right = WIDTH - _MARGIN - _TOTAL
    middles = [right - column * (band.stop - at) + column / 2 for at in band]
    room_for_name = right - column * len(band) - _MARGIN - _STAR - 16
    for at, middle in zip(band, middles, strict=True):
        _centred(canvas, middle, top, _HEAD_LINE, fitted(card.rounds[at], _HEAD, column), _HEAD)
    if last:
        _total(canvas, top, _HEAD_LINE, fitted(seen(card.total), _HEAD, _TOTAL), _HEAD)
    top += _HEAD_LINE
    for score in card.scores:
        won = score.seat in card.winners
        style = replace(_PLAYER, weight=700) if won else _PLAYER
        _row(canvas, top, won=won)
        name = fitted(_name(score.seat, names), style, room_for_name)
        draw(canvas, _MARGIN + _STAR, top + _ROW / 2 + _SINK, name, style)
        for at, middle in zip(band, middles, strict=True):
            _points(canvas, middle, top, score, at)
        if last:
            _total(canvas, top, _ROW, str(score.total), replace(_POINTS, weight=700))
        top += _ROW
    return top


def _row(canvas: ImageDraw, top: int, *, won: bool) -> None:
    left, right = _MARGIN - 8, WIDTH - _MARGIN + 8
    canvas.line((left, top, right, top), _RULE, 2)
    if won:
        canvas.rectangle((left, top + 2, right, top + _ROW - 1), _TINT)
        star = Style(34, 400, _GREEN)
        draw(canvas, _MARGIN + 4, top + _ROW / 2 + _SINK, "★", star)


def _points(canvas: ImageDraw, middle: float, top: int, score: Score, at: int) -> None:
    gained = score.gained[at] if at < len(score.gained) else None
    colour = _INK if gained else _FAINT if gained is None else _QUIET
    shown = "–" if gained is None else str(gained)
    _centred(canvas, middle, top, _ROW, shown, replace(_POINTS, colour=colour))


def _centred(
    canvas: ImageDraw, middle: float, top: int, height: int, text: str, style: Style
) -> None:
    draw(canvas, middle - width(text, style) / 2, top + height / 2 + _SINK, text, style)


def _total(canvas: ImageDraw, top: int, height: int, text: str, style: Style) -> None:
    left = WIDTH - _MARGIN - 12 - width(text, style)
    draw(canvas, left, top + height / 2 + _SINK, text, style)


def _lines(
    canvas: ImageDraw, top: int, lines: Sequence[Sequence[Word]], style: Style, height: int
) -> int:
    for line in lines:
        x = float(_MARGIN)
        for word in line:
            for part in word:
                x = draw(canvas, x, top + height / 2 + _SINK, part, style)
            x += width(" ", style)
        top += height
    return top


def _wrapped(text: str, names: Mapping[Seat, str], style: Style) -> list[list[Word]]:
    """The text in lines of words that fit."""
    lines: list[list[Word]] = []
    left = 0.0
    for word in _words(text, names, style):
        taken = sum(width(part, style) for part in word)
        if not lines or left < taken:
            lines.append([])
            left = WIDTH - 2.0 * _MARGIN
        lines[-1].append(word)
        left -= taken + width(" ", style)
    return lines


def _words(text: str, names: Mapping[Seat, str], style: Style) -> Iterator[Word]:
    for word in text.split():
        parts = (
            _name(part, names) if at % 2 else seen(part)
            for at, part in enumerate(_MARKED.split(word))
        )
        yield tuple(fitted(part, style, WIDTH / 2) for part in parts if part)


def _name(seat: Seat, names: Mapping[Seat, str]) -> str:
    return seen(names.get(seat, "")) or "?"
