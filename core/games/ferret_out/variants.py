"""What a host can change before the start; copied into the state, so that a game never changes."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

OPTIONS = ("pick", "roll")


class Variant(Struct, frozen=True):
    """`number`: the CFO picks it, the die rolls it, or (auto) the die where somebody is on SMS."""

    name: str = "base"
    rounds: int = 8
    extra_rounds: int = 10
    number: Literal["auto", "pick", "roll"] = "auto"


def chosen(options: tuple[str, ...]) -> Variant:
    """The variant that a host's choices make."""
    for option in options:
        if option == "pick":
            return Variant(number="pick")
        if option == "roll":
            return Variant(number="roll")
    return Variant()
