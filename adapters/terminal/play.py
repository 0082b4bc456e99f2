"""Line mode: `ann> clue paper`. The real service on a real server, with you at the keyboard.

The game lives in the store, not here: after Ctrl-C the next `parlour play` goes on with it.
"""

from __future__ import annotations

import asyncio
import getpass
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal
from uuid import uuid4

from msgspec import Struct

from adapters.entropy import SystemEntropy
from adapters.terminal.auto import NAMES
from adapters.worker import Worker
from core import text
from core.delivery import Letter
from core.ports import Directory, Fate, Outbox, Records, Sent, Unknown
from core.reading import clean_name
from core.room import Over, Room
from core.service import Incoming, Service
from core.spelling import key
from core.table import House

POLL_SECONDS = 0.2


class Seats(Struct, frozen=True):
    """Who sits at the table: the names played from this keyboard, and the bots."""

    mine: tuple[str, ...]
    bots: tuple[str, ...]


def seats(wanted: Sequence[str], players: int) -> Seats:
    """The seats that `--seat NAME=me|bot` asks for, bots at the rest. Raises ValueError."""
    mine: list[str] = []
    bots: list[str] = []
    for one in wanted:
        typed, _, who = one.partition("=")
        name = clean_name(typed)
        if name is None or who not in {"me", "bot"}:
            raise ValueError(f"--seat {one}: give a name and who plays it, like ann=me")
        (mine if who == "me" else bots).append(name[0].upper() + name[1:])
    if not mine:
        mine.append(clean_name(getpass.getuser().capitalize()) or NAMES[0])
    if len(mine) + len(bots) > players:
        raise ValueError(f"{len(mine) + len(bots)} seats are more than {players} players")
    taken = {key(name) for name in (*mine, *bots)}
    free = [name for name in NAMES if key(name) not in taken]
    return Seats(tuple(mine), (*bots, *free[: players - len(mine) - len(bots)]))


class Window:
    """The terminal as a platform: it hears the keyboard, and shows letters."""

    at_most_once = False

    def __init__(self, records: Records, outbox: Outbox, directory: Directory, at: Seats) -> None:
        """A window on these stores, for the seats that are played here."""
        self._at = at
        self._addresses = {f"terminal:here:{key(name)}": name for name in at.mine}
        self._choices: dict[str, tuple[str, ...]] = {}
        entropy = SystemEntropy()
        self._service = Service(records, outbox, directory, entropy, House(), text.load())
        self._worker = Worker(self._service, outbox, {"terminal": self})
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    async def play(self, game: str, *, fresh: bool) -> int:
        """Sit down, or go on where it was left, and play to the end."""
        worker = asyncio.create_task(self._worker.run())
        try:
            await self._begin(game, fresh=fresh)
            self._listen()
            while not await self._over():
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        line = await self._lines.get()
                        if line is None:
                            self._show("Your game is kept: parlour play goes on with it.")
                            return 0
                        await self._type(line)
            await self._emptied()
        finally:
            worker.cancel()
            await asyncio.wait([worker])
        return 0

    async def _begin(self, game: str, *, fresh: bool) -> None:
        host, *others = self._addresses
        if fresh:
            for address in self._addresses:
                await self._say(address, "/leave")
        if await self._room(host):
            for address in self._addresses:
                await self._hear(address, "opened", "")
            return
        await self._say(host, f"/new {game}")
        room = await self._room(host)
        for address in others:
            await self._say(address, f"/join {room.code if room else ''}")
        for bot in self._at.bots:
            await self._say(host, f"/bot {bot}")
        await self._say(host, "/go")

    async def _type(self, line: str) -> None:
        typed, addresses = line.strip(), list(self._addresses)
        who, arrow, rest = typed.partition(">")
        named = [one for one in addresses if arrow and key(self._addresses[one]) == key(who)]
        if typed:
            await self._say(named[0] if named else addresses[0], rest.strip() if named else typed)
        else:
            self._prompt()

    async def _say(self, address: str, typed: str) -> None:
        await self._hear(address, "text", typed)

    async def _hear(self, address: str, kind: Literal["text", "opened"], typed: str) -> None:
        event, name = f"terminal:here:{uuid4().hex}", self._addresses[address]
        await self._service.hear(Incoming(event, kind, address, typed, name, open=True))

    async def _room(self, address: str) -> Room | None:
        room = await self._service.room_of(address)
        return None if room is None or isinstance(room.stage, Over) else room

    async def _over(self) -> bool:
        rooms = [await self._room(address) for address in self._addresses]
        return not any(rooms) and self._lines.empty()

    async def _emptied(self) -> None:
        """Wait until the last letters have been shown."""
        await asyncio.sleep(POLL_SECONDS)

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()

        def read() -> None:
            for line in sys.stdin:
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            loop.call_soon_threadsafe(self._lines.put_nowait, None)

        # A daemon, so that Ctrl-C need not wait for the next line.
        threading.Thread(target=read, daemon=True).start()

    # --- a messenger --------------------------------------------------------------------------

    async def send(self, letter: Letter, letter_id: str, ref: str) -> Fate:
        """Show a letter in the window."""
        del letter_id, ref
        if letter.to in self._addresses:
            name = self._addresses[letter.to]
            lines = text.named(letter.text, letter.names.__getitem__).splitlines()
            labelled = [
                f"{button.label} {text.named(button.text, letter.names.__getitem__)}"
                for button in letter.buttons
                if button.label != button.text
            ]
            lines += [f"  {row}" for row in labelled]
            many = len(self._addresses) > 1
            self._show(*(f"{name}| {line}" if many else line for line in lines))
        return Sent()

    async def fate(self, letter: Letter, letter_id: str, tried_ms: int) -> Fate:
        """Nobody asks: a letter may be shown twice."""
        del letter, letter_id, tried_ms
        return Unknown()

    def _show(self, *lines: str) -> None:
        clear = "\r\x1b[K" if sys.stdout.isatty() else ""
        print(clear + "\n".join(lines))
        self._prompt()

    def _prompt(self) -> None:
        name = key(next(iter(self._addresses.values())))
        print(f"{name}> ", end="", flush=True)
