"""Opaque ids, seals, and what a directory holds of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters import vault
from adapters.memory.store import MemoryStore
from adapters.vault import AddressBook, Vault

SECRET, OTHER = bytes(range(32)), bytes(range(1, 33))
NUMBER, DIGITS = "+12025550142", "2025550142"
PREFIX = "sms:one"


class Shelf(MemoryStore):
    """A store in memory whose clock is moved by hand, and whose names can be looked through."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000
        super().__init__(lambda: self.now_ms)

    @property
    def everything(self) -> str:
        return repr(vars(self)) + repr(vars(self._names))


def test_an_opaque_id_is_always_the_same_and_says_nothing() -> None:
    opaque = Vault(SECRET).opaque(NUMBER)
    assert opaque == Vault(SECRET).opaque(NUMBER)
    assert len(opaque) == 26
    assert opaque.isalnum()
    assert opaque == opaque.lower()
    assert opaque != Vault(OTHER).opaque(NUMBER)


@given(st.text(min_size=1), st.text(min_size=1))
def test_two_things_have_two_opaque_ids(one: str, other: str) -> None:
    same = Vault(SECRET).opaque(one) == Vault(SECRET).opaque(other)
    assert same == (one == other)


@given(st.text())
def test_what_is_sealed_comes_out_again(raw: str) -> None:
    assert Vault(SECRET).unseal(Vault(SECRET).seal(raw)) == raw


def test_no_two_seals_look_alike_and_none_shows_what_is_in_it() -> None:
    seals = {Vault(SECRET).seal(NUMBER) for _ in range(20)}
    assert len(seals) == 20
    assert not any(DIGITS in seal for seal in seals)


def test_another_secret_opens_nothing() -> None:
    assert Vault(OTHER).unseal(Vault(SECRET).seal(NUMBER)) is None


async def test_an_address_is_stable_and_differs_from_bot_to_bot() -> None:
    shelf = Shelf()
    book, later = (AddressBook(Vault(SECRET), shelf) for _ in range(2))
    address = await book.address(PREFIX, NUMBER)
    assert address == await book.address(PREFIX, NUMBER) == await later.address(PREFIX, NUMBER)
    assert address.startswith(f"{PREFIX}:")
    other = await book.address("sms:two", NUMBER)
    assert other.rpartition(":")[2] != address.rpartition(":")[2]
    assert await later.raw(address) == await later.raw(other) == NUMBER


async def test_the_raw_number_is_stored_nowhere() -> None:
    shelf = Shelf()
    book = AddressBook(Vault(SECRET), shelf)
    address = await book.address(PREFIX, NUMBER)
    await book.alias("telegram:1:moved", NUMBER)
    await book.suppress(address)
    await book.unsuppress(address)
    assert address in shelf.everything
    assert DIGITS not in shelf.everything
    assert DIGITS not in repr(vars(book))
    assert SECRET.hex() not in shelf.everything


async def test_nobody_knows_an_address_that_was_never_made_or_has_another_seal() -> None:
    shelf = Shelf()
    address = await AddressBook(Vault(SECRET), shelf).address(PREFIX, NUMBER)
    assert await AddressBook(Vault(OTHER), shelf).raw(address) is None
    assert await AddressBook(Vault(SECRET), shelf).raw("sms:one:nobody") is None


async def test_a_seal_that_the_store_lost_is_put_again() -> None:
    shelf = Shelf()
    book = AddressBook(Vault(SECRET), shelf)
    address = await book.address(PREFIX, NUMBER)
    shelf.now_ms += vault.KEEP_MS + 1
    assert await book.raw(address) is None
    assert await book.address(PREFIX, NUMBER) == address
    assert await book.raw(address) == NUMBER


async def test_what_a_process_remembers_of_addresses_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vault, "KNOWN_AT_MOST", 3)
    book = AddressBook(Vault(SECRET), Shelf())
    for number in range(10):
        address = await book.address(PREFIX, str(number))
        assert await book.raw(address) == str(number)
    assert len(book._known) <= 3


async def test_an_address_can_lead_somewhere_else() -> None:
    book = AddressBook(Vault(SECRET), Shelf())
    address = await book.address("telegram:1", "-4001")
    await book.alias(address, "-1004001")
    assert await book.raw(address) == "-1004001"


async def test_whoever_keeps_writing_is_never_forgotten() -> None:
    shelf = Shelf()
    address = await AddressBook(Vault(SECRET), shelf).address(PREFIX, NUMBER)
    for _ in range(3):
        shelf.now_ms += vault.KEEP_MS - 1
        assert await AddressBook(Vault(SECRET), shelf).address(PREFIX, NUMBER) == address
    assert await AddressBook(Vault(SECRET), shelf).raw(address) == NUMBER


async def test_whoever_opted_out_stays_out_until_they_say_so() -> None:
    shelf = Shelf()
    book = AddressBook(Vault(SECRET), shelf)
    address = await book.address(PREFIX, NUMBER)
    assert not await book.suppressed(address)
    await book.unsuppress(address)
    await book.suppress(address)
    await book.suppress(address)
    assert await AddressBook(Vault(SECRET), shelf).suppressed(address)
    await book.unsuppress(address)
    assert not await book.suppressed(address)
    await book.suppress(address)
    assert await book.suppressed(address)


async def test_an_opt_out_outlives_the_person_and_a_new_secret_keeps_it_by_its_address() -> None:
    shelf = Shelf()
    book = AddressBook(Vault(SECRET), shelf)
    address = await book.address(PREFIX, NUMBER)
    await book.suppress(address)
    shelf.now_ms += vault.KEEP_MS + 1
    assert await book.raw(address) is None
    assert await AddressBook(Vault(OTHER), shelf).suppressed(address)


@pytest.mark.parametrize("method", ["suppress", "unsuppress"])
async def test_two_who_change_an_opt_out_at_once_both_finish(method: str) -> None:
    class Racing(Shelf):
        raced = False

        async def get(self, name: str) -> str | None:
            found = await super().get(name)
            if not self.raced:
                self.raced = True
                await AddressBook(Vault(SECRET), self).suppress("a")
            return found

    shelf = Racing()
    book = AddressBook(Vault(SECRET), shelf)
    await getattr(book, method)("a")
    assert await book.suppressed("a")
