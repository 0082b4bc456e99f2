"""A letter -> the messages Telegram is to show. Pure.

Rules of this file
    1. No markup at all: neither parse mode nor entities. What a player typed stays what they typed.
    2. A name in a text stands between U+2068 and U+2069, so that one written from right to left
       does not turn the line around it.
    3. Lengths are UTF-16 code units, as Telegram counts them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from unicodedata import east_asian_width

from msgspec import Struct
from msgspec.structs import replace
from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from core.delivery import Button, Letter
from core.game import Seat
from core.spelling import graphemes
from core.text import named

TEXT_UNITS = 4096
CAPTION_UNITS = 1024
TOAST_UNITS = 200
DATA_BYTES = 64
# The widest label of so many in a row that is not cut on a small phone.
_IN_A_ROW = ((10, 3), (16, 2))


class Page(Struct, frozen=True):
    """One message: plain text, the buttons under it, and a PNG above it, if there is one."""

    text: str
    keyboard: InlineKeyboardMarkup | None = None
    picture: bytes | None = None


def render(letter: Letter, picture: bytes | None = None) -> tuple[Page, ...]:
    """The letter's messages in order, none if it says nothing. The last one has the buttons.

    The first one has the picture; a text too long for a caption comes in messages after it.
    Raises ValueError for a button whose data is over 64 bytes.
    """
    texts = cut(filled(letter.text, letter.names), TEXT_UNITS)
    keyboard = _keyboard(letter.buttons, letter.names)
    last = len(texts) - 1
    pages = tuple(Page(text, keyboard if at == last else None) for at, text in enumerate(texts))
    drawn = letter.score_card or letter.ring
    if picture is None or drawn is None or not pages:
        return pages
    if _units(texts[0]) <= CAPTION_UNITS:
        return (replace(pages[0], picture=picture), *pages[1:])
    title = cut(filled(drawn.title, letter.names), CAPTION_UNITS)
    return (Page(title[0] if title else "", picture=picture), *pages)


def toast(text: str, names: Mapping[Seat, str]) -> str:
    """What whoever pressed is shown, at most 200 units."""
    shown = filled(text, names)
    if _units(shown) <= TOAST_UNITS:
        return shown
    return _head(shown, TOAST_UNITS - 1) + "…"


def filled(text: str, names: Mapping[Seat, str]) -> str:
    """`text` with the seats' names, each isolated from the direction of what is around it."""
    return named(text, lambda seat: f"\u2068{names[seat]}\u2069")


def cut(text: str, most: int) -> tuple[str, ...]:
    """`text` in parts of at most `most` units, cut at line breaks wherever a line fits.

    A part with nothing to see is left out: Telegram refuses it.
    """
    parts = [""]
    for line in text.split("\n"):
        joined = f"{parts[-1]}\n{line}" if parts[-1] else line
        if _units(joined) <= most:
            parts[-1] = joined
            continue
        rest = line
        while _units(rest) > most:
            head = _head(rest, most)
            parts.append(head)
            rest = rest[len(head) :]
        parts.append(rest)
    return tuple(part.strip() for part in parts if part.strip())


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _head(text: str, most: int) -> str:
    """The longest beginning of at most `most` units that ends between two whole characters."""
    used, length = 0, 0
    for one in graphemes(text):
        used += _units(one)
        if used > most:
            break
        length += len(one)
    return text[:length] if length else text[: most // 2]


def _keyboard(buttons: Sequence[Button], names: Mapping[Seat, str]) -> InlineKeyboardMarkup | None:
    if not buttons:
        return None
    pressed = [_button(button, names) for button in buttons]
    widest = max(_width(button.text) for button in pressed)
    size = next((count for width, count in _IN_A_ROW if widest <= width), 1)
    rows = [pressed[at : at + size] for at in range(0, len(pressed), size)]
    return InlineKeyboardMarkup(rows)


def _button(button: Button, names: Mapping[Seat, str]) -> InlineKeyboardButton:
    if not 1 <= len(button.data.encode()) <= DATA_BYTES:
        raise ValueError(f"a button's data takes 1 to {DATA_BYTES} bytes")
    label = named(button.text, lambda seat: names[seat])
    return InlineKeyboardButton(label, callback_data=button.data)


def _width(label: str) -> int:
    """How many columns a label takes; those of East Asia are double."""
    return sum(2 if east_asian_width(one[0]) in "WF" else 1 for one in graphemes(label))
