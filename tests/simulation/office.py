"""The platforms' side of sending: what arrived, how often, in which order, and what may excuse it.

A letter is in hand from the moment its sending begins until its queue has let go of it. What is in
hand when a process dies, when an answer is lost, when a store can't be told, or when the store's
clock steps over a lease, may come twice where a platform delivers at least once. Nothing else may.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Protocol

from core.delivery import Letter
from core.ports import Dropped, Fate, Gone, Later, Parcel, Sent, Unknown
from tests.simulation.platforms import Platform, flat
from tests.simulation.weather import Weather

SETTLED_SECONDS = 25.0
"""A message not found so long after its try never went out."""
LONGEST_SECONDS = 12.0

Blame = Callable[[str, str], None]


class Office:
    """What all platforms know of all letters of a run."""

    def __init__(self, blame: Blame, arrived: Callable[[Platform, Letter, str, str], None]) -> None:
        """`arrived` is told platform, letter, its id and all its text, whenever one arrives."""
        self._blame, self._arrived = blame, arrived
        self.order: dict[str, int] = {}
        """The number of each letter, in the order in which they were committed."""
        self.arrivals: Counter[str] = Counter()
        self.closed: set[str] = set()
        """Addresses that take nothing from us."""
        self.in_hand: dict[str, int] = {}
        """The letters being sent, and by which process."""
        self._last: dict[str, int] = {}
        self._given_up: set[str] = set()
        self._excused: set[str] = set()

    def written(self, letter_id: str) -> None:
        """A letter was committed."""
        self.order[letter_id] = len(self.order)

    def arrive(self, platform: Platform, letter: Letter, letter_id: str) -> None:
        """A letter is there, for its reader to see."""
        self.arrivals[letter_id] += 1
        if self.arrivals[letter_id] > 1:
            self._again(platform, letter_id)
        elif letter_id in self.order:
            at = self.order[letter_id]
            # Its lease was over while it was under way, and whoever had it then gave it up.
            if at < self._last.get(letter.to, -1) and letter_id not in self._excused:
                self._blame("letters_arrive_in_order", f"{letter_id} after a later one")
            self._last[letter.to] = at
        else:
            self._blame("only_committed_letters_go_out", letter_id)
        self._arrived(platform, letter, letter_id, flat(platform.render(letter)))

    def _again(self, platform: Platform, letter_id: str) -> None:
        times = self.arrivals[letter_id]
        if platform.texting:
            self._blame("at_most_once_means_at_most_once", f"{letter_id} came {times} times")
        elif letter_id not in self._excused:
            self._blame("nothing_is_doubled_without_a_reason", f"{letter_id} came {times} times")

    def excuse(self, letter_id: str) -> None:
        """It may come again, where letters may."""
        self._excused.add(letter_id)

    def excuse_all(self, of: int) -> None:
        """So may all that a process has in hand."""
        self._excused |= {one for one, process in self.in_hand.items() if process == of}

    def gave_up(self, letter_id: str) -> None:
        """Its reader can't be reached, or the platform refuses it for good."""
        self._given_up.add(letter_id)

    def settled(self, parcel: Parcel, latest_ms: int) -> None:
        """Its queue has let go of it: it arrived, or there is a reason why it never will."""
        self.in_hand.pop(parcel.id, None)
        until_ms = parcel.letter.until_ms
        late = until_ms is not None and until_ms < latest_ms
        if not (self.arrivals[parcel.id] or parcel.id in self._given_up or parcel.stale or late):
            self._blame("no_letter_is_lost", f"{parcel.id} was let go of, but never arrived")


class Sender(Protocol):
    """The process that sends."""

    number: int
    alive: bool

    def must_live(self) -> None:
        """Raise Died if the process was killed."""
        ...

    def strike(self) -> None:
        """Perhaps the process is killed here and now."""
        ...

    def fails(self, chance: str) -> bool:
        """Whether something of this chance happens now."""
        ...

    def note(self, what: str, *details: object) -> None:
        """Something happened."""
        ...

    def clock_ms(self) -> int:
        """The process's own clock."""
        ...


class Window:
    """`core.ports.Messenger` of one platform for one process."""

    def __init__(
        self, platform: Platform, office: Office, sender: Sender, dice: Random, weather: Weather
    ) -> None:
        self.at_most_once = platform.texting
        self._platform, self._office, self._sender = platform, office, sender
        self._dice, self._weather = dice, weather
        self._seconds = weather.slow_send_seconds

    async def send(self, letter: Letter, letter_id: str, ref: str) -> Fate:
        """Send a letter, in whatever weather."""
        sender, office = self._sender, self._office
        sender.must_live()
        sender.note("send", letter_id, letter.to)
        office.in_hand[letter_id] = sender.number
        await self._wait()
        if not sender.alive and self._dice.random() < 0.5:
            sender.must_live()  # it died before the request had left
        if letter.to in office.closed:
            office.gave_up(letter_id)
            return await self._answer(letter_id, Gone())
        if sender.fails("busy"):
            return await self._answer(letter_id, Later(self._dice.randint(100, 5_000)))
        if sender.fails("dropped"):
            office.gave_up(letter_id)
            return await self._answer(letter_id, Dropped("the weather"))
        unknown = sender.fails("unknown")
        if unknown and self._dice.random() < 0.5:
            return await self._answer(letter_id, Unknown())
        sender.note("arrives", letter_id)
        office.arrive(self._platform, letter, letter_id)
        sender.strike()
        if unknown:
            office.excuse(letter_id)
            return await self._answer(letter_id, Unknown())
        return await self._answer(letter_id, Sent(ref or f"m-{letter_id}"))

    async def fate(self, letter: Letter, letter_id: str, tried_ms: int) -> Fate:
        """What became of a letter, once that can be known."""
        del letter
        sender, office = self._sender, self._office
        sender.must_live()
        await self._wait()
        if sender.fails("unknown"):
            fate: Fate = Unknown()
        elif office.arrivals[letter_id]:
            fate = Sent()
        elif sender.clock_ms() - tried_ms < 1_000 * SETTLED_SECONDS:
            fate = Unknown()
        else:
            fate = Later(0)
        sender.must_live()
        sender.note("fate", letter_id, type(fate).__name__)
        return fate

    async def _wait(self) -> None:
        seconds = self._dice.expovariate(1 / self._seconds)
        await asyncio.sleep(min(seconds, LONGEST_SECONDS / 2))

    async def _answer(self, letter_id: str, fate: Fate) -> Fate:
        await self._wait()
        self._sender.must_live()
        self._sender.note("sent", letter_id, type(fate).__name__)
        return fate
