"""Where packs of one's own lie, and how they come into the game: a folder of files, read at start.

The folder is `packs` in the XDG data folder of Parlour; a file there is named by its pack's id.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adapters.settings import data_folder
from core.games.ferret_out.pouches import Pack, load, register


def folder(environ: Mapping[str, str]) -> Path:
    """The folder of this user's own packs."""
    return data_folder(environ) / "packs"


def read(path: Path) -> tuple[Pack, bytes]:
    """The pack in a file, and its text. ValueError: a line for each fault, with the file's name."""
    raw = path.read_bytes()
    try:
        return load(raw), raw
    except ValueError as why:
        raise ValueError(
            "\n".join(f"{path.name}: {line}" for line in str(why).split("\n"))
        ) from why


def add(pack: Pack, raw: bytes, environ: Mapping[str, str]) -> Path:
    """Keep a pack where `register_all` finds it; where. ValueError: its id is the house's."""
    register(pack)
    place = folder(environ) / f"{pack.id}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = place.with_suffix(".new")
    unfinished.write_bytes(raw)
    unfinished.replace(place)
    return place


def register_all(environ: Mapping[str, str]) -> list[str]:
    """Make every pack of the folder known to the game; what is wrong with those that can't be."""
    faults: list[str] = []
    for path in sorted(folder(environ).glob("*.json")):
        try:
            register(read(path)[0])
        except (ValueError, OSError) as why:
            faults.append(str(why))
    return faults
