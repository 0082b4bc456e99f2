"""The platform, opened on a Telegram that runs in the test itself."""

from collections.abc import AsyncGenerator

import pytest

from adapters.memory.counters import MemoryCounters
from adapters.memory.store import MemoryStore
from adapters.platform import Shared
from adapters.telegram.chats import Chats
from adapters.telegram.client import Telegram, open_telegram
from adapters.telegram.settings import TelegramSettings
from adapters.vault import AddressBook, Vault
from tests.fakes.telegram import FakeTelegram, Group, User


@pytest.fixture
async def telegram() -> AsyncGenerator[FakeTelegram]:
    async with FakeTelegram() as fake:
        yield fake


@pytest.fixture
def settings(telegram: FakeTelegram) -> TelegramSettings:
    return TelegramSettings(telegram.token, "s3cret", telegram.base_url)


@pytest.fixture
def shared() -> Shared:
    names = MemoryStore(lambda: 1_000_000)
    book = AddressBook(Vault(b"x" * 32), names)
    return Shared(book, names, MemoryCounters(lambda: 1_000_000))


@pytest.fixture
def book(shared: Shared) -> AddressBook:
    return shared.book


@pytest.fixture
def chats(book: AddressBook, settings: TelegramSettings) -> Chats:
    return Chats(book, settings.bot_id)


@pytest.fixture
async def platform(settings: TelegramSettings, shared: Shared) -> AsyncGenerator[Telegram]:
    async with open_telegram(settings, shared) as opened:
        yield opened


@pytest.fixture
def ann(telegram: FakeTelegram) -> User:
    user = telegram.user("Ann")
    user.starts()
    return user


@pytest.fixture
async def anns(chats: Chats, ann: User) -> str:
    """The address of her private chat."""
    return await chats.person(ann.user_id)


@pytest.fixture
def pals(telegram: FakeTelegram, ann: User) -> Group:
    return telegram.group("Pals", [ann])


@pytest.fixture
async def place(chats: Chats, pals: Group) -> str:
    return await chats.place(str(pals.chat_id))
