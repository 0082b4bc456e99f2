"""The loops of a process: wake rooms whose time has come, bring letters out.

Every process runs both, and any number of processes may: what is due is claimed with a lease, and
every effect is decided by a commit. The bell rings after each commit of this process; what other
processes leave behind when they die is found by a sweep.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

from core.ports import Messenger, Outbox, Parcel, StoreAway
from core.service import Busy, Service

SWEEP_SECONDS = 1.0
AWAY_SECONDS = 1.0
UNKNOWN_MS = 1_000
IN_HAND = 100
log = logging.getLogger("parlour.worker")


class Worker:
    """Runs until it is cancelled, then finishes the sends it has begun."""

    def __init__(
        self,
        service: Service,
        outbox: Outbox,
        messengers: Mapping[str, Messenger],
        clock_ms: Callable[[], int] = lambda: int(time.time() * 1_000),
    ) -> None:
        """A worker for `service`; `messengers` by the first part of an address.

        `clock_ms` gives ms since the epoch: here it only tells what is too old to be sent.
        """
        self._service, self._outbox, self._messengers = service, outbox, messengers
        self._clock_ms = clock_ms
        self._timers, self._letters = asyncio.Event(), asyncio.Event()
        self._sending: set[asyncio.Task[None]] = set()
        self._claiming = asyncio.Lock()
        self._stopped = False
        service.rung = self.ring

    def ring(self) -> None:
        """Something was committed: look now."""
        self._timers.set()
        self._letters.set()

    async def run(self) -> None:
        """Both loops, until this is cancelled.

        The loops are not cancelled but told: a claim cut off would wait for its lease, and redis-py
        may swallow a cancellation that comes while it connects.
        """
        loops = [
            asyncio.create_task(self._again_and_again(self._wake, self._timers)),
            asyncio.create_task(self._again_and_again(self._post, self._letters)),
        ]
        try:
            await asyncio.wait(loops)
        finally:
            self._stopped = True
            self.ring()
            await asyncio.wait(loops)
            if self._sending:
                await asyncio.wait(self._sending)

    async def emptied(self) -> None:
        """Bring out whatever can go now, until there is nothing more of it."""
        while await self._claimed() or self._sending:
            if self._sending:
                await asyncio.wait(self._sending)

    async def _wake(self) -> float:
        try:
            wait_ms = await self._service.wake_due()
        except Busy:
            return 0
        return SWEEP_SECONDS if wait_ms is None else wait_ms / 1_000

    async def _post(self) -> float:
        await self._claimed()
        return SWEEP_SECONDS

    async def _claimed(self) -> bool:
        """Begin to send what can go now; whether there was any of it."""
        async with self._claiming:
            room_for = IN_HAND - len(self._sending)
            parcels, _ = await self._outbox.ready(room_for) if room_for > 0 else ((), None)
            for parcel in parcels:
                task = asyncio.create_task(self._send(parcel))
                self._sending.add(task)
                task.add_done_callback(self._sent)
            return bool(parcels)

    def _sent(self, task: asyncio.Task[None]) -> None:
        # Now there is a hand free, and the destination's next letter may be ready.
        self._sending.discard(task)
        self._letters.set()

    async def _again_and_again(
        self, once: Callable[[], Awaitable[float]], bell: asyncio.Event
    ) -> None:
        while not self._stopped:
            bell.clear()
            try:
                wait = await once()
            except StoreAway:
                log.warning("the store is away; trying again")
                wait = AWAY_SECONDS
            except Exception:
                log.exception("a loop stumbled and goes on")
                wait = AWAY_SECONDS
            try:
                async with asyncio.timeout(min(wait, SWEEP_SECONDS)):
                    await bell.wait()
            except TimeoutError:
                pass

    async def _send(self, parcel: Parcel) -> None:
        messenger = self._messengers.get(parcel.letter.to.partition(":")[0])
        now_ms, until_ms = self._clock_ms(), parcel.letter.until_ms
        try:
            if messenger is not None:
                await self._service.send(parcel, messenger, now_ms)
            elif until_ms is not None and until_ms < now_ms:
                await self._outbox.done(parcel)
            else:
                # Another process may know this platform, and must not wait for long.
                await self._outbox.later(parcel, UNKNOWN_MS)
        except StoreAway:
            log.warning("the store is away: letter %s waits for its lease", parcel.id)
        except Exception:
            # One bad letter must not stop the others; it comes again when its lease is over.
            log.exception("letter %s could not be sent", parcel.id)
