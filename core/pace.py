"""How long a room waits: live, relaxed, by mail, or without a clock.

A game says how many seconds a thing takes at a live table; the pace makes a closing time of it.
Relaxed is four times live, and never under three minutes while somebody plays by SMS; by mail is a
day with half a day of grace; off is a week.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS

PaceName: TypeAlias = Literal["live", "relaxed", "mail", "off"]

SLOW_FLOOR_SECONDS = 180


class Pace(Struct, frozen=True):
    """`second_ms` is how long a second of the tables lasts: 1,000, but for an operator's scale."""

    name: PaceName = "live"
    second_ms: int = SECOND_MS

    @property
    def regret_ms(self) -> int:
        """How long the last answer can still be changed before the phase closes."""
        return {"live": 5, "relaxed": 20, "mail": 0, "off": 0}[self.name] * self.second_ms

    @property
    def grace_ms(self) -> int:
        """How much longer a phase stays open, once, for those who are missing."""
        return 12 * 3_600 * self.second_ms if self.name == "mail" else 0

    @property
    def idle_ms(self) -> int:
        """How long a paused room is kept before it ends with the scores so far."""
        return (30 if self.name == "mail" else 7) * 86_400 * self.second_ms

    def wait_ms(self, live_seconds: int, *, slow: bool) -> int:
        """How long to wait for what takes `live_seconds` live; `slow`: somebody is on SMS."""
        match self.name:
            case "live":
                seconds = live_seconds
            case "relaxed":
                seconds = max(4 * live_seconds, SLOW_FLOOR_SECONDS if slow else 0)
            case "mail":
                seconds = 86_400
            case "off":
                seconds = 7 * 86_400
        return seconds * self.second_ms

    def closing(
        self, now_ms: int, live_seconds: int, waking: tuple[int, int] | None, *, slow: bool
    ) -> int:
        """When somebody must have answered. By mail it is never in their sleep.

        `waking` is `[from, to)` in minutes of the UTC day, and may run over midnight.
        """
        at_ms = now_ms + self.wait_ms(live_seconds, slow=slow)
        if self.name != "mail" or waking is None:
            return at_ms
        wakes, sleeps = waking
        minute = at_ms // MINUTE_MS % 1_440
        awake = wakes <= minute < sleeps if wakes < sleeps else not sleeps <= minute < wakes
        return at_ms if awake else at_ms + (wakes - minute) % 1_440 * MINUTE_MS
