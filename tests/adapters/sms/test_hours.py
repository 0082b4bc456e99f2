"""When a stranger may be texted."""

from datetime import UTC, datetime

import pytest

from adapters.sms.hours import is_day


def at(hour: int, minute: int = 0) -> int:
    """A time of 1 December 2026, UTC, in ms."""
    return round(datetime(2026, 12, 1, hour, minute, tzinfo=UTC).timestamp() * 1_000)


@pytest.mark.parametrize(
    ("number", "now_ms", "day"),
    [
        ("+12125550143", at(12, 59), False),  # New York is five hours behind
        ("+12125550143", at(13), True),
        ("+12125550143", at(1, 59), True),
        ("+12125550143", at(2), False),
        ("+447400123456", at(8), True),
        ("+447400123456", at(21), False),
        ("+61491570156", at(0), False),  # 11 in Sydney, half past 6 on the Cocos Islands
        ("+61491570156", at(2), True),
        ("+8801812345678", at(12), True),
        ("+15005550006", at(17), False),  # it may be anywhere from Guam to Bermuda
    ],
)  # fmt: skip
def test_it_is_day_from_8_to_21_wherever_a_number_may_be(
    number: str, now_ms: int, *, day: bool
) -> None:
    assert is_day(number, now_ms) is day


def test_a_day_that_ends_too_soon_is_none() -> None:
    assert is_day("+12125550143", at(1, 45), for_ms=600_000)
    assert not is_day("+12125550143", at(1, 55), for_ms=600_000)
