"""How well known words are, and which are rude: what `wordfreq` and `better-profanity` say.

Both are optional packages, like those of `likeness`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from math import log10
from statistics import median

from core.games.ferret_out.pouches import Pack
from core.games.ferret_out.pouches.loading import Fault

LEAST_ZIPF = 3.5
"""Three in a million words: a word and its noun forms together."""
LEAST_MEDIAN_ZIPF = 4.0
_SMALLEST = 1e-9


def zipf(pack: Pack) -> dict[str, float] | None:
    """The Zipf frequency of each word with its forms; None: `wordfreq` is not installed."""
    if not find_spec("wordfreq"):
        return None
    frequency = import_module("wordfreq").word_frequency
    return {
        word: log10(
            max(sum(frequency(form, pack.language) for form in pack.forms(word)), _SMALLEST)
        )
        + 9
        for word in pack.words
    }


def rare(pack: Pack, known: dict[str, float]) -> Iterator[Fault]:
    """The words too few people know, then whether the middle one is known well enough."""
    for family in pack.families:
        for word in family.words:
            if round(known[word], 2) < LEAST_ZIPF:
                yield Fault(family.name, word, f"{word!r} is rare: Zipf {known[word]:.2f}")
    if (middle := median(known.values())) < LEAST_MEDIAN_ZIPF:
        yield Fault("", "", f"the words are rare: half are under Zipf {middle:.2f}")


def rude(pack: Pack) -> Iterator[Fault] | None:
    """Words, forms and clues a family should not see; None: no list of them is installed."""
    if not find_spec("better_profanity"):
        return None
    is_rude = import_module("better_profanity").profanity.contains_profanity
    return (
        Fault(family.name, text, f"{text!r} is rude to some")
        for family in pack.families
        for text in sorted(_said(pack, family.words) | set(family.clues))
        if is_rude(text)
    )


def _said(pack: Pack, words: tuple[str, ...]) -> set[str]:
    return {form for word in words for form in pack.forms(word)}
