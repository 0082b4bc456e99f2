"""One transaction for a room, one for a person: load, decide, commit; again after a conflict.

The event's mark is part of the commit, so a redelivery commits nothing. The lock only spares this
process conflicts with itself: what keeps two apart is the revision.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from core import engine, people
from core.codec import decode_room
from core.delivery import Letter
from core.engine import Arrived, Decision, Happening, Opened, Spoke, Toast, Unreached, Woke
from core.game import Seat
from core.pace import DAY_MS
from core.people import Person
from core.ports import MARK_MS, Commit, Entropy, Loaded, Records
from core.room import Room
from core.service.incoming import Busy, Incoming
from core.table import House
from core.text import Catalogue

TRIES = 8
PERSON_MS = 400 * DAY_MS
LETTER_MS = DAY_MS
_NUMBER = re.compile(r"\+?\d(?:[\s().-]{0,3}\d){6,}")
"""So long a letter is worth sending; longer while what it is about stays open."""


class Ledger:
    """Everything that changes a room or a person. All raise StoreAway, and Busy after 8 tries."""

    def __init__(
        self, records: Records, entropy: Entropy, house: House, words: Catalogue,
        ring: Callable[[], None],
    ) -> None:  # fmt: skip
        """A ledger kept in `records`; `ring` is called after every commit."""
        self._records, self._entropy, self._house, self._words = records, entropy, house, words
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.ring = ring

    def lock(self, name: str) -> asyncio.Lock:
        """A lock of this process."""
        return self._locks.setdefault(name, asyncio.Lock())

    # --- rooms ---------------------------------------------------------------------------------

    async def room(self, room_id: str) -> Room | None:
        """The room, if there is one."""
        loaded = await self._records.load(f"r:{room_id}")
        return decode_room(loaded.blob) if loaded.blob else None

    async def apply(
        self, room_id: str, happening: Happening, heard: Incoming, person: Person
    ) -> Toast | None:
        """Let a happening happen in a room; let go of a person whom the room doesn't seat."""
        decision = await self.decide(room_id, happening, heard.event, heard.mark_ms)
        room = decision.room if decision else await self.room(room_id)
        claims = person.claim is not None and person.claim.room == room_id
        if room and (claims or isinstance(happening, Arrived)):
            await self.let_go(room, heard, person)
        return decision.toast if decision else None

    async def decide(
        self, room_id: str, happening: Happening, event: str, mark_ms: int
    ) -> Decision | None:
        """One transaction: None when the event was applied before, or the room is no more."""
        async with self.lock(room_id):
            for _ in range(TRIES):
                loaded = await self._records.load(f"r:{room_id}", event)
                if loaded.seen or loaded.blob is None:
                    return None
                room = decode_room(loaded.blob)
                if isinstance(happening, Spoke | Opened) and not _seats(room, happening):
                    raise Busy(room_id)  # they got up meanwhile: it is not said here
                decision = engine.decide(room, happening, loaded.now_ms, self._house, self._words)
                if decision.room == room and not decision.letters:
                    if isinstance(happening, Woke):
                        key = f"r:{room_id}"
                        await self._records.retime(key, loaded.revision, decision.wake_ms)
                    return decision
                note = msgspec.json.encode((loaded.now_ms, event, _noted(happening)))
                if await self.commit(decision, loaded, event, mark_ms, note):
                    return decision
        raise Busy(room_id)

    async def commit(
        self, decision: Decision, loaded: Loaded, event: str, mark_ms: int, note: bytes
    ) -> bool:
        """Write a decision down, unless the room has changed since it was `loaded`."""
        done = await self._records.commit(
            Commit(
                key=f"r:{decision.room.id}",
                blob=decision.blob,
                expected=loaded.revision,
                event=event,
                nonce=self._entropy.nonce(),
                letters=_dated(decision.letters, loaded.now_ms, decision.wake_ms),
                wake_ms=decision.wake_ms,
                note=note,
                mark_ms=mark_ms,
            )
        )
        self.ring()
        return done != "conflict"

    async def unreached(self, room_id: str, seat: Seat, event: str) -> None:
        """A seat's thread takes no more messages: tell its room, and remember it of the person."""
        decision = await self.decide(room_id, Unreached(seat), event, MARK_MS)
        if decision:
            person_id = decision.room.seated(seat).person
            await self.change(person_id, lambda p, _: replace(p, open=False))

    # --- people --------------------------------------------------------------------------------

    async def person(self, person_id: str) -> Person:
        """Somebody as they are known, or a new person."""
        loaded = await self._records.load(f"p:{person_id}")
        return people.decode(loaded.blob, person_id)

    async def change(
        self,
        person_id: str,
        change: Callable[[Person, int], Person],
        heard: Incoming | None = None,
        letters: tuple[Letter, ...] = (),
        fresh_ms: int = LETTER_MS,
    ) -> Person:
        """The person after `change`, which gets the person and the time, and what is said to them.

        With `heard`, once however often it is delivered. The letters are worth sending `fresh_ms`.
        """
        key, event = f"p:{person_id}", heard.event if heard else ""
        for _ in range(TRIES):
            loaded = await self._records.load(key, event)
            person = change(people.decode(loaded.blob, person_id), loaded.now_ms)
            done = await self._records.commit(
                Commit(
                    key=key,
                    blob=people.encode(person),
                    expected=loaded.revision,
                    event=event,
                    nonce=self._entropy.nonce(),
                    letters=_dated(letters, loaded.now_ms, keep_ms=fresh_ms),
                    mark_ms=heard.mark_ms if heard else 0,
                    keep_ms=PERSON_MS,
                )
            )
            if done != "conflict":
                self.ring()
                return person
        raise Busy(person_id)

    async def let_go(self, room: Room, heard: Incoming, person: Person) -> None:
        """Drop the person's claim on a room that doesn't seat them.

        A claim that was made since, or that its room has not yet heard of, is left alone: they are
        about to sit down there again.
        """
        claim = person.claim
        # The room must not be older than what it knows of the claim.
        loaded = await self._records.load(f"r:{room.id}", claim.event if claim else "")
        room = decode_room(loaded.blob) if loaded.blob else room
        if room.seat_of(person.id) is not None:
            return
        over = {heard.event, claim.event} if claim and loaded.seen else {heard.event}
        await self.change(person.id, lambda p, _: p.released(room.id, heard.event, over))


def _noted(happening: Happening) -> Happening:
    """What is written down of what happened: a phone number somebody typed is nobody's to read."""
    if not isinstance(happening, Spoke):
        return happening
    return replace(happening, text=_NUMBER.sub("(number)", happening.text))


def _seats(room: Room, done: Spoke | Opened) -> bool:
    return room.seat_of(done.speaker.person) is not None


def _dated(
    letters: tuple[Letter, ...], now_ms: int, wake_ms: int | None = None, keep_ms: int = LETTER_MS
) -> tuple[Letter, ...]:
    """The letters with an end: one that can never be sent must not block what comes after it."""
    until_ms = max(now_ms + keep_ms, wake_ms or 0)
    return tuple(replace(letter, until_ms=letter.until_ms or until_ms) for letter in letters)
