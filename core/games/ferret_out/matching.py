"""When a typed word is a word of the pack: the guess (rule F-15) and the clue (rule F-04).

The two ask different things. A guess may be misspelt, as long as it can mean nothing else;
a clue is refused only if it is a word on the player's own card, in one of its noun forms.
`sandpaper` for SAND is a fine clue, and a clue one letter off is somebody's other word.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.games.ferret_out.pouches import Pack
from core.games.ferret_out.pouches.keys import key
from core.spelling import edits

ONE_SLIP_LETTERS = 4
TWO_SLIPS_LETTERS = 8


def names_word(typed: str, word: str, pack: Pack) -> bool:
    """Whether a guess means `word`, a word of the pack.

    A slip is forgiven only if what was typed is no word itself and no other word of the pack
    is as near. (Edit distance alone would take `band` for SAND and `golf` for WOLF.)
    """
    said = key(typed)
    forms = pack.forms(word)
    if said in forms:
        return True
    slips = min(edits(said, form) for form in forms)
    if slips > _forgiven(word) or said in pack.known:
        return False
    others = (form for other in pack.words if other != word for form in pack.forms(other))
    return all(edits(said, form) > slips for form in others if abs(len(form) - len(said)) <= slips)


def on_card(clue: str, card: Sequence[str], pack: Pack) -> str | None:
    """The word of the player's own card that a clue is, or None. Never ask it of another card."""
    said = key(clue)
    return next((word for word in card if said in pack.forms(word)), None)


def _forgiven(word: str) -> int:
    """The edits a guess at `word` may be off: 0, 1 or 2 by its length in letters."""
    letters = len(key(word))
    return (letters >= ONE_SLIP_LETTERS) + (letters >= TWO_SLIPS_LETTERS)
