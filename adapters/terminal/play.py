"""Line mode: `ann> clue paper`. The real service on a real server, with you at the keyboard.

The game lives in the store, not here: after Ctrl-C the next `parlour play` goes on with it.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Literal
from uuid import uuid4

from adapters.entropy import SystemEntropy
from adapters.terminal.keyboard import Keyboard
from adapters.terminal.seats import Seats, listed
from adapters.worker import Worker
from core import playing, text
from core.delivery import Letter
from core.ports import Directory, Fate, Later, Outbox, Records, Sent, StoreAway, Unknown
from core.room import Over, Room
from core.service import Busy, Incoming, Service
from core.spelling import key
from core.table import House

POLL_SECONDS = 0.1
ELSEWHERE_MS = 1_000


class Window:
    """The terminal as a platform: it hears the keyboard, and shows letters."""

    at_most_once = False

    def __init__(
        self, records: Records, outbox: Outbox, directory: Directory, at: Seats, house: House
    ) -> None:
        """A window on these stores, for the seats that are played here."""
        self._at = at
        self._addresses = {f"terminal:here:{key(name)}": name for name in at.mine}
        self._speaker = next(iter(self._addresses))
        self._keyboard = Keyboard(_prompt(at.mine[0]))
        self._muted = False
        self._shown: dict[tuple[str, str], list[str]] = {}
        entropy = SystemEntropy()
        self._service = Service(records, outbox, directory, entropy, house, text.load())
        self._worker = Worker(self._service, outbox, {"terminal": self})

    async def play(self, game: str, options: tuple[str, ...], *, fresh: bool) -> None:
        """Sit down, or go on where it was left, and play to the end or until input ends."""
        with self._keyboard.listening():
            worker = asyncio.create_task(self._worker.run())
            try:
                await self._begin(game, options, fresh=fresh)
                ended = await self._until_the_end()
                await self._worker.emptied()
            finally:
                worker.cancel()
                await asyncio.wait([worker])
        if not ended:
            print("Your game is kept: the same command goes on with it.")

    # --- sitting down -------------------------------------------------------------------------

    async def _begin(self, game: str, options: tuple[str, ...], *, fresh: bool) -> None:
        for address in self._addresses if fresh else ():
            if await self._room(address):
                await self._say(address, "/leave")
        rooms = {address: await self._room(address) for address in self._addresses}
        going = next((room for room in rooms.values() if room), None)
        if going is None:
            await self._open(game, options)
            return
        self._greet("Your game goes on. (--new starts another.)")
        for address, room in rooms.items():
            if room:
                await self._hear(address, "opened", "")
            else:
                await self._say(address, f"/join {going.code}")

    async def _open(self, game: str, options: tuple[str, ...]) -> None:
        """Fill a room and start; what a lobby says is for those who have to wait in one."""
        self._muted = True
        host, *others = self._addresses
        await self._say(host, f"/new {game}")
        for option in options:
            await self._say(host, f"/variant {option}")
        room = await self._room(host)
        for address in others:
            await self._say(address, f"/join {room.code if room else ''}")
        for bot in self._at.bots:
            await self._say(host, f"/bot {bot}")
        await self._worker.emptied()
        self._muted = False
        self._greet(f"At the table: {listed((*self._at.mine, *self._at.bots))}.")
        await self._say(host, "/go")

    def _greet(self, first: str) -> None:
        mine = self._at.mine
        lines = [
            f"{first} You play {listed(mine)}.",
            "? explains the game. Ctrl-C stops, and keeps it.",
        ]
        if len(mine) > 1:
            others = " or ".join(f"{_prompt(name)}…" for name in mine[1:])
            lines.append(f"What you type is {mine[0]}’s, unless it begins with {others}")
        self._keyboard.show(*lines, "")

    # --- playing ------------------------------------------------------------------------------

    async def _until_the_end(self) -> bool:
        """Whether the game has ended, not only what is typed."""
        while seated := await self._seated():
            if self._speaker not in seated:
                self._speaker = next(iter(seated))
                self._keyboard.ask_with(_prompt(self._addresses[self._speaker]))
            # A pipe has all its lines at once: each waits until something is asked.
            if not (self._keyboard.live or self._asked(seated)):
                await asyncio.sleep(POLL_SECONDS)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    line = await self._keyboard.line()
                if line is None:
                    return False
                await self._type(line.strip())
        return True

    async def _type(self, typed: str) -> None:
        who, arrow, rest = typed.partition(">")
        address = f"terminal:here:{key(who)}" if arrow else self._speaker
        if address not in self._addresses:
            self._keyboard.show(f"You don’t play {who.strip()}, but {listed(self._at.mine)}.")
        elif words := (rest if arrow else typed).strip():
            try:
                await self._say(address, words)
            except (Busy, StoreAway):
                self._keyboard.show("That did not get through: send it again.")

    async def _say(self, address: str, typed: str) -> None:
        await self._hear(address, "text", typed)

    async def _hear(self, address: str, kind: Literal["text", "opened"], typed: str) -> None:
        event, name = f"terminal:here:{uuid4().hex}", self._addresses[address]
        await self._service.hear(Incoming(event, kind, address, typed, name, open=True))

    async def _room(self, address: str) -> Room | None:
        room = await self._service.room_of(address)
        return None if room is None or isinstance(room.stage, Over) else room

    async def _seated(self) -> dict[str, Room]:
        """The rooms that those at this keyboard sit in."""
        rooms = {address: await self._room(address) for address in self._addresses}
        return {address: room for address, room in rooms.items() if room}

    @staticmethod
    def _asked(seated: dict[str, Room]) -> bool:
        """Whether anybody at this keyboard is waited for."""
        return any(
            room.seated(seat).address == address
            for address, room in seated.items()
            for seat in playing.needed(room)
        )

    # --- a messenger --------------------------------------------------------------------------

    async def send(self, letter: Letter, letter_id: str, ref: str) -> Fate:
        """Show a letter in the window."""
        del letter_id, ref
        if letter.to not in self._addresses:
            return Later(ELSEWHERE_MS)  # it is for another window, or for a later one
        if not self._muted:
            self._show(self._addresses[letter.to], letter)
        return Sent()

    async def fate(self, letter: Letter, letter_id: str, tried_ms: int) -> Fate:
        """Nobody asks: a letter may be shown twice."""
        del letter, letter_id, tried_ms
        return Unknown()

    def _show(self, name: str, letter: Letter) -> None:
        called = letter.names.__getitem__
        lines = self._unseen(letter, text.named(letter.text, called).splitlines())
        # What ends an answer by presses is nothing to type.
        typed = (one for one in letter.buttons if not one.data.endswith(":"))
        labelled = [one for one in typed if one.label != one.text]
        lines += [f"  {one.label:2} {text.named(one.text, called)}" for one in labelled]
        if labelled:
            lines.append(f"(Type {_how(labelled[0].label)}.)")
        many = len(self._addresses) > 1
        if lines:
            self._keyboard.show(*(f"{name}| {line}" if many else line for line in lines))

    def _unseen(self, letter: Letter, lines: list[str]) -> list[str]:
        """What is new of a message that is edited elsewhere: a window only goes on."""
        if not letter.status:
            return lines
        known = self._shown.get((letter.to, letter.status), [])
        self._shown[letter.to, letter.status] = lines
        pairs = enumerate(zip(known, lines, strict=False))
        same = next((at for at, (old, new) in pairs if old != new), min(len(known), len(lines)))
        return lines[same:]


def _how(label: str) -> str:
    if not label:
        return "what you choose, by name, one behind the other"
    return f"a {'number' if label.isdigit() else 'letter'} of the list, or a name"


def _prompt(name: str) -> str:
    return f"{key(name)}> "
