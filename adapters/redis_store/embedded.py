"""A Redis of one's own: a real server in a folder, for whoever has no REDIS_URL.

Theory of operation. A server takes no lock on its folder, and two servers on one folder destroy
it. So the lock on the file `lock` is taken before the server is started, and inherited by it: it is
held for exactly as long as the server lives, however it ends. Whoever gets the lock may start a
server; whoever does not waits for the one that is there. The server outlives this process, and so
do games.

    lock       held while a server lives         engine     who wrote the data: `valkey 9.1`
    socket     where the server listens          server.log, server.pid, appendonlydir
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from adapters.redis_store import engines
from adapters.redis_store.engines import NoServer

if sys.platform != "win32":
    import fcntl

START_SECONDS = 60.0
STOP_SECONDS = 30.0
POLL_SECONDS = 0.005
SOCKET_PATH_BYTES = 100
"""The kernel allows 108 on Linux, 104 on macOS."""


def url(listening: Path) -> str:
    """A server's socket as a URL."""
    return f"unix://{quote(str(listening))}"


def ensure(data_dir: Path, choice: Sequence[Path] | None = None) -> Path:
    """The socket of the server on `data_dir`, started if none runs. Blocks until it answers.

    `choice`: the programs to choose from, all that are here unless given. Raises NoServer.
    """
    if sys.platform == "win32":
        raise NoServer("There is no embedded server on Windows: set REDIS_URL.")
    data_dir = data_dir.absolute()
    try:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NoServer(f"{data_dir} can't be made: {error.strerror}") from error
    deadline = time.monotonic() + START_SECONDS
    started = False
    while time.monotonic() < deadline:
        with _lock(data_dir) as lock:
            if lock is not None and started:
                raise NoServer(f"The embedded server stopped at once: {_last_words(data_dir)}")
            if lock is not None:
                _start(data_dir, lock, engines.binaries() if choice is None else choice)
                started = True
        listening = _listening(data_dir)
        if listening is not None and _ask(listening, "PING").startswith(b"+PONG"):
            return listening
        time.sleep(POLL_SECONDS)
    raise NoServer(f"The embedded server in {data_dir} does not answer: {_last_words(data_dir)}")


def stop(data_dir: Path) -> None:
    """Stop the server on `data_dir`, if one runs, and wait until it has written everything down.

    Raises NoServer when it does not stop.
    """
    if not (data_dir / "lock").exists():
        return
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        with _lock(data_dir) as lock:
            if lock is not None:
                _forget_socket(data_dir)
                return
        listening = _listening(data_dir)
        if listening is not None:
            _ask(listening, "SHUTDOWN")
        time.sleep(POLL_SECONDS)
    raise NoServer(f"The embedded server in {data_dir} does not stop: {_last_words(data_dir)}")


@contextmanager
def _lock(data_dir: Path) -> Generator[int | None]:
    """The folder's lock, if nobody holds it. A server started meanwhile inherits it."""
    lock = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield None
    else:
        yield lock
    finally:
        os.close(lock)


def _start(data_dir: Path, lock: int, choice: Sequence[Path]) -> None:
    """Start a server that inherits the lock. It leaves this process at once."""
    record = data_dir / "engine"
    recorded = record.read_text("utf-8").strip() if record.exists() else ""
    engine = engines.choose(choice, recorded, data_dir)
    record.write_text(f"{engine}\n", "utf-8")
    engines.mend(engine, data_dir)
    listening = _place_socket(data_dir)
    settings = {
        "dir": data_dir,
        "unixsocket": listening,
        "unixsocketperm": "700",
        "port": "0",
        "daemonize": "yes",
        "pidfile": data_dir / "server.pid",
        "logfile": data_dir / "server.log",
        "appendonly": "yes",
        # By `everysec` a write may wait for a flush under way, after it was answered.
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
    }
    words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    started = subprocess.run(  # noqa: S603  (our own list of words, no shell)
        [engine.binary, *words],
        pass_fds=[lock],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if started.returncode:
        said = started.stdout.decode(errors="replace").strip()
        raise NoServer(f"The embedded server does not start: {said}")


def _place_socket(data_dir: Path) -> Path:
    """Where to listen: in the folder, or in a short one of its own when the path gets too long."""
    _forget_socket(data_dir)
    listening = data_dir / "server.sock"
    if len(os.fsencode(listening)) > SOCKET_PATH_BYTES:
        listening = Path(tempfile.mkdtemp(prefix="parlour-")) / "server.sock"
    (data_dir / "socket").write_text(f"{listening}\n", "utf-8")
    return listening


def _forget_socket(data_dir: Path) -> None:
    """Remove the place where the last server listened."""
    listening = _listening(data_dir)
    if listening is not None:
        listening.unlink(missing_ok=True)
        if listening.parent != data_dir.absolute() and listening.parent.exists():
            listening.parent.rmdir()
    (data_dir / "socket").unlink(missing_ok=True)


def _listening(data_dir: Path) -> Path | None:
    """Where the server listens, as it was written down when it was started."""
    try:
        return Path((data_dir / "socket").read_text("utf-8").strip())
    except FileNotFoundError:
        return None


def _ask(listening: Path, word: str) -> bytes:
    """What the server answers; nothing if it isn't there."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(1.0)
        try:
            line.connect(str(listening))
            line.sendall(f"{word}\r\n".encode())
            return line.recv(64)
        except OSError:
            return b""


def _last_words(data_dir: Path) -> str:
    """The end of the server's log."""
    log = data_dir / "server.log"
    return log.read_text("utf-8", "replace")[-500:].strip() if log.exists() else "it left no log"
