"""Every package here that has a GAME is a game. Adding one edits nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from core.game import AnyGame


def find_benches() -> dict[str, Callable[..., object]]:
    """What `parlour bench` can measure: the BENCHES of every game that has a `bench` module."""
    names = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    modules = [
        f"{__name__}.{name}.bench" for name in names if find_spec(f"{__name__}.{name}.bench")
    ]
    found: dict[str, Callable[..., object]] = {}
    for module in modules:
        found |= import_module(module).BENCHES
    return found


@cache
def find_games() -> dict[str, AnyGame]:
    """All games by name, found by a scan of this folder. One without a GAME is not whole yet."""
    names = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    modules = [import_module(f"{__name__}.{name}") for name in names]
    found: list[AnyGame] = [module.GAME for module in modules if hasattr(module, "GAME")]
    return {game.name: game for game in found}
