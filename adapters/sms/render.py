"""A letter as text messages: short names, cheap letters, at most three segments each. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from urllib.parse import quote

from adapters.sms.folding import fold, short_names
from adapters.sms.segments import clusters, count
from core.delivery import Letter
from core.text import named

MOST_SEGMENTS = 3
_MARK = "({}/{})\n"


def bodies(letter: Letter) -> tuple[str, ...]:
    """The texts that say the letter, in order; none if it has nothing worth a text."""
    names = short_names(letter.names)
    text = fold(named(letter.short, lambda seat: names.get(seat, "?")))
    text = "\n".join(line.rstrip() for line in text.split("\n")).strip()
    if not text:
        return ()
    if count(text).segments <= MOST_SEGMENTS:
        return (text,)
    parts = list(_parts(text))
    return tuple(_MARK.format(n, len(parts)) + part for n, part in enumerate(parts, start=1))


def status_path(*parts: str) -> str:
    """Where Twilio tells what became of a letter: its id, room and seat, as far as it has them."""
    return "/".join(["/sms/status", *(quote(part, safe="") for part in parts if part)])


def _parts(text: str) -> Iterator[str]:
    """The text in parts that fit under a mark, cut at line ends; else at spaces, else anywhere."""
    widest = len(_MARK.format(99, 99)) * "0"
    while text:
        fitting = bisect_right(
            range(len(text) + 1),
            MOST_SEGMENTS,
            key=lambda size, rest=text: count(widest + rest[:size]).segments,
        )
        end = _border(text, fitting - 1)
        yield text[:end].rstrip()
        text = text[end:].lstrip()


def _border(text: str, fitting: int) -> int:
    """Where best to cut a text of which `fitting` characters fit."""
    if fitting == len(text):
        return fitting
    for border in ("\n", " "):
        end = text.rfind(border, 0, fitting + 1)
        if end > 0:
            return end
    torn = len(clusters(text[: fitting + 1])[-1])
    return fitting + 1 - torn or fitting
