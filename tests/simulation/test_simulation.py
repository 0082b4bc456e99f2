"""Evenings in which everything goes wrong, and nothing is lost, doubled, early or betrayed.

`SIMULATION_SEED=n` runs the many evenings from seed n on. A seed that fails belongs into
`failing_seeds.txt`, with a word on what it found.
"""

import os
from importlib import resources
from random import SystemRandom

import pytest

from tests.simulation.bench import count
from tests.simulation.loop import JumpingLoop, Standstill
from tests.simulation.mutants import MUTANTS, caught, table
from tests.simulation.platforms import find_platforms
from tests.simulation.run import simulate

FEW, MANY = 6, 150
QUICK = (
    "no time for regrets",
    "a secret in a group's line",
    "the event's mark is set after the commit",
    "letters are let go of before they are sent",
    "clues are shown in the order they came",
)


def failing_seeds() -> list[str]:
    """The seeds kept for ever."""
    kept = resources.files("tests.simulation").joinpath("failing_seeds.txt").read_text("utf-8")
    lines = (line for line in kept.splitlines() if line and not line.startswith("#"))
    return [line.partition(" ")[0] for line in lines]


def first_seed() -> int:
    """Where the many evenings begin: by chance, if nobody says otherwise."""
    return int(os.environ.get("SIMULATION_SEED") or SystemRandom().randrange(10**6))


def test_much_goes_wrong_in_a_few_evenings_and_nothing_breaks() -> None:
    figures = count(range(FEW))
    assert figures.wrong == []
    for what in ("crash", "refused", "request lost", "reply lost", "store away", "clock"):
        assert figures.counts[what], what
    assert figures.doubled


@pytest.mark.long
def test_nothing_breaks_in_many_evenings() -> None:
    first = first_seed()
    figures = count(range(first, first + MANY))
    print(f"\nSIMULATION_SEED={first}\n{figures}")  # noqa: T201  (the seed is the point)
    assert figures.wrong == [], f"SIMULATION_SEED={first}"


@pytest.mark.parametrize("seed", failing_seeds())
def test_what_was_found_once_stays_mended(seed: str) -> None:
    run = simulate(seed)
    assert run.violations == (), str(run)


@pytest.mark.long
def test_a_seed_gives_the_same_run_twice() -> None:
    one, other = simulate(3), simulate(3)
    assert one.digest == other.digest
    assert one.counts == other.counts
    assert one.last == other.last
    assert simulate(4).digest != one.digest


@pytest.mark.parametrize("name", QUICK)
def test_a_fault_is_noticed(name: str) -> None:
    assert caught(name)


@pytest.mark.long
def test_every_fault_is_noticed() -> None:
    found = {name: caught(name) for name in MUTANTS}
    print(f"\n{table(found)}")  # noqa: T201  (the table is the point)
    assert [name for name, run in found.items() if run is None] == []


@pytest.mark.long
def test_a_mended_fault_leaves_no_trace() -> None:
    before = simulate(0).digest
    for name in MUTANTS:
        with MUTANTS[name]():
            pass
    assert simulate(0).digest == before


def test_every_platform_with_a_renderer_is_simulated() -> None:
    assert {"sms", "telegram"} <= find_platforms().keys()
    assert find_platforms()["sms"].texting
    assert find_platforms()["telegram"].buttons


def test_a_loop_that_waits_for_nothing_says_so() -> None:
    loop = JumpingLoop()
    with pytest.raises(Standstill):
        loop.run_until_complete(loop.create_future())
    loop.close()
