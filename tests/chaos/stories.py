"""What the store holds in the end, and the log of every room played again, one step at a time.

`core.engine` alone plays it: no store, no worker, no retry. So what comes out is what should have
been stored, and the letters that should have left.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

import msgspec

from adapters.redis_store.client import Server
from adapters.redis_store.store import RedisRecords
from core import engine, text
from core.codec import decode_room
from core.delivery import Letter
from core.engine import Decision, Happening
from core.room import NO_STATE, Over, Room
from core.service import Incoming
from core.table import House, Speaker
from tests.chaos.door import Input

_ROOM = re.compile(r"\{s\d+\}:r:(?P<room>\w+)")
_MARK = re.compile(r"\{s\d+\}:u:(?P<record>[rp]:.+?):(?P<event>(?:telegram|sms):\w+:\w+)")
Note = tuple[int, str, Happening]


@dataclass(frozen=True)
class Stored:
    """A room as it is stored, its revision, and its log; its opening comes first, as b"new"."""

    room: Room
    revision: int
    notes: tuple[bytes, ...]


@dataclass(frozen=True)
class Step:
    """One event of a room at `at_ms`: the room before it (None: the opening), what came of it."""

    at_ms: int
    event: str
    happening: Happening | None
    before: Room | None
    decision: Decision

    @property
    def after(self) -> Room:
        """The room after it."""
        return self.decision.room


@dataclass(frozen=True)
class Story:
    """A room's log, played again."""

    stored: Stored
    steps: tuple[Step, ...]

    @property
    def record(self) -> str:
        """What the room is called in the store."""
        return f"r:{self.stored.room.id}"

    @property
    def letters(self) -> list[tuple[str, Letter]]:
        """Every letter that had to leave, in order, with its id."""
        return [
            (f"{self.record}.{revision}.{at}", letter)
            for revision, step in enumerate(self.steps, start=1)
            for at, letter in enumerate(step.decision.letters)
        ]


async def marks(server: Server) -> dict[str, list[str]]:
    """Which records each event was committed to."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in await _names(server, "{*}:u:*"):
        mark = _MARK.fullmatch(name)
        if mark:
            found[mark["event"]].append(mark["record"])
    return dict(found)


async def rooms(server: Server) -> list[Stored]:
    """Every room there is."""
    records, found = RedisRecords(server), list[Stored]()
    for name in await _names(server, "{*}:r:*"):
        room = _ROOM.fullmatch(name)
        if room:
            loaded = await records.load(f"r:{room['room']}")
            assert loaded.blob is not None
            notes = await records.notes(f"r:{room['room']}")
            found.append(Stored(decode_room(loaded.blob), loaded.revision, notes))
    return found


async def _names(server: Server, pattern: str) -> list[str]:
    cursor, names = 0, set[bytes]()
    while True:
        reply = await server.run(("SCAN", cursor, "MATCH", pattern, "COUNT", 1_000))
        cursor, page = cast("tuple[int, list[bytes]]", reply)  # redis-py makes a number of it
        names.update(page)
        if cursor == 0:
            return sorted(name.decode() for name in names)


def played_again(found: Iterable[Stored], inputs: Mapping[str, Input], house: House) -> list[Story]:
    """The stories of rooms, those of one place in the order they were opened."""
    openings = {_room_id(event): one for event, one in inputs.items()}
    stories: list[Story] = []
    here: dict[str, Room] = {}
    for stored in sorted(found, key=lambda one: openings[one.room.id].sent):
        room = stored.room
        last = here.get(room.place) if room.place else None
        stories.append(_played(stored, openings[room.id], last, house))
        here[room.place] = room
    return stories


def _room_id(event: str) -> str:
    """The id of the room that an event opened, if it did."""
    return hashlib.sha256(event.encode()).hexdigest()[:12]


def speaker(heard: Incoming) -> Speaker:
    """Whoever did something, with an own thread that takes messages: here everybody's does."""
    return Speaker(heard.address, heard.address, heard.name, heard.texting)


def _played(stored: Stored, opening: Input, last: Room | None, house: House) -> Story:
    """A room's story. When exactly it was opened is in no log: not before it was sent."""
    room, words, heard = stored.room, text.load(), opening.heard
    over = last.stage if last else None
    decision = engine.open_room(
        room.id, room.code, room.game, room.seed, speaker(heard), house, words,
        now_ms=int(opening.sent * 1_000), place=heard.place,
        last=over.latest if isinstance(over, Over) else NO_STATE,
    )  # fmt: skip
    steps = [Step(int(opening.sent * 1_000), heard.event, None, None, decision)]
    for note in stored.notes[1:]:
        at_ms, event, happening = msgspec.json.decode(note, type=Note)
        before = steps[-1].after
        decision = engine.decide(before, happening, at_ms, house, words)
        steps.append(Step(at_ms, event, happening, before, decision))
    return Story(stored, tuple(steps))
