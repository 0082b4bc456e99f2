"""When a typed word is a word of the pack: the guess (rule F-15) and the clue (rule F-04).

The two ask different things. A guess may be misspelt, as long as it can mean nothing else;
a clue is refused only if it is a word on the player's own card, in one of its noun forms.
`sandpaper` for SAND is a fine clue, and a clue one letter off is somebody's other word.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.games.ferret_out.pouches import Pack
from core.games.ferret_out.pouches.keys import forgiven, key
from core.spelling import edits


def names_word(typed: str, word: str, pack: Pack) -> bool:
    """Whether a guess means `word`, a word of the pack.

    A slip is forgiven only if what was typed is no word itself and no other word of the pack
    is as near. (Edit distance alone would take `band` for SAND and `golf` for WOLF.)
    """
    said = key(typed)
    forms = pack.forms(word)
    if said in forms:
        return True
    if said in pack.known:
        return False
    off = {form: edits(said, form) for form in forms}
    slips = [count for form, count in off.items() if count <= forgiven(word, form)]
    return bool(slips) and not _another_as_near(said, word, min(slips), pack)


def on_card(clue: str, card: Sequence[str], pack: Pack) -> str | None:
    """The word of the player's own card that a clue is, or None. Never ask it of another card."""
    said = key(clue)
    return next((word for word in card if said in pack.forms(word)), None)


def _another_as_near(said: str, word: str, slips: int, pack: Pack) -> bool:
    """Whether a form of another word is at most `slips` edits off.

    A letter that a form lacks is one edit at least: that spares nearly all of the counting.
    """
    letters = frozenset(said)
    return any(
        pack.owners[form] != word and edits(said, form) <= slips
        for length in range(len(said) - slips, len(said) + slips + 1)
        for form, its_letters in pack.by_length.get(length, ())
        if len(letters - its_letters) <= slips
    )
