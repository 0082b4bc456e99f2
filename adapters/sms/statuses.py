"""What Twilio told of our texts: out of order, twice, at the same time, or never.

Nothing in a game waits for it. It tells that a text whose create got no answer was taken after all,
and that one which was taken has failed.
"""

from __future__ import annotations

from core.pace import DAY_MS
from core.ports import Directory

KEEP_MS = 2 * DAY_MS
_ORDER = ("accepted", "scheduled", "queued", "sending", "sent", "delivered", "read")
_FAILED = ("canceled", "undelivered", "failed")
_RANKS = {status: rank for rank, status in enumerate(_ORDER)} | dict.fromkeys(_FAILED, len(_ORDER))
# A text of several segments fails as a whole when one of them does, whatever is told of the others.
_ODD = -1


class Statuses:
    """The furthest that each text is known to have got; a failure is final."""

    def __init__(self, directory: Directory) -> None:
        """Kept in `directory`, under `told:`, by the texts' own ids."""
        self._directory = directory

    async def sid(self, text_id: str) -> str | None:
        """Twilio's id of a text it has told something of, whatever that was."""
        kept = await self._directory.get(f"told:{text_id}")
        return kept.partition(" ")[2] if kept else None

    async def is_news(self, text_id: str, status: str) -> bool:
        """Whether a status is further than what was noted of the text."""
        return _is_further(status, await self._directory.get(f"told:{text_id}"))

    async def note(self, text_id: str, status: str, sid: str) -> None:
        """Note a status that has been dealt with, unless it is no news by now."""
        name, noted = f"told:{text_id}", False
        while not noted:
            old = await self._directory.get(name)
            noted = not _is_further(status, old) or await self._directory.put(
                name, f"{status} {sid}", instead_of=old, keep_ms=KEEP_MS
            )


def _is_further(status: str, kept: str | None) -> bool:
    known = _RANKS.get(kept.partition(" ")[0], _ODD) if kept else _ODD - 1
    return _RANKS.get(status, _ODD) > known
