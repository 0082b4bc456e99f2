"""Deterministic dice: same seed, step and label, same roll, on every Python.

Nothing has to be stored but the seed. `random.Random` would need 7 kB of state in every room, and
promises only `random()` itself from one Python to the next.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")


class Dice(Struct, frozen=True):
    """The chances of one step of one room."""

    seed: str
    step: int

    def order(self, items: Sequence[T], label: str) -> list[T]:
        """`items` in an order that is uniform over all orders."""
        keyed = sorted((self._roll(f"{label}/{at}"), at) for at in range(len(items)))
        return [items[at] for _, at in keyed]

    def one_of(self, items: Sequence[T], label: str) -> T:
        """One of `items`, each equally likely. Raises IndexError when there are none."""
        return self.order(items, label)[0]

    def _roll(self, label: str) -> bytes:
        return hashlib.sha256(f"{self.seed}/{self.step}/{label}".encode()).digest()
