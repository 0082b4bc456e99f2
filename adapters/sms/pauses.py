"""Texts that wait, in all processes: all of them, those to one address, invitations to a prefix."""

from __future__ import annotations

from adapters.vault import AddressBook
from core.ports import Directory

ALL = "all"
PREFIX_CHARS = 8


def to(address: str) -> str:
    """What is paused when texts to an opaque address are."""
    return f"to:{address}"


def prefix(book: AddressBook, number: str) -> str:
    """What is paused when nobody whose number begins like this one is invited."""
    return f"prefix:{book.opaque(f'prefix:{number[:PREFIX_CHARS]}')}"


class Pauses:
    """What waits, and until when."""

    def __init__(self, directory: Directory) -> None:
        """Kept in `directory`, under `sms:paused:`."""
        self._directory = directory

    async def pause(self, what: str, pause_ms: int, now_ms: int) -> None:
        """Let `what` wait for so long; what waits for longer already is left alone."""
        name = f"sms:paused:{what}"
        old = await self._directory.get(name)
        if old is None or int(old) < now_ms + pause_ms:
            until = str(now_ms + pause_ms)
            # If another process was faster, its pause is as good.
            await self._directory.put(name, until, instead_of=old, keep_ms=pause_ms)

    async def left_ms(self, what: str, now_ms: int) -> int:
        """How much longer `what` waits, in ms; 0 if it doesn't."""
        until = await self._directory.get(f"sms:paused:{what}")
        return max(0, int(until) - now_ms) if until else 0

    async def end(self, what: str) -> None:
        """Let `what` wait no more."""
        await self._directory.drop(f"sms:paused:{what}")
