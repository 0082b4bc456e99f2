"""Every package here that has a GAME is a game. Adding one edits nothing."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from core.game import AnyGame


@cache
def find_games() -> dict[str, AnyGame]:
    """All games by name, found by a scan of this folder."""
    names = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    found: list[AnyGame] = [import_module(f"{__name__}.{name}").GAME for name in names]
    return {game.name: game for game in found}
