"""What goes wrong in a run, and how often: drawn from its seed, from a calm day to a storm."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from core.pace import PaceName


class Weather(Struct, frozen=True):
    """Chances are of each store call or each send; times are seconds of the run.

    `second_ms` is how long a second of the tables lasts, and `paces` what hosts choose from: a run
    by mail is over within hours, a live one within minutes. `sweep_seconds` is the workers' own.
    """

    processes: int
    second_ms: int
    paces: tuple[PaceName, ...]
    sweep_seconds: float
    deeds: int
    latency_seconds: float
    lost_request: float
    lost_reply: float
    crash: float
    kill_seconds: float
    away_seconds: float
    step_seconds: float
    twice: float
    late_seconds: float
    slow_send_seconds: float
    busy: float
    unknown: float
    dropped: float


CALM: dict[str, float] = {
    "lost_request": 0, "lost_reply": 0, "crash": 0, "busy": 0, "unknown": 0, "dropped": 0,
}  # fmt: skip


def forecast(dice: Random) -> Weather:
    """The weather of a run."""
    slow = dice.random() < 0.25
    rough = dice.choice((0.2, 1.0, 1.0, 2.0))
    far = 1e9
    return Weather(
        processes=dice.choice((2, 2, 3)),
        second_ms=10 if slow else dice.choice((100, 300, 1_000)),
        paces=("mail", "off", "live", "relaxed") if slow else ("live", "live", "relaxed"),
        sweep_seconds=5.0 if slow else 1.0,
        deeds=dice.randint(80, 400),
        latency_seconds=dice.choice((0.002, 0.02, 0.1)),
        lost_request=0.004 * rough,
        lost_reply=0.006 * rough,
        crash=0.003 * rough,
        kill_seconds=dice.choice((30.0, 120.0, far)),
        away_seconds=dice.choice((120.0, 400.0, far)),
        step_seconds=dice.choice((60.0, 300.0, far)),
        twice=0.15,
        late_seconds=dice.choice((0.05, 0.5, 3.0)),
        slow_send_seconds=dice.choice((0.1, 1.0, 10.0)),
        busy=0.02 * rough,
        unknown=0.02 * rough,
        dropped=0.004 * rough,
    )
