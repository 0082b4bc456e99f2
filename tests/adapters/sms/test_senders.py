"""From which of our numbers somebody is texted, and when it is their turn."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace
from starlette.applications import Starlette

from adapters.platform import Shared
from adapters.settings import Reader
from adapters.sms.client import SmsMessenger, connected
from adapters.sms.senders import Senders
from adapters.sms.settings import SmsSettings, read_settings
from adapters.sms.webhook import Webhook
from core.ports import Gone, Later, Sent
from tests.adapters.sms.ours import (
    ACCOUNT,
    BO,
    NUMBER,
    PUBLIC,
    SETTINGS,
    TOKEN,
    a_letter,
    a_shared,
)
from tests.adapters.sms.test_webhook import Ears, serving
from tests.fakes.twilio import FakeTwilio

SECOND, CANADIAN = "+12025550101", "+16045550123"
SERVICE = "MG" + "0123456789abcdef" * 2
POOL = replace(SETTINGS, more_numbers=(SECOND, CANADIAN), countries=("US", "CA"))
CY = "+14165550199"


class World:
    """Twilio with several numbers of ours, our way out and our way in."""

    def __init__(
        self, twilio: FakeTwilio, sms: SmsMessenger, shared: Shared, service: Ears
    ) -> None:
        self.twilio, self.sms, self.shared, self.service = twilio, sms, shared, service

    async def sends(self, number: str, letter_id: str = "r:a.1.0") -> object:
        letter = await a_letter(self.shared.book, "Your clue?", number)
        return await self.sms.send(letter, letter_id, "")


@asynccontextmanager
async def a_world(ours: SmsSettings = POOL) -> AsyncGenerator[World]:
    shared, service = a_shared(), Ears()
    async with FakeTwilio(
        account_sid=ACCOUNT, auth_token=TOKEN, number=NUMBER, more_numbers=ours.more_numbers,
        service=ours.service,
    ) as twilio:  # fmt: skip
        settings = replace(ours, api_url=twilio.base_url)
        app = Starlette(routes=Webhook(settings, shared, service).routes())
        async with connected(settings) as client, serving(app) as url:
            twilio.deliver_to(f"{PUBLIC}/sms", send_to=f"{url}/sms")
            sms = SmsMessenger(settings, shared, client, settle_ms=0, late_ms=10_000)
            yield World(twilio, sms, shared, service)
            await twilio.quiet()
        assert twilio.violations == []


async def test_everybody_is_answered_from_the_number_they_texted() -> None:
    async with a_world() as world:
        for number in (SECOND, CANADIAN, SECOND):
            await world.twilio.phone(BO).texts("JOIN KTRGW Bo", to=number)
            await world.sends(BO, f"r:{number}")
    assert [text.sender for text in world.twilio.texts] == [SECOND, CANADIAN, SECOND]


async def test_who_has_texted_none_is_texted_from_their_own_country_or_the_first() -> None:
    async with a_world() as world:
        await world.sends(CY)
        await world.sends(BO)
    assert [text.sender for text in world.twilio.texts] == [CANADIAN, NUMBER]


async def test_none_of_our_numbers_is_talked_to() -> None:
    """Two of ours that talk to each other would never stop."""
    async with a_world() as world:
        for number in (NUMBER, SECOND, CANADIAN):
            await world.twilio.phone(number).texts("hello", to=SECOND)
    assert world.service.heard == []


async def test_a_service_picks_the_number_itself() -> None:
    async with a_world(replace(SETTINGS, service=SERVICE)) as world:
        assert isinstance(await world.sends(BO), Sent)
        assert world.twilio.calls[0].params["MessagingServiceSid"] == SERVICE
        assert "From" not in world.twilio.calls[0].params


@pytest.mark.parametrize("service", ["", SERVICE])
async def test_who_stopped_us_at_twilio_is_not_texted_again_however_we_learn_of_it(
    service: str,
) -> None:
    """A number says so at once, a service by callback only (twilio-python#478)."""
    async with a_world(replace(SETTINGS, service=service)) as world:
        phone = world.twilio.phone(BO)
        phone.opted_out = True
        assert isinstance(await world.sends(BO), Sent if service else Gone)
        await world.twilio.quiet()
        assert await world.shared.book.suppressed(await world.shared.book.address(SETTINGS.bot, BO))
        assert await world.sends(BO, "r:a.2.0") == Gone()
        assert phone.inbox == []


async def test_a_number_sends_so_many_segments_a_second_and_each_letter_has_its_turn() -> None:
    async with a_world(replace(SETTINGS, segments_per_second=0.5)) as world:
        assert isinstance(await world.sends(BO, "r:a.1.0"), Sent)
        assert await world.sends(CY, "r:a.1.1") == Later(2_000)
        assert await world.sends("+12025550144", "r:a.1.2") == Later(4_000)
        assert await world.sends(CY, "r:a.1.1") == Later(2_000)  # it has kept its place
        assert await world.sms.lag_ms(3) == 6_000 + 6_000
        assert len(world.twilio.texts) == 1


async def test_the_numbers_of_a_pool_do_not_wait_for_each_other() -> None:
    slow = replace(POOL, segments_per_second=1)
    async with a_world(slow) as world:
        assert isinstance(await world.sends(BO, "r:a.1.0"), Sent)
        assert isinstance(await world.sends(CY, "r:a.1.1"), Sent)
        assert await world.sends("+12025550144", "r:a.1.2") == Later(1_000)


async def test_a_service_is_as_fast_as_all_its_numbers() -> None:
    shared = a_shared()
    senders = Senders(replace(POOL, service=SERVICE, segments_per_second=1), shared)
    assert await senders.lag_ms(3) == 1_000


def _read(environ: Mapping[str, str]) -> tuple[SmsSettings | None, list[str]]:
    needed = {
        "TWILIO_ACCOUNT_SID": ACCOUNT, "TWILIO_AUTH_TOKEN": TOKEN, "PUBLIC_URL": PUBLIC,
        "TWILIO_NUMBER": NUMBER,
    }  # fmt: skip
    reader = Reader({**needed, **environ})
    return read_settings(reader), list(reader.faulty)


def test_several_numbers_are_named_with_commas_and_the_first_names_us() -> None:
    ours, faulty = _read({"TWILIO_NUMBER": f" +1 (202) 555-0100, {SECOND},{CANADIAN},{SECOND}"})
    assert not faulty
    assert ours is not None
    assert ours.numbers == (NUMBER, SECOND, CANADIAN)
    assert ours.bot == SETTINGS.bot
    assert ours.texted == {"US", "CA"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TWILIO_NUMBER", f"{NUMBER},2025550101"),
        ("TWILIO_MESSAGING_SERVICE_SID", "AC0123"),
        ("SMS_SEGMENTS_PER_SECOND", "fast"),
    ],
)
def test_what_is_no_number_or_service_is_named(name: str, value: str) -> None:
    assert _read({name: value})[1] == [name]
