"""The catalogue: Line + locale -> text, with a mark where each seat's name will stand.

A text has two forms: the full one, and the short one (`.sms` in the catalogue) for whoever pays
for each message. A line whose `.sms` is empty is not said there at all. Names are left to the
platforms: a seat stands as `U+E000 seat U+E001`, which nobody can type (`core.spelling.tidy`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import ast
from msgspec import Struct

from core.game import Arg, Each, Line, Lines, Seat, Who

OPEN, CLOSE = "\ue000", "\ue001"
DEFAULT_LOCALE = "en"
_MARK = re.compile(f"{OPEN}(.*?){CLOSE}")


class Text(Struct, frozen=True):
    """A text in its two forms; `short` is empty where it is not worth a text message."""

    full: str
    short: str


class Catalogue:
    """All texts of one locale."""

    def __init__(self, locale: str, sources: Mapping[str, str]) -> None:
        """`sources` maps a file's name to its Fluent text.

        Raises ValueError on a doubled key and on what is no Fluent: the bundle would drop both.
        """
        # Fluent's isolation marks around arguments would turn every SMS into UCS-2.
        self._bundle = FluentBundle([locale], use_isolating=False)
        known: set[str] = set()
        for name, source in sources.items():
            resource = FluentResource(source)
            for entry in resource.body:
                match entry:
                    case ast.Junk(content=content):
                        raise ValueError(f"{name}: not understood: {content}")
                    case ast.Message(id=key) if key.name in known:
                        raise ValueError(f"{name}: {key.name} is there already")
                    case ast.Message(id=key):
                        known.add(key.name)
                    case _:
                        pass
            self._bundle.add_resource(resource)

    def render(self, line: Line) -> Text:
        """The text of a line. KeyError: an unknown key; ValueError: a wrong argument."""
        message: Any = self._bundle.get_message(line.key)
        args = {name: self._plain(value) for name, value in line.args.items()}
        full = {name: one.full if isinstance(one, Text) else one for name, one in args.items()}
        short = {name: one.short if isinstance(one, Text) else one for name, one in args.items()}
        sms = message.attributes.get("sms", message.value)
        return Text(self._format(message.value, full, line.key), self._format(sms, short, line.key))

    def shown(self, value: Arg) -> Text:
        """The text of an argument by itself."""
        plain = self._plain(value)
        return plain if isinstance(plain, Text) else Text(str(plain), str(plain))

    def _plain(self, value: Arg) -> str | int | Text:
        match value:
            case Who(seat):
                return mark(seat)
            case Each(seats):
                return ", ".join(mark(seat) for seat in seats)
            case Line():
                return self.render(value)
            case Lines(lines):
                texts = [self.render(line) for line in lines]
                return Text(
                    ", ".join(text.full for text in texts),
                    ", ".join(text.short for text in texts if text.short),
                )
            case _:
                return value

    def _format(self, pattern: Any, args: dict[str, str | int], key: str) -> str:  # noqa: ANN401  (Fluent's own, untyped)
        text, errors = self._bundle.format_pattern(pattern, args)
        if errors:
            raise ValueError(f"{key}: {errors}")
        return str(text)


@cache
def load(locale: str = DEFAULT_LOCALE) -> Catalogue:
    """The catalogue of every `{locale}.ftl` in `core` and in the games' folders."""
    root = resources.files("core")
    folders = [root, *sorted(root.joinpath("games").iterdir(), key=lambda folder: folder.name)]
    files = [folder.joinpath(f"{locale}.ftl") for folder in folders if folder.is_dir()]
    return Catalogue(
        locale,
        {str(file): file.read_text("utf-8") for file in files if file.is_file()},
    )


def named(text: str, name: Callable[[Seat], str]) -> str:
    """`text` with every seat's mark replaced by what `name` makes of the seat."""
    return _MARK.sub(lambda found: name(found.group(1)), text)


def mark(seat: Seat) -> str:
    """The mark that stands for a seat's name."""
    return f"{OPEN}{seat}{CLOSE}"
