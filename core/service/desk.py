"""Whoever sits nowhere stands here: opens a room, is let into one, or is told how that is done.

What they want is read by `core.desk`; here it is done, each step so that a death behind it and a
redelivery lead to the same end. The claim on a person's one seat comes before the room's commit.
"""

from __future__ import annotations

import hashlib

from msgspec import Raw
from msgspec.structs import replace

from core import desk, engine, people
from core.delivery import Letter
from core.engine import Arrived, Departed, Toast
from core.game import Line
from core.pace import DAY_MS, MINUTE_MS
from core.people import CLAIM_MS, Claim, Person
from core.ports import MARK_MS, Counters, Directory, Entropy, Limit, Loaded, Records
from core.room import NO_STATE, Over, Room
from core.service.incoming import Busy, Incoming
from core.service.ledger import TRIES, Ledger
from core.table import House, Speaker
from core.text import Catalogue

CODE_MS = 45 * DAY_MS
WRONG_CODES, WRONG_CODES_MS = 5, 10 * MINUTE_MS
DESK_ANSWERS, DESK_MS = 5, 10 * MINUTE_MS


class Desk:
    """Serves whoever has no seat."""

    def __init__(
        self, ledger: Ledger, records: Records, directory: Directory, entropy: Entropy,
        house: House, words: Catalogue, counters: Counters | None,
    ) -> None:  # fmt: skip
        """A desk whose rooms go into `ledger`, and their codes into `directory`.

        Without `counters` anybody may guess at codes for ever, as one may at home.
        """
        self._counters = counters
        self._ledger, self._records, self._directory = ledger, records, directory
        self._entropy, self._house, self._words = entropy, house, words

    async def serve(self, heard: Incoming, person: Person, speaker: Speaker) -> Toast | None:
        """Do what somebody at the desk wants. Raises Busy or StoreAway."""
        if heard.kind == "gone":
            return None
        match desk.wish(heard.text):
            case desk.NewRoom(game):
                async with self._ledger.lock(heard.place or heard.event):
                    return await self._open(heard, person, speaker, game)
            case desk.JoinRoom(code, name):
                return await self._join(heard, person, speaker, code, name)
            case desk.Told(lines):
                if heard.place and not heard.text.startswith("/"):
                    return None  # in a public place people also talk to each other
                return await self._tell(heard, person, lines)

    async def _join(
        self, heard: Incoming, person: Person, speaker: Speaker, code: str, name: str
    ) -> Toast | None:
        wrong = Limit(f"wrong-codes:{heard.address}", WRONG_CODES, WRONG_CODES_MS)
        if code and self._counters and await self._counters.used(wrong) >= WRONG_CODES:
            return await self._tell(heard, person, ())  # silence: even a right guess is not heard
        where = f"code:{code}" if code else f"place:{heard.place}"
        room_id = await self._directory.get(where) if code or heard.place else None
        room = await self._ledger.room(room_id) if room_id else None
        if room is None:
            lines = (Line("no-such-room" if code else "join-how"),)
            if code and self._counters:
                await self._counters.take(f"wrong-code:{heard.event}", (wrong,))
            return await self._tell(heard, person, lines)
        if not await self._claim(person, room.id, heard.event):
            return await self._in_another_room(heard, person)
        public = bool(heard.place) and heard.place == room.place
        happening = Arrived(speaker, name, public=public)
        return await self._ledger.apply(room.id, happening, heard, person)

    async def _open(self, heard: Incoming, person: Person, speaker: Speaker, game: str) -> None:
        # The room's id comes from the event, so that a redelivered NEW finds the room it made.
        room_id = hashlib.sha256(heard.event.encode()).hexdigest()[:12]
        loaded = await self._records.load(f"r:{room_id}", heard.event)
        if loaded.seen:
            return None
        here = await self._directory.get(f"place:{heard.place}") if heard.place else None
        other = await self._ledger.room(here) if here else None
        if other and other.id == room_id:
            return None  # it was delivered twice at once
        if other and not isinstance(other.stage, Over):
            return await self._tell(heard, person, (Line("room-here", {"code": other.code}),))
        if not await self._claim(person, room_id, heard.event):
            return await self._in_another_room(heard, person)
        if other:
            # Nobody may play on in the place of another room.
            event = f"{heard.event}/replaced"
            left = await self._ledger.decide(other.id, Departed(), event, MARK_MS)
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
        nothing = Loaded(None, 0, loaded.now_ms)
        await self._ledger.commit(decision, nothing, heard.event, heard.mark_ms, b"new")
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

    async def _claim(self, person: Person, room_id: str, event: str) -> bool:
        """Take the person's one seat for `room_id`. False when they sit somewhere else.

        Raises Busy while something else they said may be about to seat them anywhere.
        """
        loaded = await self._records.load(f"p:{person.id}")
        fresh = people.decode(loaded.blob, person.id)
        claim = fresh.claim
        if _moved(person, fresh) and not (claim and claim.event == event):
            raise Busy(room_id)  # they have moved meanwhile: this may have been heard elsewhere
        if claim and claim.room != room_id:
            room = await self._ledger.room(claim.room)
            over = room is not None and isinstance(room.stage, Over)
            if room and room.seat_of(person.id) and not over:
                return False
        if claim and await self._is_pending(claim, event, loaded.now_ms):
            raise Busy(room_id)  # something else they said seats them, and has not been heard yet

        def take(p: Person, now_ms: int) -> Person:
            if _moved(fresh, p) and not (p.claim and p.claim.event == event):
                raise Busy(room_id)
            return p.claiming(room_id, event, now_ms)

        if claim and claim.room != room_id:
            # A game that is over waits for a rematch, but not for who plays elsewhere.
            gone, departed = Departed(person.id), f"{event}/departed"
            left = await self._ledger.decide(claim.room, gone, departed, MARK_MS)
            if left and left.room.seat_of(person.id):
                return False  # the rematch was faster
            if (await self._records.load(f"r:{claim.room}", event)).seen:
                raise Busy(room_id)  # it was heard there before they were gone: not here too
        await self._ledger.change(person.id, take)
        return True

    async def _is_pending(self, claim: Claim, event: str, now_ms: int) -> bool:
        """Whether another event than this may be about to seat somebody by this claim."""
        if claim.event == event or now_ms - claim.at_ms >= CLAIM_MS:
            return False
        return not (await self._records.load(f"r:{claim.room}", claim.event)).seen

    async def _in_another_room(self, heard: Incoming, person: Person) -> None:
        fresh = await self._ledger.person(person.id)
        room = await self._ledger.room(fresh.claim.room) if fresh.claim else None
        if heard.place and not fresh.open:
            await self._tell(heard, person, (Line("in-another-room"),))
        else:
            # A code lets anybody in, so it is told to nobody else.
            line = Line("in-a-room", {"code": room.code if room else ""})
            await self._tell(replace(heard, place=""), person, (line,))

    async def _tell(self, heard: Incoming, person: Person, lines: tuple[Line, ...]) -> None:
        """Answer somebody who sits in no room, once however often it is delivered."""
        texts = [self._words.render(line) for line in lines]
        if heard.texting and self._counters:
            # Whoever sits nowhere may be a machine that answers our answers.
            said = Limit(f"desk:{heard.address}", DESK_ANSWERS, DESK_MS)
            if await self._counters.take(f"desk:{heard.event}", (said,)):
                texts = []
        letter = Letter(
            to=heard.place or heard.address,
            text="\n".join(text.full for text in texts),
            short="\n".join(text.short for text in texts if text.short),
        )
        says_something = letter.short if heard.texting else letter.text
        letters = (letter,) if says_something else ()

        def stays(p: Person, _: int) -> Person:
            if _moved(person, p):
                raise Busy(person.id)  # they are sitting down: this may be for their room
            return p

        await self._ledger.change(person.id, stays, heard=heard, letters=letters)


def _moved(then: Person, now: Person) -> bool:
    """Whether somebody has sat down or got up since, even if they are back where they were."""
    return (then.claim, then.moves) != (now.claim, now.moves)


def _last_game(room: Room | None, game: str) -> Raw:
    """How the game before ended in this place, so that its words don't come again."""
    over = room.stage if room and room.game == game else None
    return over.latest if isinstance(over, Over) else NO_STATE
