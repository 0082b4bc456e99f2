"""The words: packs of 24 pouches of 24 (rules F-01, F-03). What a pack is: `pack`.

`house.json` is our own list, CC0. Other packs are read by whoever may read files, with `load`, and
handed in with `register` when Parlour starts; a room says by its id which one it plays. README.md
tells how to write one.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from core.games.ferret_out.pouches.loading import load as load
from core.games.ferret_out.pouches.pack import POSITIONS as POSITIONS
from core.games.ferret_out.pouches.pack import POUCHES as POUCHES
from core.games.ferret_out.pouches.pack import Family as Family
from core.games.ferret_out.pouches.pack import Pack as Pack

HOUSE = "house"
_registered: dict[str, Pack] = {}


@cache
def house() -> Pack:
    """The pack that comes with the game."""
    return load(files(__name__).joinpath("house.json").read_bytes())


def register(pack: Pack) -> None:
    """Let rooms play with `pack`, by its id. ValueError: the id is the house's."""
    if pack.id == HOUSE:
        raise ValueError(f"a pack of one's own can't be called {HOUSE!r}")
    _registered[pack.id] = pack


def find(name: str) -> Pack:
    """The pack of this id; the house's, where a game outlives the pack it began with."""
    return _registered.get(name) or house()


def names() -> tuple[str, ...]:
    """The ids a room can choose from, the house's first."""
    return (HOUSE, *sorted(_registered))
