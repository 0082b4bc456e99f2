"""The keyboard and the screen: one prompt at the bottom, and whatever comes in above it.

On a terminal the line is edited here, not by the kernel: only so can what is being typed be put
back under what comes in. Lines from a pipe need none of that, and get no prompt.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

from core.spelling import graphemes

if sys.platform != "win32":
    import termios
    import tty

CLEAR = "\r\x1b[K"
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?")


class Typing:
    """The line that is being typed."""

    def __init__(self) -> None:
        """An empty line."""
        self.text = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")

    def feed(self, keys: bytes) -> list[str | None]:
        """Take what keys sent; gives the lines it finished, None for the end of input (Ctrl-D)."""
        finished: list[str | None] = []
        for ch in _ESCAPE.sub("", self._decoder.decode(keys)):
            match ch:
                case "\r" | "\n":
                    finished.append(self.text)
                    self.text = ""
                case "\x04" if not self.text:
                    finished.append(None)
                case "\x7f" | "\b":
                    self.text = "".join(graphemes(self.text)[:-1])
                case "\x17":  # Ctrl-W: a word
                    self.text = re.sub(r"\S*\s*$", "", self.text)
                case "\x15":  # Ctrl-U: the line
                    self.text = ""
                case _ if ch.isprintable():
                    self.text += ch
                case _:
                    pass
        return finished


class Keyboard:
    """Where lines come from, and where they are shown."""

    def __init__(self, prompt: str) -> None:
        """`prompt` stands before what is typed, on a terminal."""
        self._prompt = prompt
        terminal = sys.platform != "win32" and os.environ.get("TERM") != "dumb"
        self.live = terminal and os.isatty(0) and os.isatty(1)
        self._typing = Typing()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    async def line(self) -> str | None:
        """The next line; None at the end of input, and at Ctrl-C."""
        return await self._lines.get()

    def ask_with(self, prompt: str) -> None:
        """Another prompt from now on."""
        self._prompt = prompt
        if self.live:
            self._draw()

    def show(self, *lines: str) -> None:
        """Show lines; what is being typed stays below them."""
        if not self.live:
            print(*lines, sep="\n", flush=True)
            return
        width = shutil.get_terminal_size().columns
        rows = [row for line in lines for row in textwrap.wrap(line, width) or [""]]
        print(CLEAR + "\n".join(rows))
        self._draw()

    @contextmanager
    def listening(self) -> Generator[None]:
        """Listen, until the context is left. The terminal is then as it was."""
        loop = asyncio.get_running_loop()
        with suppress(NotImplementedError):  # on Windows Ctrl-C ends it all
            loop.add_signal_handler(signal.SIGINT, self._lines.put_nowait, None)
        if self.live:
            with self._editing(loop):
                yield
        else:
            # A daemon, so that the end need not wait for the next line.
            threading.Thread(target=self._read, args=[loop], daemon=True).start()
            yield

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        # Not `sys.stdin`: its lock must be free when Python ends.
        with (
            suppress(RuntimeError),  # the loop is closed, nobody listens any more
            open(0, encoding="utf-8", errors="replace", closefd=False) as lines,
        ):
            for line in lines:
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            loop.call_soon_threadsafe(self._lines.put_nowait, None)

    @contextmanager
    def _editing(self, loop: asyncio.AbstractEventLoop) -> Generator[None]:
        if sys.platform == "win32":
            raise OSError("no terminal to edit a line on")
        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)

        def begin() -> None:
            tty.setcbreak(keyboard, termios.TCSADRAIN)
            self._draw()

        begin()
        loop.add_signal_handler(signal.SIGCONT, begin)  # the shell has set it back meanwhile
        loop.add_reader(keyboard, self._keys, loop, keyboard)
        try:
            yield
        finally:
            loop.remove_reader(keyboard)
            loop.remove_signal_handler(signal.SIGCONT)
            termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
            print(CLEAR, end="", flush=True)

    def _keys(self, loop: asyncio.AbstractEventLoop, keyboard: int) -> None:
        try:
            keys = os.read(keyboard, 4_096)
        except OSError:
            keys = b""
        if not keys:  # the window was closed
            loop.remove_reader(keyboard)
            self._lines.put_nowait(None)
        for line in self._typing.feed(keys):
            if line is not None:
                print(f"{CLEAR}{self._prompt}{line}")
            self._lines.put_nowait(line)
        self._draw()

    def _draw(self) -> None:
        room_for = shutil.get_terminal_size().columns - len(self._prompt) - 1
        print(f"{CLEAR}{self._prompt}{self._typing.text[-room_for:]}", end="", flush=True)
