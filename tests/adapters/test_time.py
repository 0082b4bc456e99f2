"""Timers on a real Redis: a TimeUp that is late, doubled, stale or racing does no harm.

The clock is the server's own, so a second of the game's tables lasts a millisecond here.
"""

import asyncio
from collections.abc import AsyncGenerator

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from adapters.entropy import SeededEntropy
from adapters.redis_store.client import Server
from adapters.redis_store.directory import RedisDirectory
from adapters.redis_store.outbox import RedisOutbox
from adapters.redis_store.store import RedisRecords
from core import playing, text
from core.codec import decode_room, encode_room
from core.games.ferret_out.state import Clueing, State, Studying
from core.ports import Commit
from core.room import Playing, Room
from core.service import Incoming, Service
from core.table import House
from tests.servers import redis_url, server_urls

__all__ = ["redis_url", "server_urls"]

SEATS = ("ann", "bo", "cy")
HOUR_MS = 3_600_000
PATIENCE_SECONDS = 60


class Table:
    """Three people in one room, on Redis."""

    def __init__(self, server: Server, second_ms: int) -> None:
        self.records, self.outbox = RedisRecords(server, lease_ms=50), RedisOutbox(server)
        house, entropy = House(second_ms=second_ms), SeededEntropy("time")
        self.service = Service(
            self.records, self.outbox, RedisDirectory(server), entropy, house, text.load()
        )
        self.room_id, self._events = "", 0

    async def says(self, who: str, words: str) -> None:
        self._events += 1
        event = f"test:here:{self._events}"
        await self.service.hear(
            Incoming(event, "text", f"test:here:{who}", words, who.title(), open=True)
        )

    async def begin(self) -> None:
        await self.says("ann", "NEW")
        room = await self.service.room_of("test:here:ann")
        assert room is not None
        self.room_id = room.id
        for who in ("bo", "cy"):
            await self.says(who, f"JOIN {room.code}")
        await self.says("ann", "PICK")
        await self.says("ann", "GO")

    async def stored(self) -> tuple[Room, int]:
        loaded = await self.records.load(f"r:{self.room_id}")
        assert loaded.blob is not None
        return decode_room(loaded.blob), loaded.revision

    async def phase(self) -> object:
        room, _ = await self.stored()
        state: State = playing.state_of(room)
        return state.phase

    async def told(self, words: str = "The clues are in") -> int:
        """How often Ann was told these words."""
        told = 0
        while parcels := (await self.outbox.ready())[0]:
            for parcel in parcels:
                told += parcel.letter.to.endswith("ann") and words in parcel.letter.text
                await self.outbox.done(parcel)
        return told

    async def wake_until(self, phase: type) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not isinstance(await self.phase(), phase):
                wait_ms = await self.service.wake_due()
                await asyncio.sleep(0 if wait_ms is None else min(wait_ms, 20) / 1_000)

    async def rewind(self, by_ms: int) -> None:
        """Let the clue phase have begun, and end, so much earlier."""
        room, revision = await self.stored()
        state: State = playing.state_of(room)
        assert isinstance(room.stage, Playing)
        assert isinstance(state.phase, Clueing)
        ballot = state.phase.ballot
        earlier = replace(
            ballot,
            opened_ms=ballot.opened_ms - by_ms,
            closes={seat: at - by_ms for seat, at in ballot.closes.items()},
        )
        raw = Raw(msgspec.json.encode(replace(state, phase=Clueing(earlier))))
        moved = replace(room, stage=replace(room.stage, state=raw))
        change = Commit(
            f"r:{room.id}", encode_room(moved), revision, wake_ms=playing.deadline_ms(moved)
        )
        assert await self.records.commit(change) == "committed"


@pytest.fixture
async def server(redis_url: str) -> AsyncGenerator[Server]:
    server = Server(redis_url)
    await server.run(("FLUSHALL",))
    yield server
    await server.close()


@pytest.fixture
async def table(server: Server) -> Table:
    """At a table where a minute is 60 ms."""
    table = Table(server, second_ms=1)
    await table.begin()
    return table


@pytest.fixture
async def slow_table(server: Server) -> Table:
    """At a table where a minute is a minute."""
    table = Table(server, second_ms=1_000)
    await table.begin()
    return table


async def test_a_deadline_closes_the_phase_by_itself(table: Table) -> None:
    await table.wake_until(Studying)
    assert await table.told() == 1


async def test_a_doubled_time_up_closes_the_phase_once(table: Table) -> None:
    room, revision = await table.stored()
    await asyncio.sleep(0.15)
    for _ in range(3):
        await table.records.retime(f"r:{room.id}", revision, 1)
        await asyncio.gather(table.service.wake_due(), table.service.wake_due())
    await table.wake_until(Studying)
    assert (await table.stored())[1] == revision + 1
    assert await table.told() == 1


async def test_an_early_time_up_changes_nothing_and_is_put_right(slow_table: Table) -> None:
    room, revision = await slow_table.stored()
    await slow_table.records.retime(f"r:{room.id}", revision, 1)
    wait_ms = await slow_table.service.wake_due()
    assert wait_ms == 0
    assert await slow_table.stored() == (room, revision)
    due = await slow_table.records.due()
    assert due.keys == ()
    assert due.next_ms == playing.deadline_ms(room)


async def test_a_time_up_for_a_closed_phase_changes_nothing(slow_table: Table) -> None:
    await slow_table.rewind(1_000 * 120)
    before, _ = await slow_table.stored()
    await slow_table.wake_until(Studying)
    after = await slow_table.stored()
    await slow_table.records.retime(f"r:{before.id}", after[1], playing.deadline_ms(before))
    await slow_table.service.wake_due()
    assert await slow_table.stored() == after
    assert await slow_table.told() == 1


async def test_a_late_time_up_puts_the_phase_off_once_and_says_so(slow_table: Table) -> None:
    await slow_table.rewind(HOUR_MS)
    await slow_table.service.wake_due()
    room, revision = await slow_table.stored()
    assert isinstance(await slow_table.phase(), Clueing)
    assert isinstance(room.stage, Playing)
    assert room.stage.put_off is not None
    await slow_table.records.retime(f"r:{room.id}", revision, 1)
    await slow_table.service.wake_due()
    assert (await slow_table.stored())[1] == revision
    assert await slow_table.told("there is more of it now") == 1


@pytest.mark.parametrize("lead_ms", range(-4, 5, 2))
async def test_the_last_answer_racing_the_clock_is_counted_once_or_told_it_is_late(
    table: Table, lead_ms: int
) -> None:
    await table.says("ann", "clue zip")
    await table.says("bo", "clue zap")
    room, _ = await table.stored()
    closes_ms = playing.deadline_ms(room) or 0
    now_ms = (await table.records.load(f"r:{room.id}")).now_ms
    await asyncio.sleep(max(0, closes_ms - now_ms + lead_ms) / 1_000)
    await asyncio.gather(table.says("cy", "clue zop"), table.service.wake_due())
    await table.wake_until(Studying)
    phase = await table.phase()
    assert isinstance(phase, Studying)
    assert set(phase.clues.values()) in ({"zip", "zap"}, {"zip", "zap", "zop"})
    assert await table.told() == 1
