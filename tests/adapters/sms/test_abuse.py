"""Invitations as a bully would send them: no cap is broken, and nobody who stopped us is texted."""

import logging
from collections import Counter, defaultdict
from random import Random

import pytest

from adapters.sms.hours import is_day
from adapters.sms.invites import (
    ALL_A_DAY,
    HOST_A_DAY,
    HOST_AN_HOUR,
    PERSON_A_DAY,
    PERSON_A_MONTH,
    PREFIX_A_DAY,
    SENT_WITHIN_MS,
)
from core.service import Incoming
from tests.adapters.sms.test_inviting import Town

HOSTS, NUMBERS, INVITATIONS = 50, 2_000, 10_000
HOUR_MS, DAY_MS = 3_600_000, 86_400_000
STEP_MS = 40_000
STOPS = 0.02


def most_within(times_ms: list[int], window_ms: int) -> int:
    """The most that lie within any window."""
    times, first, most = sorted(times_ms), 0, 0
    for at, time_ms in enumerate(times):
        while time_ms - times[first] >= window_ms:
            first += 1
        most = max(most, at - first + 1)
    return most


class Bullies:
    """Fifty hosts who invite whom they like, while others stop us."""

    def __init__(self) -> None:
        self.town, self._dice = Town(), Random(6)
        self._hosts = [f"Host{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(HOSTS)]
        areas = (212, 415, 604, 305)
        self.numbers = [f"+1{area}555{n:04}" for area in areas for n in range(100, 600)]
        self.sent: list[tuple[int, str, str]] = []
        self.told: Counter[str] = Counter()
        self._at: dict[str, str] = {}
        self._stopped: set[str] = set()

    async def run(self) -> None:
        for number in self.numbers:
            self._at[await self.town.at(number)] = number
        for n in range(INVITATIONS):
            self.town.now_ms += self._dice.randrange(2 * STEP_MS)
            await self._invite(self._dice.choice(self._hosts), self._dice.choice(self.numbers))
            if self._dice.random() < STOPS:
                await self._stop(await self.town.at(self._dice.choice(self.numbers)), f"x:stop:{n}")

    async def _invite(self, host: str, number: str) -> None:
        if await self.town.service.room_of(f"telegram:x:{host.casefold()}") is None:
            await self.town.says(host, "NEW")
        lines = await self.town.says(host, f"INVITE {number}")
        texts = self.town.texts
        if lines[-1].endswith("INVITE OK."):
            lines = await self.town.says(host, "INVITE OK")
            texts = self.town.texts
        self.told.update(line.partition(": ")[2] for line in lines)
        for letter in texts:
            assert letter.to not in self._stopped
            self.sent.append((self.town.now_ms, host, self._at[letter.to]))

    async def _stop(self, address: str, event: str) -> None:
        await self.town.shared.book.suppress(address)
        await self.town.service.hear(Incoming(event, "gone", address, texting=True))
        self._stopped.add(address)
        await self.town.letters()


@pytest.mark.long
async def test_ten_thousand_invitations_by_fifty_hosts_break_no_cap(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    bullies = Bullies()
    await bullies.run()

    by_host: defaultdict[str, list[int]] = defaultdict(list)
    by_number: defaultdict[str, list[int]] = defaultdict(list)
    by_prefix: defaultdict[str, list[int]] = defaultdict(list)
    for time_ms, host, number in bullies.sent:
        by_host[host].append(time_ms)
        by_number[number].append(time_ms)
        by_prefix[number[:8]].append(time_ms)
        assert is_day(number, time_ms, SENT_WITHIN_MS)
    assert len(bullies.numbers) == NUMBERS
    assert len(bullies.sent) > 500
    assert {"invited.", "can't be reached."} < set(bullies.told)
    for times, window_ms, most in (
        (by_host, HOUR_MS, HOST_AN_HOUR),
        (by_host, DAY_MS, HOST_A_DAY),
        (by_number, DAY_MS, PERSON_A_DAY),
        (by_number, 30 * DAY_MS, PERSON_A_MONTH),
        (by_prefix, DAY_MS, PREFIX_A_DAY),
        ({"all": [time_ms for time_ms, _, _ in bullies.sent]}, DAY_MS, ALL_A_DAY),
    ):
        assert max(most_within(each, window_ms) for each in times.values()) <= most

    logged = "".join(record.getMessage() for record in caplog.records)
    kept = str(vars(bullies.town.store)) + str(vars(bullies.town.shared.counters))
    assert not any(number in kept or number[2:] in logged for number in bullies.numbers)
