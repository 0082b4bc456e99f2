"""What goes wrong, dealt from a shuffled deck, so that each kind comes up in every ten seconds."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tests.chaos.store import StoreServer
from tests.chaos.workers import Worker
from tests.fakes.telegram import FakeTelegram
from tests.fakes.twilio import FakeTwilio

LEASE_SECONDS = 4.0
"""Of a letter; a room that came due is leased for 5 s."""
TEXT_SECONDS = 1.0
"""How long a worker waits for Twilio."""
PAUSE_SECONDS = (5.5, 6.5)
EVERY_SECONDS = (0.6, 1.2)
DECK = (
    "pause", "kill", "store", "slow telegram", "kill", "tear", "slow texts", "kill", "cut", "store",
)  # fmt: skip


@dataclass
class Fault:
    """One thing that went wrong, from `begins` to `ends` (epoch seconds)."""

    kind: str
    begins: float
    ends: float = float("inf")


class Faults:
    """Brings faults over a world, one about every second, by a schedule that the dice make."""

    def __init__(
        self,
        workers: Sequence[Worker],
        store: StoreServer,
        telegram: FakeTelegram,
        twilio: FakeTwilio,
        dice: Random,
    ) -> None:
        self.done: list[Fault] = []
        self._workers, self._store, self._dice = workers, store, dice
        self._telegram, self._twilio = telegram, twilio
        self._kinds: Mapping[str, Callable[[], Coroutine[None, None, None]]] = {
            "kill": self._kill,
            "pause": self._pause,
            "store": self._kill_store,
            "tear": self._tear,
            "slow telegram": self._slow_telegram,
            "cut": self._cut,
            "slow texts": self._slow_texts,
        }

    async def run(self, seconds: float) -> None:
        """One fault after the other for so long, and to the end of a deck; then all is well."""
        ends = time.monotonic() + seconds
        deck: list[str] = []
        async with asyncio.TaskGroup() as running:
            while deck or time.monotonic() < ends:
                if not deck:
                    deck = [DECK[0], *self._dice.sample(DECK[1:], len(DECK) - 1)]
                running.create_task(self._one(deck.pop(0)))
                await asyncio.sleep(self._dice.uniform(*EVERY_SECONDS))

    async def _one(self, kind: str) -> None:
        await self._kinds[kind]()

    def _begin(self, kind: str) -> Fault:
        fault = Fault(kind, time.time())
        self.done.append(fault)
        return fault

    def _free(self) -> Worker | None:
        """A worker that nothing is being done to, if there is one."""
        free = [worker for worker in self._workers if not worker.lock.locked()]
        return self._dice.choice(free) if free else None

    async def _kill(self) -> None:
        worker = self._free()
        if worker is None:
            return
        async with worker.lock:
            fault = self._begin("kill")
            await worker.kill()
            fault.ends = time.time()
            await worker.start()

    async def _pause(self) -> None:
        worker = self._free()
        if worker is None:
            return
        async with worker.lock:
            fault = self._begin("pause")
            worker.halt()
            try:
                await asyncio.sleep(self._dice.uniform(*PAUSE_SECONDS))
            finally:
                worker.go_on()
                fault.ends = time.time()

    async def _kill_store(self) -> None:
        async with self._store.lock:
            fault = self._begin("store")
            self._store.kill()
            await asyncio.sleep(self._dice.uniform(0.05, 0.5))
            await self._store.start()
            fault.ends = time.time()

    async def _tear(self) -> None:
        """The server dies half-way through a commit while no worker writes."""
        async with self._store.lock:
            fault = self._begin("tear")
            still = [worker for worker in self._workers if not worker.halted]
            for worker in still:
                worker.halt()
            try:
                await self._store.tear(self._dice)
            finally:
                for worker in still:
                    worker.go_on()
                fault.ends = time.time()

    async def _slow_telegram(self) -> None:
        """Telegram posts at once and answers late, though within the lease."""
        await self._spell("slow telegram", drop=False, delay_seconds=self._dice.uniform(1.5, 3.0))

    async def _cut(self) -> None:
        """Telegram posts, and the answer is lost on the way: nobody can say what became of it."""
        await self._spell("cut", drop=True, delay_seconds=self._dice.uniform(0.0, 0.5))

    async def _spell(self, kind: str, *, drop: bool, delay_seconds: float) -> None:
        fault = self._begin(kind)
        trouble = self._telegram.trouble(
            "sendMessage", times=None, after_the_effect=True, delay_seconds=delay_seconds, drop=drop
        )
        await asyncio.sleep(self._dice.uniform(0.3, 1.0))
        trouble.ends()
        fault.ends = time.time() + delay_seconds

    async def _slow_texts(self) -> None:
        """Twilio takes three texts and answers late, mostly after the worker has given up."""
        fault = self._begin("slow texts")
        delay_seconds = self._dice.uniform(0.5, 3.0) * TEXT_SECONDS
        self._twilio.trouble(3, status=201, after=True, delay_seconds=delay_seconds)
        fault.ends = fault.begins + delay_seconds
