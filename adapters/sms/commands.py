"""The commands of `parlour sms`: what a text costs, which numbers were typed. Nothing is sent."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import msgspec
from msgspec import Struct
from phonenumbers import SUPPORTED_REGIONS

from adapters.sms import segments
from adapters.sms.numbers import find_numbers


class Sized(Struct):
    """A line that `count` reads."""

    text: str


def describe(sms: argparse.ArgumentParser, switch: Callable[[argparse.Namespace], int]) -> None:
    """Give `parlour sms` its commands; `switch` turns all texts off or on, as `args.on` says."""
    sms.description = "Looks at texts and numbers as Parlour does, and switches all texts off."
    commands = sms.add_subparsers(title="commands", required=True, metavar="COMMAND")
    count = commands.add_parser(
        "count",
        help="how many segments a text takes: JSON lines in, JSON lines out",
        description='Reads lines like {"text": "..."}, answers with the encoding, the segments '
        "and the units (septets, or UTF-16 units) of each.",
    )
    count.set_defaults(run=_count)
    invite = commands.add_parser(
        "invite",
        help="which numbers a host typed, and what could be done with each",
        description="Reads what a host typed or pasted, and prints a JSON line for each number "
        "in it: ok, confirm (a guess), which_country, invalid, landline, premium, short, "
        "country_off, duplicate.",
    )
    invite.add_argument("--dry-run", action="store_true", required=True, help="no text is sent")
    invite.add_argument(
        "--region", required=True, type=_region, metavar="CC",
        help="the country of the host's own number: US, GB, ...",
    )  # fmt: skip
    invite.add_argument(
        "--countries", default=(), type=lambda typed: [_region(one) for one in typed.split(",")],
        metavar="CC,CC", help="the countries that may be texted (the host's own)",
    )  # fmt: skip
    invite.set_defaults(run=_invite)
    for name, on, brief in (
        ("off", False, "send no text any more, from any process, until sms on"),
        ("on", True, "send texts again"),
    ):
        one = commands.add_parser(name, help=brief, description=f"{brief.capitalize()}.")
        one.set_defaults(run=switch, on=on)


def _count(_: argparse.Namespace) -> int:
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        try:
            text = msgspec.json.decode(line, type=Sized).text
        except (msgspec.MsgspecError, UnicodeDecodeError) as why:
            print(f"line {number}: {why}", file=sys.stderr)
            return 1
        counted = segments.count(text)
        answer = {
            "encoding": counted.encoding,
            "segments": counted.segments,
            "units": sum(counted.parts),
        }
        print(msgspec.json.encode(answer).decode(), flush=True)
    return 0


def _invite(args: argparse.Namespace) -> int:
    typed = sys.stdin.buffer.read().decode("utf-8", "replace")
    for found in find_numbers(typed, args.region, args.countries):
        print(msgspec.json.encode(found).decode())
    return 0


def _region(typed: str) -> str:
    region = typed.strip().upper()
    if region not in SUPPORTED_REGIONS:
        raise argparse.ArgumentTypeError(f"{typed}: no country of two letters, like US")
    return region
