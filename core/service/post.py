"""One letter out: sent, or found out that it can't be, or asked after."""

from __future__ import annotations

import logging

from core.ports import Dropped, Fate, Gone, Later, Messenger, Outbox, Parcel, Sent, Unknown
from core.service.ledger import Ledger

RETRY_MS = 1_000
log = logging.getLogger("parlour")


class Post:
    """Brings letters to their destinations, by whatever messenger is theirs."""

    def __init__(self, outbox: Outbox, ledger: Ledger) -> None:
        """Letters of `outbox`; what reaches nobody is told to `ledger`."""
        self._outbox, self._ledger = outbox, ledger

    async def send(self, parcel: Parcel, messenger: Messenger, now_ms: int) -> None:
        """Bring one letter to its destination, or find out that it can't be brought."""
        letter = parcel.letter
        if parcel.stale or (letter.until_ms is not None and letter.until_ms < now_ms):
            return await self._outbox.done(parcel)
        if messenger.at_most_once:
            if parcel.tried_ms is not None:
                fate = await messenger.fate(letter, parcel.id, parcel.tried_ms)
                if not isinstance(fate, Later):
                    return await self._settle(parcel, fate, messenger)
            if not await self._outbox.mark(parcel):
                return None
        fate = await messenger.send(letter, parcel.id, parcel.ref)
        return await self._settle(parcel, fate, messenger)

    async def _settle(self, parcel: Parcel, fate: Fate, messenger: Messenger) -> None:
        match fate:
            case Sent(ref):
                await self._outbox.done(parcel, ref)
            case Gone():
                if parcel.letter.room and parcel.letter.seat:
                    event = f"gone:{parcel.id}"
                    await self._ledger.unreached(parcel.letter.room, parcel.letter.seat, event)
                await self._outbox.done(parcel)
            case Later(delay_ms):
                await self._outbox.later(parcel, delay_ms)
            case Dropped(reason):
                log.warning("letter %s dropped: %s", parcel.id, reason)
                await self._outbox.done(parcel)
            case Unknown() if messenger.at_most_once:
                pass  # its lease runs out, and its fate is asked after again
            case Unknown():
                await self._outbox.later(parcel, RETRY_MS)
        self._ledger.ring()
