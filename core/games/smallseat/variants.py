"""What a host can choose: which Animals take part, and who is the Teller.

A game takes the Animals that are switched on, and as many more as there are players, in the order
of difficulty that was chosen (S-02). A Teller who does not sit there is drawn by chance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.dice import Dice
from core.game import Line, Option, Refused, Seat, Who
from core.games.smallseat.animals import KINDS, TIERS
from core.games.smallseat.bots import STRENGTHS
from core.games.smallseat.state import Kind

FEWEST, MOST = 3, 12
NAMES = ("medium", "advanced", "random", "all")
"""The ways to fill up: without any, the Animals of a first game come first."""
TELLER = "teller-"

_TELLER = re.compile(rf"{TELLER}s\d{{1,3}}")
_ORDERS: Mapping[str, tuple[str, ...]] = {
    "medium": ("medium", "first", "advanced"),
    "advanced": ("advanced", "medium", "first"),
}


def seats(_: tuple[str, ...]) -> tuple[int, int]:
    """How few and how many can play (S-01)."""
    return FEWEST, MOST


def menu(options: tuple[str, ...], at_table: tuple[Seat, ...]) -> tuple[Option, ...]:
    """What can be chosen, and what is: ways to fill up, Animals, and the Teller."""
    tellers = (f"{TELLER}{seat}" for seat in at_table)
    return tuple(
        Option(name, Line(f"menu-{'on' if name in options else 'off'}", {"name": called(name)}))
        for name in (*NAMES, *KINDS, *tellers, *STRENGTHS)
    )


def called(name: str) -> Line:
    """What a choice is called."""
    if name.startswith(TELLER):
        return Line("name-teller", {"who": Who(name.removeprefix(TELLER))})
    return Line(f"animal-{name}" if name in KINDS else f"name-{name}")


def choose(options: tuple[str, ...], name: str) -> tuple[str, ...] | Refused:
    """The choices with `name` switched on, or off if it was on. Of one group only one is on."""
    if name in options:
        return tuple(one for one in options if one != name)
    if name not in (*NAMES, *KINDS, *STRENGTHS) and not _TELLER.fullmatch(name):
        return Refused(Line("no-such-choice"))
    rest = tuple(one for one in options if name in KINDS or _group(one) != _group(name))
    return (*rest, name)


def animals(options: tuple[str, ...], players: int, dice: Dice) -> tuple[Kind, ...]:
    """The Animals of a game: those chosen, filled up to one for each player at least."""
    chosen = [kind for kind in KINDS if kind in options]
    tiers = next((_ORDERS[one] for one in options if one in _ORDERS), tuple(TIERS))
    order: list[Kind] = [kind for tier in tiers for kind in TIERS[tier]]
    if "random" in options:
        order = dice.order(KINDS, "animals")
    fill = [kind for kind in order if kind not in chosen]
    count = len(KINDS) if "all" in options else players
    taken = {*chosen, *fill[: max(0, count - len(chosen))]}
    return tuple(kind for kind in KINDS if kind in taken)


def teller(options: tuple[str, ...], at_table: tuple[Seat, ...], dice: Dice) -> Seat:
    """Whom the host picked, else anybody."""
    picked = (one.removeprefix(TELLER) for one in options if one.startswith(TELLER))
    return next((seat for seat in picked if seat in at_table), None) or dice.one_of(
        at_table, "teller"
    )


def _group(name: str) -> str:
    if name.startswith(TELLER):
        return TELLER
    return "fill" if name in NAMES else "strength" if name in STRENGTHS else name
