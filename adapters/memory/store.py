"""Records, outbox and directory in memory, with a clock that is handed in. No I/O, no chance.

It keeps what Redis keeps, under the same rules; `adapters.redis_store` explains them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from core.delivery import Letter
from core.ports import Commit, Committed, Due, Loaded, Parcel, StoreAway

T = TypeVar("T")

WAKE_LEASE_MS = 5_000
SEND_LEASE_MS = 45_000
KNOWN_MS = 8 * 86_400_000
LOOK_AHEAD = 20
LOG_ENTRIES = 500


class Fading(Generic[T]):
    """Values that are forgotten at their time."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """Nothing yet; `clock` gives ms."""
        self._clock = clock
        self._kept: dict[str, tuple[T, int]] = {}

    def get(self, key: str) -> T | None:
        """The value, unless its time is over."""
        value, until_ms = self._kept.get(key, (None, 0))
        return value if until_ms > self._clock() else None

    def put(self, key: str, value: T, keep_ms: int) -> None:
        """Keep a value for so long."""
        self._kept[key] = (value, self._clock() + keep_ms)

    def drop(self, key: str) -> None:
        """Forget a value."""
        self._kept.pop(key, None)


class Row(Struct, frozen=True):
    """A letter as it lies in the outbox."""

    id: str
    letter: Letter


class MemoryStore:
    """`core.ports.Records`, `Outbox` and `Directory` in one. While `away`, all raise StoreAway."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """An empty store; `clock` gives ms since the epoch. Its leases may be changed."""
        self.away = False
        self.wake_lease_ms, self.send_lease_ms = WAKE_LEASE_MS, SEND_LEASE_MS
        self._clock = clock
        self._records: Fading[tuple[int, bytes]] = Fading(clock)
        self._marks: Fading[str] = Fading(clock)
        self._names: Fading[str] = Fading(clock)
        self._tried: Fading[tuple[str, int]] = Fading(clock)
        self._refs: Fading[str] = Fading(clock)
        self._logs: defaultdict[str, list[bytes]] = defaultdict(list)
        self._timers: dict[str, int] = {}
        self._queue: dict[str, int] = {}
        self._letters: defaultdict[str, list[Row]] = defaultdict(list)

    async def load(self, key: str, event: str = "") -> Loaded:
        """The record, and whether `event` was committed to it."""
        now_ms = self._now()
        revision, blob = self._records.get(key) or (0, None)
        return Loaded(blob, revision, now_ms, seen=self._marks.get(f"{key}:{event}") is not None)

    async def commit(self, change: Commit) -> Committed:
        """Write all of `change` or nothing."""
        now_ms, key = self._now(), change.key
        marks = bool(change.event) and change.mark_ms > 0
        mark = self._marks.get(f"{key}:{change.event}") if marks else None
        if mark is not None:
            return "committed" if change.nonce and mark == change.nonce else "duplicate"
        revision, _ = self._records.get(key) or (0, None)
        if revision != change.expected:
            return "conflict"
        self._records.put(key, (revision + 1, change.blob), change.keep_ms)
        if marks:
            self._marks.put(f"{key}:{change.event}", change.nonce, change.mark_ms)
        self._wake(key, change.wake_ms)
        if change.note and key.startswith("r:"):
            self._logs[key] = [*self._logs[key], change.note][-LOG_ENTRIES:]
        for at, letter in enumerate(change.letters):
            self._letters[letter.to].append(Row(f"{key}.{revision + 1}.{at}", letter))
            self._queue.setdefault(letter.to, now_ms)
        return "committed"

    async def due(self, limit: int = 50) -> Due:
        """Claim what is due; a claim not followed by a commit comes due again after its lease."""
        now_ms = self._now()
        found = _up_to(self._timers, now_ms)[:limit]
        self._timers.update(dict.fromkeys(found, now_ms + self.wake_lease_ms))
        return Due(now_ms, tuple(found), min(self._timers.values(), default=None))

    async def retime(self, key: str, revision: int, wake_ms: int | None) -> None:
        """Put the index right for a record that was not due, if it is still at `revision`."""
        self._now()
        at, _ = self._records.get(key) or (0, None)
        if at == revision:
            self._wake(key, wake_ms)

    async def live(self) -> int:
        """How many rooms are waiting for a time."""
        self._now()
        return len(self._timers)

    async def notes(self, key: str) -> tuple[bytes, ...]:
        """The log of a room, oldest first."""
        self._now()
        return tuple(self._logs[key])

    async def ready(self, limit: int = 50) -> tuple[tuple[Parcel, ...], int | None]:
        """Claim parcels that may go now; and when the next may, if any."""
        now_ms = self._now()
        found = _up_to(self._queue, now_ms)[:limit]
        self._queue.update(dict.fromkeys(found, now_ms + self.send_lease_ms))
        parcels = tuple(self._parcel(to) for to in found)
        return parcels, min(self._queue.values(), default=None)

    async def mark(self, parcel: Parcel) -> bool:
        """Note that the parcel is about to go out.

        False when it is no longer the first, or somebody else has marked it since: don't send it.
        """
        now_ms, to = self._now(), parcel.letter.to
        if not self._is_first(parcel) or self._tried_ms(to, parcel.id) != parcel.tried_ms:
            return False
        self._tried.put(to, (parcel.id, now_ms), KNOWN_MS)
        return True

    async def done(self, parcel: Parcel, ref: str = "") -> None:
        """The parcel is dealt with; `ref` is the platform's id of what became of it."""
        now_ms, to = self._now(), parcel.letter.to
        if not self._is_first(parcel):
            return
        self._letters[to].pop(0)
        self._tried.drop(to)
        if parcel.letter.status and ref:
            self._refs.put(_status(parcel.letter), ref, KNOWN_MS)
        if self._letters[to]:
            self._queue[to] = now_ms
        else:
            del self._queue[to]

    async def later(self, parcel: Parcel, delay_ms: int) -> None:
        """The parcel did not go out; its destination may be tried again after `delay_ms`."""
        now_ms, to = self._now(), parcel.letter.to
        if self._is_first(parcel):
            self._queue[to] = now_ms + delay_ms
            self._tried.drop(to)

    async def get(self, name: str) -> str | None:
        """What `name` leads to."""
        self._now()
        return self._names.get(name)

    async def put(self, name: str, value: str, *, instead_of: str | None, keep_ms: int) -> bool:
        """Let `name` lead to `value` if it now leads to `instead_of`; whether it then does."""
        self._now()
        if self._names.get(name) not in {instead_of, value}:
            return False
        self._names.put(name, value, keep_ms)
        return True

    async def drop(self, name: str) -> None:
        """Let `name` lead nowhere."""
        self._now()
        self._names.drop(name)

    def _now(self) -> int:
        if self.away:
            raise StoreAway
        return self._clock()

    def _wake(self, key: str, wake_ms: int | None) -> None:
        if wake_ms is None:
            self._timers.pop(key, None)
        else:
            self._timers[key] = wake_ms

    def _is_first(self, parcel: Parcel) -> bool:
        rows = self._letters[parcel.letter.to]
        return bool(rows) and rows[0].id == parcel.id

    def _tried_ms(self, to: str, letter_id: str) -> int | None:
        tried_id, tried_ms = self._tried.get(to) or ("", 0)
        return tried_ms if tried_id == letter_id else None

    def _parcel(self, to: str) -> Parcel:
        head, *rest = self._letters[to][: LOOK_AHEAD + 1]
        name = _status(head.letter)
        return Parcel(
            head.id,
            head.letter,
            tried_ms=self._tried_ms(to, head.id),
            ref=(self._refs.get(name) or "") if head.letter.status else "",
            stale=bool(head.letter.status) and any(_status(row.letter) == name for row in rest),
        )


def _status(letter: Letter) -> str:
    """The message that a letter's status names: every room has its own."""
    return f"{letter.to}:{letter.room}:{letter.status}"


def _up_to(times: Mapping[str, int], now_ms: int) -> list[str]:
    """Whose time has come, the longest ago first."""
    return sorted((one for one in times if times[one] <= now_ms), key=lambda one: times[one])
