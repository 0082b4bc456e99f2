"""Who sits at the table of a terminal."""

from __future__ import annotations

import getpass
from collections.abc import Sequence

from msgspec import Struct

from adapters.terminal.auto import NAMES
from core import text
from core.game import Refused
from core.games import find_games
from core.reading import clean_name
from core.spelling import key


class Seats(Struct, frozen=True):
    """Who sits at the table: the names played from this keyboard, and the bots."""

    mine: tuple[str, ...]
    bots: tuple[str, ...]


def seats(wanted: Sequence[str], players: int, allowed: tuple[int, int]) -> Seats:
    """The seats that `--seat NAME=me|bot` asks for, bots at the rest. Raises ValueError."""
    least, most = allowed
    if not least <= players <= most:
        takes = f"{least} to {most}" if least < most else f"{least}"
        raise ValueError(f"--players {players}: so it takes {takes} players")
    mine: list[str] = []
    bots: list[str] = []
    for one in wanted:
        typed, _, who = one.partition("=")
        name = clean_name(typed)
        if name is None or who not in {"me", "bot"}:
            raise ValueError(f"--seat {one}: give a name and who plays it, like ann=me")
        if key(name) in map(key, (*mine, *bots)):
            raise ValueError(f"--seat {one}: somebody is called that already")
        (mine if who == "me" else bots).append(name[0].upper() + name[1:])
    taken = {key(name) for name in (*mine, *bots)}
    free = [name for name in NAMES if key(name) not in taken]
    if not mine:
        called = clean_name(_user().capitalize())
        mine.append(called if called and key(called) not in taken else free[0])
        free = [name for name in free if key(name) != key(mine[0])]
    missing = players - len(mine) - len(bots)
    if missing < 0:
        raise ValueError(
            f"--seat: {len(mine) + len(bots)} seats, yours included, are more than the "
            f"{players} of --players"
        )
    return Seats(tuple(mine), (*bots, *free[:missing]))


def chosen(game: str, wanted: Sequence[str]) -> tuple[str, ...]:
    """The host's choices that switch on all that is `wanted`. ValueError says why they can't be."""
    options: tuple[str, ...] = ()
    for name in dict.fromkeys(wanted):
        made = find_games()[game].choose(options, name)
        if isinstance(made, Refused):
            why = text.load().render(made.line).full
            known = ", ".join(one.value for one in find_games()[game].menu((), ()))
            raise ValueError(f"{name}: {why} There are: {known}")  # noqa: TRY004  (a player's mistake, no type's)
        options = made
    return options


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return ""


def listed(names: Sequence[str]) -> str:
    """`Ann, Bo and Cy`. There is at least one name."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
