"""Telegram's ids as opaque addresses and back, across a group's move to a new id.

A group that becomes a supergroup gets a new id. Its room stays under the old address: what is sent
there goes to the new id, and what comes from the new id counts as said at the old address.
"""

from __future__ import annotations

from adapters.vault import AddressBook


class Chats:
    """The chats of one bot, kept in the address book."""

    def __init__(self, book: AddressBook, bot_id: int) -> None:
        """All addresses begin with `telegram:<bot id>`."""
        self._book, self._prefix = book, f"telegram:{bot_id}"

    async def person(self, user_id: int) -> str:
        """The address of a person's private chat, whose id is the person's."""
        return await self._book.address(self._prefix, str(user_id))

    async def place(self, raw: str) -> str:
        """The address of a group, or of a topic in it (`adapters.telegram.read.Heard`)."""
        address = await self._book.address(self._prefix, raw)
        before = await self._book.raw(_before(address))
        return address if before is None else await self._book.address(self._prefix, before)

    async def raw(self, address: str) -> tuple[int, int | None] | None:
        """The chat to send to, and the topic in it if any. None for an address not known."""
        raw = await self._book.raw(address)
        if raw is None:
            return None
        chat_id, _, topic = raw.partition("/")
        return int(chat_id), int(topic) if topic else None

    async def moved(self, old_id: int, new_id: int) -> None:
        """A group has got another id."""
        old = await self._book.address(self._prefix, str(old_id))
        new = await self._book.address(self._prefix, str(new_id))
        await self._book.alias(old, str(new_id))
        await self._book.alias(_before(new), str(old_id))


def _before(address: str) -> str:
    """Where the book keeps what an address's chat was called before."""
    return f"moved:{address}"
