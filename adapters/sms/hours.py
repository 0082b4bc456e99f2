"""When a stranger may be texted: from 8 to 21 o'clock, wherever the number may be. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import phonenumbers
from phonenumbers.timezone import time_zones_for_number

FROM_HOUR, TO_HOUR = 8, 21


def is_day(number: str, now_ms: int, for_ms: int = 0) -> bool:
    """Whether it is day at an E.164 number now and `for_ms` on, in every zone it may be in.

    The law's hours are 8 to 21 (47 CFR 64.1200(c)(1)). Nowhere known is never day.
    """
    zones = time_zones_for_number(phonenumbers.parse(number))
    return all(
        _is_day(zone, at_ms / 1_000) for zone in zones for at_ms in (now_ms, now_ms + for_ms)
    )


def _is_day(zone: str, at_seconds: float) -> bool:
    try:
        here = datetime.fromtimestamp(at_seconds, UTC).astimezone(ZoneInfo(zone))
    except ZoneInfoNotFoundError:  # Etc/Unknown
        return False
    return FROM_HOUR <= here.hour < TO_HOUR
