"""The only source of chance: the system's, or for tests one that a seed repeats.

A room's code is read out across a table and typed on a phone: no vowels, so that it makes no words,
no letters that look alike, and none of the rude words that need no vowels.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable

from core.desk import CODE_LETTERS, is_code


class SystemEntropy:
    """`core.ports.Entropy` that nobody can foretell."""

    def seed(self) -> str:
        """A room's seed; never shown."""
        return secrets.token_hex(16)

    def code(self, letters: int) -> str:
        """A room's code of so many letters."""
        return _code(letters, secrets.randbelow)

    def nonce(self) -> str:
        """Something nobody has said before."""
        return secrets.token_hex(8)


class SeededEntropy:
    """`core.ports.Entropy` that says the same after the same seed, on every Python."""

    def __init__(self, seed: str) -> None:
        """Chance that follows from `seed`."""
        self._seed, self._drawn = seed, 0

    def seed(self) -> str:
        """A room's seed; never shown."""
        return self._draw()[:32]

    def code(self, letters: int) -> str:
        """A room's code of so many letters."""
        return _code(letters, lambda below: int(self._draw(), 16) % below)

    def nonce(self) -> str:
        """Something nobody has said before."""
        return self._draw()[:16]

    def _draw(self) -> str:
        self._drawn += 1
        return hashlib.sha256(f"{self._seed}/{self._drawn}".encode()).hexdigest()


def _code(letters: int, below: Callable[[int], int]) -> str:
    while True:
        code = "".join(CODE_LETTERS[below(len(CODE_LETTERS))] for _ in range(letters))
        if is_code(code.casefold()):
            return code
