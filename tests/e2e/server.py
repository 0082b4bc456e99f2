"""`parlour serve` as a process of its own, to be killed and started again."""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import httpx

START_SECONDS = 30.0
ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class ServerProcess:
    """One server at one port; `kills` are the epoch seconds at which it was killed."""

    def __init__(self, settings: Mapping[str, str], log: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.kills: list[float] = []
        self.log = log
        self._settings = {
            "PATH": os.environ["PATH"],
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            **settings,
        }
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", "import sys; from adapters.cli import main; sys.exit(main())",
                "serve", env=self._settings, cwd=ROOT, stdout=log, stderr=log,
            )  # fmt: skip
        ends = time.monotonic() + START_SECONDS
        async with httpx.AsyncClient() as client:
            while time.monotonic() < ends:
                try:
                    if (await client.get(f"{self.url}/health")).is_success:
                        return
                except httpx.TransportError:
                    pass
                if self._process.returncode is not None:
                    break
                await asyncio.sleep(0.02)
        raise AssertionError(f"the server did not start:\n{self.log.read_text()[-2_000:]}")

    async def kill(self) -> None:
        """SIGKILL: nothing it was doing gets finished."""
        assert self._process is not None
        self.kills.append(time.time())
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    async def stop(self) -> None:
        """SIGTERM, as at a deployment."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(20):
                await self._process.wait()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()
