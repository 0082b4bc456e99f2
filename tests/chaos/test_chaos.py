"""Some twenty seconds of chaos on each server."""

from random import SystemRandom

import pytest

from tests.chaos.bench import SERVERS, chaos
from tests.servers import PROGRAMS

FAULT_SECONDS = 5.0
"""One deck of faults takes longer, and is dealt to its end."""


@pytest.mark.long
@pytest.mark.parametrize("server", [n for n, program in SERVERS.items() if program in PROGRAMS])
async def test_whatever_dies_nothing_is_lost_and_nothing_happens_twice(server: str) -> None:
    seed = SystemRandom().randrange(10**6)
    figures = await chaos(server, FAULT_SECONDS, seed)
    print(f"\nchaos on {server}, seed {seed}\n{figures}")  # noqa: T201  (the seed is the point)
    assert figures.violations == [], f"seed {seed}"
    assert figures.rows["torn tails of the log"] != "0"
