"""Letters to Twilio over real HTTP, and everything that can go wrong on the way."""
# pyright: reportMissingTypeStubs=false

import asyncio
import logging
import socket
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace
from twilio.base.exceptions import TwilioException, TwilioServiceException

from adapters.platform import Shared
from adapters.sms.allowance import SPREAD_MS
from adapters.sms.bill import Bill
from adapters.sms.client import SmsMessenger, connected, fate_after
from adapters.sms.settings import Price, SmsSettings
from adapters.vault import AddressBook
from core.ports import Dropped, Fate, Gone, Later, Sent, Unknown
from tests.adapters.sms.ours import (
    ACCOUNT,
    BO,
    LETTER_ID,
    NUMBER,
    SETTINGS,
    TOKEN,
    Names,
    a_book,
    a_letter,
    a_shared,
)
from tests.fakes.twilio import FakeTwilio

RULES = "\n".join(f"{n} a line of the rules, as long as such lines may be." for n in range(20))


@pytest.fixture
async def twilio() -> AsyncGenerator[FakeTwilio]:
    async with FakeTwilio(account_sid=ACCOUNT, auth_token=TOKEN, number=NUMBER) as fake:
        yield fake
        assert fake.violations == []


@pytest.fixture
def shared() -> Shared:
    return a_shared()


@pytest.fixture
def book(shared: Shared) -> AddressBook:
    return shared.book


@asynccontextmanager
async def a_messenger(
    url: str,
    shared: Shared,
    settle_ms: int = 0,
    late_ms: int = 10_000,
    timeout_seconds: float = 10,
) -> AsyncGenerator[SmsMessenger]:
    settings = replace(SETTINGS, api_url=url, timeout_seconds=timeout_seconds)
    async with connected(settings) as client:
        yield SmsMessenger(settings, shared, client, settle_ms, late_ms)


@pytest.fixture
async def sms(twilio: FakeTwilio, shared: Shared) -> AsyncGenerator[SmsMessenger]:
    async with a_messenger(twilio.base_url, shared) as messenger:
        yield messenger


def now_ms() -> int:
    return int(time.time() * 1_000)


# --- Sending -------------------------------------------------------------------------------------


async def test_a_letter_reaches_the_phone(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    fate = await sms.send(await a_letter(book, "Your clue’s noted."), LETTER_ID, "")
    (text,) = twilio.phone(BO).inbox
    assert fate == Sent(text.sid)
    assert (text.body, text.sender) == ("Your clue's noted.", NUMBER)
    assert text.status_callback == "https://parlour.example/sms/status/r%3Aabc123.7.0%3A0/abc123/s2"
    assert twilio.calls[0].params["ValidityPeriod"] == "14400"


async def test_every_text_is_on_the_bill_of_its_room_once(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook, shared: Shared
) -> None:
    letter, bill = await a_letter(book, RULES), Bill(shared.counters)
    twilio.trouble(after=True, drop=True)
    tried_ms, short = now_ms(), await a_letter(book, "Your clue?")
    assert await sms.send(short, "r:abc123.6.0", "") == Unknown()
    assert (await bill.cost("abc123", "KTRGW", Price())).texts == 0
    assert isinstance(await sms.fate(short, "r:abc123.6.0", tried_ms), Sent)
    await sms.send(letter, LETTER_ID, "")
    await sms.fate(letter, LETTER_ID, tried_ms)
    cost = await bill.cost("abc123", "KTRGW", Price(0.01))
    assert cost.texts == len(twilio.texts) == 4
    assert cost.segments == sum(text.segments for text in twilio.texts)
    assert cost.cost == f"{cost.segments / 100:.4f}"


async def test_a_letter_from_the_desk_names_no_room(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    letter = replace(await a_letter(book, "Hello."), room="", seat="")
    await sms.send(letter, "p:x.1.0", "")
    assert twilio.texts[0].status_callback == "https://parlour.example/sms/status/p%3Ax.1.0%3A0"


@pytest.mark.parametrize(("left_ms", "least", "most"), [(60_000, 55, 60), (-1, 10, 10)])
async def test_a_text_is_worth_no_more_than_its_letter(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook, left_ms: int, least: int, most: int
) -> None:
    letter = replace(await a_letter(book, "Hurry."), until_ms=now_ms() + left_ms)
    await sms.send(letter, LETTER_ID, "")
    assert least <= int(twilio.calls[0].params["ValidityPeriod"]) <= most


async def test_a_long_letter_is_several_texts_in_order(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    fate = await sms.send(await a_letter(book, RULES), LETTER_ID, "")
    assert [text.body[:5] for text in twilio.phone(BO).inbox] == ["(1/3)", "(2/3)", "(3/3)"]
    assert fate == Sent(twilio.texts[-1].sid)


async def test_what_says_nothing_is_not_sent(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    letter = await a_letter(book, "")
    assert await sms.send(letter, LETTER_ID, "") == Dropped("nothing worth a text")
    assert isinstance(await sms.fate(letter, LETTER_ID, 0), Dropped)
    assert twilio.calls == []


async def test_an_address_sealed_with_another_secret_is_dropped(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    letter = replace(await a_letter(book, "Hello."), to="sms:x:unknown")
    assert isinstance(await sms.send(letter, LETTER_ID, ""), Dropped)
    assert isinstance(await sms.fate(letter, LETTER_ID, 0), Dropped)
    assert twilio.calls == []


async def test_nothing_is_sent_to_whoever_said_stop(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    letter = await a_letter(book, "Hello.")
    await book.suppress(letter.to)
    assert await sms.send(letter, LETTER_ID, "") == Gone()
    assert twilio.calls == []
    await book.unsuppress(letter.to)
    assert isinstance(await sms.send(letter, LETTER_ID, ""), Sent)


async def test_a_stop_outlives_everything_but_a_start() -> None:
    names = Names()
    await a_book(names).suppress("sms:x:y")
    assert names.kept == {"stopped:sms:x:y": "stopped"}
    assert await a_book(names).suppressed("sms:x:y")
    await a_book(names).unsuppress("sms:x:y")
    await a_book(names).unsuppress("sms:x:z")
    assert names.kept == {"stopped:sms:x:y": ""}


# --- Refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "stopped"),
    [
        ("+15005550001", False),
        ("+15005550002", False),
        ("+15005550003", False),
        ("+15005550004", True),
        ("+15005550009", False),
    ],
)
async def test_a_number_that_takes_no_texts_is_gone(
    sms: SmsMessenger, book: AddressBook, number: str, *, stopped: bool
) -> None:
    letter = await a_letter(book, "Hello.", number)
    assert await sms.send(letter, LETTER_ID, "") == Gone()
    assert await book.suppressed(letter.to) is stopped


@pytest.mark.parametrize(
    ("status", "code", "fate"),
    [
        (429, 20429, Later(5_000)),
        (400, 21611, Later(60_000)),
        (429, 88888, Later(5_000)),
        (400, 21617, Dropped("twilio 21617")),
        (401, 20003, Dropped("twilio 20003")),
        (500, 20500, Unknown()),
        (503, 20503, Unknown()),
    ],
)
async def test_a_refusal_is_told_from_an_unknown_outcome(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook, status: int, code: int, fate: Fate
) -> None:
    twilio.trouble(status=status, code=code)
    got = await sms.send(await a_letter(book, "Hello."), LETTER_ID, "")
    if isinstance(fate, Later):
        assert isinstance(got, Later)
        assert fate.delay_ms <= got.delay_ms < fate.delay_ms + SPREAD_MS
    else:
        assert got == fate
    assert len(twilio.calls) == 1


async def test_a_dropped_connection_is_unknown_and_never_tried_again(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    twilio.trouble(drop=True, times=9)
    assert await sms.send(await a_letter(book, "Hello."), LETTER_ID, "") == Unknown()
    assert len(twilio.calls) == 1


async def test_a_slow_answer_is_unknown(
    twilio: FakeTwilio, shared: Shared, book: AddressBook
) -> None:
    answer = asyncio.Event()
    twilio.trouble(status=200, hold=answer)
    async with a_messenger(twilio.base_url, shared, timeout_seconds=0.5) as sms:
        assert await sms.send(await a_letter(book, "Hello."), LETTER_ID, "") == Unknown()
    answer.set()
    await twilio.until(lambda: twilio.calls)


async def test_without_a_connection_it_is_tried_later(shared: Shared, book: AddressBook) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    async with a_messenger(url, shared) as sms:
        fate = await sms.send(await a_letter(book, "Hello."), LETTER_ID, "")
    assert isinstance(fate, Later)
    assert 2_000 <= fate.delay_ms < 2_000 + SPREAD_MS


def test_the_other_exceptions_have_a_fate_too() -> None:
    problem = TwilioServiceException("about:blank", "Opted out", 400, 21610)
    assert fate_after(problem) == Gone()
    assert fate_after(TwilioException("odd")) == Unknown()
    assert fate_after(ValueError("no JSON")) == Unknown()


# --- Letters of several texts --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "code", "fate"),
    [
        (429, 20429, Dropped("partly sent")),
        (500, 20500, Unknown()),
        (400, 21610, Gone()),
    ],
)
async def test_a_letter_cut_short_is_not_begun_again(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook, status: int, code: int, fate: Fate
) -> None:
    twilio.trouble(status=200)
    twilio.trouble(status=status, code=code)
    before, letter = now_ms(), await a_letter(book, RULES)
    assert await sms.send(letter, LETTER_ID, "") == fate
    assert await sms.fate(letter, LETTER_ID, before) == Dropped("partly sent")
    assert len(twilio.texts) == 1


async def test_a_letter_is_sent_when_its_last_text_is(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    before, letter = now_ms(), await a_letter(book, RULES)
    await sms.send(letter, LETTER_ID, "")
    assert await sms.fate(letter, LETTER_ID, before) == Sent(twilio.texts[-1].sid)


# --- Unknown outcomes ----------------------------------------------------------------------------


async def test_a_text_whose_answer_was_lost_is_found_and_not_sent_twice(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    twilio.trouble(after=True, drop=True)
    before, letter = now_ms(), await a_letter(book, "Your clue?")
    assert await sms.send(letter, LETTER_ID, "") == Unknown()
    assert await sms.fate(letter, LETTER_ID, before) == Sent(twilio.texts[0].sid)
    assert len(twilio.phone(BO).inbox) == 1


async def test_a_text_is_found_though_twilios_clock_is_behind(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    twilio.trouble(after=True, drop=True)
    letter = await a_letter(book, "Your clue?")
    assert await sms.send(letter, LETTER_ID, "") == Unknown()
    ahead_ms = now_ms() + 10_000
    assert await sms.fate(letter, LETTER_ID, ahead_ms) == Sent(twilio.texts[0].sid)


async def test_a_text_whose_sender_was_stopped_is_not_begun_but_asked_after(
    twilio: FakeTwilio, shared: Shared, book: AddressBook
) -> None:
    """By then its lease may be over, and another process may have sent it."""
    async with a_messenger(twilio.base_url, shared, late_ms=-1) as stopped:
        letter = await a_letter(book, "Your clue?")
        assert await stopped.send(letter, LETTER_ID, "") == Unknown()
    assert twilio.texts == []


async def test_a_text_that_never_went_out_may_go_now(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook
) -> None:
    await sms.send(await a_letter(book, "Another text."), LETTER_ID, "")
    await sms.send(await a_letter(book, "Your clue?", "+12025550143"), LETTER_ID, "")
    twilio.trouble()
    before, letter = now_ms(), await a_letter(book, "Your clue?")
    assert await sms.send(letter, LETTER_ID, "") == Unknown()
    assert await sms.fate(letter, LETTER_ID, before) == Later(0)


async def test_the_same_words_sent_long_ago_are_another_text(
    twilio: FakeTwilio, sms: SmsMessenger, shared: Shared, book: AddressBook
) -> None:
    letter = await a_letter(book, "Your clue?")
    await sms.send(letter, LETTER_ID, "")
    twilio.trouble()
    tried_ms = now_ms() + 120_000
    assert await sms.send(letter, LETTER_ID, "") == Unknown()
    async with a_messenger(twilio.base_url, shared, settle_ms=-180_000) as late:
        assert await late.fate(letter, LETTER_ID, tried_ms) == Later(0)


async def test_a_text_tried_just_now_may_still_be_under_way(
    twilio: FakeTwilio, shared: Shared, book: AddressBook
) -> None:
    async with a_messenger(twilio.base_url, shared, settle_ms=15_000) as sms:
        letter = await a_letter(book, "Your clue?")
        assert await sms.fate(letter, LETTER_ID, now_ms()) == Unknown()
        assert await sms.fate(letter, LETTER_ID, now_ms() - 16_000) == Later(0)


async def test_without_a_listing_nothing_is_known(shared: Shared, book: AddressBook) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    async with a_messenger(url, shared) as sms:
        assert await sms.fate(await a_letter(book, "Your clue?"), LETTER_ID, 0) == Unknown()


# --- What stays inside ---------------------------------------------------------------------------


async def test_no_number_and_no_text_gets_into_the_log(
    twilio: FakeTwilio, sms: SmsMessenger, book: AddressBook, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    refused = await sms.send(await a_letter(book, "MARMOT", "+15005550009"), LETTER_ID, "")
    twilio.trouble(status=400, code=21617, message=f"{BO} can't have MARMOT")
    dropped = await sms.send(await a_letter(book, "MARMOT"), LETTER_ID, "")
    await sms.fate(await a_letter(book, "MARMOT"), LETTER_ID, 0)
    ours = [record for record in caplog.records if not record.name.startswith("uvicorn")]
    seen = f"{refused} {dropped} {[record.getMessage() for record in ours]}"
    assert "5550" not in seen
    assert "MARMOT" not in seen


async def test_the_environment_of_the_process_changes_no_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TWILIO_EDGE", "sydney")
    monkeypatch.setenv("TWILIO_REGION", "au1")
    settings: SmsSettings = SETTINGS
    async with connected(settings) as client:
        assert client.get_hostname("https://api.twilio.com/x") == "https://api.twilio.com/x"
