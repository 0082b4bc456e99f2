"""The loops: what is due is done, and nothing that goes wrong stops them."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest

from adapters import worker as loops
from adapters.entropy import SeededEntropy
from adapters.memory.store import MemoryStore
from adapters.worker import Worker
from core import text
from core.delivery import Letter
from core.ports import Commit, Due, Fate, Later, Parcel, Sent, StoreAway, Unknown
from core.room import Over
from core.service import Busy, Incoming, Service
from core.table import House

PATIENCE_SECONDS = 5


class Shop(MemoryStore):
    """A store in memory that can be told to go away, and takes note of what it was asked."""

    def __init__(self) -> None:
        super().__init__(lambda: int(time.time() * 1_000))
        self.refused = 0

    def _now(self) -> int:
        self.refused += self.away
        return super()._now()


class Post:
    """A messenger that keeps what it is given."""

    at_most_once = False

    def __init__(self) -> None:
        self.sent: defaultdict[str, list[str]] = defaultdict(list)
        self.tries = self.at_once = self.most_at_once = 0
        self.fails: Callable[[Letter], Fate | None] = lambda _: None
        self.gate = asyncio.Event()
        self.gate.set()

    async def send(self, letter: Letter, letter_id: str, ref: str) -> Fate:
        del letter_id, ref
        self.tries += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await self.gate.wait()
            failed = self.fails(letter)
        finally:
            self.at_once -= 1
        if failed is not None:
            return failed
        self.sent[letter.to].append(letter.text)
        return Sent()

    async def fate(self, letter: Letter, letter_id: str, tried_ms: int) -> Fate:
        del letter, letter_id, tried_ms
        return Unknown()


class Office:
    """A store, a service, a messenger, and the worker between them."""

    def __init__(self) -> None:
        self.store, self.post = Shop(), Post()
        self.service = Service(
            self.store, self.store, self.store, SeededEntropy("worker"), House(second_ms=1),
            text.load(),
        )  # fmt: skip
        self.worker = Worker(self.service, self.store, {"test": self.post})

    async def commits(self, *letters: Letter, key: str = "r:one") -> None:
        expected = (await self.store.load(key)).revision
        done = await self.store.commit(Commit(key, b"{}", expected, letters=letters))
        assert done == "committed"
        self.service.rung()

    async def says(self, who: str, words: str, event: str) -> None:
        address = f"test:here:{who}"
        await self.service.hear(Incoming(f"test:here:{event}", "text", address, words, who))

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[None]:
        running = asyncio.create_task(self.worker.run())
        try:
            yield
        finally:
            running.cancel()
            await asyncio.wait([running])


@pytest.fixture
def office(monkeypatch: pytest.MonkeyPatch) -> Office:
    """Sweeps come never, unless a test wants them: what goes out does so by the bell."""
    monkeypatch.setattr(loops, "SWEEP_SECONDS", 3_600.0)
    monkeypatch.setattr(loops, "AWAY_SECONDS", 0.01)
    return Office()


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not true():  # noqa: ASYNC110  (the store has no event for it)
            await asyncio.sleep(0.001)


def letter(to: str, words: str = "hello") -> Letter:
    return Letter(to=f"test:here:{to}", text=words, short=words)


async def test_letters_go_out_at_the_commit_not_at_the_sweep(office: Office) -> None:
    async with office.open():
        await office.commits(letter("ann", "1"), letter("ann", "2"), letter("bo", "3"))
        await until(lambda: len(office.post.sent["test:here:ann"]) == 2)
        assert office.post.sent == {"test:here:ann": ["1", "2"], "test:here:bo": ["3"]}


async def test_what_another_process_left_behind_is_found_by_a_sweep(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loops, "SWEEP_SECONDS", 0.01)
    async with office.open():
        await office.store.commit(Commit("r:one", b"{}", 0, letters=(letter("ann"),)))
        await until(lambda: office.post.sent)


async def test_destinations_are_served_side_by_side_and_each_in_order(office: Office) -> None:
    office.post.gate.clear()
    letters = [letter(f"p{who}", str(at)) for at in range(5) for who in range(30)]
    async with office.open():
        await office.commits(*letters)
        await until(lambda: office.post.at_once == 30)
        office.post.gate.set()
        await until(lambda: sum(map(len, office.post.sent.values())) == 150)
    assert office.post.most_at_once == 30
    assert all(words == ["0", "1", "2", "3", "4"] for words in office.post.sent.values())


async def test_no_more_letters_are_in_hand_than_a_process_can_hold(office: Office) -> None:
    office.post.gate.clear()
    async with office.open():
        await office.commits(*(letter(f"p{who}") for who in range(loops.IN_HAND + 20)))
        await until(lambda: office.post.at_once == loops.IN_HAND)
        office.post.gate.set()
        await until(lambda: len(office.post.sent) == loops.IN_HAND + 20)
    assert office.post.most_at_once == loops.IN_HAND


async def test_a_letter_for_a_platform_that_is_not_here_waits_and_blocks_nobody(
    office: Office,
) -> None:
    stranger = Letter(to="pigeon:coop:ann", text="coo", short="coo")
    async with office.open():
        await office.commits(stranger, letter("ann"))
        await until(lambda: office.post.sent)
        assert dict(office.post.sent) == {"test:here:ann": ["hello"]}
    waiting = [row.letter for row in office.store._letters["pigeon:coop:ann"]]
    assert waiting == [stranger]
    assert office.store._queue["pigeon:coop:ann"] > time.time() * 1_000


async def test_a_letter_for_a_platform_that_is_gone_does_not_wait_for_ever(office: Office) -> None:
    stranger = Letter(to="pigeon:coop:ann", text="coo", short="coo", until_ms=1)
    async with office.open():
        await office.commits(stranger)
        await until(lambda: not office.store._queue)


async def test_a_letter_that_makes_its_messenger_stumble_stops_no_other_and_comes_again(
    office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(loops, "SWEEP_SECONDS", 0.01)
    office.store.send_lease_ms = 50
    stumbled: list[str] = []

    def stumble(one: Letter) -> Fate | None:
        if one.text == "bad" and not stumbled:
            stumbled.append(one.text)
            raise ZeroDivisionError
        return None

    office.post.fails = stumble
    async with office.open():
        await office.commits(letter("ann", "bad"), letter("ann", "next"), letter("bo"))
        await until(lambda: len(office.post.sent["test:here:ann"]) == 2)
    assert office.post.sent == {"test:here:ann": ["bad", "next"], "test:here:bo": ["hello"]}
    assert "r:one.1.0 could not be sent" in caplog.text


async def test_a_letter_put_off_is_tried_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loops, "SWEEP_SECONDS", 0.01)
    office.post.fails = lambda _: Later(20) if office.post.tries < 3 else None
    async with office.open():
        await office.commits(letter("ann"))
        await until(lambda: office.post.sent)
    assert office.post.tries == 3


async def test_a_letter_dropped_as_stale_lets_the_next_one_go_at_once(office: Office) -> None:
    old = Letter(to="test:here:ann", text="old", short="old", until_ms=1)
    async with office.open():
        await office.commits(old, old, letter("ann", "new"))
        await until(lambda: office.post.sent)
    assert office.post.sent == {"test:here:ann": ["new"]}


async def test_both_loops_outlive_a_store_that_goes_away(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    async with office.open():
        office.store.away = True
        office.worker.ring()
        await until(lambda: office.store.refused > 10)
        office.store.away = False
        await office.commits(letter("ann"))
        await until(lambda: office.post.sent)
    assert "the store is away" in caplog.text
    assert "Traceback" not in caplog.text


async def test_a_store_that_goes_away_during_a_send_leaves_the_letter_to_its_lease(
    office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(loops, "SWEEP_SECONDS", 0.01)
    office.store.send_lease_ms = 50
    office.post.gate.clear()
    async with office.open():
        await office.commits(letter("ann"))
        await until(lambda: office.post.at_once)
        office.store.away = True
        office.post.gate.set()
        await until(lambda: "waits for its lease" in caplog.text)
        office.store.away = False
        await until(lambda: office.post.tries == 2)
    assert set(office.post.sent["test:here:ann"]) == {"hello"}


async def test_when_the_worker_is_stopped_the_sends_under_way_are_finished(office: Office) -> None:
    office.post.gate.clear()
    running = asyncio.create_task(office.worker.run())
    await office.commits(letter("ann", "1"), letter("ann", "2"), letter("bo", "3"))
    await until(lambda: office.post.at_once == 2)
    running.cancel()
    await asyncio.sleep(0)
    assert not running.done()
    office.post.gate.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert office.post.sent == {"test:here:ann": ["1"], "test:here:bo": ["3"]}
    (parcel,) = (await office.store.ready())[0]
    assert parcel.letter.text == "2"


async def test_emptied_waits_until_all_that_can_go_has_gone(office: Office) -> None:
    await office.commits(*(letter(who, str(at)) for at in range(3) for who in ("ann", "bo")))
    await office.worker.emptied()
    assert set(office.post.sent) == {"test:here:ann", "test:here:bo"}
    assert all(words == ["0", "1", "2"] for words in office.post.sent.values())


async def test_time_alone_closes_a_room(office: Office) -> None:
    async with office.open():
        await office.says("Ann", "NEW", "1")
        await until(lambda: "Nothing has happened" in str(office.post.sent))
    room = await office.service.room_of("test:here:Ann")
    assert room is not None
    assert isinstance(room.stage, Over)


@pytest.mark.parametrize("error", [Busy("r:one"), StoreAway(), ZeroDivisionError()])
async def test_nothing_that_goes_wrong_at_waking_ends_the_loop(
    office: Office, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    wakes: list[int] = []

    async def due(limit: int = 50) -> Due:
        wakes.append(limit)
        if len(wakes) < 4:
            raise error
        return Due(0, (), None)

    monkeypatch.setattr(office.store, "due", due)
    async with office.open():
        await until(lambda: len(wakes) == 4)


async def test_nothing_that_goes_wrong_at_claiming_ends_the_loop(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready, claims = office.store.ready, list[int]()

    async def stumbling(limit: int = 50) -> tuple[tuple[Parcel, ...], int | None]:
        claims.append(limit)
        if len(claims) < 3:
            raise ZeroDivisionError
        return await ready(limit)

    monkeypatch.setattr(office.store, "ready", stumbling)
    async with office.open():
        await office.commits(letter("ann"))
        await until(lambda: office.post.sent)
