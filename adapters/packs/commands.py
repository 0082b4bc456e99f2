"""The commands of `parlour pack`: lint, match, near, add.

A fault of a file is told with its line on standard error; the exit code is 1 then, and 0 if all
is well.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adapters.packs import store
from adapters.packs.stray import Words, is_real
from adapters.packs.table import badly_playing, report
from core.games.ferret_out.matching import names_word, on_card
from core.games.ferret_out.pouches import Pack, house
from core.games.ferret_out.pouches.keys import key
from core.games.ferret_out.pouches.layout import dumps
from core.games.ferret_out.pouches.loading import line_of
from core.games.ferret_out.pouches.near import near_words

Command: TypeAlias = Callable[[argparse.Namespace], int]


class Question(Struct, frozen=True):
    """A line that `match` reads: whether `typed` is a guess at `word`, or a clue it forbids."""

    kind: Literal["guess", "clue"]
    typed: str
    word: str


def describe(pack: argparse.ArgumentParser) -> None:
    """Give `parlour pack` its commands."""
    pack.description = (
        "Packs of words of your own; core/games/ferret_out/pouches/README.md has the format."
    )
    commands = pack.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name, run, brief in (
        ("lint", _lint, "check a pack, position by position"),
        ("match", _match, "which guesses and clues match: JSON lines in, JSON lines out"),
        ("near", _near, "list the real words that are no slip at one of the pack's"),
        ("add", _add, "let rooms here play with a pack"),
    ):
        one = commands.add_parser(name, help=brief, description=_DETAILS[name])
        one.set_defaults(run=run)
        if name == "match":
            one.add_argument("file", type=Path, nargs="?", help="a pack (the house's)")
        else:
            one.add_argument("file", type=Path, help="a pack")
        if name == "near":
            one.add_argument(
                "--words", type=Path, action="append", required=True, metavar="LIST",
                help="a file of real words, one a line; may be given several times",
            )  # fmt: skip


_DETAILS = {
    "lint": "Print a row for each position and what is wrong. How alike and how well known words "
    "are is checked where the extra is installed: pip install 'parlour[words]'.",
    "match": 'Read lines like {"kind": "guess", "typed": "beech", "word": "beach"} and answer each '
    'with {"match": true} or {"match": false}; for the kind "clue", a match is refused. A word '
    "that the pack lacks is matched as if it had it, with its usual forms.",
    "near": "Write into the file which words of the lists would pass for a slip at one of the "
    "pack's: typed, they are meant (rule F-15).",
    "add": "Check a pack lightly and keep it in $XDG_DATA_HOME/parlour/packs.",
}


def _reading(run: Callable[[argparse.Namespace, Pack, bytes], int]) -> Command:
    """`run`, with the pack of the file; a file that can't be one is told instead."""

    def with_pack(args: argparse.Namespace) -> int:
        try:
            return run(args, *store.read(args.file))
        except (OSError, ValueError) as why:
            return _failed(why)

    return with_pack


def _failed(why: OSError | ValueError) -> int:
    reason = f"{why.filename}: {why.strerror}" if isinstance(why, OSError) else str(why)
    sys.stderr.write(f"{reason}\n")
    return 1


@_reading
def _lint(args: argparse.Namespace, pack: Pack, raw: bytes) -> int:
    del args
    found = report(pack, raw)
    _write(found.lines)
    return 0 if found.well else 1


@_reading
def _near(args: argparse.Namespace, pack: Pack, raw: bytes) -> int:
    del raw
    lists: list[Path] = args.words
    near = near_words(pack, _lines(lists))
    Path(args.file).write_text(dumps(replace(pack, near=near)), encoding="utf-8")
    _write([f"{len(near)} near words"])
    return 0


@_reading
def _add(args: argparse.Namespace, pack: Pack, raw: bytes) -> int:
    place = store.add(pack, raw, os.environ)
    warnings = [
        f"{args.file.name}: line {line_of(raw, one)}: {one.what}" for one in badly_playing(pack)
    ]
    if not pack.near:
        warnings.append("No near words are listed: see parlour pack near.")
    sys.stderr.writelines(f"{warning}\n" for warning in warnings)
    _write([f"{pack.id} is at {place}"])
    return 0


def _match(args: argparse.Namespace) -> int:
    try:
        pack = store.read(args.file)[0] if args.file else house()
    except (OSError, ValueError) as why:
        return _failed(why)
    words, well = Words(pack), True
    for line in sys.stdin.buffer:
        if line.strip():
            told = answer(line, words)
            well &= "error" not in told
            sys.stdout.write(f"{msgspec.json.encode(told).decode()}\n")
            sys.stdout.flush()
    return 0 if well else 1


def answer(line: bytes, words: Words) -> dict[str, bool | str]:
    """What `match` says to one line: `match`, or `error` with the reason."""
    try:
        asked = msgspec.json.decode(line, type=Question)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return {"error": str(error)}
    if not key(asked.word):
        return {"error": f"{asked.word!r} has no letter and no digit"}
    known, word = words.find(asked.word)
    if asked.kind == "clue":
        return {"match": on_card(asked.typed, [word], known) is not None}
    stray = known is not words.pack and key(asked.typed) not in known.forms(word)
    if stray and is_real(asked.typed, known.language):
        return {"match": False}
    return {"match": names_word(asked.typed, word, known)}


def _lines(lists: Iterable[Path]) -> Iterator[str]:
    for one in lists:
        yield from one.read_text(encoding="utf-8", errors="replace").splitlines()


def _write(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
