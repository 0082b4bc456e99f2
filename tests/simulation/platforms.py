"""Every platform as the core sees it: its own pure renderer, and a way out that may fail.

A platform is any package in `adapters` with a `render` module; the renderer is the function in it
that needs a letter and nothing else. How often a letter may go out is read off its messenger.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, cast, get_type_hints

from msgspec import Struct

import adapters
from core.delivery import Button, Letter

PRESSED = "room:ask/1:option"
"""What a button sends: a platform that shows it has buttons."""


class Platform(Struct, frozen=True):
    """A platform: what it makes of a letter, and whether it sends each at most once.

    Whoever pays for each message gets it at most once: such a platform is played by `texting`, and
    has no public places.
    """

    name: str
    render: Callable[[Letter], object]
    texting: bool
    buttons: bool


@cache
def find_platforms() -> dict[str, Platform]:
    """All platforms by name, found by a scan of `adapters`."""
    found: dict[str, Platform] = {}
    for name in sorted(one.name for one in iter_modules(adapters.__path__) if one.ispkg):
        if not find_spec(f"adapters.{name}.render"):
            continue
        render = _renderer(import_module(f"adapters.{name}.render"))
        if render:
            button = Letter("", "text", "text", buttons=(Button("shown", PRESSED, "1"),))
            buttons = PRESSED in flat(render(button))
            found[name] = Platform(name, render, _at_most_once(name), buttons)
    return found


def _renderer(module: ModuleType) -> Callable[[Letter], object] | None:
    for function in vars(module).values():
        if not inspect.isfunction(function) or function.__module__ != module.__name__:
            continue
        needed = [
            name
            for name, one in inspect.signature(function).parameters.items()
            if one.default is inspect.Parameter.empty
        ]
        hints = get_type_hints(function)
        if len(needed) == 1 and hints[needed[0]] is Letter and function.__name__[0] != "_":
            return function
    return None


def _at_most_once(name: str) -> bool:
    package = import_module(f"adapters.{name}")
    modules = [
        import_module(f"adapters.{name}.{one.name}") for one in iter_modules(package.__path__)
    ]
    return any(
        getattr(kind, "at_most_once", False)
        for module in modules
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if kind.__module__ == module.__name__
    )


def flat(shown: object) -> str:
    """Every text in what a renderer made, keys and payloads included, a line each."""
    return "\n".join(_texts(shown))


def _texts(shown: object) -> Iterator[str]:
    match shown:
        case str():
            yield shown
        case Mapping():
            yield from _texts(tuple(cast("Mapping[object, object]", shown).items()))
        case list() | tuple():
            for one in cast("tuple[object, ...]", shown):
                yield from _texts(one)
        case Struct():
            yield from _texts(tuple(getattr(shown, name) for name in shown.__struct_fields__))
        case _ if hasattr(shown, "to_dict"):
            yield from _texts(cast("Any", shown).to_dict())
        case _:
            pass
