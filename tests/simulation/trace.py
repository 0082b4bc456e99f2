"""What happened in a run, as one hash, and its last lines for whoever looks into a violation."""

from __future__ import annotations

import hashlib
from collections import Counter, deque

KEPT_LINES = 400


class Trace:
    """Every event, store call, send and crash, in order."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        """How often each kind of thing happened."""
        self.last: deque[str] = deque(maxlen=KEPT_LINES)
        self._hash = hashlib.blake2b(digest_size=16)

    def note(self, seconds: float, what: str, *details: object) -> None:
        """Something happened."""
        self.counts[what] += 1
        line = " ".join((f"{seconds:.6f}", what, *map(str, details)))
        self._hash.update(line.encode())
        self.last.append(line)

    @property
    def digest(self) -> str:
        """The same for two runs in which the same happened at the same times."""
        return self._hash.hexdigest()
