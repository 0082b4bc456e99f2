"""An event loop whose time passes at once: it jumps to whatever is due next.

Nothing in it depends on the machine: what runs, in which order and at which time follows from what
was scheduled, so the same seed makes the same run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from selectors import BaseSelector, SelectorKey
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

Ready = list[tuple[SelectorKey, int]]


class Standstill(Exception):
    """Everybody waits, and nothing is due: the run would wait for ever."""


class Jumping(BaseSelector):
    """A selector without files: to wait is to move the clock."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def select(self, timeout: float | None = None) -> Ready:
        """Let `timeout` seconds pass."""
        if timeout is None:
            raise Standstill
        self.seconds += max(0.0, timeout)
        return []

    def register(
        self, fileobj: FileDescriptorLike, events: int, data: object = None
    ) -> SelectorKey:
        """There are no files here."""
        del events, data
        raise FileNotFoundError(fileobj)

    def unregister(self, fileobj: FileDescriptorLike) -> SelectorKey:
        """There are no files here."""
        raise FileNotFoundError(fileobj)

    def get_map(self) -> Mapping[FileDescriptorLike, SelectorKey]:
        """No files."""
        return {}


class JumpingLoop(asyncio.SelectorEventLoop):
    """The loop of a simulation."""

    def __init__(self) -> None:
        self._jumping = Jumping()
        super().__init__(self._jumping)
        # A timer is due at its time, not a tick of the real clock before.
        self._clock_resolution = 1e-9

    def time(self) -> float:
        """Seconds since the run began."""
        return self._jumping.seconds

    def _make_self_pipe(self) -> None:
        """No other thread ever wakes it."""

    def _close_self_pipe(self) -> None:
        """There is none."""

    def _write_to_self(self) -> None:
        """There is none."""
