"""One seed, one run."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from adapters import worker
from tests.simulation.loop import JumpingLoop, Standstill
from tests.simulation.store import Died
from tests.simulation.world import Violation, World

LOG = logging.getLogger("parlour")


class Outcome(Struct, frozen=True):
    """What came of a run: how often each kind of thing happened, and what is wrong."""

    seed: str
    digest: str
    counts: Counter[str]
    doubled: int
    answered_twice: int
    virtual_seconds: float
    seconds: float
    violations: tuple[Violation, ...]
    last: tuple[str, ...]

    def __str__(self) -> str:
        if not self.violations:
            return f"seed {self.seed}: well"
        first = self.violations[0]
        return f"seed {self.seed}, at {first.seconds:.3f} s: {first.invariant}: {first.message}"


def simulate(seed: int | str) -> Outcome:
    """Run a seed. The same seed gives the same outcome, but for the seconds it took."""
    began, loop = time.perf_counter(), JumpingLoop()
    worlds: list[World] = []

    async def evening() -> None:
        worlds.append(World(str(seed)))
        await worlds[0].live()

    with _alone(loop, worlds):
        try:
            loop.run_until_complete(evening())
        except Standstill:
            worlds[0].blame("somebody_always_goes_on", "everybody waits, and nothing is due")
        virtual_seconds = loop.time()
    (world,) = worlds
    arrivals = world.office.arrivals
    return Outcome(
        str(seed),
        world.trace.digest,
        world.trace.counts,
        sum(arrivals.values()) - len(arrivals),
        world.watch.answered_twice(),
        virtual_seconds,
        time.perf_counter() - began,
        tuple(world.violations),
        tuple(world.trace.last),
    )


@contextmanager
def _alone(loop: JumpingLoop, worlds: list[World]) -> Generator[None]:
    """The run's own loop, log and sweeps; afterwards nothing of it is left."""

    def unheard(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        why = context.get("exception")
        if worlds and not isinstance(why, Died):
            worlds[0].blame("no_task_fails_unheard", f"{context.get('message')}: {why!r}")

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            """What the product logs as an error is one."""
            why = record.exc_info[1] if record.exc_info else None
            if worlds:
                worlds[0].blame("the_product_never_stumbles", f"{record.getMessage()}: {why!r}")

    ear, sweep, propagate = Ear(logging.ERROR), worker.SWEEP_SECONDS, LOG.propagate
    LOG.addHandler(ear)
    LOG.propagate = False
    loop.set_exception_handler(unheard)
    gc.disable()
    try:
        yield
    finally:
        _bury(loop, worlds)
        gc.enable()
        LOG.removeHandler(ear)
        LOG.propagate, worker.SWEEP_SECONDS = propagate, sweep


def _bury(loop: JumpingLoop, worlds: list[World]) -> None:
    """End every task of the run. Whatever they do on their way out reaches nothing any more."""
    loop.set_exception_handler(_not_heard)
    for process in worlds[0].processes if worlds else ():
        process.alive = False
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.wait(tasks, timeout=60))
    loop.close()


def _not_heard(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    del loop, context
