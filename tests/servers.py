"""Real servers for tests: the embedded one, and Debian's Redis where there is one.

Each is started by the product's own launcher in a folder of its own, and stopped at the end.
"""

import shutil
import subprocess
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from adapters.redis_store import embedded, engines

_FOUND = {"embedded": engines.bundled(), "redis": shutil.which("redis-server")}

PROGRAMS = {name: Path(program) for name, program in _FOUND.items() if program is not None}
"""The servers to test against, by name."""

LACKING = sorted(_FOUND.keys() - PROGRAMS.keys())
"""The servers that are not here: nothing is tested against them."""


@contextmanager
def running(program: Path) -> Generator[str]:
    """The URL of a server of one's own."""
    with TemporaryDirectory(prefix="parlour-") as folder:
        listening = embedded.ensure(Path(folder), [program])
        pid = int((Path(folder) / "server.pid").read_text("utf-8"))
        # A server outlives whoever started it, and tests may be killed: the pipe ends with them.
        watch = ["sh", "-c", f"read line; kill {pid} 2>/dev/null"]
        with subprocess.Popen(watch, stdin=subprocess.PIPE, start_new_session=True):  # noqa: S603
            try:
                yield embedded.url(listening)
            finally:
                embedded.stop(Path(folder))


@pytest.fixture(scope="session")
def server_urls() -> Generator[dict[str, str]]:
    """Every server's URL, by name. Whoever uses one empties it first."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(running(program)) for name, program in PROGRAMS.items()}


@pytest.fixture(scope="session")
def redis_url(server_urls: dict[str, str]) -> str:
    """One server's URL, the embedded one's if it is here. Whoever uses it empties it first."""
    return next(iter(server_urls.values()))
