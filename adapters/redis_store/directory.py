"""Names in Redis."""

from __future__ import annotations

from typing import cast

from adapters.redis_store import keys
from adapters.redis_store.client import Server


class RedisDirectory:
    """`core.ports.Directory` in Redis."""

    def __init__(self, server: Server) -> None:
        """The directory of a server."""
        self._server = server

    async def get(self, name: str) -> str | None:
        """What `name` leads to."""
        value = cast("bytes | None", await self._server.run(("GET", keys.name(name))))
        return None if value is None else value.decode()

    async def put(self, name: str, value: str, *, instead_of: str | None, keep_ms: int) -> bool:
        """Let `name` lead to `value` if it now leads to `instead_of`; whether it then does."""
        replaced = () if instead_of is None else (instead_of,)
        args = (value, keep_ms, *replaced)
        return bool(await self._server.script("put", (keys.name(name),), args))

    async def drop(self, name: str) -> None:
        """Let `name` lead nowhere."""
        await self._server.run(("DEL", keys.name(name)))
