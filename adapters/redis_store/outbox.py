"""Letters in Redis, first in first out for each destination of a shard.

The queue's score of a destination is the lease of whoever claimed its first letter, the wait a
platform asked for, and its turn among the others, all at once: it is what may be sent to next.
"""

from __future__ import annotations

from typing import cast

import msgspec

from adapters.redis_store import keys
from adapters.redis_store.client import Server
from adapters.redis_store.store import Row
from core.ports import Parcel

LEASE_MS = 45_000
KNOWN_MS = 8 * 86_400_000
KNOWN_AT_MOST = 100
LOOK_AHEAD = 20


class RedisOutbox:
    """`core.ports.Outbox` in Redis."""

    def __init__(self, server: Server, lease_ms: int = LEASE_MS) -> None:
        """`lease_ms`: how long a letter is left to whoever claimed it; longer than any send."""
        self._server, self.lease_ms = server, lease_ms

    async def ready(self, limit: int = 50) -> tuple[tuple[Parcel, ...], int | None]:
        """Claim parcels that may go now; and when the next may, if any."""
        now_ms, waiting, next_ms = await self._waiting(limit)
        first = waiting[:limit]
        replies = await self._server.scripts(
            "claim_parcel",
            [(_names(shard, to), (to, self.lease_ms, LOOK_AHEAD)) for _, shard, to in first],
        )
        parcels = tuple(
            _parcel(shard, reply)
            for (_, shard, _), reply in zip(first, replies, strict=True)
            if reply is not None
        )
        times = [] if next_ms is None else [next_ms]
        if first:
            times.append(now_ms + self.lease_ms)
        if len(waiting) > limit:
            times.append(now_ms)
        return parcels, min(times, default=None)

    async def mark(self, parcel: Parcel) -> bool:
        """Note that the parcel is about to go out.

        False when it is no longer the first, or somebody else has marked it since: don't send it.
        """
        _, letters, known = _names(parcel.shard, parcel.letter.to)
        tried = "" if parcel.tried_ms is None else parcel.tried_ms
        args = (parcel.id, tried, KNOWN_MS)
        return bool(await self._server.script("mark", (letters, known), args))

    async def done(self, parcel: Parcel, ref: str = "") -> None:
        """The parcel is dealt with; `ref` is the platform's id of what became of it."""
        letter = parcel.letter
        field = f"ref:{letter.room}:{letter.status}" if letter.status and ref else ""
        args = (letter.to, parcel.id, field, ref, KNOWN_MS, KNOWN_AT_MOST)
        await self._server.script("done", _names(parcel.shard, letter.to), args)

    async def later(self, parcel: Parcel, delay_ms: int) -> None:
        """The parcel did not go out; its destination may be tried again after `delay_ms`."""
        to = parcel.letter.to
        await self._server.script("later", _names(parcel.shard, to), (to, parcel.id, delay_ms))

    async def _waiting(self, limit: int) -> tuple[int, list[tuple[float, int, str]], int | None]:
        """Now, whom to send to (since when, shard, destination), and when next to look."""
        replies = await self._server.scripts(
            "ready", [((keys.queue(shard),), (limit + 1,)) for shard in range(self._server.shards)]
        )
        shards = [cast("tuple[int, bytes | None, *tuple[bytes, ...]]", reply) for reply in replies]
        waiting = sorted(
            (float(since), shard, to.decode())
            for shard, (_, _, *found) in enumerate(shards)
            for to, since in zip(found[::2], found[1::2], strict=True)
        )
        times = [int(float(later)) for _, later, *_ in shards if later is not None]
        return max(now for now, *_ in shards), waiting, min(times, default=None)


def _names(shard: int, to: str) -> tuple[str, str, str]:
    return keys.queue(shard), keys.letters(shard, to), keys.known(shard, to)


def _parcel(shard: int, reply: object) -> Parcel:
    row, tried, ref, stale = cast("tuple[bytes, bytes | None, bytes | None, int]", reply)
    found = msgspec.json.decode(row, type=Row)
    tried_ms = None if tried is None else int(tried)
    return Parcel(found.id, found.letter, shard, tried_ms, (ref or b"").decode(), bool(stale))
