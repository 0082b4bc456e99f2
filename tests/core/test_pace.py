"""How long a room waits: the rows of the pace table, and nobody's sleep."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.pace import DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, Pace, PaceName

LIVE_SECONDS = {"lobby": 1_800, "number": 30, "clue": 120, "turn": 45, "ballot": 90, "decision": 20}


@pytest.mark.parametrize(("thing", "seconds"), LIVE_SECONDS.items())
def test_a_live_table_waits_as_long_as_the_rules_say(thing: str, seconds: int) -> None:
    assert Pace("live").wait_ms(seconds, slow=True) == seconds * SECOND_MS, thing


@pytest.mark.parametrize(
    ("seconds", "slow", "minutes"),
    [(120, False, 8), (120, True, 8), (30, False, 2), (30, True, 3), (90, True, 6)],
)
def test_relaxed_is_four_times_live_and_three_minutes_at_least_by_sms(
    seconds: int,
    slow: bool,  # noqa: FBT001
    minutes: int,
) -> None:
    assert Pace("relaxed").wait_ms(seconds, slow=slow) == minutes * MINUTE_MS


def test_by_mail_everything_takes_a_day_and_half_a_day_of_grace() -> None:
    assert Pace("mail").wait_ms(30, slow=True) == DAY_MS
    assert Pace("mail").grace_ms == 12 * HOUR_MS
    assert Pace("live").grace_ms == 0


def test_without_a_clock_a_room_is_kept_a_week() -> None:
    assert Pace("off").wait_ms(30, slow=False) == 7 * DAY_MS


@pytest.mark.parametrize(
    ("name", "seconds"), [("live", 5), ("relaxed", 20), ("mail", 0), ("off", 0)]
)
def test_the_last_answer_can_be_regretted_for_a_moment(name: PaceName, seconds: int) -> None:
    assert Pace(name).regret_ms == seconds * SECOND_MS


@pytest.mark.parametrize(("name", "days"), [("live", 7), ("relaxed", 7), ("off", 7), ("mail", 30)])
def test_a_paused_room_is_kept(name: PaceName, days: int) -> None:
    assert Pace(name).idle_ms == days * DAY_MS


def test_an_operator_can_make_all_seconds_shorter() -> None:
    quick = Pace("mail", second_ms=1)
    assert quick.wait_ms(30, slow=False) == 86_400
    assert quick.grace_ms == 43_200
    assert quick.idle_ms == 30 * 86_400


DAYTIME, NIGHT_SHIFT, ROUND_THE_CLOCK = (8 * 60, 22 * 60), (20 * 60, 6 * 60), (0, 1_440)


@pytest.mark.parametrize(
    ("asked_at_hour", "waking", "closes_at_hour"),
    [
        (10, DAYTIME, 24 + 10),
        (23, DAYTIME, 48 + 8),
        (3, DAYTIME, 24 + 8),
        (22, DAYTIME, 48 + 8),
        (8, DAYTIME, 24 + 8),
        (23, NIGHT_SHIFT, 24 + 23),
        (2, NIGHT_SHIFT, 24 + 2),
        (6, NIGHT_SHIFT, 24 + 20),
        (12, NIGHT_SHIFT, 24 + 20),
        (0, ROUND_THE_CLOCK, 24),
    ],
)
def test_by_mail_nothing_closes_in_somebodys_sleep(
    asked_at_hour: int, waking: tuple[int, int], closes_at_hour: int
) -> None:
    closing = Pace("mail").closing(asked_at_hour * HOUR_MS, 120, waking, slow=False)
    assert closing == closes_at_hour * HOUR_MS


@given(st.integers(0, 10 * DAY_MS), st.integers(0, 1_439), st.integers(0, 1_439))
def test_by_mail_a_closing_is_awake_and_less_than_a_day_late(
    now_ms: int, wakes: int, sleeps: int
) -> None:
    closing = Pace("mail").closing(now_ms, 120, (wakes, sleeps), slow=False)
    minute = closing // MINUTE_MS % 1_440
    awake_minutes = (sleeps - wakes) % 1_440 or 1_440
    assert (minute - wakes) % 1_440 < awake_minutes
    assert 0 <= closing - now_ms - DAY_MS < DAY_MS


def test_only_mail_minds_sleep() -> None:
    assert Pace("live").closing(0, 120, DAYTIME, slow=False) == 120 * SECOND_MS
    assert Pace("mail").closing(0, 120, None, slow=False) == DAY_MS
