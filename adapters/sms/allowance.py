"""What binds every text, whoever it is for: consent, countries, budgets, and the switch.

Pumping works by texts that come in as well as by invitations: whoever can make us text a number
can make us pay. So nothing goes out past this, and what is used is counted for all processes.
"""

from __future__ import annotations

import logging
import zlib

from adapters.platform import Shared
from adapters.sms import pauses
from adapters.sms.consent import Consents
from adapters.sms.pauses import Pauses
from adapters.sms.settings import SmsSettings, country_of
from core.delivery import Letter
from core.pace import DAY_MS, HOUR_MS
from core.ports import Directory, Dropped, Fate, Gone, Later, Limit

PAIR_TEXTS, PAIR_MS, PAIR_WAIT_MS = 20, 30_000, 10_000
"""Fewer than the 30 texts in 30 seconds to one number after which Twilio fails them (14107)."""
SPREAD_MS = 1_000
"""What waits does not go on all at once."""
_SWITCH = "sms:off"
_OFF_MS = 3_650 * DAY_MS
log = logging.getLogger("parlour")


class Allowance:
    """Says of each text whether it may go."""

    def __init__(self, ours: SmsSettings, shared: Shared) -> None:
        """What is allowed by `ours`, and what of it is used already."""
        self._ours, self._counters, self._directory = ours, shared.counters, shared.directory
        self._consents, self._pauses = Consents(shared.directory), Pauses(shared.directory)

    async def refusal(
        self, letter: Letter, text_id: str, number: str, segments: int, now_ms: int
    ) -> Fate | None:
        """Why a text of so many segments may not go, or None: then it has been counted, once."""
        country = country_of(number)
        if await self._directory.get(_SWITCH) is not None:
            return Dropped("texts are switched off")
        if country not in self._ours.texted or not await self._consents.holds(letter.to, now_ms):
            return Gone()
        paused_ms = max(
            await self._pauses.left_ms(pauses.ALL, now_ms),
            await self._pauses.left_ms(pauses.to(letter.to), now_ms),
        )
        if paused_ms > HOUR_MS:
            return Dropped("texts are stopped for the day")
        if paused_ms:
            return Later(paused_ms + spread_ms(text_id))
        pair = (Limit(f"sms:pair:{letter.to}", PAIR_TEXTS, PAIR_MS),)
        if await self._counters.take(f"pair:{text_id}", pair):
            return Later(PAIR_WAIT_MS)
        budgets = (
            Limit(f"sms:room:{letter.room}", self._ours.room_segments, DAY_MS, segments),
            Limit(f"sms:country:{country}", self._ours.country_segments, DAY_MS, segments),
            Limit("sms:all", self._ours.day_segments, DAY_MS, segments),
        )
        spent = await self._counters.take(f"sms:{text_id}", budgets[not letter.room :])
        if spent is None:
            return None
        log.error("the day's budget of texts is used up: %s", spent)
        return Gone()


def spread_ms(text_id: str) -> int:
    """How much later than others a text goes on that had to wait: up to a second."""
    return zlib.crc32(text_id.encode()) % SPREAD_MS


async def switch_off(directory: Directory) -> None:
    """Send no text any more, from any process, until it is switched on."""
    await directory.put(_SWITCH, "off", instead_of=None, keep_ms=_OFF_MS)


async def switch_on(directory: Directory) -> None:
    """Send texts again, and wait for nothing that all of them were to wait for."""
    await directory.drop(_SWITCH)
    await Pauses(directory).end(pauses.ALL)


async def is_off(directory: Directory) -> bool:
    """Whether texts are switched off."""
    return await directory.get(_SWITCH) is not None
