"""A run's world: processes, a store, platforms, people and the weather, on one clock that jumps.

First everybody does whatever they do, in whatever weather; then the weather clears and all that was
sent is brought again until it is accepted; then nobody does anything any more, until every room has
ended or waits for nobody, and every outbox is empty.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from zlib import crc32

from msgspec import Struct

from adapters import worker
from core import playing
from core.delivery import Letter
from core.ports import Commit, Parcel
from core.room import Over, Room
from core.table import House, Way
from core.text import load
from tests.simulation.crowd import Crowd
from tests.simulation.endings import ENDINGS
from tests.simulation.office import Office
from tests.simulation.platforms import Platform
from tests.simulation.process import MOST_OFF_MS, Process
from tests.simulation.store import Books
from tests.simulation.trace import Trace
from tests.simulation.watch import Remembering, Watch
from tests.simulation.weather import CALM, forecast

NOON_MS = 1_800_000_000_000
WAYS = (Way("text JOIN {code}", "JOIN {code}"),)
QUIET_LOOKS = 2_000
WORDS = Remembering(load())


class Violation(Struct, frozen=True):
    """What is wrong, by the invariant's name, and when it was seen, in seconds of the run."""

    invariant: str
    message: str
    seconds: float


class World:
    """Everything of one run."""

    def __init__(self, seed: str) -> None:
        self.seed, self.dice = seed, Random(f"{seed}/world")
        self.weather = forecast(Random(f"{seed}/weather"))
        self.trace, self.violations = Trace(), list[Violation]()
        self.house, self.words = House(WAYS, self.weather.second_ms), WORDS
        self.watch = Watch(self.house, self.words, self.blame)
        self.office = Office(self.blame, self._arrived)
        self.books = Books(self.store_ms, self)
        self._chances = {name: getattr(self.weather, name) for name in CALM}
        self._stepped_ms, self._away_until = 0, 0.0
        self._lives = 0
        self.processes = [self._start(number) for number in range(self.weather.processes)]
        self.crowd = Crowd(self)

    # --- time, and what is wrong --------------------------------------------------------------

    def seconds(self) -> float:
        """How long the run has gone on."""
        return asyncio.get_running_loop().time()

    def true_ms(self) -> int:
        """What time it really is."""
        return NOON_MS + int(self.seconds() * 1_000)

    def store_ms(self) -> int:
        """What time the store's clock says."""
        return self.true_ms() + self._stepped_ms

    def note(self, what: str, *details: object) -> None:
        """Something happened."""
        self.trace.note(self.seconds(), what, *details)

    def blame(self, invariant: str, message: str) -> None:
        """Something is wrong: the run ends soon."""
        self.note("violation", invariant, message)
        self.violations.append(Violation(invariant, message, self.seconds()))

    def chance_of(self, name: str) -> float:
        """How likely something is to go wrong now."""
        return self._chances[name]

    def store_is_away(self) -> bool:
        """Whether nobody can reach the store."""
        return self.seconds() < self._away_until

    # --- what the store and the office tell -----------------------------------------------------

    def committed(self, change: Commit, revision: int) -> None:
        """A record was written."""
        self.note("committed", change.key, revision, crc32(change.blob), len(change.letters))
        for at in range(len(change.letters)):
            self.office.written(f"{change.key}.{revision}.{at}")
        self.watch.committed(change, revision)

    def settled(self, parcel: Parcel) -> None:
        """A letter has left its queue for good."""
        self.office.settled(parcel, self.true_ms() + MOST_OFF_MS)

    def indexed(self) -> None:
        """The index of times was changed, not by a commit."""
        self.watch.indexed(self.books.wakes, self.store_ms())

    def _arrived(self, platform: Platform, letter: Letter, letter_id: str, shown: str) -> None:
        self.watch.arrived(letter_id, shown)
        if platform.buttons:
            self.crowd.shown(letter)

    # --- weather ----------------------------------------------------------------------------------

    def _start(self, number: int) -> Process:
        self._lives += 1
        self.note("process", number)
        return Process(self, number, self._lives)

    def mourn(self, process: Process) -> None:
        """A process was killed: after a while another one is started in its place."""
        later = asyncio.get_running_loop().call_later
        later(self.dice.uniform(0.2, 20), self._restart, process.number)

    def _restart(self, number: int) -> None:
        self.processes[number] = self._start(number)

    async def _now_and_then(self, seconds: float, strike: Callable[[], None]) -> None:
        while True:
            await asyncio.sleep(self.dice.expovariate(1 / seconds))
            strike()

    def _kill(self) -> None:
        self.dice.choice(self.processes).kill("killed")

    def _take_store_away(self) -> None:
        self._away_until = self.seconds() + self.dice.choice((5, 30, 180)) * self.dice.random()
        self.note("store away", self._away_until)

    def _step_clock(self) -> None:
        """The store's clock jumps forwards: what is in hand may lose its lease."""
        self._stepped_ms += int(1_000 * self.dice.choice((1, 5, 60)) * self.dice.random())
        self.note("clock", self._stepped_ms)
        for letter_id in self.books.heads():
            self.office.excuse(letter_id)

    # --- the run ----------------------------------------------------------------------------------

    async def live(self) -> None:
        """Play the evening to its end, or to the first violation."""
        weather = self.weather
        worker.SWEEP_SECONDS = weather.sweep_seconds
        storms = [
            asyncio.create_task(self._now_and_then(weather.kill_seconds, self._kill)),
            asyncio.create_task(self._now_and_then(weather.away_seconds, self._take_store_away)),
            asyncio.create_task(self._now_and_then(weather.step_seconds, self._step_clock)),
        ]
        await self.crowd.play()
        for storm in storms:
            storm.cancel()
        self._chances, self._away_until = dict(CALM), 0.0
        self.note("calm")
        worker.SWEEP_SECONDS = 12 * weather.sweep_seconds
        await self._until(
            lambda: not self.crowd.sending and all(one.alive for one in self.processes)
        )
        await self._until(self._is_over)
        for name, ending in ENDINGS.items():
            wrong = None if self.violations else ending(self)
            if wrong:
                self.blame(name, wrong)

    async def _until(self, true: Callable[[], bool]) -> None:
        for _ in range(QUIET_LOOKS):
            if self.violations or true():
                return
            await asyncio.sleep(worker.SWEEP_SECONDS)

    def _is_over(self) -> bool:
        rooms = (story.room for story in self.watch.stories.values())
        return not self.books.waiting() and all(is_quiet(room) for room in rooms)


def is_quiet(room: Room) -> bool:
    """Whether a room has ended, or waits for somebody to come back."""
    return isinstance(room.stage, Over) or (
        playing.state_of(room) is not None and not playing.asks(room)
    )
