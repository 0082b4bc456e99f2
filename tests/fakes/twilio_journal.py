"""What happened at the fake, line by line, and how a test waits for it without sleeping."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager


class Journal:
    """A transcript that wakes whoever waits, and the violations found on the way."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.violations: list[str] = []
        self._under_way = 0
        self._changed = asyncio.Event()

    def note(self, line: str) -> None:
        """Add a line and let every waiting predicate be asked again."""
        self.lines.append(line)
        self._changed.set()
        self._changed = asyncio.Event()

    def violation(self, what: str) -> None:
        """Put down what the real service would have stumbled over."""
        self.violations.append(what)
        self.note(f"violation: {what}")

    @contextmanager
    def under_way(self, line: str) -> Generator[None]:
        """Note a line, and be not quiet until the block has ended."""
        self._under_way += 1
        self.note(line)
        try:
            yield
        finally:
            self._under_way -= 1
            self.note(f"{line} (over)")

    async def until(self, predicate: Callable[[], object], within_seconds: float) -> None:
        """Wait until the predicate holds. Raises AssertionError with the transcript."""
        try:
            async with asyncio.timeout(within_seconds):
                while not predicate():
                    await self._changed.wait()
        except TimeoutError:
            raise self._too_late(f"not so within {within_seconds} s") from None

    async def quiet(self, seconds: float, within_seconds: float) -> None:
        """Wait for `seconds` of nothing. Raises AssertionError with the transcript."""
        try:
            async with asyncio.timeout(within_seconds):
                while await self._happens(seconds) or self._under_way:
                    pass
        except TimeoutError:
            raise self._too_late(f"not quiet within {within_seconds} s") from None

    async def _happens(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                return await self._changed.wait()
        except TimeoutError:
            return False

    def _too_late(self, what: str) -> AssertionError:
        return AssertionError("\n  ".join([what, *self.lines]))
