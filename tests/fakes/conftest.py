"""The stand-ins, each with the real client that talks to it."""
# pyright: reportMissingTypeStubs=false

from collections.abc import AsyncGenerator

import pytest
from telegram import Bot
from twilio.rest import Client

from tests.fakes.telegram import FakeTelegram, User
from tests.fakes.twilio import FakeTwilio
from tests.fakes.twilio_bench import a_client, a_fake


@pytest.fixture
async def telegram() -> AsyncGenerator[FakeTelegram]:
    async with FakeTelegram() as fake:
        yield fake


@pytest.fixture
async def bot(telegram: FakeTelegram) -> AsyncGenerator[Bot]:
    async with Bot(telegram.token, base_url=telegram.base_url) as client:
        yield client


@pytest.fixture
def ann(telegram: FakeTelegram) -> User:
    user = telegram.user("Ann")
    user.starts()
    return user


@pytest.fixture
async def twilio() -> AsyncGenerator[FakeTwilio]:
    async with a_fake() as fake:
        yield fake


@pytest.fixture
async def client(twilio: FakeTwilio) -> AsyncGenerator[Client]:
    async with a_client(twilio) as made:
        yield made
