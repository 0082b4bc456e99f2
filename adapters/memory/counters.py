"""What was used of whatever is limited, in memory; by the rules of `adapters.redis_store`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from core.pace import DAY_MS, MINUTE_MS
from core.ports import Limit

PARTS = 24
TOKEN_MS = 2 * DAY_MS
TURN_MS = 10 * MINUTE_MS


class MemoryCounters:
    """`core.ports.Counters`."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """Nothing is used yet; `clock` gives ms since the epoch."""
        self._clock = clock
        self._taken: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._tokens: dict[str, int] = {}
        self._through: dict[str, int] = {}
        self._turns: dict[tuple[str, str], int] = {}

    async def take(self, token: str, limits: tuple[Limit, ...]) -> str | None:
        """Take of every limit, or of none: then the name of the first that has too little left."""
        now_ms = self._clock()
        if now_ms < self._tokens.get(token, 0):
            return None
        for limit in limits:
            if await self.used(limit) + limit.amount > limit.most:
                return limit.name
        for limit in limits:
            slot, taken = _slot(limit, now_ms), self._taken[limit.name]
            taken[slot] = taken.get(slot, 0) + limit.amount
        self._tokens[token] = now_ms + TOKEN_MS
        return None

    async def used(self, limit: Limit) -> int:
        """How much of a limit was taken within its window."""
        oldest = _slot(limit, self._clock()) - PARTS
        return sum(taken for slot, taken in self._taken[limit.name].items() if slot >= oldest)

    async def book(self, line: str, token: str, cost_ms: int) -> int:
        """How many ms until the turn of `token` in a line in which each takes its `cost_ms`."""
        now_ms, place = self._clock(), (line, token)
        turn_ms = self._turns.get(place)
        if turn_ms is None or turn_ms + TURN_MS <= now_ms:
            turn_ms = max(now_ms, self._through.get(line, 0))
            self._turns[place], self._through[line] = turn_ms, turn_ms + cost_ms
        return max(0, turn_ms - now_ms)

    async def backlog_ms(self, line: str) -> int:
        """How long who comes to the line now would wait, in ms."""
        return max(0, self._through.get(line, 0) - self._clock())


def _slot(limit: Limit, now_ms: int) -> int:
    return now_ms // -(-limit.window_ms // PARTS)
