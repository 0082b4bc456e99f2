"""From which of our numbers a text goes, and when it is that number's turn.

A phone keeps one thread for each number, so everybody is answered from the one they texted. A
number sends so many segments a second; what is handed to Twilio faster waits there, where nothing
can be taken back and nobody is asked whose turn it is. With a Messaging Service Twilio picks the
number, and keeps to it by itself.
"""

from __future__ import annotations

import math

from msgspec import Struct

from adapters.platform import Shared
from adapters.sms.settings import SmsSettings, country_of, id_of
from core.pace import DAY_MS

KEEP_MS = 400 * DAY_MS


class Sender(Struct, frozen=True):
    """One number of ours, or a service that picks one. `line` is where its texts wait."""

    line: str
    number: str = ""
    service: str = ""


class Senders:
    """All of ours."""

    def __init__(self, ours: SmsSettings, shared: Shared) -> None:
        """Who texted which is kept in the directory, under `sender:`, by opaque address."""
        self._directory, self._counters = shared.directory, shared.counters
        self._by_id = {id_of(number): number for number in ours.numbers}
        self._service = Sender("sms:service", service=ours.service) if ours.service else None
        at_once = len(ours.numbers) if ours.service else 1
        self._segment_ms = 1_000 / (ours.segments_per_second * at_once)

    async def texted(self, address: str, number: str) -> None:
        """Somebody has texted one of our numbers: that is the one they are answered from."""
        mine, name = id_of(number), f"sender:{address}"
        if self._service or len(self._by_id) == 1 or mine not in self._by_id:
            return
        old = await self._directory.get(name)
        if old != mine:
            await self._directory.put(name, mine, instead_of=old, keep_ms=KEEP_MS)

    async def of(self, address: str, number: str) -> Sender:
        """What texts the phone with `number`: as ever, or else from its own country, or the first.

        `address` is its opaque address.
        """
        if self._service:
            return self._service
        known = await self._directory.get(f"sender:{address}") if len(self._by_id) > 1 else None
        country, ours = country_of(number), self._by_id
        near = [mine for mine, one in ours.items() if country_of(one) == country]
        mine = known if known in ours else [*near, *ours][0]
        return Sender(f"sms:from:{mine}", ours[mine])

    async def wait_ms(self, sender: Sender, letter_id: str, segments: int) -> int:
        """How long until it is a letter's turn; asked again, what is left of that."""
        cost_ms = math.ceil(segments * self._segment_ms)
        return await self._counters.book(sender.line, letter_id, cost_ms)

    async def lag_ms(self, texts: int) -> int:
        """How long until so many more texts of one segment are out: on the busiest of our lines."""
        lines = (
            [self._service.line] if self._service else [f"sms:from:{one}" for one in self._by_id]
        )
        backlog_ms = max([await self._counters.backlog_ms(line) for line in lines])
        return backlog_ms + math.ceil(texts * self._segment_ms)
