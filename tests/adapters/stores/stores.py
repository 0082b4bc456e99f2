"""One store under test, whatever it is made of, and things to put into it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from adapters.memory.counters import MemoryCounters
from adapters.memory.store import MemoryStore
from adapters.redis_store.client import Server
from adapters.redis_store.counters import RedisCounters
from adapters.redis_store.directory import RedisDirectory
from adapters.redis_store.outbox import RedisOutbox
from adapters.redis_store.store import RedisRecords
from core.delivery import Letter
from core.ports import Commit, Counters, Directory, Outbox, Parcel

ROOM, OTHER_ROOM, PERSON = "r:room1", "r:room2", "p:ann"
FAR_MS = 10**9


@dataclass(frozen=True)
class Stores:
    """The ports of one store, and its clock and leases."""

    records: MemoryStore | RedisRecords
    outbox: Outbox
    directory: Directory
    counters: Counters
    passes: Callable[[int], Awaitable[None]]
    """Let so many ms pass."""
    lease: Callable[[int], None]
    """Lease records and letters for so many ms from now on."""

    async def now_ms(self) -> int:
        """The store's own time."""
        return (await self.records.load("r:none")).now_ms

    async def commit(self, *letters: Letter, key: str = ROOM, wake_ms: int | None = None) -> None:
        """Commit something with these letters."""
        expected = (await self.records.load(key)).revision
        change = Commit(key, b"{}", expected, letters=letters, wake_ms=wake_ms)
        assert await self.records.commit(change) == "committed"

    async def parcels(self) -> tuple[Parcel, ...]:
        """Claim whatever is ready."""
        return (await self.outbox.ready())[0]

    async def parcel(self) -> Parcel:
        """Claim the only parcel that is ready."""
        (parcel,) = await self.parcels()
        return parcel


def in_memory() -> Stores:
    """The store in memory."""
    time_ms = [1_700_000_000_000]
    store = MemoryStore(lambda: time_ms[0])

    async def passes(for_ms: int) -> None:
        time_ms[0] += for_ms

    def lease(for_ms: int) -> None:
        store.wake_lease_ms = store.send_lease_ms = for_ms

    counters = MemoryCounters(lambda: time_ms[0])
    return Stores(store, store, store, counters, passes, lease)


def in_redis(server: Server) -> Stores:
    """The store in a Redis, whose clock is real."""
    records, outbox = RedisRecords(server), RedisOutbox(server)

    async def passes(for_ms: int) -> None:
        await asyncio.sleep(for_ms / 1000 + 0.001)

    def lease(for_ms: int) -> None:
        records.lease_ms = outbox.lease_ms = for_ms

    return Stores(records, outbox, RedisDirectory(server), RedisCounters(server), passes, lease)


def letter(text: str = "hello", to: str = "sms:one:ann", status: str = "") -> Letter:
    """A letter."""
    return Letter(to=to, text=text, short=text, room="room1", status=status)
