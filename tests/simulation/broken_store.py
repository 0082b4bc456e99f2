"""Mutants of the store, of timers, and of the way letters take."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from adapters.memory import store as memory
from adapters.memory.store import MemoryStore, Row
from core.ports import Commit, Committed, Due, Messenger, Parcel
from core.service.post import Post
from tests.simulation.mutation import Mutants, Real
from tests.simulation.mutation import mutant as of
from tests.simulation.store import Wire

MUTANTS: Mutants = {}
mutant = partial(of, MUTANTS)


# --- the store -----------------------------------------------------------------------------------


@mutant("no compare-and-set", MemoryStore, "commit")
def _(real: Real) -> object:
    async def commit(self: MemoryStore, change: Commit) -> Committed:
        revision, _ = self._records.get(change.key) or (0, None)
        return await real(self, replace(change, expected=revision))

    return commit


@mutant("the event's mark is set after the commit", Wire, "commit")
def _(real: Real) -> object:
    async def commit(self: Wire, change: Commit) -> Committed:
        done = await real(self, replace(change, event=""))

        async def mark() -> None:
            self._books._marks.put(f"{change.key}:{change.event}", change.nonce, change.mark_ms)

        if change.event and done == "committed":
            await self._ask("mark event", change.event, mark)
        return done

    return commit


@mutant("letters are written after the commit", Wire, "commit")
def _(real: Real) -> object:
    async def commit(self: Wire, change: Commit) -> Committed:
        done = await real(self, replace(change, letters=()))

        async def write() -> None:
            for at, letter in enumerate(change.letters):
                row = Row(f"{change.key}.{change.expected + 1}.{at}", letter)
                self._books._letters[letter.to].append(row)
                self._books._queue.setdefault(letter.to, self._books._now())

        if done == "committed":
            await self._ask("letters", change.key, write)
        return done

    return commit


@mutant("a wake is lost at retime", MemoryStore, "retime")
def _(_: Real) -> object:
    async def retime(self: MemoryStore, key: str, revision: int, wake_ms: int | None) -> None:
        del revision, wake_ms
        self._wake(key, None)

    return retime


@mutant("timers are taken out when they ring", MemoryStore, "due")
def _(real: Real) -> object:
    async def due(self: MemoryStore, limit: int = 50) -> Due:
        found: Due = await real(self, limit)
        for key in found.keys:
            self._wake(key, None)
        return found

    return due


@mutant("a lease is shorter than a send", memory, "SEND_LEASE_MS")
def _(_: Real) -> object:
    return 200


# --- letters -------------------------------------------------------------------------------------


@mutant("letters are let go of before they are sent", Post, "send")
def _(_: Real) -> object:
    async def send(self: Post, parcel: Parcel, messenger: Messenger, now_ms: int) -> None:
        del now_ms
        await self._outbox.done(parcel)
        await messenger.send(parcel.letter, parcel.id, parcel.ref)

    return send


class Careless:
    """A messenger whose letters may go out again, as if it were no text messages."""

    at_most_once = False

    def __init__(self, real: Messenger) -> None:
        self.send, self.fate = real.send, real.fate


@mutant("an ambiguous text message is sent again", Post, "send")
def _(real: Real) -> object:
    async def send(self: Post, parcel: Parcel, messenger: Messenger, now_ms: int) -> None:
        await real(self, parcel, Careless(messenger), now_ms)

    return send
