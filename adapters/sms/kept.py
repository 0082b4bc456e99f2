"""Texts are kept under seal while they may fail for a moment's reason, to be sent once more."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from adapters.platform import Shared
from core.delivery import Letter


class Kept:
    """Texts that were accepted, for as long as the network tries to deliver them."""

    def __init__(self, shared: Shared) -> None:
        """Kept in the directory, under `kept:`, by the texts' own ids."""
        self._book, self._directory = shared.book, shared.directory

    async def keep(self, letter: Letter, text_id: str, body: str, keep_ms: int) -> None:
        """Keep one text of a letter, unless it is itself sent for the second time."""
        if letter.again:
            return
        text = replace(
            letter, text="", short=body, names={}, score_card=None, ring=None, again=True
        )
        sealed = self._book.seal(msgspec.json.encode(text).decode())
        name = f"kept:{text_id}"
        old = await self._directory.get(name)
        await self._directory.put(name, sealed, instead_of=old, keep_ms=keep_ms)

    async def get(self, text_id: str) -> Letter | None:
        """The text as a letter of its own."""
        sealed = await self._directory.get(f"kept:{text_id}")
        opened = self._book.unseal(sealed) if sealed else None
        return msgspec.json.decode(opened, type=Letter) if opened else None
