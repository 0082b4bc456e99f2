"""The desk: what somebody who sits in no room can do. Open one, join one, be told how.

A code is letters only, from an alphabet without vowels and look-alikes, so that it spells nothing
and can be read out. It is understood as `JOIN KTRGW Bo`, `joinktrgw`, or alone.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from core.commands import COMMANDS, is_reserved
from core.game import Line
from core.games import find_games
from core.spelling import key, tidy

CODE_LETTERS = "CFGHJKMNPRTVWX"
CODE_LENGTH = 5
RUDE = ("fck", "cnt", "wtf", "kkk", "ngr", "fgt", "fkn", "cck", "prn", "twt", "nck", "kff")
DEFAULT_GAME = "ferret-out"


class NewRoom(Struct, frozen=True):
    """Open a room of this game."""

    game: str


class JoinRoom(Struct, frozen=True):
    """Take a seat in the room with this code ("" for the one of this public place)."""

    code: str
    name: str = ""


class Told(Struct, frozen=True):
    """Nothing to do but to answer."""

    lines: tuple[Line, ...]


Wish: TypeAlias = NewRoom | JoinRoom | Told


def wish(text: str) -> Wish:
    """What somebody at the desk wants."""
    typed = tidy(text).removeprefix("/")
    first, _, rest = typed.partition(" ")
    word = key(first)
    command = COMMANDS.get(word)
    if is_reserved(typed):
        return Told(())
    if command == "new":
        return _new(rest)
    if command == "join":
        return _join(rest)
    glued = word.removeprefix("join")
    if is_code(glued) and (glued != word or not rest):
        return JoinRoom(glued.upper(), rest)
    if command == "rules" or typed.strip() == "?":
        return Told((Line("rules-of-the-house"),))
    return Told((Line("hello"),))


def is_code(word: str) -> bool:
    """Whether a folded word could be a room's code."""
    letters = CODE_LETTERS.casefold()
    fits = CODE_LENGTH <= len(word) <= CODE_LENGTH + 3 and all(ch in letters for ch in word)
    return fits and not any(rude in word for rude in RUDE)


def code_length(live_rooms: int) -> int:
    """How many letters a new code needs so that at most one possible code in 10,000 is live."""
    length = CODE_LENGTH
    while len(CODE_LETTERS) ** length < 10_000 * (live_rooms + 1):
        length += 1
    return length


def _new(typed: str) -> Wish:
    wanted = key(typed)
    games = {key(name): name for name in find_games()}
    if not wanted:
        return NewRoom(DEFAULT_GAME)
    if wanted in games:
        return NewRoom(games[wanted])
    return Told((Line("no-such-game", {"games": ", ".join(find_games())}),))


def _join(typed: str) -> Wish:
    first, _, rest = typed.strip().partition(" ")
    code = key(first)
    if code and not is_code(code):
        return Told((Line("join-how"),))
    return JoinRoom(code.upper(), rest.strip())
