"""Whatever is done, in whatever order, the store in memory does as the one in Redis does.

Redis's clock is real and memory's is not, so times are compared only as past, waiting or none.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar, cast

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from adapters.memory.store import MemoryStore
from adapters.redis_store import keys
from adapters.redis_store.client import Server
from adapters.redis_store.directory import RedisDirectory
from adapters.redis_store.outbox import RedisOutbox
from adapters.redis_store.store import RedisRecords
from core.delivery import Letter
from core.ports import Commit, Parcel
from tests.adapters.stores.stores import FAR_MS

T = TypeVar("T")
Pair = tuple[Parcel, Parcel]

LONG_AGO_MS, NEVER_MS = 1, FAR_MS**2
SHARD = 0

records = st.sampled_from(["r:one", "r:two", "p:ann"])
wakes = st.sampled_from([None, LONG_AGO_MS, NEVER_MS])
letters = st.builds(
    Letter,
    to=st.sampled_from(["sms:x:ann", "telegram:x:group"]),
    text=st.text(max_size=3),
    short=st.just(""),
    room=st.sampled_from(["one", "two"]),
    status=st.sampled_from(["", "", "guess/1"]),
)


def timeless(parcel: Parcel) -> tuple[Parcel, bool]:
    """A parcel without the time it was tried at, and whether it was tried."""
    return replace(parcel, tried_ms=None), parcel.tried_ms is not None


class BothStores(RuleBasedStateMachine):
    """Two stores, with the same done to both."""

    url = ""
    parcels: Bundle[Pair] = Bundle("parcels")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.server = Server(self.url, shards=1)
        self.run(self.server.run(("FLUSHALL",)))
        self.time_ms = 1000
        self.memory = MemoryStore(self.tick)
        self.memory.wake_lease_ms = self.memory.send_lease_ms = FAR_MS
        self.records = RedisRecords(self.server, FAR_MS)
        self.outbox = RedisOutbox(self.server, FAR_MS)
        self.directory = RedisDirectory(self.server)

    def tick(self) -> int:
        self.time_ms += 1
        return self.time_ms

    def run(self, doing: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(doing)

    def teardown(self) -> None:
        self.run(self.server.close())
        self.runner.close()

    @rule(
        key=records,
        off_by=st.sampled_from([0, 0, 0, 0, -1, 1]),
        event=st.sampled_from(["", "", "tg:1", "tg:2", "tg:3"]),
        nonce=st.sampled_from(["", "a", "b"]),
        written=st.lists(letters, max_size=3).map(tuple),
        wake_ms=wakes,
        note=st.sampled_from([b"", b"note"]),
    )
    def commit(
        self, key: str, off_by: int, event: str, nonce: str,
        written: tuple[Letter, ...], wake_ms: int | None, note: bytes,
    ) -> None:  # fmt: skip
        expected = max(0, self.run(self.memory.load(key)).revision + off_by)
        blob = f"{key} {expected} {nonce}".encode()
        change = Commit(key, blob, expected, event, nonce, written, wake_ms, note)
        assert self.run(self.records.commit(change)) == self.run(self.memory.commit(change))

    @rule(key=records, event=st.sampled_from(["", "tg:1", "tg:2"]))
    def load(self, key: str, event: str) -> None:
        redis, memory = (
            self.run(store.load(key, event)) for store in (self.records, self.memory)
        )  # fmt: skip
        assert replace(redis, now_ms=0) == replace(memory, now_ms=0)

    @rule()
    def due(self) -> None:
        redis, memory = (self.run(store.due()) for store in (self.records, self.memory))
        assert sorted(redis.keys) == sorted(memory.keys)
        assert (redis.next_ms is None) == (memory.next_ms is None)

    @rule(key=records, off_by=st.sampled_from([0, 0, 1]), wake_ms=wakes)
    def retime(self, key: str, off_by: int, wake_ms: int | None) -> None:
        revision = self.run(self.memory.load(key)).revision + off_by
        for store in (self.records, self.memory):
            self.run(store.retime(key, revision, wake_ms))

    @rule(target=parcels)
    def ready(self) -> MultipleResults[Pair]:
        (redis, redis_next), (memory, memory_next) = (
            self.run(store.ready()) for store in (self.outbox, self.memory)
        )
        assert (redis_next is None) == (memory_next is None)
        pairs = list(
            zip(
                sorted(redis, key=lambda parcel: parcel.id),
                sorted(memory, key=lambda parcel: parcel.id),
                strict=True,
            )
        )
        for one, other in pairs:
            assert timeless(one) == timeless(other)
        return multiple(*pairs)

    @rule(pair=parcels)
    def mark(self, pair: Pair) -> None:
        assert self.run(self.outbox.mark(pair[0])) == self.run(self.memory.mark(pair[1]))

    @rule(pair=parcels, ref=st.sampled_from(["", "message 1", "message 2"]))
    def done(self, pair: Pair, ref: str) -> None:
        self.run(self.outbox.done(pair[0], ref))
        self.run(self.memory.done(pair[1], ref))

    @rule(pair=parcels, delay_ms=st.sampled_from([0, FAR_MS]))
    def later(self, pair: Pair, delay_ms: int) -> None:
        self.run(self.outbox.later(pair[0], delay_ms))
        self.run(self.memory.later(pair[1], delay_ms))

    @rule()
    def leases_end(self) -> None:
        for name, times in (
            (keys.timers(SHARD), self.memory._timers),
            (keys.queue(SHARD), self.memory._queue),
        ):
            for one in times:
                times[one] = LONG_AGO_MS
                self.run(self.server.run(("ZADD", name, "XX", LONG_AGO_MS, one)))

    @rule(
        name=st.sampled_from(["a", "b"]),
        value=st.sampled_from(["1", "2"]),
        instead_of=st.sampled_from([None, "1", "2"]),
    )
    def put(self, name: str, value: str, instead_of: str | None) -> None:
        redis, memory = (
            self.run(store.put(name, value, instead_of=instead_of, keep_ms=FAR_MS))
            for store in (self.directory, self.memory)
        )
        assert redis == memory
        assert self.run(self.directory.get(name)) == self.run(self.memory.get(name))

    @invariant()
    def the_same_is_kept(self) -> None:
        assert self.run(self.records.live()) == self.run(self.memory.live())
        for name, times in (
            (keys.timers(SHARD), self.memory._timers),
            (keys.queue(SHARD), self.memory._queue),
        ):
            found = cast("list[bytes]", self.run(self.server.run(("ZRANGE", name, 0, -1))))
            assert {one.decode() for one in found} == set(times)
        for to, rows in self.memory._letters.items():
            waiting = self.run(self.server.run(("LLEN", keys.letters(SHARD, to))))
            assert waiting == len(rows)
        for room in ("r:one", "r:two"):
            assert self.run(self.records.notes(room)) == self.run(self.memory.notes(room))


def test_the_store_in_memory_does_as_the_one_in_redis(url: str) -> None:
    machine = type("Both", (BothStores,), {"url": url})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=60,
            stateful_step_count=40,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
