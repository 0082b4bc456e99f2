"""The connection to Redis, and how a script is run there.

redis-py's own defaults are wrong for us: ten silent retries of five seconds each would hold a
webhook for a minute. Everything here may be sent twice (a commit has its nonce, the rest sets or
checks), so one retry is made, at once: enough for connections that a restarted server has closed.
"""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (redis-py leaves the types of its commands open)

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from importlib import resources
from typing import TypeAlias, cast

from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, ResponseError

from adapters.redis_store import keys
from core.ports import StoreAway

REPLY_SECONDS = 3.0
CONNECT_SECONDS = 2.0
POOL_SECONDS = 5.0
CONNECTIONS = 32
DEFAULT_SHARDS = 16

Value: TypeAlias = str | bytes | int
Command: TypeAlias = tuple[Value, ...]

_AWAY = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ReadOnlyError,
    exceptions.OutOfMemoryError,
    exceptions.ClusterDownError,
)
_AWAY_WORDS = ("MISCONF", "NOREPLICAS", "BUSY", "TRYAGAIN")
"""What a server says that takes no writes for now: its disk is full, its replicas are gone."""


class WrongShards(Exception):
    """The data was written with another number of shards, by which every record is found."""


class Server:
    """A Redis or Valkey server. Every method raises StoreAway when it can't be reached."""

    def __init__(self, url: str, shards: int = DEFAULT_SHARDS) -> None:
        """The server at `url` (redis://, rediss:// or unix://). Nothing is sent yet.

        `shards` may never change for the same data. 16 will do for one machine, 256 for many.
        """
        self.shards = shards
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=POOL_SECONDS,
            retry=Retry(NoBackoff(), 1),
            socket_timeout=REPLY_SECONDS,
            socket_connect_timeout=CONNECT_SECONDS,
            protocol=2,
        )
        self._redis = Redis.from_pool(pool)

    async def check_shards(self) -> None:
        """Settle the number of shards, or raise WrongShards if it was settled otherwise."""
        wanted = str(self.shards).encode()
        await self.run(("SET", keys.SHARDS, wanted, "NX"))
        settled = await self.run(("GET", keys.SHARDS))
        if settled != wanted:
            found = cast("bytes", settled).decode()
            raise WrongShards(f"This store has {found} shards for ever, not {self.shards}.")

    async def close(self) -> None:
        """Close all connections."""
        await self._redis.aclose()

    async def run(self, command: Command) -> object:
        """Run one command."""
        with _reaching():
            return cast("object", await self._redis.execute_command(*command))

    async def run_all(self, commands: Sequence[Command]) -> list[object]:
        """Run commands in one round trip, not as a transaction. Raises the first that failed."""
        with _reaching():
            replies = await self._pipeline(commands)
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
            return replies

    async def script(self, name: str, names: Sequence[str], args: Sequence[Value] = ()) -> object:
        """Run `<name>.lua` with these keys and arguments."""
        try:
            return await self.run(_by_digest(name, names, args))
        except NoScriptError:
            return await self.run(_by_source(name, names, args))

    async def scripts(
        self, name: str, calls: Sequence[tuple[Sequence[str], Sequence[Value]]]
    ) -> list[object]:
        """Run `<name>.lua` for each pair of keys and arguments, in one round trip."""
        if not calls:
            return []
        with _reaching():
            replies = await self._pipeline([_by_digest(name, *call) for call in calls])
            # Only what has not run is run again: the others' replies are claims.
            lacking = [at for at, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
            if lacking:
                again = await self._pipeline([_by_source(name, *calls[at]) for at in lacking])
                for at, reply in zip(lacking, again, strict=True):
                    replies[at] = reply
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
            return replies

    async def _pipeline(self, commands: Sequence[Command]) -> list[object]:
        async with self._redis.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            return cast("list[object]", await pipeline.execute(raise_on_error=False))


@asynccontextmanager
async def connect(url: str, shards: int = DEFAULT_SHARDS) -> AsyncGenerator[Server]:
    """The server at `url` for as long as the context is entered, its number of shards settled.

    Raises StoreAway, or WrongShards.
    """
    server = Server(url, shards)
    try:
        await server.check_shards()
        yield server
    finally:
        await server.close()


@contextmanager
def _reaching() -> Generator[None]:
    """Turn whatever means that the server can't be used for now into StoreAway."""
    try:
        yield
    except _AWAY as error:
        raise StoreAway(type(error).__name__) from error
    except ResponseError as error:
        word = str(error).partition(" ")[0]
        if word not in _AWAY_WORDS:
            raise
        raise StoreAway(word) from error
    except RuntimeError as error:
        # uvloop's word for a connection that was closed between two looks at it.
        if "handler is closed" not in str(error):
            raise
        raise StoreAway("closed") from error


@cache
def _source(name: str) -> tuple[str, str]:
    """A script and its digest, by which the server knows it."""
    source = resources.files("adapters.redis_store").joinpath(f"{name}.lua").read_text("utf-8")
    return source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


def _by_digest(name: str, names: Sequence[str], args: Sequence[Value]) -> Command:
    return ("EVALSHA", _source(name)[1], len(names), *names, *args)


def _by_source(name: str, names: Sequence[str], args: Sequence[Value]) -> Command:
    """The whole script, which the server then remembers until it restarts."""
    return ("EVAL", _source(name)[0], len(names), *names, *args)
