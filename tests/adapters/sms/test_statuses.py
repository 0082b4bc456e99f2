"""What is told of our texts: in any order, twice, before the create is answered, or never."""

import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from starlette.applications import Starlette

from adapters.entropy import SeededEntropy
from adapters.memory.counters import MemoryCounters
from adapters.memory.store import MemoryStore
from adapters.platform import Shared
from adapters.sms.client import SmsMessenger, connected
from adapters.sms.statuses import Statuses
from adapters.sms.webhook import Webhook
from adapters.vault import AddressBook, Vault
from adapters.worker import Worker
from core import text
from core.ports import Sent, Unknown
from core.service import Service
from core.table import House
from tests.adapters.sms.ours import (
    ACCOUNT,
    BO,
    LETTER_ID,
    NUMBER,
    PUBLIC,
    SETTINGS,
    TOKEN,
    a_letter,
    a_shared,
)
from tests.adapters.sms.test_client import a_messenger, now_ms
from tests.adapters.sms.test_webhook import Post, serving
from tests.fakes.twilio import FakeTwilio

STEPS = ("accepted", "scheduled", "queued", "sending", "sent", "delivered")
PATH = "/sms/status/r%3Aabc123.7.0%3A0/abc123/s2"


# --- What is told first, last, and twice ----------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "furthest"),
    [
        (STEPS, "delivered"),
        (STEPS[::-1], "delivered"),
        (("delivered", "undelivered"), "undelivered"),
        (("undelivered", "delivered"), "undelivered"),
        (("failed", "sent", "failed"), "failed"),
        (("canceled", "delivered"), "canceled"),
        (("sent", "odd"), "sent"),
        (("odd", "sent"), "sent"),
    ],
)
async def test_the_worst_that_was_told_stays(told: tuple[str, ...], furthest: str) -> None:
    directory = a_shared().directory
    statuses = Statuses(directory)
    for status in told:
        await statuses.note("x:0", status, "SM1")
    assert await directory.get("told:x:0") == f"{furthest} SM1"
    assert not await statuses.is_news("x:0", furthest)


@given(st.permutations(["queued", "sent", "delivered", "undelivered", "undelivered", "sent"]))
async def test_a_failure_is_dealt_with_once_wherever_it_comes(told: list[str]) -> None:
    post = Post()
    for status in told:
        code = "30005" if status == "undelivered" else ""
        assert (await post.tells(status, code)).status_code == 204
    assert len(post.service.lost) == 1


async def test_what_could_not_be_done_is_done_when_it_is_told_again() -> None:
    """It is noted after what follows from it, or a death in between would lose that."""
    post = Post()
    post.service.failure = RuntimeError("killed")
    with pytest.raises(RuntimeError, match="killed"):
        await post.tells("undelivered", "30005")
    post.service.failure = None
    await post.tells("undelivered", "30005")
    assert len(post.service.lost) == 1


# --- A create without an answer -------------------------------------------------------------------


async def test_what_was_told_settles_a_create_without_an_answer() -> None:
    post = Post()
    async with FakeTwilio(account_sid=ACCOUNT, auth_token=TOKEN, number=NUMBER) as twilio:
        async with a_messenger(twilio.base_url, post.shared) as sms:
            twilio.trouble(after=True, drop=True)
            tried_ms, letter = now_ms(), await a_letter(post.book, "Your clue?")
            assert await sms.send(letter, LETTER_ID, "") == Unknown()
            (text,) = twilio.texts
            await post.tells("sent", path=PATH, sid=text.sid)
            assert await sms.fate(letter, LETTER_ID, tried_ms) == Sent(text.sid)
        assert [call.method for call in twilio.calls] == ["POST"]  # nothing had to be listed


async def test_what_was_told_of_the_first_text_says_nothing_of_the_last() -> None:
    post = Post()
    async with (
        FakeTwilio(account_sid=ACCOUNT, auth_token=TOKEN, number=NUMBER) as twilio,
        a_messenger(twilio.base_url, post.shared, settle_ms=60_000) as sms,
    ):
        letter = await a_letter(post.book, "\n".join(f"{n} a line of it." for n in range(60)))
        await post.tells("sent", path=PATH)
        assert await sms.fate(letter, LETTER_ID, now_ms()) == Unknown()


# --- Once more ------------------------------------------------------------------------------------


@dataclass
class World:
    """Parlour with its worker, and Twilio with its phones."""

    twilio: FakeTwilio
    worker: Worker
    store: MemoryStore
    sms: SmsMessenger

    async def settles(self) -> None:
        await self.worker.emptied()


@asynccontextmanager
async def the_world() -> AsyncGenerator[World]:
    store = MemoryStore(now_ms)
    shared = Shared(AddressBook(Vault(b"s" * 32), store), store, MemoryCounters(now_ms))
    service = Service(store, store, store, SeededEntropy("town"), House(), text.load())
    async with FakeTwilio(account_sid=ACCOUNT, auth_token=TOKEN, number=NUMBER) as twilio:
        settings = replace(SETTINGS, api_url=twilio.base_url, segments_per_second=1_000)
        app = Starlette(routes=Webhook(settings, shared, service).routes())
        async with connected(settings) as client, serving(app) as url:
            twilio.deliver_to(f"{PUBLIC}/sms", send_to=f"{url}/sms")
            sms = SmsMessenger(settings, shared, client, settle_ms=0, late_ms=10_000)
            worker = Worker(service, store, {"sms": sms})
            yield World(twilio, worker, store, sms)
        assert twilio.violations == []


async def test_a_text_that_was_lost_for_a_moment_is_sent_once_more_and_never_a_third_time() -> None:
    async with the_world() as world:
        bo = world.twilio.phone(BO)
        await bo.texts("NEW")
        await world.settles()
        (first,) = bo.inbox
        for _ in range(2):
            await world.twilio.callback(first, "undelivered", 30003)
            await world.settles()
        first, second = bo.inbox
        assert first.body == second.body
        await world.twilio.callback(second, "undelivered", 30003)
        await world.twilio.callback(second, "failed", 30008)
        await world.settles()
        assert len(bo.inbox) == 2


async def test_a_text_that_failed_for_good_is_not_sent_again() -> None:
    async with the_world() as world:
        bo = world.twilio.phone(BO)
        await bo.texts("NEW")
        await world.settles()
        for code in (30007, 30005, 30036):
            await world.twilio.callback(bo.inbox[0], "failed", code)
        await world.settles()
        assert len(bo.inbox) == 1


async def test_who_was_lost_twice_is_still_at_the_table_and_a_dead_number_is_not() -> None:
    async with the_world() as world:
        bo, cy = world.twilio.phone(BO), world.twilio.phone("+12025550143")
        await bo.texts("NEW")
        await world.settles()
        code = bo.inbox[0].body.partition("room: ")[2].split()[0]
        await cy.texts(f"JOIN {code} Cy")
        await world.settles()
        for lost in range(2):
            await world.twilio.callback(cy.inbox[lost], "undelivered", 30003)
            await world.settles()
        assert not any("can't be reached" in one.body for one in bo.inbox)
        await cy.texts("WHO")
        await world.settles()
        await world.twilio.callback(cy.inbox[-1], "failed", 30005)
        await world.settles()
        assert any("can't be reached" in one.body for one in bo.inbox)


async def test_what_is_kept_is_under_seal() -> None:
    async with the_world() as world:
        await world.twilio.phone(BO).texts("NEW")
        await world.settles()
        names = {name: str(kept[0]) for name, kept in world.store._names._kept.items()}
        kept = [value for name, value in names.items() if name.startswith("kept:")]
        words = world.twilio.texts[0].body.split()
        assert len(kept) == 1
        assert not any(word in kept[0] for word in words if len(word) > 6)
        everything = "".join(itertools.chain.from_iterable(names.items()))
        assert BO[1:] not in everything
