"""The imperative shell: load, decide, commit; wake rooms whose time is up; hand letters out.

Theory of operation. An adapter hands in an `Incoming`; when `hear` returns, it has been applied
exactly once and may be acknowledged; when it raises (`Busy`, `StoreAway`), nothing was accepted and
the platform must deliver it again. The event's mark is part of the commit, so a redelivery commits
nothing. Words go to the room the person sits in; whoever sits nowhere stands at the desk, which
opens rooms, lets people into them, and says how that is done.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from typing import Literal
from weakref import WeakValueDictionary

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from core import desk, engine, people
from core.codec import decode_room
from core.delivery import Letter
from core.engine import (
    Arrived,
    Decision,
    Departed,
    Happening,
    Opened,
    Pressed,
    Spoke,
    Toast,
    Unreached,
    Woke,
)
from core.game import Line, Seat
from core.people import CLAIM_MS, Person
from core.ports import (
    Commit,
    Directory,
    Dropped,
    Entropy,
    Gone,
    Later,
    Loaded,
    Messenger,
    Outbox,
    Parcel,
    Records,
    Sent,
    StoreAway,
)
from core.room import NO_STATE, Over, Room
from core.table import House, Speaker
from core.text import Catalogue

TRIES = 8
MARK_MS = 48 * 3_600_000
CODE_MS = 45 * 86_400_000
RETRY_MS = 1_000
log = logging.getLogger("parlour")


class Busy(Exception):
    """Too much happened at once; the platform should deliver again."""


class Incoming(Struct, frozen=True):
    """What somebody did, as an adapter read it.

    `event` is the platform's own id for it, `<platform>:<bot>:<id>`, the same at every redelivery.
    `address` is the opaque id of the speaker's own thread; `place` of the public place it was said
    in ("" for their own thread). `open`: their own thread is known to take messages.

    Kinds: `text`, typed words; `press`, a button's data in `text`; `opened`, they opened their own
    thread; `gone`, they closed it to us; `reachable`, they allow messages again, and say no more.
    """

    event: str
    kind: Literal["text", "press", "opened", "gone", "reachable"]
    address: str
    text: str = ""
    name: str = ""
    place: str = ""
    texting: bool = False
    open: bool = False
    mark_ms: int = MARK_MS


class Service:
    """Parlour itself: everything that happens comes in here."""

    def __init__(
        self, records: Records, outbox: Outbox, directory: Directory, entropy: Entropy,
        house: House, words: Catalogue,
    ) -> None:  # fmt: skip
        """Parlour over these ports."""
        self._records, self._outbox, self._directory = records, outbox, directory
        self._entropy, self._house, self._words = entropy, house, words
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.rung: Callable[[], None] = lambda: None
        """Called after every commit: there may be letters to send, and a new time to wake."""

    # --- what comes in -------------------------------------------------------------------------

    async def hear(self, heard: Incoming) -> Toast | None:
        """Apply what somebody did. Gives the toast for a press, if there is one.

        Raises Busy, or StoreAway, when it was not accepted.
        """
        person, seen = await self._person(heard)
        if seen or heard.kind == "reachable" or await self._heard_before(heard, person):
            return None
        speaker = Speaker(person.id, heard.address, heard.name, heard.texting, person.open)
        if heard.kind == "press":
            room_id, _, rest = heard.text.partition(":")
            ask, _, option = rest.partition(":")
            return await self._apply(room_id, Pressed(speaker, ask, option), heard, person)
        room, seen = await self._room_meant(heard, person)
        seat = room.seat_of(person.id) if room else None
        if room is None or (not seen and (seat is None or self._wants_out(heard, room))):
            return await self._at_the_desk(heard, person, speaker)
        if seat is None:  # this event took them out, and then we died
            return await self._let_go(room, heard, person)
        happening: Happening
        match heard.kind:
            case "gone":
                happening = Unreached(seat.seat)
            case "opened":
                happening = Opened(speaker)
            case _:
                happening = Spoke(speaker, heard.text, public=bool(heard.place))
        return await self._apply(room.id, happening, heard, person)

    async def room_of(self, address: str) -> Room | None:
        """The room in which whoever writes from `address` has a seat."""
        person_id = await self._directory.get(f"person:{address}") or address
        loaded = await self._records.load(f"p:{person_id}")
        claim = people.decode(loaded.blob, person_id).claim
        room = await self._room(claim.room) if claim else None
        return room if room and room.seat_of(person_id) else None

    async def _person(self, heard: Incoming) -> tuple[Person, bool]:
        """Who it is, as reachable as they have just shown to be; and whether it was dealt with."""
        person_id = await self._directory.get(f"person:{heard.address}") or heard.address
        loaded = await self._records.load(f"p:{person_id}", heard.event)
        person = people.decode(loaded.blob, person_id)
        opened = person.open if loaded.blob else not heard.place or heard.open
        wanted = False if heard.kind == "gone" else opened or heard.open
        if loaded.seen or wanted == person.open:
            return person, loaded.seen
        return await self._change(person_id, lambda p, _: replace(p, open=wanted)), False

    async def _heard_before(self, heard: Incoming, person: Person) -> bool:
        """Whether this took the person out of a room, or was heard in the one they were in last."""
        if person.left_by(heard.event):
            return True
        return (
            bool(person.before)
            and (await self._records.load(f"r:{person.before}", heard.event)).seen
        )

    async def _room_meant(self, heard: Incoming, person: Person) -> tuple[Room | None, bool]:
        """The room of the public place, or the one the person sits in; and whether it knows."""
        if heard.place:
            room_id = await self._directory.get(f"place:{heard.place}")
        else:
            room_id = person.claim.room if person.claim else None
        if room_id is None:
            return None, False
        loaded = await self._records.load(f"r:{room_id}", heard.event)
        return decode_room(loaded.blob) if loaded.blob else None, loaded.seen

    @staticmethod
    def _wants_out(heard: Incoming, room: Room) -> bool:
        """In a room that is over, NEW and JOIN are for the desk."""
        return isinstance(room.stage, Over) and not isinstance(desk.wish(heard.text), desk.Told)

    # --- the desk ------------------------------------------------------------------------------

    async def _at_the_desk(self, heard: Incoming, person: Person, speaker: Speaker) -> Toast | None:
        if heard.kind == "gone":
            return None
        wish = desk.wish(heard.text)
        match wish:
            case desk.NewRoom(game):
                async with self._lock(heard.place or heard.event):
                    return await self._open(heard, person, speaker, game)
            case desk.JoinRoom(code, name):
                where = f"code:{code}" if code else f"place:{heard.place}"
                room_id = await self._directory.get(where) if code or heard.place else None
                room = await self._room(room_id) if room_id else None
                if room_id is None or room is None:
                    lines = (Line("no-such-room" if code else "join-how"),)
                    return await self._tell(heard, person, lines)
                if not await self._claim(person, room_id, heard.event):
                    return await self._in_another_room(heard, person)
                public = bool(heard.place) and heard.place == room.place
                happening = Arrived(speaker, name, public=public)
                return await self._apply(room_id, happening, heard, person)
            case desk.Told(lines):
                if heard.place and not heard.text.startswith("/"):
                    return None  # in a public place people also talk to each other
                return await self._tell(heard, person, lines)

    async def _open(
        self, heard: Incoming, person: Person, speaker: Speaker, game: str
    ) -> Toast | None:
        # The room's id comes from the event, so that a redelivered NEW finds the room it made.
        room_id = hashlib.sha256(heard.event.encode()).hexdigest()[:12]
        loaded = await self._records.load(f"r:{room_id}", heard.event)
        if loaded.seen:
            return None
        here = await self._directory.get(f"place:{heard.place}") if heard.place else None
        other = await self._room(here) if here else None
        if other and not isinstance(other.stage, Over):
            return await self._tell(heard, person, (Line("room-here", {"code": other.code}),))
        if not await self._claim(person, room_id, heard.event):
            return await self._in_another_room(heard, person)
        if other:
            # Nobody may play on in the place of another room.
            left = await self._decide(other.id, Departed(), f"{heard.event}/replaced", MARK_MS)
            if left and left.room.people:
                raise Busy(room_id)  # the rematch was faster: it is found when this comes again
        code = await self._code(room_id)
        if heard.place and not await self._directory.put(
            f"place:{heard.place}", room_id, instead_of=here, keep_ms=CODE_MS
        ):
            raise Busy(room_id)  # another process opens a room in this very place
        decision = engine.open_room(
            room_id, code, game, self._entropy.seed(), speaker, self._house, self._words,
            now_ms=loaded.now_ms, place=heard.place, last=_last_game(other, game),
        )  # fmt: skip
        await self._commit(
            decision, Loaded(None, 0, loaded.now_ms), heard.event, heard.mark_ms, b"new"
        )
        return None

    async def _code(self, room_id: str) -> str:
        length = desk.code_length(await self._records.live())
        for _ in range(TRIES):
            code = self._entropy.code(length)
            if desk.is_code(code.casefold()) and await self._directory.put(
                f"code:{code}", room_id, instead_of=None, keep_ms=CODE_MS
            ):
                return code
        raise Busy(room_id)

    async def _in_another_room(self, heard: Incoming, person: Person) -> None:
        fresh, _ = await self._person(heard)
        room = await self._room(fresh.claim.room) if fresh.claim else None
        if heard.place and not fresh.open:
            await self._tell(heard, person, (Line("in-another-room"),))
        else:
            # A code lets anybody in, so it is told to nobody else.
            line = Line("in-a-room", {"code": room.code if room else ""})
            await self._tell(replace(heard, place=""), person, (line,))

    async def _tell(self, heard: Incoming, person: Person, lines: tuple[Line, ...]) -> None:
        """Answer somebody who sits in no room, once however often it is delivered."""
        texts = [self._words.render(line) for line in lines]
        letter = Letter(
            to=heard.place or heard.address,
            text="\n".join(text.full for text in texts),
            short="\n".join(text.short for text in texts if text.short),
        )
        says_something = letter.short if heard.texting else letter.text
        letters = (letter,) if says_something else ()
        await self._change(person.id, lambda p, _: p, heard=heard, letters=letters)

    # --- people --------------------------------------------------------------------------------

    async def _claim(self, person: Person, room_id: str, event: str) -> bool:
        """Take the person's one seat for `room_id`. False when they sit somewhere else.

        Raises Busy while another room may be about to seat them.
        """
        loaded = await self._records.load(f"p:{person.id}")
        claim = people.decode(loaded.blob, person.id).claim
        if claim and claim.room != room_id:
            room = await self._room(claim.room)
            over = room is not None and isinstance(room.stage, Over)
            if room and room.seat_of(person.id) and not over:
                return False
            if not over and claim.event != event and loaded.now_ms - claim.at_ms < CLAIM_MS:
                raise Busy(room_id)

        def take(p: Person, now_ms: int) -> Person:
            if p.claim and p.claim != claim and p.claim.room != room_id:
                raise Busy(room_id)
            return p.claiming(room_id, event, now_ms)

        if claim and claim.room != room_id:
            # A game that is over waits for a rematch, but not for who plays elsewhere.
            left = await self._decide(claim.room, Departed(person.id), f"{event}/departed", MARK_MS)
            if left and left.room.seat_of(person.id):
                return False  # the rematch was faster
        await self._change(person.id, take)
        return True

    async def _change(
        self,
        person_id: str,
        change: Callable[[Person, int], Person],
        heard: Incoming | None = None,
        letters: tuple[Letter, ...] = (),
    ) -> Person:
        key, event = f"p:{person_id}", heard.event if heard else ""
        for _ in range(TRIES):
            loaded = await self._records.load(key, event)
            person = change(people.decode(loaded.blob, person_id), loaded.now_ms)
            done = await self._records.commit(
                Commit(
                    key,
                    people.encode(person),
                    loaded.revision,
                    event,
                    self._entropy.nonce(),
                    letters,
                    mark_ms=heard.mark_ms if heard else 0,
                    keep_ms=400 * 86_400_000,
                )
            )
            if done != "conflict":
                self.rung()
                return person
        raise Busy(person_id)

    # --- rooms ---------------------------------------------------------------------------------

    async def _room(self, room_id: str) -> Room | None:
        loaded = await self._records.load(f"r:{room_id}")
        return decode_room(loaded.blob) if loaded.blob else None

    async def _apply(
        self, room_id: str, happening: Happening, heard: Incoming, person: Person
    ) -> Toast | None:
        """Let a happening happen in a room; let go of a person whom the room doesn't seat."""
        decision = await self._decide(room_id, happening, heard.event, heard.mark_ms)
        room = decision.room if decision else await self._room(room_id)
        claims = person.claim is not None and person.claim.room == room_id
        if room and (claims or isinstance(happening, Arrived)):
            await self._let_go(room, heard, person)
        return decision.toast if decision else None

    async def _let_go(self, room: Room, heard: Incoming, person: Person) -> None:
        if room.seat_of(person.id) is None:
            await self._change(person.id, lambda p, _: p.released(room.id, heard.event))

    async def _decide(
        self, room_id: str, happening: Happening, event: str, mark_ms: int
    ) -> Decision | None:
        """One transaction: None when the event was applied before, or the room is no more."""
        async with self._lock(room_id):
            for _ in range(TRIES):
                loaded = await self._records.load(f"r:{room_id}", event)
                if loaded.seen or loaded.blob is None:
                    return None
                room = decode_room(loaded.blob)
                decision = engine.decide(room, happening, loaded.now_ms, self._house, self._words)
                if decision.room == room and not decision.letters:
                    if isinstance(happening, Woke):
                        key = f"r:{room_id}"
                        await self._records.retime(key, loaded.revision, decision.wake_ms)
                    return decision
                note = msgspec.json.encode((loaded.now_ms, event, happening))
                if await self._commit(decision, loaded, event, mark_ms, note):
                    return decision
        raise Busy(room_id)

    def _lock(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    async def _commit(
        self, decision: Decision, loaded: Loaded, event: str, mark_ms: int, note: bytes
    ) -> bool:
        done = await self._records.commit(
            Commit(
                f"r:{decision.room.id}",
                decision.blob,
                loaded.revision,
                event,
                self._entropy.nonce(),
                decision.letters,
                decision.wake_ms,
                note,
                mark_ms,
            )
        )
        self.rung()
        return done != "conflict"

    # --- time, and what goes out ---------------------------------------------------------------

    async def wake_due(self) -> int | None:
        """Wake every room whose time has come. Gives how long until the next, in ms, if any."""
        due = await self._records.due()
        for key in due.keys:
            try:
                if await self._decide(key.removeprefix("r:"), Woke(), "", 0) is None:
                    await self._records.retime(key, 0, None)
            except StoreAway:
                raise
            except Exception:
                # One bad room must not keep the others asleep; it is due again after its lease.
                log.exception("room %s did not wake", key)
        if due.keys:
            return 0
        return None if due.next_ms is None else max(0, due.next_ms - due.now_ms)

    async def send(self, parcel: Parcel, messenger: Messenger, now_ms: int) -> None:
        """Bring one letter to its destination, or find out that it can't be brought."""
        letter = parcel.letter
        if parcel.stale or (letter.until_ms is not None and letter.until_ms < now_ms):
            return await self._outbox.done(parcel)
        if messenger.at_most_once:
            if parcel.tried_ms is not None:
                fate = await messenger.fate(letter, parcel.id, parcel.tried_ms)
                if not isinstance(fate, Later):
                    return await self._settle(parcel, fate, messenger)
            if not await self._outbox.mark(parcel):
                return None
        fate = await messenger.send(letter, parcel.id, parcel.ref)
        return await self._settle(parcel, fate, messenger)

    async def _settle(self, parcel: Parcel, fate: object, messenger: Messenger) -> None:
        match fate:
            case Sent(ref):
                await self._outbox.done(parcel, ref)
            case Gone():
                await self._unreached(parcel)
                await self._outbox.done(parcel)
            case Later(delay_ms):
                await self._outbox.later(parcel, delay_ms)
            case Dropped(reason):
                log.warning("letter %s dropped: %s", parcel.id, reason)
                await self._outbox.done(parcel)
            case _ if not messenger.at_most_once:
                await self._outbox.later(parcel, RETRY_MS)
            case _:
                pass  # its lease runs out, and its fate is asked after again
        self.rung()

    async def _unreached(self, parcel: Parcel) -> None:
        letter = parcel.letter
        if letter.room and letter.seat:
            await self.unreached(letter.room, letter.seat, f"gone:{parcel.id}")

    async def unreached(self, room_id: str, seat: Seat, event: str) -> None:
        """A seat's thread takes no more messages: tell its room, and remember it of the person."""
        decision = await self._decide(room_id, Unreached(seat), event, MARK_MS)
        if decision:
            person_id = decision.room.seated(seat).person
            await self._change(person_id, lambda p, _: replace(p, open=False))


def _last_game(room: Room | None, game: str) -> Raw:
    """How the game before ended in this place, so that its words don't come again."""
    over = room.stage if room and room.game == game else None
    return over.state if isinstance(over, Over) else NO_STATE
