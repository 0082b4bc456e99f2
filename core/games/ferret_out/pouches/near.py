"""Real words that would pass for a slip at one of the pack's: what `Pack.near` holds (rule F-15).

They are looked for once, when a pack is built, in any list of real words. Two words at most two
edits apart have a remainder in common when at most two letters are taken out of each: so each
list word is compared with the few forms that share one, not with all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from core.games.ferret_out.pouches.keys import TWO_SLIPS_LETTERS, forgiven, key
from core.games.ferret_out.pouches.pack import Pack
from core.spelling import edits


def near_words(pack: Pack, real: Iterable[str]) -> tuple[str, ...]:
    """The keys, sorted, of the `real` words that a guess at a word of `pack` could be taken for."""
    index = _index(pack)
    longest = max(map(len, pack.owners)) + 2
    keys = {key(word) for word in real} - pack.owners.keys()
    return tuple(sorted(said for said in keys if len(said) <= longest and _is_near(said, index)))


def _is_near(said: str, index: dict[str, dict[str, int]]) -> bool:
    forms: dict[str, int] = {}
    for rest in _remainders(said, 2 if len(said) >= TWO_SLIPS_LETTERS - 2 else 1):
        forms.update(index.get(rest, {}))
    return any(edits(said, form) <= slips for form, slips in forms.items())


def _index(pack: Pack) -> dict[str, dict[str, int]]:
    """The forms, and the slips each is forgiven, by what is left of them."""
    found: dict[str, dict[str, int]] = {}
    for form, word in pack.owners.items():
        if slips := forgiven(word, form):
            for rest in _remainders(form, slips):
                found.setdefault(rest, {})[form] = slips
    return found


def _remainders(text: str, most: int) -> Iterator[str]:
    """`text` without some of its letters, `most` of them at most."""
    for count in range(most + 1):
        for out in combinations(range(len(text)), count):
            yield "".join(letter for at, letter in enumerate(text) if at not in out)
