"""What a host can change before the start: five variants, and how the game ends.

A choice is a name, kept by the room while people gather; at the start the names become a `Variant`,
which is copied into the game's state, so that a game being played never changes. Which of the five
go together is at the end of DECISIONS.md.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from core.game import Line, Option, Refused, Seat
from core.games.ferret_out.pouches import HOUSE, names

FEWEST, MOST = 3, 7
TEAM_FEWEST = 5
DUEL = 2
ROUNDS = 8
MOST_ROUNDS = 30

NAMES = ("point-of-order", "weasel-brained", "paranoia", "team-weasel", "duel")
ENDINGS = ("to-15", "to-20")
NUMBER = ("pick", "roll")
PACK = "pack-"
"""What begins the choice of a pack of words other than the house's."""

_APART: dict[frozenset[str], str] = {
    frozenset({"duel", "paranoia"}): "duel-is-paranoid",
    frozenset({"duel", "team-weasel"}): "duel-has-no-team",
}
"""What doesn't go together, and the line that says why."""


class Variant(Struct, frozen=True):
    """The rules of one game. `to_points` is 0 where the rounds decide.

    `number`: the CFO picks it, the die rolls it, or (auto) the die where somebody is on SMS.
    `pack` is the id of the words it is played with.
    """

    point_of_order: bool = False
    weasel_brained: bool = False
    paranoia: bool = False
    team_weasel: bool = False
    duel: bool = False
    rounds: int = ROUNDS
    to_points: int = 0
    extra_rounds: int = 10
    number: Literal["auto", "pick", "roll"] = "auto"
    pack: str = HOUSE

    @property
    def names(self) -> tuple[str, ...]:
        """The variants that are on."""
        return tuple(name for name in NAMES if getattr(self, name.replace("-", "_")))

    @property
    def chosen(self) -> tuple[str, ...]:
        """The variants that are on, and the pack if it isn't the house's."""
        return self.names if self.pack == HOUSE else (*self.names, PACK + self.pack)

    @property
    def fewest(self) -> int:
        """How few can play so."""
        return TEAM_FEWEST if self.team_weasel else DUEL if self.duel else FEWEST

    @property
    def weasel_cards(self) -> int:
        """How many cards of the second pouch are dealt from."""
        return 2 if self.team_weasel else 1

    @property
    def spare_cards(self) -> int:
        """How many cards are left out, so that nobody knows who is missing."""
        return int(self.paranoia or self.duel)

    @property
    def weasels(self) -> Literal["one", "two", "maybe-one", "maybe-two"]:
        """How many Weasels there are, or at most are: of two, one is there for sure."""
        if self.weasel_cards == 1:
            return "maybe-one" if self.spare_cards else "one"
        return "maybe-two" if self.spare_cards else "two"


def chosen(options: tuple[str, ...]) -> Variant:
    """The variant that a host's choices make."""
    rounds = [int(one.removeprefix("rounds-")) for one in options if one.startswith("rounds-")]
    points = [int(one.removeprefix("to-")) for one in options if one.startswith("to-")]
    packs = [one.removeprefix(PACK) for one in options if one.startswith(PACK)]
    return Variant(
        **{name.replace("-", "_"): name in options for name in NAMES},
        rounds=rounds[-1] if rounds else ROUNDS,
        to_points=points[-1] if points else 0,
        number="pick" if "pick" in options else "roll" if "roll" in options else "auto",
        pack=packs[-1] if packs else HOUSE,
    )


def seats(options: tuple[str, ...]) -> tuple[int, int]:
    """How few and how many can play what was chosen."""
    variant = chosen(options)
    return variant.fewest, DUEL if variant.duel else MOST


def menu(options: tuple[str, ...], _: tuple[Seat, ...] = ()) -> tuple[Option, ...]:
    """What can be chosen, and what is: variants, usual endings, packs, and whatever else is on."""
    usual = (*NAMES, *ENDINGS, *(PACK + pack for pack in names() if pack != HOUSE))
    others = tuple(name for name in options if name not in usual)
    on_or_off = {name: "variant-on" if name in options else "variant-off" for name in usual}
    return (
        *(Option(name, Line(state, {"name": called(name)})) for name, state in on_or_off.items()),
        *(Option(name, called(name)) for name in others),
    )


def called(name: str) -> Line:
    """What a choice is called."""
    if name.startswith(PACK):
        return Line("name-pack", {"pack": name.removeprefix(PACK)})
    what, _, count = name.rpartition("-")
    if count.isdecimal():
        return Line(f"name-{what}", {"count": int(count)})
    return Line(f"name-{name}")


def choose(options: tuple[str, ...], name: str) -> tuple[str, ...] | Refused:
    """The choices with `name` switched on, or off if it was on. Refused: why it can't be."""
    if name in options:
        return tuple(one for one in options if one != name)
    for pair, why in _APART.items():
        if name in pair and any(other in options for other in pair - {name}):
            return Refused(Line(why))
    rest = tuple(one for one in options if _group(one) != _group(name))
    return (*rest, name) if _known(name) else Refused(Line("no-such-variant"))


def rules(variant: Variant) -> tuple[Line, ...]:
    """How to play, and how the variants change it."""
    how = {"rounds": variant.rounds, "points": variant.to_points}
    names = variant.names
    if variant.paranoia and variant.team_weasel:
        alone = [name for name in names if name not in {"paranoia", "team-weasel"}]
        names = (*alone, "paranoia-team-weasel")
    return (Line("rules-ferret-out", how), *(Line(f"rules-{name}") for name in names))


def _known(name: str) -> bool:
    rounds = name.removeprefix("rounds-")
    if rounds != name:
        return rounds.isdecimal() and 1 <= int(rounds) <= MOST_ROUNDS
    points = name.removeprefix("to-")
    if points != name:
        return points.isdecimal() and 1 <= int(points) <= 10 * MOST_ROUNDS
    return name in (*NAMES, *NUMBER) or (
        name.startswith(PACK) and name != PACK + HOUSE and name.removeprefix(PACK) in names()
    )


def _group(name: str) -> str:
    """Of one group only one is on: one ending, one pack, one way to come by the number."""
    if name.startswith(PACK):
        return PACK
    if name.startswith(("to-", "rounds-")):
        return "ending"
    return "number" if name in NUMBER else name
