"""The command `parlour`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Sequence

from adapters import app
from adapters.redis_store import embedded
from adapters.settings import Reader, WrongSettings, read_settings
from adapters.terminal import auto, play
from core.games import find_games


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code: 0, or 1 with the reason on standard error, or 2 for misuse."""
    args = _parser().parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    try:
        done: int = args.run(args)
    except WrongSettings as faults:
        print(f"These settings are missing or wrong:\n{faults}", file=sys.stderr)
        return 1
    except embedded.NoServer as why:
        print(why, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return done


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parlour", description="Parlour games by text message: Telegram, SMS, or here."
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    here = commands.add_parser("play", help="play in this terminal, with bots")
    here.add_argument("--game", choices=sorted(find_games()), default="ferret-out")
    here.add_argument("--players", type=int, default=5, help="how many sit at the table (5)")
    here.add_argument(
        "--seat", action="append", default=[], metavar="NAME=me|bot", help="who sits there"
    )
    here.add_argument("--auto", action="store_true", help="let bots play a whole game at once")
    here.add_argument("--seed", default="", help="with --auto: the same seed plays the same game")
    here.add_argument("--new", action="store_true", help="leave the game you were in")
    here.set_defaults(run=_play)

    serve = commands.add_parser("serve", help="serve the webhooks, and do a worker's work")
    serve.set_defaults(run=_serve)
    work = commands.add_parser("work", help="do a worker's work only: timers and sending")
    work.set_defaults(run=_work)
    doctor = commands.add_parser("doctor", help="check the settings and the store")
    doctor.set_defaults(run=_doctor)
    for name, adapter in app.find_adapters().items():
        if adapter.set_up is None:
            continue
        platform = commands.add_parser(name, help=f"things to do once for {name}")
        deeds = platform.add_subparsers(required=True, metavar="DEED")
        set_up = deeds.add_parser("setup", help="tell the platform where Parlour listens")
        set_up.set_defaults(run=_set_up, platform=name)
    return parser


def _play(args: argparse.Namespace) -> int:
    least, most = find_games()[args.game].seats
    if not least <= args.players <= most:
        print(f"{args.game} takes {least} to {most} players.", file=sys.stderr)
        return 2
    if args.auto:
        for line in auto.lines(args.game, args.players, args.seed):
            print(line)
        return 0
    logging.getLogger().setLevel(logging.ERROR)
    try:
        seats = play.seats(args.seat, args.players)
    except ValueError as why:
        print(why, file=sys.stderr)
        return 2

    async def sit() -> int:
        async with app.stores(os.environ.get("REDIS_URL", "")) as store:
            window = play.Window(store.records, store.outbox, store.directory, seats)
            return await window.play(args.game, fresh=args.new)

    return asyncio.run(sit())


def _serve(args: argparse.Namespace) -> int:
    del args
    return _run(listen=True)


def _work(args: argparse.Namespace) -> int:
    del args
    return _run(listen=False)


def _run(*, listen: bool) -> int:
    asyncio.run(app.serve(os.environ, listen=listen))
    return 0


def _doctor(args: argparse.Namespace) -> int:
    del args
    settings, chosen = app.configured(os.environ)

    async def look() -> int:
        async with app.opened(settings, chosen) as parlour:
            live = await parlour.records.live()
        print(f"The settings are complete. Platforms: {', '.join(chosen)}. Open rooms: {live}.")
        return 0

    return asyncio.run(look())


def _set_up(args: argparse.Namespace) -> int:
    reader = Reader(os.environ)
    read_settings(reader)
    adapter = app.find_adapters()[args.platform]
    its = adapter.settings(reader)
    public_url = reader.url("PUBLIC_URL", "the address under which Parlour is reached")
    reader.finish()
    if its is None or adapter.set_up is None:
        print(f"{args.platform} has no settings.", file=sys.stderr)
        return 1
    asyncio.run(adapter.set_up(its, public_url))
    print(f"{args.platform} knows where Parlour listens.")
    return 0
