"""Packs of words made for tests: 576 words that mean nothing, and files that hold them."""

from collections.abc import Generator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

from core.games.ferret_out import pouches
from core.games.ferret_out.pouches import POSITIONS, POUCHES, Family, Pack
from core.games.ferret_out.pouches.layout import dumps

_SYLLABLES = ["".join(pair) for pair in product("bdfgklmnprstvz", "aiou")]


def pack(name: str = "nonsense") -> Pack:
    """A pack without clues, forms or associations: `babababa`, `bababibi` … are its words."""
    words = [f"{one}{one}{other}{other}" for one, other in product(_SYLLABLES, repeat=2)]
    families = tuple(
        Family(f"family {at + 1}", tuple(words[at::POSITIONS][:POUCHES])) for at in range(POSITIONS)
    )
    return Pack(name, "en", "CC0-1.0", "Nobody", families)


def written(folder: Path, one: Pack) -> Path:
    """The file of a pack in `folder`."""
    path = folder / f"{one.id}.json"
    path.write_text(dumps(one), encoding="utf-8")
    return path


@contextmanager
def registered(one: Pack) -> Generator[Pack]:
    """Rooms can play with the pack, for as long as the context is entered."""
    pouches.register(one)
    try:
        yield one
    finally:
        pouches._registered.clear()
