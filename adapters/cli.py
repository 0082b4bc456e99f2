"""The command `parlour`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from adapters import app, packs
from adapters.redis_store import embedded
from adapters.redis_store.client import WrongShards
from adapters.redis_store.engines import NoServer
from adapters.settings import (
    Reader,
    WrongSettings,
    data_folder,
    read_redis_url,
    read_second_ms,
)
from adapters.sms import commands as sms
from adapters.sms.allowance import is_off, switch_off, switch_on
from adapters.sms.bill import Bill, Cost, shown
from adapters.sms.settings import read_price
from adapters.terminal import auto, play
from adapters.terminal.seats import chosen, seats
from core.games import find_benches, find_games
from core.ports import StoreAway
from core.table import House

IN_A_CLONE = (
    ("simulate", "tests.simulation.bench", "evenings in which everything goes wrong"),
    ("chaos", "tests.chaos.bench", "the same with real processes"),
)
"""What `parlour bench` finds only where the tests are: name, module, what it is."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code: 0, or 1 with the reason on standard error, or 2 for misuse.

    A reason is what the operator can mend. Whatever else goes wrong keeps its traceback.
    """
    args = _parser(sys.argv[1:] if argv is None else argv).parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    try:
        done: int = args.run(args)
    except KeyboardInterrupt:
        return 130
    except (WrongSettings, StoreAway, NoServer, WrongShards, ConnectionError) as why:
        reason = _reason(why)
        if reason is None:
            raise
        print(reason, file=sys.stderr)
        return 1
    return done


def _reason(why: Exception) -> str | None:
    match why:
        case WrongSettings():
            return f"These settings are missing or wrong:\n{why}"
        case StoreAway():
            return f"The store can't be used ({why}): does REDIS_URL lead to a Redis that runs?"
        case ConnectionError() if type(why) is not ConnectionError:
            return None  # the system's own, which no platform has worded
        case _:
            return str(why)


def _parser(asked: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parlour",
        description="Parlour games by text message: Telegram, SMS, or here.",
        epilog="parlour COMMAND --help tells more about each.",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _describe_play(commands.add_parser("play", help="play in this terminal, with bots"))
    _describe_bench(commands.add_parser("bench", help="measure a game, or all of it"), asked)
    packs.describe(commands.add_parser("pack", help="check, match and add packs of words"))
    texts = "what a text costs, which numbers were typed; texts off and on"
    sms.describe(commands.add_parser("sms", help=texts), _switch_texts)
    _describe_room(commands.add_parser("room", help="look at a room: what its texts have cost"))
    settings = "All settings are environment variables; deploy/env.example explains them."
    for name, run, brief, more in (
        ("serve", _serve, "serve the webhooks, and do a worker's work",
         "Serve the platforms' webhooks and /health, and do a worker's work, until SIGTERM."),
        ("work", _work, "do a worker's work only: timers and sending",
         "Wake rooms whose time has come and send what waits, beside servers on the same Redis."),
        ("stop", _stop, "stop the server that keeps local games",
         "Stop the embedded server in $XDG_DATA_HOME/parlour, if it runs. The games are kept."),
        ("doctor", _doctor, "check the settings, the store and the platforms",
         "Check the settings, the store and the platforms: a line each, exit code 1 for trouble."),
    ):  # fmt: skip
        one = commands.add_parser(name, help=brief, description=more, epilog=settings)
        one.set_defaults(run=run)
    for name, adapter in app.find_adapters().items():
        if adapter.set_up is None:
            continue
        platform = commands.add_parser(
            name, help=f"things to do once for {name}", description=f"Things to do once for {name}."
        )
        deeds = platform.add_subparsers(title="deeds", required=True, metavar="DEED")
        told = f"tell {name} where Parlour listens: PUBLIC_URL"
        set_up = deeds.add_parser("setup", help=told, description=f"{told[0].upper()}{told[1:]}.")
        set_up.set_defaults(run=_set_up, platform=name)
    return parser


def _describe_room(room: argparse.ArgumentParser) -> None:
    room.description = "Looks at a room."
    room.epilog = "SMS_SEGMENT_PRICE is the price of a segment of text, in SMS_CURRENCY (USD)."
    room.add_argument("code", metavar="CODE", help="the code of the room, as friends type it")
    deeds = room.add_subparsers(title="deeds", required=True, metavar="DEED")
    told = "what its texts have cost so far, as a line of JSON"
    cost = deeds.add_parser("cost", help=told, description=f"Tells {told}.")
    cost.set_defaults(run=_cost)


def _describe_play(here: argparse.ArgumentParser) -> None:
    here.description = "Play in this terminal, with bots. Ctrl-C stops; the same command goes on."
    here.epilog = (
        "The game is kept at REDIS_URL, or by a small server of its own in "
        "$XDG_DATA_HOME/parlour. PARLOUR_PACE_SCALE=0.5 halves the waiting times."
    )
    here.add_argument(
        "--game", choices=sorted(find_games()), default="ferret-out",
        help="what to play (%(default)s)",
    )  # fmt: skip
    here.add_argument(
        "--players",
        type=int,
        default=5,
        metavar="N",
        help="how many sit at the table (%(default)s)",
    )
    here.add_argument(
        "--seat", action="append", default=[], metavar="NAME=me|bot",
        help="who sits there; may be given for each seat (one is yours, the rest are bots)",
    )  # fmt: skip
    here.add_argument(
        "--variant", action="append", default=[], metavar="NAME",
        help="a variant of the game, like point-of-order; may be given several times",
    )  # fmt: skip
    here.add_argument("--rounds", type=int, metavar="N", help="how many rounds to play (8)")
    here.add_argument("--to", type=int, metavar="POINTS", help="play to so many points instead")
    here.add_argument("--new", action="store_true", help="leave the game you were in")
    here.add_argument("--auto", action="store_true", help="only bots: print a whole game at once")
    here.add_argument("--seed", default="", help="with --auto: the same seed plays the same game")
    here.set_defaults(run=_play)


def _describe_bench(bench: argparse.ArgumentParser, asked: Sequence[str]) -> None:
    bench.description = "Measure something, print the figures."
    names = bench.add_subparsers(title="what to measure", required=True, metavar="NAME")
    for name in sorted(find_benches()):
        about = (find_benches()[name].__doc__ or "").replace("`", "")
        brief = " ".join(about.partition("\n\n")[0].split())
        one = names.add_parser(name, help=brief, description=brief)
        one.add_argument("--games", type=int, default=2_000, metavar="N", help="(%(default)s)")
        one.add_argument("--players", type=int, default=5, metavar="N", help="(%(default)s)")
        one.add_argument("--strength", default="fair", help="how strong the bots are (%(default)s)")
        one.add_argument("--seed", default="bench", help="the same seed gives the same figures")
        one.set_defaults(run=_bench, name=name)
    for name, module, what in IN_A_CLONE:
        one = names.add_parser(name, help=f"{what} (in a clone of the project)")
        if list(asked[:2]) == ["bench", name]:  # it is long to load
            try:
                its = import_module(module)
            except ModuleNotFoundError as lacking:
                why = f"there is no {lacking.name} here"
                one.error(f"it needs a clone of the project, set up for its tests: {why}")
            its.describe(one)
            one.set_defaults(run=its.run)


def _bench(args: argparse.Namespace) -> int:
    try:
        print(find_benches()[args.name](args.games, args.players, args.strength, args.seed))
    except ValueError as why:
        print(why, file=sys.stderr)
        return 2
    return 0


def _play(args: argparse.Namespace) -> int:
    app.take_packs(os.environ)
    try:
        options = chosen(args.game, _wanted(args))
        at = seats(args.seat, args.players, find_games()[args.game].seats(options))
    except ValueError as why:
        print(why, file=sys.stderr)
        return 2
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        reconfigure(errors="replace")  # a terminal may lack a letter
    if args.auto:
        return _play_auto(args, options)
    reader = Reader(os.environ)
    redis_url, house = read_redis_url(reader), House(second_ms=read_second_ms(reader))
    reader.finish()
    logging.getLogger().setLevel(logging.ERROR)

    async def sit() -> None:
        async with app.stores(redis_url) as store:
            window = play.Window(store.records, store.outbox, store.directory, at, house)
            await window.play(args.game, options, fresh=args.new)

    asyncio.run(sit())
    return 0


def _wanted(args: argparse.Namespace) -> list[str]:
    wanted: list[str] = list(args.variant)
    wanted += [f"rounds-{args.rounds}"] if args.rounds else []
    return wanted + ([f"to-{args.to}"] if args.to else [])


def _play_auto(args: argparse.Namespace, options: tuple[str, ...]) -> int:
    try:
        for line in auto.lines(args.game, args.players, args.seed, options):
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has seen enough; Python would complain at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _serve(args: argparse.Namespace) -> int:
    del args
    return _run(listen=True)


def _work(args: argparse.Namespace) -> int:
    del args
    return _run(listen=False)


def _run(*, listen: bool) -> int:
    with asyncio.Runner(loop_factory=app.fastest_loop()) as runner:
        runner.run(app.serve(os.environ, listen=listen))
    return 0


def _stop(args: argparse.Namespace) -> int:
    del args
    embedded.stop(data_folder(os.environ))
    return 0


def _doctor(args: argparse.Namespace) -> int:
    del args
    settings, chosen = app.configured(os.environ)
    logging.getLogger().setLevel(logging.ERROR)
    print("settings: complete")

    async def look() -> int:
        well = True
        async with app.stores(settings.redis_url) as store:
            print(f"store: well, rooms that wait for something: {await store.records.live()}")
            if await is_off(store.directory):
                print("texts: switched off; parlour sms on sends them again")
            shared = store.shared(settings.secret)
            for name, (adapter, its) in chosen.items():
                try:
                    async with adapter.open(its, shared):
                        print(f"{name}: set up")
                except (WrongSettings, ConnectionError) as why:
                    well = False
                    print(f"{name}: {why}", file=sys.stderr)
        return 0 if well else 1

    return asyncio.run(look())


def _switch_texts(args: argparse.Namespace) -> int:
    reader = Reader(os.environ)
    redis_url = read_redis_url(reader)
    reader.finish()

    async def switch() -> None:
        async with app.stores(redis_url) as store:
            await (switch_on if args.on else switch_off)(store.directory)

    asyncio.run(switch())
    print(f"Texts are {'sent again' if args.on else 'off: parlour sms on sends them again'}.")
    return 0


def _cost(args: argparse.Namespace) -> int:
    reader = Reader(os.environ)
    redis_url = read_redis_url(reader)
    price = read_price(reader)
    reader.finish()
    code = args.code.strip().upper()

    async def cost() -> Cost | None:
        async with app.stores(redis_url) as store:
            room_id = await store.directory.get(f"code:{code}")
            bill = Bill(store.counters)
            return await bill.cost(room_id, code, price) if room_id else None

    told = asyncio.run(cost())
    if told is None:
        print(f"No room has the code {code}.", file=sys.stderr)
        return 1
    print(shown(told))
    return 0


def _set_up(args: argparse.Namespace) -> int:
    reader = Reader(os.environ, every_platform=True)
    adapter = app.find_adapters()[args.platform]
    its = adapter.settings(reader)
    public_url = reader.url("PUBLIC_URL", "the address under which Parlour is reached")
    reader.finish()
    if adapter.set_up is not None:
        asyncio.run(adapter.set_up(its, public_url))
    print(f"{args.platform} knows where Parlour listens.")
    return 0
