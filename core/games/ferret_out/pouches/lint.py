"""What plays badly in a pack, word by word: the checks that need nothing but the pack.

A pack with problems can be played; one with faults (`loading`) can't. What needs to know the world
(how alike two words are, how well known one is, what is rude) is measured outside of the core.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from core.games.ferret_out.pouches.keys import key
from core.games.ferret_out.pouches.loading import Fault
from core.games.ferret_out.pouches.pack import POUCHES, Family, Pack
from core.spelling import edits

FEWEST_LETTERS = 3
MOST_LETTERS = 9
STEM_LETTERS = 4
_ENDINGS = ("ing", "ers", "er", "or", "ist", "ed", "es", "s", "e", "y")
SPELLINGS = tuple(
    pair.split("/")
    for pair in (
        "aluminum/aluminium archeologist/archaeologist armor/armour ax/axe behavior/behaviour "
        "caliber/calibre catalog/catalogue center/centre check/cheque chili/chilli color/colour "
        "curb/kerb dialog/dialogue donut/doughnut favor/favour fiber/fibre flavor/flavour "
        "glamor/glamour gray/grey harbor/harbour honor/honour humor/humour jewelry/jewellery "
        "labor/labour license/licence liter/litre maneuver/manoeuvre meter/metre mold/mould "
        "mustache/moustache neighbor/neighbour odor/odour omelet/omelette pajamas/pyjamas "
        "parlor/parlour plow/plough rumor/rumour saber/sabre savior/saviour scepter/sceptre "
        "specter/spectre sulfur/sulphur theater/theatre tire/tyre vapor/vapour yogurt/yoghurt"
    ).split()
)
"""The same word, American and British: a pack that has one lists the other as its form."""


def problems(pack: Pack, reserved: Collection[str]) -> Iterator[Fault]:
    """What plays badly, family by family, then pouch by pouch.

    Typed alone, `reserved` words are commands, or the carrier's, or mean somebody.
    """
    keys = frozenset(map(key, reserved))
    for family in pack.families:
        yield from _shapes(family)
        yield from _reserved(pack, family, keys)
        yield from _spellings(pack, family)
        for one, other in combinations(family.words, 2):
            if why := alike(one, other):
                yield Fault(family.name, other, f"{one!r} and {other!r} {why}")
        for word in sorted(set(map(key, family.clues)) & pack.owners.keys()):
            yield Fault(family.name, word, f"the clue {word!r} is a word of the pack")
    for pouch in range(POUCHES):
        words = [family.words[pouch] for family in pack.families]
        for one, other in combinations(range(len(words)), 2):
            if why := alike(words[one], words[other]):
                what = f"{words[one]!r} and {words[other]!r}, both in pouch {pouch + 1}, {why}"
                yield Fault(pack.families[other].name, words[other], what)


def alike(one: str, other: str) -> str:
    """Why two words look so alike that one is taken for the other, or an empty text."""
    first, second = key(one), key(other)
    if first in second or second in first:
        return "lie inside each other"
    if stem(first) == stem(second):
        return "have one stem"
    close = abs(len(first) - len(second)) <= 1 and edits(first, second) <= 1
    return "are one slip apart" if close else ""


def stem(word: str) -> str:
    """A word without its ending, where four letters stay: `singer` and `singing` have one stem."""
    ending = next((end for end in _ENDINGS if word.endswith(end)), "")
    rest = word.removesuffix(ending)
    return rest if len(rest) >= STEM_LETTERS else word


def _shapes(family: Family) -> Iterator[Fault]:
    for word in family.words:
        if not (word.isalpha() and word.islower()):
            yield Fault(family.name, word, f"{word!r} is not one word of small letters")
        elif not FEWEST_LETTERS <= len(word) <= MOST_LETTERS:
            what = f"{word!r} has {len(word)} letters, not {FEWEST_LETTERS} to {MOST_LETTERS}"
            yield Fault(family.name, word, what)


def _reserved(pack: Pack, family: Family, reserved: frozenset[str]) -> Iterator[Fault]:
    for word in family.words:
        for form in sorted(pack.forms(word) & reserved):
            yield Fault(family.name, word, f"{form!r} is a command or a carrier's word")
    for clue in family.clues:
        if key(clue) in reserved:
            yield Fault(family.name, clue, f"the clue {clue!r} is a command or a carrier's word")


def _spellings(pack: Pack, family: Family) -> Iterator[Fault]:
    for word in family.words:
        for one, other in SPELLINGS:
            if word in (one, other) and not {one, other} <= pack.forms(word):
                missing = other if word == one else one
                yield Fault(family.name, word, f"{word!r} lacks its other spelling {missing!r}")
