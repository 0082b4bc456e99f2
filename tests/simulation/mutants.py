"""Deliberate faults, to see that the simulation would notice them.

Each is a promise of the design unkept, as a plausible program would unkeep it. A run inside one of
them must end in a violation within a few seeds.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.simulation import broken_core, broken_store
from tests.simulation.run import Outcome, simulate

MUTANTS = broken_store.MUTANTS | broken_core.MUTANTS
MOST_SEEDS = 60
RAISED = {"the_product_never_raises", "the_product_never_stumbles", "no_task_fails_unheard"}


def caught(name: str, seeds: range = range(MOST_SEEDS)) -> Outcome | None:
    """The first run in which a mutant is noticed, if it is.

    RuntimeError: it only raises an exception, which proves nothing.
    """
    with MUTANTS[name]():
        for run in map(simulate, seeds):
            if run.violations and run.violations[0].invariant in RAISED:
                raise RuntimeError(f"{name}: {run}")
            if run.violations:
                return run
    return None


def table(found: Mapping[str, Outcome | None]) -> str:
    """What noticed each mutant, in which seed, after how many seconds of the run."""
    rows: list[str] = []
    for name, run in found.items():
        if run is None:
            rows.append(f"{name:45} ALIVE")
            continue
        first = run.violations[0]
        rows.append(f"{name:45} seed {run.seed:>2}, {first.seconds:7.1f} s: {first.invariant}")
    return "\n".join(rows)
