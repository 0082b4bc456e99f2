"""Rooms and people in Redis, with their timers. What lies where: `keys`."""

from __future__ import annotations

from typing import cast

import msgspec
from msgspec import Struct

from adapters.redis_store import keys
from adapters.redis_store.client import Server, Value
from core.delivery import Letter
from core.ports import Commit, Committed, Due, Loaded

LEASE_MS = 5_000
LOG_ENTRIES = 500


class Row(Struct, frozen=True):
    """A letter as it lies in the outbox."""

    id: str
    letter: Letter


class RedisRecords:
    """`core.ports.Records` in Redis."""

    def __init__(self, server: Server, lease_ms: int = LEASE_MS) -> None:
        """`lease_ms`: how long a record that came due is left to whoever claimed it."""
        self._server, self.lease_ms = server, lease_ms

    async def load(self, key: str, event: str = "") -> Loaded:
        """The record, and whether `event` was committed to it."""
        shard = self._shard(key)
        names = (keys.record(shard, key), keys.mark(shard, key, event))
        reply = await self._server.script("load", names)
        now_ms, revision, blob, seen = cast("tuple[int, bytes | None, bytes | None, int]", reply)
        return Loaded(blob, int(revision or 0), now_ms, seen=bool(seen))

    async def commit(self, change: Commit) -> Committed:
        """Write all of `change` or nothing."""
        key, shard = change.key, self._shard(change.key)
        names = [
            keys.record(shard, key), keys.mark(shard, key, change.event), keys.log(shard, key),
            keys.timers(shard), keys.queue(shard),
        ]  # fmt: skip
        args: list[Value] = [
            change.expected, change.blob, key, _time(change.wake_ms), change.keep_ms,
            change.mark_ms if change.event else 0, change.nonce,
            change.note if key.startswith("r:") else b"", LOG_ENTRIES,
        ]  # fmt: skip
        for at, letter in enumerate(change.letters):
            names.append(keys.letters(shard, letter.to))
            row = Row(f"{key}.{change.expected + 1}.{at}", letter)
            args += (letter.to, msgspec.json.encode(row))
        reply = await self._server.script("commit", names, args)
        return cast("Committed", cast("bytes", reply).decode())

    async def due(self, limit: int = 50) -> Due:
        """Claim what is due; a claim not followed by a commit comes due again after its lease."""
        replies = await self._server.scripts(
            "claim_due",
            [((keys.timers(shard),), (limit, self.lease_ms)) for shard in self._shards],
        )
        shards = [cast("tuple[int, bytes | None, *tuple[bytes, ...]]", reply) for reply in replies]
        times = [int(float(first)) for _, first, *_ in shards if first is not None]
        found = tuple(key.decode() for _, _, *due in shards for key in due)
        return Due(max(now for now, *_ in shards), found, min(times, default=None))

    async def retime(self, key: str, revision: int, wake_ms: int | None) -> None:
        """Put the index right for a record that was not due, if it is still at `revision`."""
        shard = self._shard(key)
        names = (keys.record(shard, key), keys.timers(shard))
        await self._server.script("retime", names, (revision, _time(wake_ms), key))

    async def live(self) -> int:
        """How many rooms are waiting for a time."""
        counts = await self._server.run_all(
            [("ZCARD", keys.timers(shard)) for shard in self._shards]
        )
        return sum(cast("list[int]", counts))

    async def notes(self, key: str) -> tuple[bytes, ...]:
        """The log of a room, oldest first."""
        name = keys.log(self._shard(key), key)
        return tuple(cast("list[bytes]", await self._server.run(("LRANGE", name, 0, -1))))

    def _shard(self, key: str) -> int:
        return keys.shard_of(key, self._server.shards)

    @property
    def _shards(self) -> range:
        return range(self._server.shards)


def _time(time_ms: int | None) -> Value:
    return "" if time_ms is None else time_ms
