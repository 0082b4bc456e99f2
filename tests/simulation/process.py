"""One process of Parlour: the real service and worker, on a wire that dies with it."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

from adapters.entropy import SeededEntropy
from adapters.worker import Worker
from core.engine import Toast
from core.ports import Parcel
from core.service import Incoming, Service
from tests.simulation.office import Window
from tests.simulation.platforms import find_platforms
from tests.simulation.store import Died, Wire

if TYPE_CHECKING:
    from tests.simulation.world import World

MOST_OFF_MS = 2_000
"""How far the clocks of two machines may be apart."""


class Process:
    """A process, from its start until it is killed."""

    def __init__(self, world: World, number: int, life: int) -> None:
        self.number, self.alive = number, True
        self._world = world
        self._dice = Random(f"{world.seed}/process {number}/{life}")
        self._off_ms = self._dice.randint(-MOST_OFF_MS, MOST_OFF_MS)
        wire = Wire(world.books, self, self._dice, world.weather.latency_seconds)
        entropy = SeededEntropy(f"{world.seed}/{number}/{life}")
        self.service = Service(wire, wire, wire, entropy, world.house, world.words)
        windows = {
            name: Window(platform, world.office, self, self._dice, world.weather)
            for name, platform in find_platforms().items()
        }
        self.worker = Worker(self.service, wire, windows, self.clock_ms)
        self.running = asyncio.create_task(self.worker.run())

    async def hear(self, heard: Incoming) -> Toast | None:
        """Let the service hear something. Raises Busy, StoreAway, or Died with the process."""
        self.must_live()
        return await self.service.hear(heard)

    def kill(self, why: str) -> None:
        """SIGKILL: nothing it does from now on has an effect."""
        if self.alive:
            self.alive = False
            self.note("crash", why)
            self._world.office.excuse_all(self.number)
            self._world.mourn(self)

    def must_live(self) -> None:
        """Raise Died if the process was killed."""
        if not self.alive:
            raise Died

    def strike(self) -> None:
        """Perhaps the process is killed here and now."""
        if self.alive and self.fails("crash"):
            self.kill("between two awaits")
        self.must_live()

    def fails(self, chance: str) -> bool:
        """Whether something of this chance happens now."""
        return self._dice.random() < self._world.chance_of(chance)

    def store_is_away(self) -> bool:
        """Whether the store can't be reached now."""
        return self._world.store_is_away()

    def clock_ms(self) -> int:
        """The process's own clock, which is not the store's."""
        return self._world.true_ms() + self._off_ms

    def note(self, what: str, *details: object) -> None:
        """Something happened here."""
        self._world.note(what, self.number, *details)

    def unsettled(self, parcel: Parcel) -> None:
        """What became of a letter could not be written down."""
        self._world.office.excuse(parcel.id)
