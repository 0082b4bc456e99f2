"""The stores that must all behave alike."""

from collections.abc import AsyncGenerator

import pytest

from adapters.redis_store.client import connect
from tests.adapters.stores.stores import Stores, in_memory, in_redis
from tests.servers import LACKING, PROGRAMS, server_urls

__all__ = ["server_urls"]


@pytest.fixture(params=["memory", *PROGRAMS])
async def stores(
    request: pytest.FixtureRequest, server_urls: dict[str, str]
) -> AsyncGenerator[Stores]:
    """Each store in turn, empty."""
    if request.param == "memory":
        yield in_memory()
        return
    async with connect(server_urls[request.param], shards=4) as server:
        await server.run(("FLUSHALL",))
        yield in_redis(server)


@pytest.fixture(params=PROGRAMS)
def url(request: pytest.FixtureRequest, server_urls: dict[str, str]) -> str:
    """Each real server in turn, as the last test left it."""
    return server_urls[request.param]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was not tested against."""
    for name in LACKING:
        terminalreporter.write_line(f"The stores were not tested against {name}: it is not here.")
