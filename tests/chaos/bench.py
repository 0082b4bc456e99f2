"""Chaos on real processes, in figures: `parlour bench chaos`."""

import argparse
import asyncio
import logging
import time
from collections import Counter
from random import SystemRandom

from msgspec import Struct

from tests.chaos import checks, outgoing, world
from tests.chaos.evidence import Evidence
from tests.servers import PROGRAMS

SERVERS = {"valkey": "embedded", "redis": "redis"}
"""The servers by what they are, and as `tests.servers` calls them."""
SHOWN = 20
SPELLS = ("slow telegram", "slow texts", "cut")


class Figures(Struct, frozen=True):
    """What an evening came to: its numbers by name, what is wrong, and what is merely a pity."""

    rows: dict[str, str]
    violations: list[str]

    def __str__(self) -> str:
        table = [f"  {what:<34}{value:>12}" for what, value in self.rows.items()]
        more = len(self.violations) - SHOWN
        wrong = [*self.violations[:SHOWN], *([f"… and {more} more"] if more > 0 else [])]
        return "\n".join([*table, *wrong])


async def chaos(server: str, seconds: float, seed: int) -> Figures:
    """An evening of so many seconds of faults, on `valkey` or `redis`. The seed deals the faults.

    Raises LookupError when that server is not here; AssertionError, or TimeoutError, when the
    evening does not come to rest.
    """
    if SERVERS[server] not in PROGRAMS:
        raise LookupError(f"there is no {server} here")
    began = time.monotonic()
    async with world.the_world(PROGRAMS[SERVERS[server]], seed) as here:
        await world.evening(here, seconds)
        found = await world.evidence(here)
        games = sum(table.games for table in here.tables)
        figures = counted(found, games)
        figures["torn tails of the log"] = str(here.store.tears)
        figures["seconds in all"] = f"{time.monotonic() - began:.0f}"
    return Figures(figures, checks.violations(found))


def counted(found: Evidence, games: int) -> dict[str, str]:
    """The numbers of an evening, by name."""
    faults = Counter(fault.kind for fault in found.faults)
    doubles = sum(len(thread.doubles) for thread in found.threads)
    steps = [step for story in found.stories for step in story.steps]
    late = sorted(ms for step in steps if (ms := checks.lateness_ms(step)) is not None)
    figures: dict[str, object] = {
        "games": games,
        "accepted": sum(bool(one.accepted) for one in found.inputs.values()),
        "delivered twice at once": sum(one.doubled for one in found.inputs.values()),
        "commits to rooms": len(steps),
        "workers killed": faults["kill"],
        "workers stopped past their leases": faults["pause"],
        "servers killed": faults["store"] + faults["tear"],
        "slow or cut spells of platforms": sum(faults[kind] for kind in SPELLS),
        "lost": len(checks.lost(found)),
        "applied twice": len(checks.twice(found)),
        "timers that closed a phase": len(late),
        "early or stale timers": len(checks.early_or_stale(found)),
        "latest timer, ms": late[-1] if late else 0,
        "median timer, ms": late[len(late) // 2] if late else 0,
        "messages on Telegram": len(found.posts),
        "doubled": doubles,
        "doubled, share": f"{doubles / max(1, len(found.posts)):.1%}",
        "missing or out of order": len(outgoing.missing(found)) + len(outgoing.disordered(found)),
        "texts": len(found.texts),
        "texts sent twice": len(outgoing.sent_twice(found)),
        "texts never sent (allowed)": len(outgoing.never_sent(found)),
    }
    return {what: str(value) for what, value in figures.items()}


def describe(bench: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    bench.description = "Kill, stop and cut off real processes while people play; count what broke."
    bench.add_argument("--minutes", type=float, default=1.0, metavar="N", help="(%(default)s)")
    bench.add_argument("--server", choices=sorted(SERVERS), default="valkey", help="(%(default)s)")
    bench.add_argument("--seed", type=int, help="deals the faults (one by chance)")


def run(args: argparse.Namespace) -> int:
    """Run the command; 1 when something was broken that is promised."""
    logging.getLogger().setLevel(logging.CRITICAL)
    seed: int = SystemRandom().randrange(10**6) if args.seed is None else args.seed
    print(f"chaos on {args.server}, {args.minutes} minutes, --seed {seed}", flush=True)  # noqa: T201
    try:
        figures = asyncio.run(chaos(args.server, 60 * args.minutes, seed))
    except LookupError as why:
        print(why)  # noqa: T201
        return 2
    print(figures)  # noqa: T201
    return 1 if figures.violations else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="chaos")
    describe(parser)
    raise SystemExit(run(parser.parse_args()))
