"""What the core needs from the world. `adapters` provide these, `adapters/memory` for tests.

A *record* is a room (`r:<id>`) or a person (`p:<id>`): a JSON blob with a revision. One `Commit` is
one transaction: the blob, its letters, the time to wake, the log entry and the event's mark are
written together or not at all. Times are milliseconds since the epoch, by the store's own clock.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from core.delivery import Letter
from core.pace import DAY_MS, HOUR_MS

Committed: TypeAlias = Literal["committed", "conflict", "duplicate"]

MARK_MS = 48 * HOUR_MS
"""How long an event's mark is kept: longer than a platform delivers again."""
ROOM_MS = 40 * DAY_MS
"""How long a room is kept after its last change: longer than any pause."""


class StoreAway(Exception):
    """The store can't be reached; nothing was accepted."""


class Loaded(Struct, frozen=True):
    """A record as stored: `blob` is None and `revision` 0 when there is none.

    `seen`: the event asked about was already committed to this record.
    """

    blob: bytes | None
    revision: int
    now_ms: int
    seen: bool = False


class Commit(Struct, frozen=True):
    """All that one event changes.

    `expected` is the revision it was decided on; a mismatch is a `conflict`: read again. An `event`
    that was committed before is a `duplicate` and changes nothing, unless by the same `nonce`: then
    it is this very commit, whose reply was lost, and counts as `committed` (an empty nonce matches
    none). An empty `event` (a timer) is never a duplicate. The event's mark is kept `mark_ms`, the
    record `keep_ms`.
    """

    key: str
    blob: bytes
    expected: int
    event: str = ""
    nonce: str = ""
    letters: tuple[Letter, ...] = ()
    wake_ms: int | None = None
    note: bytes = b""
    mark_ms: int = MARK_MS
    keep_ms: int = ROOM_MS


class Due(Struct, frozen=True):
    """The records whose time has come, leased to this caller, and when the next one's comes."""

    now_ms: int
    keys: tuple[str, ...]
    next_ms: int | None


class Records(Protocol):
    """Rooms and people, with their timers."""

    async def load(self, key: str, event: str = "") -> Loaded:
        """The record, and whether `event` was committed to it."""
        ...

    async def commit(self, change: Commit) -> Committed:
        """Write all of `change` or nothing."""
        ...

    async def due(self, limit: int = 50) -> Due:
        """Claim what is due; a claim not followed by a commit comes due again after its lease.

        At most `limit` of each shard are claimed; `next_ms` counts running leases too.
        """
        ...

    async def retime(self, key: str, revision: int, wake_ms: int | None) -> None:
        """Put the index right for a record that was not due, if it is still at `revision`."""
        ...

    async def live(self) -> int:
        """How many rooms are waiting for a time."""
        ...


class Parcel(Struct, frozen=True):
    """The first letter of a destination's queue, leased to this caller.

    `id` is `<key>.<revision>.<n>`. `tried_ms` is when a sender last marked it as about to go out:
    set, its fate is unknown. `ref` is the platform's id of the message the letter's status names.
    `stale`: a later letter of the queue replaces it.
    """

    id: str
    letter: Letter
    shard: int = 0
    tried_ms: int | None = None
    ref: str = ""
    stale: bool = False


class Outbox(Protocol):
    """Letters, first in first out per destination, at most one of each in hand at a time.

    That holds among the letters of one record; those of two records may lie in two shards, which
    know nothing of each other. `done` makes the destination's next letter ready at once.
    """

    async def ready(self, limit: int = 50) -> tuple[tuple[Parcel, ...], int | None]:
        """Claim at most `limit` parcels that may go now; and when the next may, if any.

        The time counts running leases too, and is past when there is more to claim.
        """
        ...

    async def mark(self, parcel: Parcel) -> bool:
        """Note that the parcel is about to go out.

        False when it is no longer the first, or somebody else has marked it since it was claimed:
        then it must not be sent.
        """
        ...

    async def done(self, parcel: Parcel, ref: str = "") -> None:
        """The parcel is dealt with; `ref` is the platform's id of what became of it."""
        ...

    async def later(self, parcel: Parcel, delay_ms: int) -> None:
        """The parcel did not go out; its destination may be tried again after `delay_ms`."""
        ...


class Directory(Protocol):
    """Names that lead to something: a code or a public place to a room, an address to its seal."""

    async def get(self, name: str) -> str | None:
        """What `name` leads to."""
        ...

    async def put(self, name: str, value: str, *, instead_of: str | None, keep_ms: int) -> bool:
        """Let `name` lead to `value` if it now leads to `instead_of`; whether it then does.

        A name that leads to `value` already is right as well, and is kept for another `keep_ms`.
        """
        ...

    async def drop(self, name: str) -> None:
        """Let `name` lead nowhere."""
        ...


class Limit(Struct, frozen=True):
    """At most `most` in any `window_ms`; this one takes `amount` of it.

    Counted in 24ths of the window, so what was taken is forgotten up to a 24th late, never early.
    """

    name: str
    most: int
    window_ms: int
    amount: int = 1


class Counters(Protocol):
    """What was used of whatever is limited, by all processes together."""

    async def take(self, token: str, limits: tuple[Limit, ...]) -> str | None:
        """Take of every limit, or of none: then the name of the first that has too little left.

        A token takes once, however often it is tried, for two days.
        """
        ...

    async def used(self, limit: Limit) -> int:
        """How much of a limit was taken within its window."""
        ...

    async def book(self, line: str, token: str, cost_ms: int) -> int:
        """How many ms until the turn of `token`, in a line in which each takes its `cost_ms`.

        First come, first served; asked again, it is what is left of the wait. The place in the
        line is kept for ten minutes after the turn.
        """
        ...

    async def backlog_ms(self, line: str) -> int:
        """How long who comes to the line now would wait, in ms."""
        ...


class Sent(Struct, frozen=True):
    """It went out; `ref` is the platform's id for editing it."""

    ref: str = ""


class Gone(Struct, frozen=True):
    """The destination takes no messages from us: blocked, opted out, a dead number."""


class Later(Struct, frozen=True):
    """It did not go out and may be tried again after `delay_ms`."""

    delay_ms: int


class Dropped(Struct, frozen=True):
    """It did not go out and never will; `reason` is for the log and names nobody."""

    reason: str


class Unknown(Struct, frozen=True):
    """Nobody can say whether it went out."""


Fate: TypeAlias = Sent | Gone | Later | Dropped | Unknown


class Messenger(Protocol):
    """A platform's way out.

    `at_most_once`: a letter whose fate is unknown is not sent again before `fate` has settled it.
    """

    at_most_once: bool

    async def send(self, letter: Letter, letter_id: str, ref: str) -> Fate:
        """Send a letter, or edit the message `ref` into it."""
        ...

    async def fate(self, letter: Letter, letter_id: str, tried_ms: int) -> Fate:
        """What became of a letter that was tried at `tried_ms`."""
        ...


class Invitee(Struct, frozen=True):
    """A phone number in what a host typed: as it was spelt, masked, and what can be done about it.

    It can be invited (`ok`), if that is what was meant (`confirm`), in another country, or by day.
    `again`: it was in the text before. `address` is empty for what can't be invited.
    """

    shown: str
    verdict: Literal["ok", "confirm", "which-country", "unreachable", "asleep", "again"]
    address: str = ""


Admitted: TypeAlias = Literal["ok", "unreachable", "enough"]


class Phones(Protocol):
    """What is known of phone numbers, which don't come into the core."""

    async def find(self, typed: str, host: str) -> tuple[Invitee, ...] | None:
        """The numbers in what was typed from the address `host`. None: nobody can be invited so."""
        ...

    async def admit(self, address: str, host: str, room: str, seats: int) -> Admitted:
        """Count an invitation by the person `host` into a room of so many seats.

        `unreachable`: that number is not texted; `enough`: this host or room has invited enough.
        Counted once for each room.
        """
        ...


class Entropy(Protocol):
    """The only source of chance."""

    def seed(self) -> str:
        """A room's seed; never shown."""
        ...

    def code(self, letters: int) -> str:
        """A room's code of so many letters."""
        ...

    def nonce(self) -> str:
        """Something nobody has said before."""
        ...
