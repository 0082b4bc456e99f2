"""What the tests of SMS share: an account, a number, an address book, a letter."""

import time
from collections.abc import Callable

from adapters.memory.counters import MemoryCounters
from adapters.memory.store import MemoryStore
from adapters.platform import Shared
from adapters.sms.consent import Consents
from adapters.sms.settings import SmsSettings
from adapters.vault import AddressBook, Vault
from core.delivery import Letter

ACCOUNT, TOKEN = "AC" + "0123456789abcdef" * 2, "a-token-of-the-tests"
NUMBER, BO = "+12025550100", "+12025550142"
PUBLIC = "https://parlour.example"
SETTINGS = SmsSettings(ACCOUNT, TOKEN, NUMBER, PUBLIC, segments_per_second=1_000)
LETTER_ID = "r:abc123.7.0"


class Names:
    """A directory that is a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    async def get(self, name: str) -> str | None:
        return self.kept.get(name)

    async def put(self, name: str, value: str, *, instead_of: str | None, keep_ms: int) -> bool:
        assert keep_ms > 0
        if self.kept.get(name) != instead_of:
            return False
        self.kept[name] = value
        return True

    async def drop(self, name: str) -> None:
        self.kept.pop(name, None)


def a_book(names: Names | None = None) -> AddressBook:
    return AddressBook(Vault(b"s" * 32), names or Names())


def a_shared(clock: Callable[[], int] = lambda: 1_000_000) -> Shared:
    names = MemoryStore(clock)
    return Shared(AddressBook(Vault(b"s" * 32), names), names, MemoryCounters(clock))


async def a_letter(book: AddressBook, short: str, number: str = BO) -> Letter:
    """A letter to a phone that has texted us, about its seat in a room."""
    to = await book.address(SETTINGS.bot, number)
    await Consents(book._directory).heard(to, "JOIN KTRGW", round(time.time() * 1_000))
    return Letter(to=to, text="the long form", short=short, room="abc123", seat="s2")
