"""The real `parlour play` at a pseudo-terminal, and at the end of a pipe.

A screen is what a person sees of the output: every row as it was last drawn.
"""

import asyncio
import fcntl
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.memory.store import MemoryStore
from adapters.redis_store import embedded
from adapters.redis_store.client import connect
from adapters.terminal import play
from adapters.terminal import seats as seating
from adapters.terminal.keyboard import Typing
from adapters.terminal.seats import Seats, listed
from core.delivery import Button, Letter
from core.table import House
from tests.servers import redis_url, server_urls

__all__ = ["redis_url", "server_urls"]

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 30
CTRL_C, CTRL_D = "\x03", "\x04"
# Opening the terminal once more makes it the one whose Ctrl-C reaches this process.
PLAY = """
import os, sys
if os.isatty(0):
    os.close(os.open(os.ttyname(0), os.O_RDWR))
from adapters.cli import main
sys.exit(main(["play", *sys.argv[1:]]))
"""
ANSWERS = {
    "Send your clue: one word.": "clue qwertz",
    "Who is the Weasel?": "bo",
    "You are Chief Ferret Officer.": "3",
}


class Terminal:
    """A pseudo-terminal of 80 columns with `parlour play` in it."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = {"PATH": os.environ["PATH"], "TERM": "xterm", "LANG": "C.UTF-8", **environ}
        self._master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 80, 0, 0))
        self.before = termios.tcgetattr(self._slave)
        self._came = asyncio.Event()
        self._output = b""
        self.process: asyncio.subprocess.Process

    async def start(self, *argv: str) -> None:
        asyncio.get_running_loop().add_reader(self._master, self._read)
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PLAY, *argv, cwd=ROOT, env=self._environ,
            stdin=self._slave, stdout=self._slave, stderr=self._slave, start_new_session=True,
        )  # fmt: skip

    async def stop(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)

    def types(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    async def shows(self, pattern: str, times: int = 1) -> str:
        """Wait until so many rows match; the last of them."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(found := [row for row in self.screen if re.search(pattern, row)]) < times:
                self._came.clear()
                await self._came.wait()
        return found[-1]

    async def deals(self, hands: int = 1) -> None:
        """Wait until so many seats are asked for a clue; whoever is CFO picks a number first."""
        row = await self.shows(r"You are Chief Ferret|Send your clue")
        if "Chief" in row:
            who, bar, _ = row.partition("|")
            self.types(f"{who}> 3\r" if bar else "3\r")
        await self.shows(r"Send your clue", times=hands)

    async def exits(self) -> int:
        async with asyncio.timeout(PATIENCE_SECONDS):
            code = await self.process.wait()
        self._read_on()
        return code

    @property
    def screen(self) -> list[str]:
        rows = self._output.decode(errors="ignore").replace("\r\n", "\n").split("\n")
        return [row.rpartition("\r\x1b[K")[2] for row in rows]

    @property
    def restored(self) -> bool:
        return termios.tcgetattr(self._slave) == self.before

    def _read(self) -> None:
        self._output += os.read(self._master, 65_536)
        self._came.set()

    def _read_on(self) -> None:
        os.set_blocking(self._master, False)
        with suppress(BlockingIOError):
            self._read()
        os.set_blocking(self._master, True)


@pytest.fixture
def home() -> Generator[dict[str, str]]:
    """An environment with an empty data folder, and no server in it at the end."""
    with TemporaryDirectory(prefix="parlour-") as folder:
        yield {"XDG_DATA_HOME": folder}
        embedded.stop(Path(folder) / "parlour")


@asynccontextmanager
async def playing(environ: Mapping[str, str], *argv: str) -> AsyncGenerator[Terminal]:
    terminal = Terminal(environ)
    await terminal.start(*argv)
    try:
        yield terminal
    finally:
        await terminal.stop()


async def word(terminal: Terminal) -> str:
    return (await terminal.shows(r"Your word is [A-Z]+")).split()[3]


async def piped(environ: Mapping[str, str], lines: str, *argv: str) -> tuple[int, str]:
    """The exit code and the output of `parlour play` at the end of a pipe."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PLAY, *argv, cwd=ROOT,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **environ},
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            said, _ = await process.communicate(lines.encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return process.returncode, said.decode()


# --- at a terminal -------------------------------------------------------------------------------


async def test_a_game_is_kept_at_ctrl_c_goes_on_and_is_left_for_a_new_one(
    home: dict[str, str],
) -> None:
    async with playing(home, "--seat", "ann=me") as first:
        await first.shows(r"^ann> $")
        await first.deals()
        secret = await word(first)
        await first.shows(r"^At the table: Ann, Bo, Cy, Dee and Eve\. You play Ann\.$")
        await first.shows(r"^\? explains the game\. Ctrl-C stops, and keeps it\.$")
        first.types("clue qwertz\r")
        await first.shows(r"^Your clue: QWERTZ\.")
        assert await first.shows(r"^ann> clue qwertz$")
        first.types(f"half a li{CTRL_C}")
        assert await first.exits() == 0
        assert first.restored
        assert first.screen[-2:] == ["Your game is kept: the same command goes on with it.", ""]
        assert not any("host" in row or "code" in row for row in first.screen), "no lobby"

    async with playing(home, "--seat", "ann=me") as second:
        await second.shows(r"^Your game goes on\. \(--new starts another\.\) You play Ann\.$")
        assert await word(second) == secret
        second.types(CTRL_D)
        assert await second.exits() == 0
        assert second.screen[-2].startswith("Your game is kept")

    async with playing(home, "--seat", "ann=me", "--new") as third:
        await third.shows(r"^At the table: Ann, ")
        await third.shows(r"^Round 1 of 8\.$")
        await third.deals()
        assert not any("goes on." in row for row in third.screen)
        third.types("leave\r")
        assert await third.exits() == 0
        await third.shows(r"^You got up\.")


async def test_two_seats_are_played_from_one_keyboard(home: dict[str, str]) -> None:
    async with playing(home, "--seat", "ann=me", "--seat", "bo=me", "--players", "3") as terminal:
        await terminal.shows(r"^What you type is Ann’s, unless it begins with bo> …$")
        await terminal.deals(2)
        terminal.types("bo> qwertz\r")
        await terminal.shows(r"^Bo\| Your clue: QWERTZ\.")
        terminal.types("zuiop\r")
        await terminal.shows(r"^Ann\| Your clue: ZUIOP\.")
        terminal.types("cy> asdf\r")
        await terminal.shows(r"^You don’t play cy, but Ann and Bo\.$")
        terminal.types("leave\r")
        await terminal.shows(r"^bo> $")
        terminal.types("who\r")
        await terminal.shows(r"^Bo\| .*(wait|Wait|left to change)")


async def test_a_game_is_played_to_its_end(home: dict[str, str]) -> None:
    fast = {**home, "PARLOUR_PACE_SCALE": "0.01"}
    answered = dict.fromkeys(ANSWERS, 0)
    async with playing(fast, "--seat", "ann=me", "--players", "3") as terminal:
        ended = asyncio.create_task(terminal.exits())
        while not ended.done():
            for asked, answer in ANSWERS.items():
                if (
                    sum(row.startswith(asked) or asked in row for row in terminal.screen)
                    > (answered[asked])
                ):
                    answered[asked] += 1
                    terminal.types(f"{answer}\r")
            terminal._came.clear()
            came = asyncio.create_task(terminal._came.wait())
            await asyncio.wait((ended, came), return_when=asyncio.FIRST_COMPLETED)
            came.cancel()
        assert await ended == 0
        assert answered["Send your clue: one word."] >= 8
        *_, won, first, second, third, last = terminal.screen
        assert re.search(r"\b(wins the game|share the win)\b", won)
        assert all(re.match(r"\w+: \d+ \([\d ]+\)$", row) for row in (first, second, third))
        assert last == ""
        assert terminal.restored


async def test_what_comes_in_while_a_line_is_typed_loses_nothing_of_it(
    home: dict[str, str],
) -> None:
    quick = {**home, "PARLOUR_PACE_SCALE": "0.05"}
    async with playing(quick, "--seat", "ann=me") as terminal:
        await terminal.deals()
        terminal.types("clue qwertz\r")
        await terminal.shows("^Your clue")
        terminal.types("nobody at al")
        await terminal.shows(r"^Who is the Weasel\?")
        assert await terminal.shows(r"^ann> nobody at al$")
        terminal.types("\x17\x17\x17bö\x7fo")
        await terminal.shows(r"^ann> bo$")
        terminal.types("\r")
        await terminal.shows(r"^Noted: Bo\.$")
        await terminal.shows(r"^\(Type a (number|letter) of the list, or a name\.\)$")
        prompts = [row for row in terminal.screen if row.startswith("ann>") and row != "ann> 3"]
        assert all(row.count("ann>") == 1 for row in terminal.screen if "ann>" in row)
        assert prompts[:2] == ["ann> clue qwertz", "ann> bo"]
        assert prompts.count("ann> ") <= 1


async def test_a_long_line_stays_in_its_row_and_long_texts_break_between_words(
    home: dict[str, str],
) -> None:
    async with playing(home, "--seat", "ann=me") as terminal:
        await terminal.shows(r"^ann> $")
        terminal.types("x" * 200)
        await terminal.shows(r"^ann> x{74}$")
        assert all(len(row) <= 80 for row in terminal.screen)
        terminal.types(f"\x15{CTRL_D}")
        assert await terminal.exits() == 0


# --- at the end of a pipe ------------------------------------------------------------------------


async def test_piped_lines_wait_until_something_is_asked(home: dict[str, str]) -> None:
    fast = {**home, "PARLOUR_PACE_SCALE": "0.01"}
    # Only the CFO is asked for a number; for anybody else a 3 is no clue.
    code, said = await piped(fast, "3\nqwertz\nbo\n", "--seat", "ann=me", "--players", "3")
    assert code == 0
    rows = said.splitlines()
    assert "Your clue: QWERTZ. You can still change it." in rows
    assert "Noted: Bo." in rows
    assert rows.index("Noted: Bo.") > rows.index("The clues are in:")
    assert rows[-1] == "Your game is kept: the same command goes on with it."
    assert "ann>" not in said
    assert "\x1b" not in said


async def test_redis_url_is_where_the_game_is_kept(home: dict[str, str], redis_url: str) -> None:
    async with connect(redis_url) as server:
        await server.run(("FLUSHALL",))
        code, said = await piped({**home, "REDIS_URL": redis_url}, "", "--seat", "ann=me")
        assert code == 0
        assert "Round 1 of 8." in said
        assert await server.run(("DBSIZE",))
    assert os.listdir(home["XDG_DATA_HOME"]) == []  # noqa: PTH208  (no Path in async code)


# --- a line, and who sits where ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("bo feather", "bo feather"),
        ("fef\x7fther", "fether"),
        ("e\u0301\x7fa", "a"),
        ("one two\x17three", "one three"),
        ("one two  \x17three", "one three"),
        ("one\x15two", "two"),
        ("a\x1b[Db\x1b[3~c\x1bOHd\x1b", "abcd"),
        ("\x7f\x7fa\x04\tb\x00", "ab"),
        ("naïve 🦊", "naïve 🦊"),
    ],
)
def test_a_line_is_edited_by_the_usual_keys(keys: str, text: str) -> None:
    typing = Typing()
    assert typing.feed(keys.encode()) == []
    assert typing.text == text


def test_lines_end_at_return_and_input_at_ctrl_d() -> None:
    typing = Typing()
    assert typing.feed(b"paper\r\nbo") == ["paper", ""]
    assert typing.feed(b"\x04\n\x04") == ["bo", None]


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "S")), max_size=20), st.data())
def test_letters_may_come_in_pieces(text: str, data: st.DataObject) -> None:
    keys = text.encode()
    cut = data.draw(st.integers(0, len(keys)))
    typing = Typing()
    typing.feed(keys[:cut])
    typing.feed(keys[cut:])
    assert typing.text == text


def test_seats_that_nobody_asked_for_are_bots_with_names_of_their_own() -> None:
    made = seating.seats(["dee=me", "ann=bot"], 4, (3, 7))
    assert made == Seats(("Dee",), ("Ann", "Bo", "Cy"))


@pytest.mark.parametrize(
    ("user", "mine"), [("eve", "Eve"), ("", "Ann"), ("stop", "Ann"), ("bo", "Ann")]
)
def test_who_names_no_seat_of_their_own_sits_under_their_own_name(
    user: str, mine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: user)
    made = seating.seats(["bo=bot"], 3, (3, 7))
    assert made.mine == (mine,)
    assert len({*made.mine, *made.bots}) == 3


@pytest.mark.parametrize("error", [KeyError, OSError])
def test_a_user_without_a_name_gets_one(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nameless() -> str:
        raise error

    monkeypatch.setattr("getpass.getuser", nameless)
    assert seating.seats([], 3, (3, 7)).mine == ("Ann",)


def test_names_are_listed_as_people_say_them() -> None:
    assert listed(["Ann"]) == "Ann"
    assert listed(["Ann", "Bo", "Cy"]) == "Ann, Bo and Cy"


def test_of_a_message_that_is_edited_only_what_is_new_is_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    store = MemoryStore(lambda: 0)
    window = play.Window(store, store, store, Seats(("Ann",), ("Bo",)), House())
    for shown in ("Round 1.\nWaiting", "Round 1.\nBo votes.\nWaiting", "Round 1.\nBo votes."):
        window._show("Ann", Letter("terminal:here:ann", shown, "", status="votes/1"))
    window._show("Ann", Letter("terminal:here:ann", "Round 1.", ""))
    assert capsys.readouterr().out == "Round 1.\nWaiting\nBo votes.\nWaiting\nRound 1.\n"


def test_what_can_be_picked_is_listed_with_its_label_and_how_to_pick_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    store = MemoryStore(lambda: 0)
    window = play.Window(store, store, store, Seats(("Ann",), ("Bo",)), House())
    one = (Button("Pig", "r:vote/1:pig", "1"), Button("Dog", "r:vote/1:dog", "2"))
    several = (Button("Pig", "r:pay/2:pig"), Button("Done", "r:pay/2:"))
    for buttons in (one, several):
        window._show("Ann", Letter("terminal:here:ann", "Which?", "", buttons=buttons))
    assert capsys.readouterr().out.splitlines() == [
        "Which?", "  1  Pig", "  2  Dog", "(Type a number of the list, or a name.)",
        "Which?", "     Pig", "(Type what you choose, by name, one behind the other.)",
    ]  # fmt: skip
