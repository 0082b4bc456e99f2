"""Bots that play legally, by what their seat may know: their own card, the clues, the names.

A clue is one of the family's vague ones; a ballot names whoever's clue fits the family least, and
now and then the bot itself, with a word of the family as its guess.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from core.dice import Dice
from core.game import Ask, Given, Pick, Seat
from core.games.ferret_out.matching import key
from core.games.ferret_out.pouches import POUCHES, Pack


class Seen(Struct, frozen=True):
    """What the bot's seat knows: its word and its family's position, who plays, and the clues."""

    word: str
    position: int
    players: tuple[Seat, ...]
    clues: Mapping[Seat, str]


def answer(ask: Ask, seen: Seen, dice: Dice, pack: Pack) -> Given:
    """A legal answer to the ask."""
    match ask.verb:
        case "number":
            options = ask.answer.options if isinstance(ask.answer, Pick) else ()
            return Given((dice.one_of([option.value for option in options], f"number/{ask.to}"),))
        case "clue":
            return Given(words=dice.one_of(pack.clues(seen.position), f"clue/{ask.to}"))
        case _:
            return _vote(ask.to, seen, dice, pack)


def _vote(me: Seat, seen: Seen, dice: Dice, pack: Pack) -> Given:
    if dice.one_of(seen.players, f"self/{me}") == me:
        family = [pack.word(pouch, seen.position) for pouch in range(POUCHES)]
        others = [word for word in family if word != seen.word]
        return Given((me,), dice.one_of(others, f"guess/{me}"))
    fitting = {key(clue) for clue in pack.clues(seen.position)}
    others = dice.order([seat for seat in seen.players if seat != me], f"vote/{me}")
    return Given((min(others, key=lambda seat: key(seen.clues.get(seat, "")) in fitting),))
