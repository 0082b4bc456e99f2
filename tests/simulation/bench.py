"""Evenings by the thousand, in figures: `parlour bench simulate`."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from tests.simulation.run import Outcome, simulate

TOLD_SECONDS = 10.0


class Figures(Struct):
    """What so many runs came to."""

    runs: int = 0
    seconds: float = 0
    virtual_seconds: float = 0
    doubled: int = 0
    twice: int = 0
    counts: Counter[str] = Counter()
    wrong: list[str] = []

    def add(self, run: Outcome) -> None:
        """One more run."""
        self.runs += 1
        self.seconds += run.seconds
        self.virtual_seconds += run.virtual_seconds
        self.doubled += run.doubled
        self.twice += run.answered_twice
        self.counts += run.counts
        if run.violations:
            self.wrong.append(str(run))

    def __str__(self) -> str:
        counts, arrived = self.counts, self.counts["arrives"]
        lost = counts["request lost"] + counts["reply lost"]
        rows = {
            "seeds": f"{self.runs}",
            "seconds a seed": f"{self.seconds / max(1, self.runs):.2f}",
            "virtual hours": f"{self.virtual_seconds / 3_600:,.0f}",
            "things done by people": f"{counts['deed']:,}",
            "brought in vain": f"{counts['refused']:,}",
            "commits": f"{counts['committed']:,}",
            "store calls": f"{sum(counts[call] for call in CALLS) + lost:,}",
            "requests and replies lost": f"{lost:,}",
            "times the store was away": f"{counts['store away']:,}",
            "times its clock stepped": f"{counts['clock']:,}",
            "crashes": f"{counts['crash']:,}",
            "messages that arrived": f"{arrived:,}",
            "of them a second time": f"{self.doubled:,} ({self.doubled / max(1, arrived):.2%})",
            "answered at the desk too": f"{self.twice:,}",
            "violations": f"{len(self.wrong):,}",
        }
        table = [f"  {what:<28}{value:>16}" for what, value in rows.items()]
        return "\n".join([*table, *self.wrong])


CALLS = (
    "load", "commit", "recommit", "due", "retime", "live", "ready", "mark", "done", "later",
    "get", "put",
)  # fmt: skip


def count(seeds: Iterable[int], *, aloud: bool = False) -> Figures:
    """Run them all, violations or not; `aloud`: tell how far it is, and what is wrong at once."""
    figures, told = Figures(), time.monotonic()
    for seed in seeds:
        run = simulate(seed)
        figures.add(run)
        if aloud and (run.violations or time.monotonic() - told > TOLD_SECONDS):
            told = time.monotonic()
            events, wrong = figures.counts.total(), len(figures.wrong)
            so_far = f"{figures.runs} seeds, {events:,} events, {wrong} wrong"
            print(f"{run}; so far {so_far}", flush=True)  # noqa: T201
    return figures


def describe(bench: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    bench.description = "Simulate evenings in which everything goes wrong; count what broke."
    bench.add_argument("--seeds", type=int, default=200, metavar="N", help="(%(default)s)")
    bench.add_argument(
        "--from", type=int, default=0, metavar="SEED", dest="first", help="(%(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Run the command; 1 when something was broken that is promised."""
    figures = count(range(args.first, args.first + args.seeds), aloud=True)
    print(figures)  # noqa: T201
    return 1 if figures.wrong else 0
