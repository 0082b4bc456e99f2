"""The imperative shell: load, decide, commit; wake rooms whose time is up; hand letters out.

Theory of operation. An adapter hands in an `Incoming`; when `hear` returns, it has been applied
exactly once and may be acknowledged; when it raises (`Busy`, `StoreAway`), nothing was accepted and
the platform must deliver it again. Words go to the room the person sits in; whoever sits nowhere
stands at the desk.

    incoming.py   what an adapter hands in
    inviting.py   a host invites by phone number
    desk.py       whoever sits nowhere: opens a room, joins one, is told how
    ledger.py     the transactions: a room and its happening, a person and their claim
    post.py       letters out
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from msgspec.structs import replace

from core import people, playing
from core.codec import decode_room
from core.delivery import Letter
from core.desk import Told, wish
from core.engine import Happening, Opened, Pressed, Spoke, Toast, Unreached, Woke
from core.game import Seat
from core.people import Person
from core.ports import (
    Counters,
    Directory,
    Entropy,
    Messenger,
    Outbox,
    Parcel,
    Phones,
    Records,
    StoreAway,
)
from core.room import Over, Playing, Room, Seated
from core.service.desk import Desk
from core.service.incoming import Busy, Incoming
from core.service.inviting import Inviting, invites
from core.service.ledger import Ledger
from core.service.post import Post
from core.table import House, Speaker
from core.text import Catalogue

__all__ = ["Busy", "Incoming", "Service"]

log = logging.getLogger("parlour")


class Service:
    """Parlour itself: everything that happens comes in here."""

    def __init__(  # noqa: PLR0913  (the ports, and what the operator decided)
        self, records: Records, outbox: Outbox, directory: Directory, entropy: Entropy,
        house: House, words: Catalogue, *,
        phones: Phones | None = None, counters: Counters | None = None,
    ) -> None:  # fmt: skip
        """Parlour over these ports.

        Without `phones`, friends are invited by sharing the code; without `counters` nobody is kept
        from guessing at codes, nor machines from talking to us.
        """
        self._records, self._directory = records, directory
        self.rung: Callable[[], None] = lambda: None
        """Called after every commit: there may be letters to send, and a new time to wake."""
        self._ledger = Ledger(records, entropy, house, words, self._ring)
        self._desk = Desk(self._ledger, records, directory, entropy, house, words, counters)
        self._inviting = Inviting(self._ledger, directory, entropy, house, words, phones)
        self._post = Post(outbox, self._ledger)

    def _ring(self) -> None:
        self.rung()

    # --- what comes in -------------------------------------------------------------------------

    async def hear(self, heard: Incoming) -> Toast | None:
        """Apply what somebody did. Gives the toast for a press, if there is one.

        Raises Busy, or StoreAway, when it was not accepted.
        """
        person, seen = await self._person(heard)
        meant = await self._meant(heard, person)
        if seen or heard.kind == "reachable" or await self._heard_before(heard, person, meant):
            return None
        speaker = Speaker(person.id, heard.address, heard.name, heard.texting, person.open)
        if heard.kind == "press":
            room_id, _, rest = heard.text.partition(":")
            ask, _, option = rest.partition(":")
            return await self._ledger.apply(room_id, Pressed(speaker, ask, option), heard, person)
        room, seen = await self._room(meant, heard)
        seated = room.seat_of(person.id) if room else None
        if heard.kind == "text" and (typed := invites(heard.text)):
            return await self._inviting.serve(heard, person, room if seated else None, typed)
        if room is None or (not seen and (seated is None or _wants_out(heard, room))):
            return await self._desk.serve(heard, person, speaker)
        if seated is None:  # this event took them out, and then we died
            return await self._ledger.let_go(room, heard, person)
        happening = _happening(heard, speaker, seated)
        return await self._ledger.apply(room.id, happening, heard, person)

    async def unreached(self, room_id: str, seat: Seat, event: str) -> None:
        """A platform says of a seat that its thread takes no more messages."""
        await self._ledger.unreached(room_id, seat, event)

    async def send_again(self, letter: Letter, event: str) -> None:
        """Send a letter once more that a platform has lost; once, however often it says so.

        A question that was answered or closed meanwhile is not asked again.
        """
        room = await self._ledger.room(letter.room) if letter.room else None
        if room and isinstance(room.stage, Playing) and letter.buttons:
            asked = {button.data.split(":")[1] for button in letter.buttons}
            if asked.isdisjoint(ask.id for ask in playing.asks(room) if ask.to == letter.seat):
                return
        lost = Incoming(event, "reachable", letter.to)
        person_id = await self._who_is_at(letter.to)
        await self._ledger.change(person_id, lambda p, _: p, heard=lost, letters=(letter,))

    async def room_of(self, address: str) -> Room | None:
        """The room in which whoever writes from `address` has a seat."""
        person = await self._ledger.person(await self._who_is_at(address))
        room = await self._ledger.room(person.claim.room) if person.claim else None
        return room if room and room.seat_of(person.id) else None

    async def _who_is_at(self, address: str) -> str:
        return await self._directory.get(f"person:{address}") or address

    async def _person(self, heard: Incoming) -> tuple[Person, bool]:
        """Who it is, as reachable as they have just shown to be; and whether it was dealt with."""
        person_id = await self._who_is_at(heard.address)
        loaded = await self._records.load(f"p:{person_id}", heard.event)
        person = people.decode(loaded.blob, person_id)
        opened = person.open if loaded.blob else not heard.place or heard.open
        wanted = False if heard.kind == "gone" else opened or heard.open
        if loaded.seen or wanted == person.open:
            return person, loaded.seen
        return await self._ledger.change(person_id, lambda p, _: replace(p, open=wanted)), False

    async def _heard_before(self, heard: Incoming, person: Person, meant: str) -> bool:
        """Whether this took the person out of a room, or was heard in one they were in."""
        if person.left_by(heard.event):
            return True
        rooms = [*person.before]
        if person.claim and person.claim.room != meant:
            rooms.append(person.claim.room)  # its public place has another room since
        for room in rooms:
            if (await self._records.load(f"r:{room}", heard.event)).seen:
                return True
        return False

    async def _meant(self, heard: Incoming, person: Person) -> str:
        """The id of the public place's room, or of the one the person sits in, or nothing."""
        if heard.place:
            return await self._directory.get(f"place:{heard.place}") or ""
        return person.claim.room if person.claim else ""

    async def _room(self, room_id: str, heard: Incoming) -> tuple[Room | None, bool]:
        """The room, if there is one, and whether it knows of this event."""
        if not room_id:
            return None, False
        loaded = await self._records.load(f"r:{room_id}", heard.event)
        return decode_room(loaded.blob) if loaded.blob else None, loaded.seen

    # --- time, and what goes out ---------------------------------------------------------------

    async def wake_due(self) -> int | None:
        """Wake every room whose time has come. Gives how long until the next, in ms, if any."""
        due = await self._records.due()
        for key in due.keys:
            try:
                if await self._ledger.decide(key.removeprefix("r:"), Woke(), "", 0) is None:
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
        await self._post.send(parcel, messenger, now_ms)


def _happening(heard: Incoming, speaker: Speaker, seated: Seated) -> Happening:
    """What was done, to the room in which the speaker is seated."""
    match heard.kind:
        case "gone":
            return Unreached(seated.seat)
        case "opened":
            return Opened(speaker)
        case _:
            return Spoke(speaker, heard.text, public=bool(heard.place))


def _wants_out(heard: Incoming, room: Room) -> bool:
    """In a room that is over, NEW and JOIN are for the desk."""
    return isinstance(room.stage, Over) and not isinstance(wish(heard.text), Told)
