"""What Parlour knows of phone numbers that a host types: `core.ports.Phones` for SMS.

A host hears nothing of a number that depends on its owner. So what is public comes first (is it a
number, whose country, night or day), then what this host and room have done; and whoever has
stopped us, or was invited often enough by others, can't be reached, as a landline can't.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import phonenumbers

from adapters.platform import Shared
from adapters.sms import pauses
from adapters.sms.consent import Consents
from adapters.sms.hours import is_day
from adapters.sms.numbers import Found, Verdict, find_numbers, has_plus
from adapters.sms.pauses import Pauses
from adapters.sms.settings import SmsSettings, country_of
from core.pace import DAY_MS, HOUR_MS, MINUTE_MS
from core.ports import Admitted, Invitee, Limit

MOST_AT_ONCE = 20
SENT_WITHIN_MS = 10 * MINUTE_MS
HOST_AN_HOUR, HOST_A_DAY = 10, 20
PERSON_A_DAY, PERSON_A_MONTH = 1, 3
PREFIX_A_DAY, COUNTRY_A_DAY, ALL_A_DAY = 50, 500, 1_000
SHOWN_DIGITS = 3
_TOLD: Mapping[Verdict, str] = {
    "confirm": "confirm", "ok": "ok", "which_country": "which-country", "duplicate": "again"
}  # fmt: skip


class SmsPhones:
    """Phone numbers as an operator lets them be invited."""

    def __init__(self, ours: SmsSettings, shared: Shared, clock_ms: Callable[[], int]) -> None:
        """`clock_ms` gives ms since the epoch: by it we know night from day."""
        self._ours, self._book, self._counters = ours, shared.book, shared.counters
        self._consents, self._clock_ms = Consents(shared.directory), clock_ms
        self._pauses = Pauses(shared.directory)

    async def find(self, typed: str, host: str) -> tuple[Invitee, ...] | None:
        """The numbers in what a host typed; None unless the operator has named countries.

        A host who texts means their own country; of any other host it is only a guess that they
        mean ours.
        """
        if not self._ours.countries:
            return None
        number = await self._book.raw(host) if host.startswith(f"{self._ours.bot}:") else None
        region = country_of(number) if number else self._ours.home
        found = find_numbers(typed, region, self._ours.countries)[:MOST_AT_ONCE]
        return tuple([await self._judged(one, guessed=number is None) for one in found])

    async def admit(self, address: str, host: str, room: str, seats: int) -> Admitted:
        """Count an invitation; whether it may be sent."""
        number = await self._book.raw(address)
        if number is None:
            return "unreachable"
        token = f"invite:{room}:{address}"
        own = (
            Limit(f"invites:room:{room}", seats - 1, DAY_MS),
            Limit(f"invites:host:{host}:hour", HOST_AN_HOUR, HOUR_MS),
            Limit(f"invites:host:{host}:day", HOST_A_DAY, DAY_MS),
        )
        if await self._counters.take(f"{token}:own", own):
            return "enough"
        prefix = pauses.prefix(self._book, number)
        others = (
            Limit(f"invites:person:{address}:day", PERSON_A_DAY, DAY_MS),
            Limit(f"invites:person:{address}:month", PERSON_A_MONTH, 30 * DAY_MS),
            Limit(f"invites:{prefix}", PREFIX_A_DAY, DAY_MS),
            Limit(f"invites:country:{country_of(number)}", COUNTRY_A_DAY, DAY_MS),
            Limit("invites:all", ALL_A_DAY, DAY_MS),
        )
        stopped = await self._book.suppressed(address)
        full = await self._counters.take(token, others)
        paused = await self._pauses.left_ms(prefix, self._clock_ms())
        if stopped or full or paused:
            return "unreachable"
        await self._consents.invite(address, host, room)
        return "ok"

    async def _judged(self, found: Found, *, guessed: bool) -> Invitee:
        shown, verdict = masked(found.typed), found.verdict
        if verdict not in {"ok", "confirm"} or found.e164 is None:
            told = _TOLD.get(verdict, "unreachable")
            return Invitee(shown, told)  # pyright: ignore[reportArgumentType]  (_TOLD has no other)
        if not is_day(found.e164, self._clock_ms(), SENT_WITHIN_MS):
            return Invitee(shown, "asleep")
        address = await self._book.stranger(self._ours.bot, found.e164)
        if verdict == "confirm" or (guessed and not has_plus(found.typed)):
            return Invitee(_international(found.e164), "confirm", address)
        return Invitee(shown, "ok", address)


def masked(typed: str) -> str:
    """A number as it was spelt, but for its last digits nothing of it."""
    digits = sum(ch.isdecimal() for ch in typed)
    left = iter(range(digits, 0, -1))
    shown = re.sub(r"\d", lambda d: d[0] if next(left) <= SHOWN_DIGITS else "*", typed)
    return shown.strip() if ")" in shown else shown.strip(" (")


def _international(number: str) -> str:
    """A guess as it would be dialled, masked but for its country and its end."""
    parsed = phonenumbers.parse(number)
    whole = phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.INTERNATIONAL)
    country, _, rest = whole.partition(" ")
    return f"{country} {masked(rest)}"
