"""What was used of whatever is limited, in Redis."""

from __future__ import annotations

from typing import cast

from adapters.redis_store import keys
from adapters.redis_store.client import Server
from core.pace import DAY_MS, MINUTE_MS
from core.ports import Limit

TOKEN_MS = 2 * DAY_MS
TURN_MS = 10 * MINUTE_MS


class RedisCounters:
    """`core.ports.Counters` in Redis."""

    def __init__(self, server: Server) -> None:
        """The counters of a server."""
        self._server = server

    async def take(self, token: str, limits: tuple[Limit, ...]) -> str | None:
        """Take of every limit, or of none: then the name of the first that has too little left."""
        names = (keys.token(token), *(keys.taken(limit.name) for limit in limits))
        args = [TOKEN_MS]
        for limit in limits:
            args += [limit.most, limit.window_ms, limit.amount]
        full = cast("int", await self._server.script("take", names, args))
        return limits[full - 1].name if full else None

    async def used(self, limit: Limit) -> int:
        """How much of a limit was taken within its window."""
        name = keys.taken(limit.name)
        return cast("int", await self._server.script("used", (name,), (limit.window_ms,)))

    async def book(self, line: str, token: str, cost_ms: int) -> int:
        """How many ms until the turn of `token` in a line in which each takes its `cost_ms`."""
        names, args = (keys.line(line), keys.turn(line, token)), (cost_ms, TURN_MS)
        return cast("int", await self._server.script("book", names, args))

    async def backlog_ms(self, line: str) -> int:
        """How long who comes to the line now would wait, in ms."""
        return max(0, cast("int", await self._server.run(("PTTL", keys.line(line)))))
