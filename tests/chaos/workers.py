"""Workers that are killed, or stopped for longer than their leases last, and come back."""

import asyncio
import os
import re
import signal
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.server import ServerProcess

REFUSED_AT_MOST = 500
"""So often a worker may come up while the store is away."""


class Worker(ServerProcess):
    """One process of Parlour; `lock` is held while something is being done to it."""

    def __init__(self, settings: Mapping[str, str], log: Path) -> None:
        super().__init__(settings, log)
        self.lock = asyncio.Lock()
        self.refused = 0
        self.halted = False

    async def start(self) -> None:
        """Start it, and again as a service's supervisor would, while the store is away."""
        while True:
            try:
                await super().start()
                self.log.with_suffix(".pid").write_text(f"{self._pid}\n", "utf-8")
            except AssertionError:
                self.refused += 1
                if self.refused > REFUSED_AT_MOST or "The store can't be used" not in self._said:
                    raise
                await self.kill()
            else:
                return

    async def kill(self) -> None:
        """SIGKILL, if it still runs."""
        if self._process is not None and self._process.returncode is None:
            await super().kill()

    async def stop(self) -> None:
        """SIGTERM; SIGKILL for one that does not end then, lest it hide why all has to end."""
        self.go_on()
        try:
            await super().stop()
        except TimeoutError:
            await self.kill()

    def halt(self) -> None:
        """SIGSTOP: it does nothing, and knows of nothing, until it goes on."""
        self.halted = True
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """SIGCONT: as if no time had passed."""
        self.halted = False
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        if self._process is not None and self._process.returncode is None:
            os.kill(self._pid, number)

    @property
    def _pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def _said(self) -> str:
        return self.log.read_text("utf-8")[-2_000:]

    @property
    def tracebacks(self) -> list[str]:
        """What went wrong in a way that nobody had thought of."""
        return re.findall(
            r"^Traceback .*?^\w\S*(?:: .*?)?$",
            self.log.read_text("utf-8"),
            re.MULTILINE | re.DOTALL,
        )

    @property
    def names_a_number(self) -> bool:
        """Whether anybody's phone number is in the log."""
        return re.search(r"\+1202555\d{4}", self.log.read_text("utf-8")) is not None
