"""The shell: every event has one effect, whatever dies, races or is delivered twice."""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

import pytest
from msgspec.structs import replace

from adapters.memory.counters import MemoryCounters
from adapters.memory.store import MemoryStore
from core import people, playing, text
from core.codec import decode_room, encode_room
from core.delivery import Button, Letter
from core.engine import Toast
from core.people import CLAIM_MS
from core.ports import (
    Commit,
    Committed,
    Dropped,
    Fate,
    Gone,
    Later,
    Loaded,
    Parcel,
    Sent,
    StoreAway,
    Unknown,
)
from core.room import SCHEMA, Lobby, Over, Playing, Room
from core.service import Busy, Incoming, Service
from core.service.ledger import TRIES
from tests.tables import HOUSE, NOON_MS

GROUP = "web:x:group"
Kind = Literal["text", "press", "opened", "gone", "reachable"]


class Died(Exception):
    """The process was killed."""


class Store(MemoryStore):
    """A store that lets others go first, and that kills whoever makes its n-th call."""

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__(clock)
        self.calls, self.dies_at = 0, 0
        self.sluggish = False
        self.conflicts = 0
        self.meanwhile: dict[str, list[Callable[[], Awaitable[object]] | None]] = {}
        """What happens just before something is looked up: for the first time, the second …"""

    async def load(self, key: str, event: str = "") -> Loaded:
        await self._pause()
        await self._let_happen(key)
        return await super().load(key, event)

    async def commit(self, change: Commit) -> Committed:
        await self._pause()
        if self.conflicts:
            self.conflicts -= 1
            return "conflict"
        return await super().commit(change)

    async def get(self, name: str) -> str | None:
        await self._pause()
        await self._let_happen(name)
        return await super().get(name)

    async def put(self, name: str, value: str, *, instead_of: str | None, keep_ms: int) -> bool:
        await self._pause()
        return await super().put(name, value, instead_of=instead_of, keep_ms=keep_ms)

    async def _let_happen(self, key: str) -> None:
        waiting = self.meanwhile.get(key)
        if waiting and (act := waiting.pop(0)):
            await act()

    async def _pause(self) -> None:
        if self.sluggish:
            await asyncio.sleep(0)

    def _now(self) -> int:
        self.calls += 1
        if self.calls == self.dies_at:
            raise Died
        return super()._now()


class Chance:
    """Entropy that gives the codes it is told to, the last one for ever."""

    def __init__(self) -> None:
        self.codes = ["KTRGW"]
        self._nonces = itertools.count()

    def seed(self) -> str:
        return "7"

    def code(self, letters: int) -> str:
        assert letters == 5
        return self.codes.pop(0) if len(self.codes) > 1 else self.codes[0]

    def nonce(self) -> str:
        return str(next(self._nonces))


class World:
    """Parlour over a store in memory, and people who write to it."""

    def __init__(self) -> None:
        self.now_ms = NOON_MS
        self.chance = Chance()
        self.store = Store(lambda: self.now_ms)
        self.events = itertools.count(1)
        self.service = self.process()

    def process(self) -> Service:
        return Service(self.store, self.store, self.store, self.chance, HOUSE, text.load())

    def said(
        self, who: str, typed: str = "", *, kind: Kind = "text", place: str = "",
        texting: bool = False, closed: bool = False,
    ) -> Incoming:  # fmt: skip
        """Something done, as an adapter hands it in; every one has its own event."""
        return Incoming(
            f"web:x:{next(self.events)}",
            kind,
            f"{'sms' if texting else 'web'}:x:{who.casefold()}",
            typed,
            who,
            place,
            texting=texting,
            open=not (place or closed or kind == "gone"),
        )

    async def says(self, who: str, typed: str = "", *, place: str = "") -> Toast | None:
        return await self.service.hear(self.said(who, typed, place=place))

    async def does(self, who: str, kind: Kind, typed: str = "") -> Toast | None:
        return await self.service.hear(self.said(who, typed, kind=kind))

    async def opens(self, *names: str, place: str = "") -> None:
        """A room with these people, the first of whom opens it."""
        for at, name in enumerate(names):
            await self.says(name, "join KTRGW" if at else "/new", place="" if at else place)

    async def plays(self, *names: str, place: str = "") -> None:
        """A room of theirs whose first clues are asked for."""
        await self.opens(*names, place=place)
        await self.says(names[0], "go")
        room = await self.room()
        for ask in playing.asks(room):
            if ask.verb == "number":
                await self.says(room.seated(ask.to).name, "3")

    async def room(self, where: str = "code:KTRGW") -> Room:
        room_id = await self.store.get(where)
        loaded = await self.store.load(f"r:{room_id}")
        assert loaded.blob
        return decode_room(loaded.blob)

    async def person(self, who: str) -> people.Person:
        loaded = await self.store.load(f"p:web:x:{who.casefold()}")
        return people.decode(loaded.blob, who)

    def heard(self, who: str) -> list[str]:
        """What waits for somebody, or for the group, with the names filled in."""
        to = GROUP if who == "room" else f"web:x:{who.casefold()}"
        rows = [row.letter for row in self.store._letters[to]]
        return [text.named(one.text, lambda seat, n=one.names: n[seat]) for one in rows]

    def all_there_is(self) -> dict[str, object]:
        """Everything that is stored, but for marks, revisions and the log."""
        store = self.store
        return {
            "records": {key: kept[0][1] for key, kept in store._records._kept.items()},
            "letters": {to: [row.letter for row in rows] for to, rows in store._letters.items()},
            "names": {name: kept[0] for name, kept in store._names._kept.items()},
            "timers": dict(store._timers),
        }

    def seats_of(self, person: str) -> list[str]:
        """The rooms that are not over in which somebody has a seat."""
        rooms = [
            decode_room(kept[0][1])
            for key, kept in self.store._records._kept.items()
            if key.startswith("r:")
        ]
        return [
            room.code
            for room in rooms
            if room.seat_of(f"web:x:{person}") and not isinstance(room.stage, Over)
        ]


@pytest.fixture
def world() -> World:
    return World()


Scene = Callable[[World], Awaitable[Incoming]]


async def hello(world: World) -> Incoming:
    return world.said("Ann", "hello")


async def new(world: World) -> Incoming:
    return world.said("Ann", "new")


async def new_in_a_group(world: World) -> Incoming:
    return world.said("Ann", "/new", place=GROUP)


async def new_after_an_old_one(world: World) -> Incoming:
    await world.opens("Ann", "Bo", place=GROUP)
    await world.says("Ann", "finish")
    world.chance.codes = ["HHHHH"]
    return world.said("Bo", "/new", place=GROUP)


async def join(world: World) -> Incoming:
    await world.opens("Ann")
    return world.said("Bo", "join KTRGW")


async def join_in_a_group(world: World) -> Incoming:
    await world.opens("Ann", place=GROUP)
    return world.said("Bo", "/join", place=GROUP)


async def join_a_full_room(world: World) -> Incoming:
    await world.opens("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus")
    return world.said("Hal", "join KTRGW")


async def join_what_is_over(world: World) -> Incoming:
    await world.opens("Ann")
    await world.says("Ann", "finish")
    return world.said("Bo", "join KTRGW")


async def leave(world: World) -> Incoming:
    await world.opens("Ann", "Bo")
    return world.said("Bo", "leave")


async def leave_the_last(world: World) -> Incoming:
    await world.opens("Ann")
    return world.said("Ann", "/leave")


async def leave_in_a_group(world: World) -> Incoming:
    await world.opens("Ann", "Bo", place=GROUP)
    return world.said("Bo", "/leave", place=GROUP)


async def clue(world: World) -> Incoming:
    await world.plays("Ann", "Bo", "Cy", place=GROUP)
    return world.said("Bo", "stripes")


async def press(world: World) -> Incoming:
    await world.plays("Ann", "Bo", "Cy")
    room = await world.room()
    for who in ("Ann", "Bo", "Cy"):
        await world.says(who, "stripes")
    world.now_ms += 6_000
    return world.said("Bo", f"{room.id}:vote/1:s1", kind="press")


async def lost(world: World) -> Incoming:
    await world.plays("Ann", "Bo", "Cy")
    return world.said("Bo", kind="gone")


async def found(world: World) -> Incoming:
    await world.plays("Ann", "Bo", "Cy")
    await world.does("Bo", "gone")
    return world.said("Bo", kind="opened")


async def in_another_room(world: World) -> Incoming:
    await world.opens("Ann", place=GROUP)
    world.chance.codes = ["HHHHH"]
    await world.says("Bo", "new")
    return world.said("Bo", "/join", place=GROUP)


SCENES: list[Scene] = [
    hello, new, new_in_a_group, new_after_an_old_one, join, join_in_a_group, join_a_full_room,
    join_what_is_over, leave, leave_the_last, leave_in_a_group, clue, press, lost, found,
    in_another_room,
]  # fmt: skip


def titles(scenes: Sequence[Scene]) -> list[str]:
    return [scene.__name__ for scene in scenes]


# --- once, whatever happens ---


@pytest.mark.parametrize("scene", SCENES, ids=titles(SCENES))
async def test_what_is_delivered_twice_has_one_effect(world: World, scene: Scene) -> None:
    event = await scene(world)
    await world.service.hear(event)
    once = world.all_there_is()
    for service in (world.service, world.process()):
        await service.hear(event)
        assert world.all_there_is() == once


@pytest.mark.parametrize("scene", SCENES, ids=titles(SCENES))
@pytest.mark.parametrize("processes", [1, 2])
async def test_what_is_delivered_twice_at_once_has_one_effect(
    world: World, scene: Scene, processes: int
) -> None:
    event = await scene(world)
    await world.service.hear(event)
    once = world.all_there_is()

    world = World()
    event = await scene(world)
    world.store.sluggish = True
    services = [world.service, world.process() if processes > 1 else world.service]
    await asyncio.gather(*(deliver(service, event) for service in services))
    assert world.all_there_is() == once


@pytest.mark.parametrize("scene", SCENES, ids=titles(SCENES))
async def test_a_death_at_any_moment_changes_nothing_in_the_end(world: World, scene: Scene) -> None:
    event = await scene(world)
    await world.service.hear(event)
    undisturbed = world.all_there_is()
    for dies_at in itertools.count(1):
        world = World()
        event = await scene(world)
        world.store.calls, world.store.dies_at = 0, dies_at
        try:
            await world.service.hear(event)
        except Died:
            await world.process().hear(event)
            assert world.all_there_is() == undisturbed, dies_at
        else:
            assert dies_at > 3
            break


@pytest.mark.parametrize("scene", SCENES, ids=titles(SCENES))
async def test_what_is_delivered_again_much_later_has_no_effect(world: World, scene: Scene) -> None:
    event = await scene(world)
    await world.service.hear(event)
    for who in ("Ann", "Bo", "Cy"):
        await world.says(who, "leave")
    for who in ("Ann", "Bo"):
        await world.says(who, "hello")
    after = world.all_there_is()
    letters, names = after["letters"], after["names"]
    await world.service.hear(event)
    again = world.all_there_is()
    assert (again["letters"], again["names"]) == (letters, names)
    assert not world.seats_of("bo")


async def deliver(service: Service, event: Incoming) -> None:
    """Hand an event in until it is accepted, as a platform does."""
    for _ in range(20):
        try:
            await service.hear(event)
        except Busy:
            await asyncio.sleep(0)
        else:
            return
    raise AssertionError(event)


@pytest.mark.parametrize("processes", [1, 2])
async def test_one_person_in_a_race_into_two_rooms_has_one_seat(
    world: World, processes: int
) -> None:
    await world.says("Ann", "new")
    world.chance.codes = ["HHHHH"]
    await world.says("Bo", "new")
    world.store.sluggish = True
    services = [world.service, world.process() if processes > 1 else world.service]
    wants = [world.said("Cy", "join KTRGW"), world.said("Cy", "join HHHHH")]
    await asyncio.gather(*(deliver(s, e) for s, e in zip(services, wants, strict=True)))
    assert len(world.seats_of("cy")) == 1
    assert sum("You already sit in room" in said for said in world.heard("Cy")) == 1


async def test_one_person_in_a_race_of_new_and_join_has_one_seat(world: World) -> None:
    await world.says("Ann", "new")
    world.chance.codes = ["HHHHH"]
    world.store.sluggish = True
    wants = [world.said("Cy", "join KTRGW"), world.said("Cy", "new")]
    await asyncio.gather(*(deliver(world.process(), event) for event in wants))
    assert len(world.seats_of("cy")) == 1


async def test_two_who_open_a_room_in_one_place_get_one(world: World) -> None:
    world.store.sluggish = True
    wants = [world.said(who, "/new", place=GROUP) for who in ("Ann", "Bo")]
    await asyncio.gather(*(deliver(world.service, event) for event in wants))
    room = await world.room(f"place:{GROUP}")
    assert [one.name for one in room.seats] == ["Ann"]
    assert sum(key.startswith("r:") for key in world.store._records._kept) == 1
    assert world.heard("room")[-1] == "Room KTRGW is open here already: /join takes a seat."


async def test_a_place_that_another_process_just_took_is_busy(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = world.store.put

    async def late(name: str, value: str, *, instead_of: str | None, keep_ms: int) -> bool:
        if name.startswith("place:"):
            await put(name, "another", instead_of=instead_of, keep_ms=keep_ms)
        return await put(name, value, instead_of=instead_of, keep_ms=keep_ms)

    monkeypatch.setattr(world.store, "put", late)
    with pytest.raises(Busy):
        await world.says("Ann", "/new", place=GROUP)


async def test_two_who_change_one_room_at_once_are_both_heard(world: World) -> None:
    await world.plays("Ann", "Bo", "Cy")
    world.store.sluggish = True
    await asyncio.gather(
        *(world.process().hear(world.said(who, "stripes")) for who in ("Ann", "Bo", "Cy"))
    )
    assert playing.needed(await world.room()) == ()


async def test_a_conflict_is_read_again(world: World) -> None:
    await world.opens("Ann")
    world.store.conflicts = 1
    await world.says("Ann", "name Anna")
    assert (await world.room()).names == {"s1": "Anna"}


@pytest.mark.parametrize("typed", ["name Anna", "join HHHHH"])
async def test_too_many_conflicts_are_busy_and_change_nothing(world: World, typed: str) -> None:
    await world.opens("Ann")
    who = "Ann" if typed.startswith("name") else "Bo"
    world.store.conflicts = TRIES
    before = world.all_there_is()
    with pytest.raises(Busy):
        await world.says(who, typed)
    assert world.all_there_is() == before


async def test_a_store_that_is_away_is_said_to_be_away(world: World) -> None:
    await world.opens("Ann")
    world.store.away = True
    with pytest.raises(StoreAway):
        await world.says("Ann", "who")
    with pytest.raises(StoreAway):
        await world.service.wake_due()


async def test_every_commit_rings(world: World) -> None:
    rung: list[int] = []
    world.service.rung = lambda: rung.append(1)
    await world.says("Ann", "new")
    assert rung


# --- codes ---


async def test_a_code_that_leads_somewhere_already_is_drawn_again(world: World) -> None:
    await world.says("Ann", "new")
    world.chance.codes = ["KTRGW", "FCKCF", "HHHHH"]
    await world.says("Bo", "new")
    assert (await world.room("code:HHHHH")).seats[0].name == "Bo"
    assert await world.store.get("code:FCKCF") is None


async def test_when_no_code_is_free_it_is_busy(world: World) -> None:
    await world.says("Ann", "new")
    with pytest.raises(Busy):
        await world.says("Bo", "new")


# --- the desk ---


async def test_somebody_new_is_told_how_it_works(world: World) -> None:
    await world.says("Ann", "hi")
    assert world.heard("Ann")[0].startswith("Hello, this is Parlour")
    await world.does("Bo", "opened")
    assert world.heard("Bo")[0].startswith("Hello, this is Parlour")


async def test_a_carriers_keyword_is_not_answered(world: World) -> None:
    for word in ("stop", "START", "Help"):
        await world.says("Ann", word)
    assert world.heard("Ann") == []


async def test_a_code_that_leads_nowhere_is_told_so(world: World) -> None:
    await world.says("Ann", "join HHHHH")
    assert world.heard("Ann")[0].startswith("No open room has that code.")
    await world.says("Ann", "join")
    assert world.heard("Ann")[1].startswith("Which room?")


async def test_whoever_sits_in_a_room_can_not_open_or_join_another(world: World) -> None:
    await world.opens("Ann", "Bo")
    await world.says("Bo", "new")
    await world.says("Bo", "join HHHHH")
    assert (
        world.heard("Bo")[-2:] == ["You already sit in room KTRGW. Send LEAVE to get up first."] * 2
    )


async def test_whoever_sits_elsewhere_is_told_its_code_in_private(world: World) -> None:
    event = await in_another_room(world)
    await world.service.hear(event)
    assert world.heard("Bo")[-1] == "You already sit in room HHHHH. Send LEAVE to get up first."
    assert "HHHHH" not in str(world.heard("room"))
    await world.says("Bo", "/new", place="web:x:other")
    assert world.seats_of("bo") == ["HHHHH"]


async def test_whoever_can_not_be_written_to_is_told_without_the_code(world: World) -> None:
    await world.opens("Ann", place=GROUP)
    await world.says("Bo", "/join", place=GROUP)
    world.chance.codes = ["HHHHH"]
    await world.says("Cy", "/new", place="web:x:other")
    await world.says("Bo", "/join", place="web:x:other")
    told = world.heard("other")[-1]
    assert told.startswith("You already sit in another room.")
    assert "KTRGW" not in told


async def test_after_a_game_the_next_room_is_free_to_take(world: World) -> None:
    await world.opens("Ann", "Bo")
    await world.says("Ann", "finish")
    world.chance.codes = ["HHHHH"]
    await world.says("Ann", "new")
    await world.says("Bo", "HHHHH")
    assert world.seats_of("ann") == world.seats_of("bo") == ["HHHHH"]


@pytest.mark.parametrize("at", range(1, 9))
async def test_a_rematch_in_the_moment_of_joining_elsewhere_leaves_one_seat(
    world: World, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.opens("Ann", "Bo", "Cy", "Dee")
    await world.says("Ann", "finish")
    world.chance.codes = ["HHHHH"]
    await world.says("Zed", "new")
    joins, rematch, load = (
        world.said("Dee", "join HHHHH"),
        world.said("Ann", "again"),
        world.store.load,
    )
    reads = itertools.count(1)

    async def read(key: str, event: str = "") -> Loaded:
        loaded = await load(key, event)
        if next(reads) == at:
            await world.process().hear(rematch)
        return loaded

    monkeypatch.setattr(world.store, "load", read)
    await world.service.hear(joins)
    assert next(reads) > at
    assert len(world.seats_of("dee")) == 1


async def test_a_game_whose_place_has_another_room_has_no_rematch(world: World) -> None:
    await world.plays("Ann", "Bo", "Cy", place=GROUP)
    await world.says("Ann", "/finish")
    world.chance.codes = ["HHHHH"]
    await world.says("Dee", "/new", place=GROUP)
    await world.says("Ann", "again")
    assert isinstance((await world.room()).stage, Over)
    assert world.heard("Ann")[-1].startswith("Hello, this is Parlour")


async def test_a_rematch_in_the_moment_of_opening_in_its_place_leaves_one_room(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.plays("Ann", "Bo", "Cy", place=GROUP)
    await world.says("Ann", "/finish")
    opens, rematch, load = (
        world.said("Dee", "/new", place=GROUP),
        world.said("Ann", "again"),
        world.store.load,
    )
    over = (await world.room()).id
    reads = itertools.count(1)

    async def read(key: str, event: str = "") -> Loaded:
        loaded = await load(key, event)
        if key == f"r:{over}" and next(reads) == 2:
            await world.process().hear(rematch)
        return loaded

    monkeypatch.setattr(world.store, "load", read)
    with pytest.raises(Busy):
        await world.service.hear(opens)
    await world.service.hear(opens)
    assert world.heard("room")[-1].startswith("Room KTRGW is open here already")
    assert world.seats_of("dee") == []


async def test_in_a_room_that_is_over_the_scores_can_still_be_asked_for(world: World) -> None:
    await world.opens("Ann", "Bo")
    await world.says("Ann", "finish")
    await world.says("Bo", "scores")
    assert world.heard("Bo")[-1] == "There are no scores before the game starts."


async def test_whoever_was_shown_out_can_go_elsewhere(world: World) -> None:
    await world.opens("Ann", "Bo")
    world.now_ms += CLAIM_MS
    await world.says("Ann", "kick bo")
    await world.says("Bo", "who")
    assert world.heard("Bo")[-1].startswith("Hello, this is Parlour")
    world.chance.codes = ["HHHHH"]
    await world.says("Bo", "new")
    assert world.seats_of("bo") == ["HHHHH"]


async def test_a_claim_on_a_room_that_never_came_is_forgotten_after_a_minute(world: World) -> None:
    await world.opens("Ann")
    event = world.said("Bo", "new")
    world.chance.codes = ["HHHHH"]
    world.store.calls, world.store.dies_at = 0, 9
    with pytest.raises(Died):
        await world.service.hear(event)
    assert (await world.person("Bo")).claim is not None
    with pytest.raises(Busy):
        await world.says("Bo", "join KTRGW")
    world.now_ms += CLAIM_MS
    await world.says("Bo", "join KTRGW")
    assert world.seats_of("bo") == ["KTRGW"]


async def test_the_room_of_an_address_is_where_it_has_a_seat(world: World) -> None:
    assert await world.service.room_of("web:x:ann") is None
    await world.opens("Ann", "Bo")
    assert await world.service.room_of("web:x:bo") == await world.room()
    await world.says("Ann", "kick bo")
    assert await world.service.room_of("web:x:bo") is None


# --- groups ---


async def test_in_a_group_everybody_can_join_without_a_code(world: World) -> None:
    await world.says("Ann", "/new", place=GROUP)
    await world.says("Bo", "/join", place=GROUP)
    await world.says("Cy", "/join Cyril", place=GROUP)
    room = await world.room(f"place:{GROUP}")
    assert room.place == GROUP
    assert [(one.person, one.public, one.open) for one in room.seats[:2]] == [
        ("web:x:ann", True, False),
        ("web:x:bo", True, False),
    ]


async def test_in_a_group_without_a_room_there_is_nothing_to_join(world: World) -> None:
    await world.says("Ann", "/join", place=GROUP)
    assert world.heard("room")[0].startswith("Which room?")


async def test_chatter_in_a_group_is_ignored(world: World) -> None:
    await world.says("Ann", "hello all", place=GROUP)
    await world.opens("Bo", place=GROUP)
    before = world.all_there_is()["letters"]
    await world.says("Ann", "hello again", place=GROUP)
    assert world.all_there_is()["letters"] == before


async def test_a_group_has_one_open_room(world: World) -> None:
    await world.opens("Ann", place=GROUP)
    world.chance.codes = ["HHHHH"]
    await world.says("Bo", "/new", place=GROUP)
    assert world.heard("room")[-1] == "Room KTRGW is open here already: /join takes a seat."
    await world.says("Ann", "finish")
    await world.says("Bo", "/new", place=GROUP)
    assert (await world.room(f"place:{GROUP}")).code == "HHHHH"


async def test_a_private_join_hears_the_room_in_private(world: World) -> None:
    await world.opens("Ann", "Bo", place=GROUP)
    assert [one.public for one in (await world.room()).seats] == [True, False]
    await world.says("Bo", "name Robert")
    assert world.heard("Bo")[-1] == "Bo is Robert now."


async def test_a_seated_person_is_heard_in_the_group_and_in_private(world: World) -> None:
    await world.plays("Ann", "Bo", "Cy", place=GROUP)
    await world.says("Bo", "who", place=GROUP)
    assert world.heard("room")[-1].startswith("Waiting for")
    await world.says("Bo", "/who")
    assert world.heard("Bo")[-1].startswith("Waiting for")


# --- presses ---


async def test_a_press_is_answered_with_a_toast(world: World) -> None:
    event = await press(world)
    toast = await world.service.hear(event)
    assert toast is not None
    assert toast.text.startswith("Noted: ")
    assert toast.names["s1"] == "Ann"


async def test_a_press_that_changes_nothing_is_answered_every_time(world: World) -> None:
    await world.plays("Ann", "Bo", "Cy")
    room = await world.room()
    event = world.said("Zed", f"{room.id}:vote/1:s1", kind="press")
    for _ in range(2):
        toast = await world.service.hear(event)
        assert toast is not None
        assert toast.text == "You have no seat in that room."


@pytest.mark.parametrize("data", ["", "nowhere:vote/1:s1", ":::::", "x" * 64, "r"])
async def test_a_forged_button_of_no_room_does_nothing(world: World, data: str) -> None:
    await world.opens("Ann")
    before = world.all_there_is()["letters"]
    assert await world.does("Ann", "press", data) is None
    assert world.all_there_is()["letters"] == before


# --- who can be reached ---


async def test_whoever_is_gone_sits_out_and_is_back_when_they_write(world: World) -> None:
    await world.opens("Ann", "Bo")
    await world.does("Bo", "gone")
    assert world.heard("Ann")[-1] == "Bo can't be reached and sits out."
    assert not (await world.person("Bo")).open
    await world.does("Bo", "reachable")
    assert (await world.person("Bo")).open
    assert (await world.room()).seated("s2").away
    await world.says("Bo", "who")
    assert "Bo is back." in world.heard("Ann")[-1]
    assert (await world.room()).seated("s2").open


async def test_whoever_is_gone_and_sits_nowhere_is_only_remembered(world: World) -> None:
    await world.does("Ann", "gone")
    assert not (await world.person("Ann")).open
    assert world.all_there_is()["letters"] == {}


async def test_a_group_member_is_ready_when_they_open_their_thread(world: World) -> None:
    await world.says("Ann", "/new", place=GROUP)
    assert world.heard("Ann") == []
    await world.does("Ann", "opened")
    assert world.heard("room")[-1] == "Ann is ready."
    assert (await world.room()).seated("s1").open


async def test_a_seat_that_letters_do_not_reach_is_told_to_the_room_once(world: World) -> None:
    await world.opens("Ann", "Bo")
    room = await world.room()
    for _ in range(2):
        await world.service.unreached(room.id, "s2", "gone:letter")
    assert world.heard("Ann").count("Bo can't be reached and sits out.") == 1
    assert not (await world.person("Bo")).open
    await world.service.unreached("nowhere", "s2", "gone:letter")


async def test_a_letter_lost_on_its_way_is_sent_once_more_however_often_it_is_said(
    world: World,
) -> None:
    letter = Letter("web:x:bo", "Hello.", "Hello.", until_ms=NOON_MS + 60_000, again=True)
    for _ in range(3):
        await world.service.send_again(letter, "x:again:1")
    assert [row.letter for row in world.store._letters["web:x:bo"]] == [letter]


@pytest.mark.parametrize(("ask", "again"), [("number/1", ["Your number?"]), ("clue/1", [])])
async def test_a_lost_question_is_asked_again_only_while_it_is_open(
    world: World, ask: str, again: list[str]
) -> None:
    await world.opens("Ann", "Bo", "Cy")
    await world.says("Ann", "go")
    room = await world.room()
    (asked,) = playing.asks(room)
    ask = asked.id if ask == "number/1" else ask
    button = Button("3", f"{room.id}:{ask}:3")
    who = room.seated(asked.to)
    letter = Letter(
        who.address, "Your number?", "Your number?", room.id, asked.to, buttons=(button,)
    )
    before = len(world.store._letters[who.address])
    await world.service.send_again(letter, "x:again:1")
    assert [row.letter.text for row in world.store._letters[who.address][before:]] == again
    await world.service.send_again(replace(letter, buttons=()), "x:again:2")
    assert world.store._letters[who.address][-1].letter.text == "Your number?"


async def test_two_addresses_can_be_one_person(world: World) -> None:
    await world.opens("Ann", "Bo")
    await world.store.put("person:web:x:robert", "web:x:bo", instead_of=None, keep_ms=10**9)
    await world.says("Robert", "name Rob")
    assert (await world.room()).seated("s2").name == "Rob"
    assert await world.service.room_of("web:x:robert") == await world.room()


# --- time ---


async def test_a_room_whose_time_has_come_is_woken(world: World) -> None:
    assert await world.service.wake_due() is None
    await world.opens("Ann")
    assert await world.service.wake_due() == 30 * 60_000
    world.now_ms += 30 * 60_000
    assert await world.service.wake_due() == 0
    assert isinstance((await world.room()).stage, Over)
    assert await world.service.wake_due() is None


async def test_a_room_that_was_woken_too_early_is_woken_again_in_time(world: World) -> None:
    await world.opens("Ann")
    room = await world.room()
    world.store._timers[f"r:{room.id}"] = world.now_ms - 1
    before = world.all_there_is()["records"]
    assert await world.service.wake_due() == 0
    assert world.all_there_is()["records"] == before
    assert await world.service.wake_due() == 30 * 60_000


async def test_two_processes_wake_a_room_once(world: World) -> None:
    await world.plays("Ann", "Bo", "Cy")
    world.now_ms += 120_000
    world.store.sluggish = True
    await asyncio.gather(world.service.wake_due(), world.process().wake_due())
    assert sum("The clues are in" in said for said in world.heard("Bo")) <= 1


async def test_a_room_that_can_not_be_woken_leaves_the_others_alone(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await world.says("Ann", "new")
    newer = replace(await world.room(), id="newer", schema=SCHEMA + 1)
    await world.store.commit(Commit("r:newer", encode_room(newer), 0, wake_ms=world.now_ms))
    world.now_ms += 30 * 60_000
    with caplog.at_level(logging.ERROR):
        assert await world.service.wake_due() == 0
    assert "r:newer did not wake" in caplog.text
    assert isinstance((await world.room()).stage, Over)


async def test_a_store_that_goes_away_while_rooms_are_woken_is_said_to_be_away(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(change: Commit) -> Committed:
        raise StoreAway(change.key)

    await world.opens("Ann")
    world.now_ms += 30 * 60_000
    monkeypatch.setattr(world.store, "commit", away)
    with pytest.raises(StoreAway):
        await world.service.wake_due()


async def test_what_is_heard_again_in_the_next_room_is_not_said_there(world: World) -> None:
    await world.opens("Ann", "Bo")
    event = world.said("Bo", "name Robert")
    await world.service.hear(event)
    await world.says("Bo", "leave")
    world.chance.codes = ["HHHHH"]
    await world.says("Bo", "new")
    before = world.all_there_is()
    await world.service.hear(event)
    assert world.all_there_is() == before


async def test_a_timer_of_a_room_that_is_no_more_is_let_go(world: World) -> None:
    world.store._timers["r:gone"] = world.now_ms
    assert await world.service.wake_due() == 0
    assert await world.service.wake_due() is None


async def test_an_event_at_the_deadline_finds_time_settled(world: World) -> None:
    await world.plays("Ann", "Bo", "Cy")
    await world.says("Ann", "stripes")
    world.now_ms += 120_000
    await world.says("Bo", "stripes")
    stage = (await world.room()).stage
    assert isinstance(stage, Playing)
    assert playing.asks(await world.room())[0].id == "vote/1"
    assert not isinstance(stage, Lobby)


# --- what goes out ---


class Post:
    """A messenger that does to each letter what it is told to."""

    def __init__(self, *sends: Fate, fates: Sequence[Fate] = (), once: bool = False) -> None:
        self.at_most_once = once
        self.sent: list[tuple[str, str]] = []
        self.asked: list[int] = []
        self._sends, self._fates = list(sends), list(fates)

    async def send(self, letter: Letter, letter_id: str, ref: str) -> Fate:
        assert letter_id
        self.sent.append((letter.text, ref))
        return self._sends.pop(0)

    async def fate(self, letter: Letter, letter_id: str, tried_ms: int) -> Fate:
        assert letter.to
        assert letter_id
        self.asked.append(tried_ms)
        return self._fates.pop(0)


async def with_letter(world: World, letter: Letter | None = None) -> Parcel:
    """Put a letter out, and claim it."""
    wanted = letter or Letter("web:x:bo", "hello", "hi")
    await world.store.commit(Commit("r:letters", b"{}", 0, letters=(wanted,)))
    return await claimed(world)


async def claimed(world: World, after_ms: int = 0) -> Parcel:
    world.now_ms += after_ms
    parcels, _ = await world.store.ready()
    assert len(parcels) == 1
    return parcels[0]


async def waits(world: World) -> bool:
    world.now_ms += 60_000
    parcels, _ = await world.store.ready()
    return bool(parcels)


@pytest.mark.parametrize("once", [True, False])
async def test_a_letter_that_went_out_is_done(world: World, once: bool) -> None:  # noqa: FBT001
    post = Post(Sent("ref"), once=once)
    await world.service.send(await with_letter(world), post, world.now_ms)
    assert post.sent == [("hello", "")]
    assert not await waits(world)


async def test_a_status_is_edited_under_the_reference_it_got(world: World) -> None:
    post = Post(Sent("ref1"), Sent("ref1"))
    status = Letter("web:x:group", "Waiting for 3.", "", room="r1", status="clue/1")
    await world.service.send(await with_letter(world, status), post, world.now_ms)
    edit = replace(status, text="Waiting for 2.")
    await world.store.commit(Commit("r:letters", b"{}", 1, letters=(edit,)))
    await world.service.send(await claimed(world), post, world.now_ms)
    assert post.sent == [("Waiting for 3.", ""), ("Waiting for 2.", "ref1")]


@pytest.mark.parametrize("once", [True, False])
async def test_a_letter_for_later_waits(world: World, once: bool) -> None:  # noqa: FBT001
    post = Post(Later(5_000), Sent(), once=once)
    await world.service.send(await with_letter(world), post, world.now_ms)
    assert (await world.store.ready())[0] == ()
    parcel = await claimed(world, 5_000)
    assert parcel.tried_ms is None
    await world.service.send(parcel, post, world.now_ms)
    assert not await waits(world)


async def test_a_dropped_letter_is_done_and_its_reason_logged(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    parcel = await with_letter(world)
    with caplog.at_level(logging.WARNING):
        await world.service.send(parcel, Post(Dropped("too long")), world.now_ms)
    assert caplog.messages == [f"letter {parcel.id} dropped: too long"]
    assert not await waits(world)


async def test_at_least_once_an_unknown_fate_is_tried_again(world: World) -> None:
    post = Post(Unknown(), Sent())
    await world.service.send(await with_letter(world), post, world.now_ms)
    await world.service.send(await claimed(world, 1_000), post, world.now_ms)
    assert len(post.sent) == 2
    assert not await waits(world)


@pytest.mark.parametrize("fate", [Sent(), Dropped("lost"), Gone()])
async def test_at_most_once_an_unknown_fate_is_asked_after(world: World, fate: Fate) -> None:
    post = Post(Unknown(), fates=[Unknown(), fate], once=True)
    tried_ms = world.now_ms
    await world.service.send(await with_letter(world), post, world.now_ms)
    for _ in range(2):
        await world.service.send(await claimed(world, 45_000), post, world.now_ms)
    assert len(post.sent) == 1
    assert post.asked == [tried_ms, tried_ms]
    assert not await waits(world)


async def test_at_most_once_what_surely_did_not_go_out_goes_out_again(world: World) -> None:
    post = Post(Unknown(), Sent(), fates=[Later(0)], once=True)
    await world.service.send(await with_letter(world), post, world.now_ms)
    await world.service.send(await claimed(world, 45_000), post, world.now_ms)
    assert len(post.sent) == 2
    assert not await waits(world)


async def test_at_most_once_a_letter_that_another_sends_is_left_to_them(world: World) -> None:
    post = Post(once=True)
    parcel = await with_letter(world)
    assert await world.store.mark(parcel)
    await world.service.send(parcel, post, world.now_ms)
    assert post.sent == []


@pytest.mark.parametrize("once", [True, False])
async def test_what_is_no_longer_worth_sending_is_not_sent(
    world: World,
    once: bool,  # noqa: FBT001
) -> None:
    post = Post(once=once)
    parcel = await with_letter(world, Letter("web:x:bo", "hi", "hi", until_ms=world.now_ms + 5))
    await world.service.send(parcel, post, world.now_ms + 6)
    assert not await waits(world)
    world = World()
    stale = replace(await with_letter(world), stale=True)
    await world.service.send(stale, post, world.now_ms)
    assert post.sent == []
    assert not await waits(world)


async def test_a_letter_that_is_worth_sending_for_a_while_is_sent(world: World) -> None:
    post = Post(Sent())
    parcel = await with_letter(world, Letter("web:x:bo", "hi", "hi", until_ms=world.now_ms))
    await world.service.send(parcel, post, world.now_ms)
    assert post.sent


async def test_every_letter_has_an_end_and_none_before_its_question_closes(world: World) -> None:
    await world.says("Zed", "hello")
    await world.plays("Ann", "Bo", "Cy")
    day_ms = 86_400_000
    sent = [row.letter.until_ms for rows in world.store._letters.values() for row in rows]
    assert set(sent) == {world.now_ms + day_ms}
    await world.says("Ann", "/pace off")
    for who in ("Ann", "Bo", "Cy"):
        await world.says(who, "stripes")
    world.now_ms += 6_000
    await world.service.wake_due()
    asked = world.store._letters["web:x:bo"][-1].letter
    assert asked.until_ms == playing.deadline_ms(await world.room())


async def test_when_letters_reach_nobody_the_room_hears_of_it_once(world: World) -> None:
    await world.opens("Ann", "Bo")
    post = Post(*[Gone()] * 9)
    while True:
        parcels, _ = await world.store.ready()
        parcels = tuple(one for one in parcels if one.letter.to == "web:x:bo")
        if not parcels:
            break
        await world.service.send(parcels[0], post, world.now_ms)
    assert world.heard("Ann").count("Bo can't be reached and sits out.") == 1
    assert world.heard("Bo") == []
    assert (await world.room()).seated("s2").away


async def test_a_letter_of_the_desk_that_reaches_nobody_is_done(world: World) -> None:
    await world.service.send(await with_letter(world), Post(Gone()), world.now_ms)
    assert not await waits(world)


# --- after the game ---


async def test_who_opens_another_room_is_not_waited_for_in_a_rematch(world: World) -> None:
    await world.opens("Ann", "Bo")
    await world.says("Ann", "finish")
    world.chance.codes = ["HHHHH"]
    await world.says("Bo", "new")
    over = await world.room("code:KTRGW")
    assert over.seat_of("web:x:bo") is None
    assert over.seat_of("web:x:ann")


async def test_the_next_game_in_a_group_gets_other_words(world: World) -> None:
    await world.plays("Ann", "Bo", "Cy", place=GROUP)
    before = playing.state_of(await world.room())
    await world.says("Ann", "/finish")
    world.chance.codes = ["HHHHH"]
    await world.says("Dee", "/new", place=GROUP)
    for who in ("Eve", "Flo"):
        await world.says(who, "join HHHHH")
    await world.says("Dee", "go")
    after = playing.state_of(await world.room("code:HHHHH"))
    assert not set(before.deal.pouches) & set(after.deal.pouches)
    assert after.deal.number == before.deal.number + 1


# --- a word that is on its way while its speaker gets up or sits down ---


async def test_a_new_room_is_not_refused_because_it_is_there_already(world: World) -> None:
    event, other = world.said("Ann", "/new", place=GROUP), world.process()
    world.store.meanwhile[f"place:{GROUP}"] = [None, lambda: other.hear(event)]
    await world.service.hear(event)
    assert not any("already" in text for text in (*world.heard("room"), *world.heard("Ann")))
    assert world.seats_of("ann") == ["KTRGW"]


async def test_what_was_said_while_sitting_down_is_for_the_room(world: World) -> None:
    await world.opens("Ann")
    event, other = world.said("Bo", "who"), world.process()
    join = world.said("Bo", "join KTRGW")
    world.store.meanwhile["p:web:x:bo"] = [None, lambda: other.hear(join)]
    with pytest.raises(Busy):
        await world.service.hear(event)
    await world.service.hear(event)
    assert "Host: Ann" in world.heard("Bo")[-1]


async def test_what_was_said_while_getting_up_is_for_the_desk(world: World) -> None:
    await world.opens("Ann", "Bo")
    room, other = await world.room(), world.process()
    event, leave = world.said("Bo", "who"), world.said("Bo", "leave")
    world.store.meanwhile[f"r:{room.id}"] = [None, lambda: other.hear(leave)]
    with pytest.raises(Busy):
        await world.service.hear(event)
    await world.service.hear(event)
    assert "JOIN" in world.heard("Bo")[-1]


async def test_a_finish_that_comes_again_does_not_end_the_next_game(world: World) -> None:
    await world.opens("Ann", "Bo")
    finish = world.said("Ann", "finish")
    await world.service.hear(finish)
    world.chance.codes = ["HHHHH"]
    await world.says("Ann", "new")
    await world.service.hear(finish)
    assert world.seats_of("ann") == ["HHHHH"]


async def test_a_leave_that_comes_again_leaves_a_seat_taken_since_alone(world: World) -> None:
    await world.opens("Ann", "Bo")
    room, other = await world.room(), world.process()
    leave, join = world.said("Bo", "leave"), world.said("Bo", "join KTRGW")
    await world.service.hear(leave)
    world.store.meanwhile["p:web:x:bo"] = [None, lambda: other.hear(join)]
    await deliver(world.service, leave)
    await deliver(world.service, leave)
    assert (await world.person("Bo")).claim is not None
    assert room.id == (await world.room()).id


async def test_a_join_that_comes_again_takes_no_seat_in_the_next_room_of_the_group(
    world: World,
) -> None:
    await world.opens("Ann", place=GROUP)
    join = world.said("Bo", "/join", place=GROUP)
    await world.service.hear(join)
    await world.says("Ann", "finish")
    world.chance.codes = ["HHHHH"]
    await world.says("Ann", "/new", place=GROUP)
    await world.service.hear(join)
    assert world.seats_of("bo") == []


async def dies() -> None:
    raise Died


async def test_a_join_that_crosses_another_is_routed_anew(world: World) -> None:
    await world.opens("Ann")
    world.chance.codes = ["HHHHH"]
    await world.opens("Cy")
    join, first = world.said("Bo", "join HHHHH"), world.said("Bo", "join KTRGW")
    other = world.process()
    world.store.meanwhile["p:web:x:bo"] = [None, lambda: other.hear(first)]
    with pytest.raises(Busy):
        await world.service.hear(join)
    await world.service.hear(join)
    assert world.seats_of("bo") == ["KTRGW"]


async def test_a_join_waits_for_one_that_is_on_its_way(world: World) -> None:
    await world.opens("Ann")
    room = await world.room()
    first, second = world.said("Bo", "join KTRGW"), world.said("Bo", "join KTRGW")
    world.store.meanwhile[f"r:{room.id}"] = [None, dies]
    with pytest.raises(Died):
        await world.service.hear(first)
    with pytest.raises(Busy):
        await world.service.hear(second)
    await world.service.hear(first)
    await world.service.hear(second)
    assert [one.name for one in (await world.room()).people] == ["Ann", "Bo"]


async def test_what_the_room_that_is_left_has_heard_meanwhile_is_not_heard_at_the_desk_too(
    world: World,
) -> None:
    await world.opens("Ann", "Bo")
    await world.says("Ann", "finish")
    room = await world.room()
    event, key = world.said("Bo", "new"), f"r:{room.id}"

    async def hears_a_copy() -> None:
        there = await MemoryStore.load(world.store, key)
        assert there.blob
        await MemoryStore.commit(
            world.store,
            Commit(key, there.blob, there.revision, event.event, "copy"),
        )

    world.chance.codes = ["HHHHH"]
    world.store.meanwhile[key] = [None, None, None, hears_a_copy]
    with pytest.raises(Busy):
        await world.service.hear(event)
    assert world.seats_of("bo") == []


# --- whoever guesses, and machines ---------------------------------------------------------------


class Guarded(World):
    """Parlour where guesses are counted."""

    def process(self) -> Service:
        counters = MemoryCounters(lambda: self.now_ms)
        return Service(
            self.store, self.store, self.store, self.chance, HOUSE, text.load(), counters=counters
        )

    async def told(self, who: str, typed: str, *, texting: bool = False) -> int:
        """How many letters come of it."""
        await self.service.hear(self.said(who, typed, texting=texting))
        count = 0
        while parcels := (await self.store.ready())[0]:
            for parcel in parcels:
                count += bool(parcel.letter.short)
                await self.store.done(parcel)
        return count


async def test_whoever_guesses_at_codes_is_answered_five_times_and_then_not_even_let_in() -> None:
    world = Guarded()
    await world.told("Ann", "NEW")
    assert [await world.told("Eve", "JOIN CFGHJ") for _ in range(7)] == [1] * 5 + [0, 0]
    assert await world.told("Eve", "JOIN KTRGW") == 0
    assert await world.told("Bo", "JOIN KTRGW") > 0
    world.now_ms += 11 * 60_000
    assert await world.told("Eve", "JOIN KTRGW") > 0


async def test_a_machine_that_answers_every_text_is_soon_left_alone() -> None:
    world = Guarded()
    told = [await world.told("Robot", "I am out of office.", texting=True) for _ in range(8)]
    assert told == [1] * 5 + [0] * 3
    assert await world.told("Robot", "NEW", texting=True) == 1
