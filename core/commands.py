"""What every platform can say, and the closed set of words that nobody may say bare.

A command is a bare word, `/word`, or a word with an argument that fits it. `RESERVED` are the
keywords of carriers and providers: a carrier acts on them before we see them, so they are never a
command, a label, a code, a name or a clue, on any platform.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from core.spelling import key

TableCommand: TypeAlias = Literal[
    "new", "join", "who", "rules", "look", "scores", "leave", "name", "again", "invite"
]
"""What anybody can say."""

HostCommand: TypeAlias = Literal["go", "kick", "finish", "pace", "pick", "variant", "bot"]
"""What only the host can."""

LookUp: TypeAlias = Literal["card"]
"""What is looked up in the words of the game."""

CommandName: TypeAlias = TableCommand | HostCommand | LookUp


class Command(Struct, frozen=True):
    """A command and what was typed behind it."""

    name: CommandName
    argument: str = ""


COMMANDS: dict[str, CommandName] = {
    "new": "new",
    "join": "join",
    "go": "go",
    "begin": "go",
    "who": "who",
    "rules": "rules",
    "card": "card",
    "cards": "card",
    "look": "look",
    "hand": "look",
    "word": "look",
    "scores": "scores",
    "leave": "leave",
    "out": "leave",
    "kick": "kick",
    "finish": "finish",
    "wrap": "finish",
    "name": "name",
    "pace": "pace",
    "pick": "pick",
    "variant": "variant",
    "variants": "variant",
    "bot": "bot",
    "again": "again",
    "rematch": "again",
    "invite": "invite",
}
"""Every word that is a command, and which."""

TAKES_ARGUMENT: frozenset[CommandName] = frozenset(
    {"new", "join", "card", "kick", "finish", "name", "pace", "variant", "bot", "invite"}
)
"""The commands that mean something with more words behind them."""

OPT_OUT = frozenset(
    "stop stopall unsubscribe cancel end quit revoke optout opt-out remove td "
    "arret arrete arrett alto baja parar cancelar detener".split()
)
"""A person who texts one of these is not texted again."""

OPT_IN = frozenset("start yes unstop subscribe si".split())
"""A person who texts one of these can be texted again. It is not a way into a room."""

HELP = frozenset("help info aide ayuda".split())
"""The provider answers these itself."""

RESERVED = OPT_OUT | OPT_IN | HELP
"""Never anything of ours, in any room, on any platform."""

NOT_A_NAME = frozenset(
    {"me", "myself", "i", "you", "nobody", "none", "everybody", "host", "bot", "room", "parlour"}
)
"""Words that mean somebody already."""


def is_reserved(text: str) -> bool:
    """Whether a whole text belongs to the carriers, however it is spelt: `Stop.`, `OPT OUT`."""
    return key(text) in RESERVED
