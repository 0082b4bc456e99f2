"""The one store of a run, and each process's way to it: slow, lossy, gone when the process dies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, Protocol, TypeVar

from adapters.memory.store import MemoryStore
from core.ports import Commit, Committed, Due, Loaded, Parcel, StoreAway

T = TypeVar("T")

GIVE_UP_SECONDS = 0.5
"""How long a client tries before it says that the store is away."""


class Died(BaseException):
    """The process was killed. No `except Exception` of the product sees it."""


class Onlooker(Protocol):
    """Whoever is told of every effect, at the moment it happens."""

    def committed(self, change: Commit, revision: int) -> None:
        """A record was written; it now has `revision`."""
        ...

    def settled(self, parcel: Parcel) -> None:
        """A letter has left its queue for good."""
        ...

    def indexed(self) -> None:
        """The index of times was changed, not by a commit."""
        ...


class Books(MemoryStore):
    """The store in memory, with an onlooker."""

    def __init__(self, clock: Callable[[], int], onlooker: Onlooker) -> None:
        super().__init__(clock)
        self._onlooker = onlooker

    async def commit(self, change: Commit) -> Committed:
        """Write all of `change` or nothing."""
        revision, _ = self._records.get(change.key) or (0, None)
        done = await super().commit(change)
        now_at, _ = self._records.get(change.key) or (0, None)
        if now_at != revision:
            self._onlooker.committed(change, now_at)
        return done

    async def due(self, limit: int = 50) -> Due:
        """Claim what is due."""
        found = await super().due(limit)
        self._onlooker.indexed()
        return found

    async def retime(self, key: str, revision: int, wake_ms: int | None) -> None:
        """Put the index right."""
        await super().retime(key, revision, wake_ms)
        self._onlooker.indexed()

    async def done(self, parcel: Parcel, ref: str = "") -> None:
        """The parcel is dealt with."""
        first = self._is_first(parcel)
        await super().done(parcel, ref)
        if first:
            self._onlooker.settled(parcel)

    def peek(self, key: str) -> bytes | None:
        """A record as it stands, for whoever only looks on."""
        return (self._records.get(key) or (0, None))[1]

    def wakes(self, key: str) -> int | None:
        """When the index has a record woken, in ms."""
        return self._timers.get(key)

    def heads(self) -> list[str]:
        """The letters that are first in their queues: only these can be in anybody's hands."""
        return [rows[0].id for rows in self._letters.values() if rows]

    def waiting(self) -> int:
        """How many letters wait."""
        return sum(len(rows) for rows in self._letters.values())


class Carrier(Protocol):
    """What a wire must know of its process and of the weather."""

    def must_live(self) -> None:
        """Raise Died if the process was killed."""
        ...

    def strike(self) -> None:
        """Perhaps the process is killed here and now."""
        ...

    def fails(self, chance: str) -> bool:
        """Whether something of this chance happens now."""
        ...

    def store_is_away(self) -> bool:
        """Whether the store can't be reached now."""
        ...

    def note(self, what: str, *details: object) -> None:
        """Something happened."""
        ...

    def unsettled(self, parcel: Parcel) -> None:
        """What became of a letter could not be written down."""
        ...


class Wire:
    """`core.ports.Records`, `Outbox` and `Directory` for one process."""

    def __init__(self, books: Books, carrier: Carrier, dice: Random, latency: float) -> None:
        """`latency`: how long a way takes on average, in seconds."""
        self._books, self._carrier, self._dice, self._latency = books, carrier, dice, latency

    async def load(self, key: str, event: str = "") -> Loaded:
        """The record, and whether `event` was committed to it."""
        return await self._ask("load", key, lambda: self._books.load(key, event))

    async def commit(self, change: Commit) -> Committed:
        """Write all of `change` or nothing. Like the real client, it asks again once."""
        try:
            return await self._ask("commit", change.key, lambda: self._books.commit(change))
        except StoreAway:
            return await self._ask("recommit", change.key, lambda: self._books.commit(change))

    async def due(self, limit: int = 50) -> Due:
        """Claim what is due."""
        return await self._ask("due", "", lambda: self._books.due(limit))

    async def retime(self, key: str, revision: int, wake_ms: int | None) -> None:
        """Put the index right."""
        return await self._ask("retime", key, lambda: self._books.retime(key, revision, wake_ms))

    async def live(self) -> int:
        """How many rooms are waiting for a time."""
        return await self._ask("live", "", self._books.live)

    async def ready(self, limit: int = 50) -> tuple[tuple[Parcel, ...], int | None]:
        """Claim parcels that may go now."""
        return await self._ask("ready", "", lambda: self._books.ready(limit))

    async def mark(self, parcel: Parcel) -> bool:
        """Note that the parcel is about to go out."""
        return await self._ask("mark", parcel.id, lambda: self._books.mark(parcel))

    async def done(self, parcel: Parcel, ref: str = "") -> None:
        """The parcel is dealt with."""
        try:
            await self._ask("done", parcel.id, lambda: self._books.done(parcel, ref))
        except StoreAway:
            self._carrier.unsettled(parcel)
            raise

    async def later(self, parcel: Parcel, delay_ms: int) -> None:
        """The parcel did not go out."""
        await self._ask("later", parcel.id, lambda: self._books.later(parcel, delay_ms))

    async def get(self, name: str) -> str | None:
        """What `name` leads to."""
        return await self._ask("get", name, lambda: self._books.get(name))

    async def put(self, name: str, value: str, *, instead_of: str | None, keep_ms: int) -> bool:
        """Let `name` lead to `value` if it now leads to `instead_of`."""
        return await self._ask(
            "put",
            name,
            lambda: self._books.put(name, value, instead_of=instead_of, keep_ms=keep_ms),
        )

    async def drop(self, name: str) -> None:
        """Let `name` lead nowhere."""
        await self._ask("drop", name, lambda: self._books.drop(name))

    async def _ask(self, what: str, about: str, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """A request there, its effect, its reply back; either may be lost, the caller die."""
        carrier, dice = self._carrier, self._dice
        carrier.must_live()
        await asyncio.sleep(dice.expovariate(1 / self._latency))
        if dice.random() < 0.5:  # else what was sent before its sender died arrives all the same
            carrier.must_live()
        if carrier.store_is_away() or carrier.fails("lost_request"):
            return await self._give_up("request lost", what, about)
        done = await call()
        carrier.note(what, about)
        carrier.strike()
        if carrier.fails("lost_reply"):
            return await self._give_up("reply lost", what, about)
        await asyncio.sleep(dice.expovariate(1 / self._latency))
        carrier.must_live()
        return done

    async def _give_up(self, why: str, what: str, about: str) -> T:  # pyright: ignore[reportInvalidTypeVarUse]  (it never returns)
        self._carrier.note(why, what, about)
        await asyncio.sleep(GIVE_UP_SECONDS * self._dice.random())
        self._carrier.must_live()
        raise StoreAway
