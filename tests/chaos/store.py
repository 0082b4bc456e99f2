"""The store's server: it is killed, comes back on its data, and once in a while dies mid-sentence.

What is answered is on disk first (`appendfsync always`, as a deployment has it). So whatever was
accepted must be there after a kill, and what a torn tail takes is known to the byte.
"""

import asyncio
import fcntl
import os
import signal
import subprocess
from pathlib import Path
from random import Random
from typing import Self

from adapters.redis_store import embedded
from adapters.redis_store.client import Server
from adapters.redis_store.store import RedisRecords
from core.ports import Commit

TORN = "p:torn"


class StoreServer:
    """A server of `program` in `folder`, which has to have a short path.

    `server` talks to it; `lock` is held while something is being done to it.
    """

    def __init__(self, program: Path, folder: Path) -> None:
        self.url = embedded.url(folder / "server.sock")
        self.server = Server(self.url)
        self.records = RedisRecords(self.server)
        self.tears = self._whole = 0
        self.lock = asyncio.Lock()
        self._program, self._folder = program, folder

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.server.close()
        await asyncio.to_thread(embedded.stop, self._folder)

    async def start(self) -> None:
        """Start it on its data, and wait until it answers."""
        await asyncio.to_thread(embedded.ensure, self._folder, [self._program])
        await self.server.run(("CONFIG", "SET", "appendfsync", "always"))

    def kill(self) -> None:
        """SIGKILL: nothing it was doing gets finished."""
        os.kill(int((self._folder / "server.pid").read_text("utf-8")), signal.SIGKILL)

    async def tear(self, dice: Random) -> None:
        """Kill it with a commit half written down, and start it again.

        The commit is our own, the last one: whoever else writes had better be still, or the server
        is killed with nothing torn. An AssertionError unless all of the commit is gone afterwards.
        """
        event = f"torn:{self.tears}:{self._whole}"
        for _ in range(3):  # what was on its way when the others stopped is written first
            await self.server.run(("PING",))
        log = max(
            self._folder.glob("appendonlydir/*.incr.aof"), key=lambda one: one.stat().st_mtime
        )
        known, whole = await self.records.load(TORN), log.stat().st_size
        assert known.revision == self._whole, "what was torn was applied at a later start"
        change = Commit(TORN, b"{}", known.revision, event=event)
        assert await self.records.commit(change) == "committed"
        self.kill()
        written = await asyncio.to_thread(self._last_words, log, whole)
        alone = written.count(b"MULTI") == 1 and event.encode() in written
        if alone:
            os.truncate(log, whole + dice.randrange(1, len(written)))
            await asyncio.to_thread(self._mend)
        await self.start()
        after = await self.records.load(TORN, event)
        assert after.seen is not alone, "half a commit was taken for a whole one, or one was lost"
        assert after.revision == known.revision + after.seen, "half a commit was applied"
        self._whole += after.seen
        self.tears += alone

    def _mend(self) -> None:
        """What has to be done for a Redis before it is started on a torn log.

        By itself it leaves a torn transaction's beginning there, and at its second start from then
        applies it (https://github.com/valkey-io/valkey/pull/4342). The server is its own checker.
        """
        if "redis" in self._program.name:
            manifest = self._folder / "appendonlydir" / "appendonly.aof.manifest"
            checked = subprocess.run(  # noqa: S603  (our own words)
                ["redis-check-aof", "--fix", manifest],  # noqa: S607
                executable=self._program,
                input=b"y\n",
                capture_output=True,
                check=False,
            )
            assert checked.returncode == 0, checked.stdout.decode()

    def _last_words(self, log: Path, since: int) -> bytes:
        """What was written down since, once the server is dead: its lock is free then."""
        with (self._folder / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
        return log.read_bytes()[since:]
