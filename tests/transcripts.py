"""Plays a transcript: `> Bo: violin`, and under it every line that anybody sees because of it.

A transcript is script and specification at once. Lines with `#` and `>` are written by hand; all
others are what `play` makes of them, compared whole, because a leak is one line too many.

Headers
    # seats: Ann Bo Cy        who sits down, in this order; the first is the host
    # seed: 7                 the room's dice
    # sms: Cy                 these play by text message and see the short form
    # group: Ann Bo           these hear the room in its public place
    # bots: Dee               seats nobody sits at
    # pace: live              else as the room chooses
    # options: pick           what the host switched on
    # variants: paranoia      the same, for the variants
    # rounds: 2               the same, for the length
    # from: {"missed": {"Ann": 1}}    the game is under way, with this put into its state

Happenings
    > start                   the host sends GO
    > Bo: violin              Bo writes in their own thread
    > Bo aloud: violin        Bo writes in the public place
    > Bo presses Cy           the button that says Cy, of the last question Bo was asked
    > Bo presses Show mine    a button of the public place
    > Bo joins                takes a seat, or takes it again
    > Bo joins with a closed chat    takes a seat, but their own thread is not open yet
    > Bo leaves               sends LEAVE
    > Bo can't be reached     their thread takes no more messages
    > Bo opens the chat       their thread takes messages again
    > wait 60s                time passes, and every timer rings (s, m, h, d)
    > sleep 10m               time passes while no process runs; then it starts again
    > restart                 the room is stored and read again

In what is written `{Bo}` stands for the word on Bo's card, `{Bo 2}` for the second of its others:
the house words may change, and who holds which card is up to the seed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from adapters.sms.render import bodies
from core import playing
from core.codec import decode_room
from core.delivery import Button, Letter
from core.engine import (
    Arrived,
    Decision,
    Happening,
    Opened,
    Pressed,
    Spoke,
    Unreached,
    Woke,
    decide,
    open_room,
)
from core.game import Line, Seat
from core.room import Playing, Room
from core.table import House, Speaker, Way
from core.text import Catalogue, Text, load, named
from tests.plays import on_card

HOUSE = House((Way("Join at parlour.example/{code}", "JOIN {code}"),))
PLACE = "place"
UNITS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
GAMES = Path(__file__).parents[1] / "core" / "games"


class Listening(Catalogue):
    """The catalogue, and the keys of all that was said with it."""

    def __init__(self) -> None:
        """The words of the house; nothing heard yet."""
        self._bundle = load()._bundle
        self.heard: set[str] = set()

    def render(self, line: Line) -> Text:
        self.heard.add(line.key)
        return super().render(line)


def paths(game: str = "*") -> list[Path]:
    """The transcripts of the game in a folder, or of all games."""
    return sorted(GAMES.glob(f"{game}/transcripts/*.txt"))


def play(path: Path, words: Listening | None = None) -> str:
    """The transcript with everything that is seen, as it would be in the file."""
    script = [line for line in path.read_text("utf-8").splitlines() if line[:1] in {"#", ">"}]
    headers = dict(line[1:].split(":", 1) for line in script if re.match(r"# \w+:", line))
    told = {name.strip(): value.strip() for name, value in headers.items()}
    game = path.parents[1].name.replace("_", "-")
    table = Table(game, told, words or Listening())
    seen = [line for line in script if line.startswith("#")]
    for line in script:
        if line.startswith(">"):
            seen += ["", line, *table.happens(line[1:].strip())]
    return "\n".join(seen) + "\n"


class Table:
    """A room, the people around it, and a clock."""

    def __init__(self, game: str, told: dict[str, str], words: Listening) -> None:
        """Seat everybody, without a word."""
        self.words = words
        self.now_ms = 1_800_000_000_000
        self.texting = told.get("sms", "").split()
        self.group = told.get("group", "").split()
        self.place = PLACE if self.group else ""
        self.shown: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
        self.buttons: dict[str, tuple[Button, ...]] = {}
        names = told["seats"].split()
        options = [*told.get("options", "").split(), *told.get("variants", "").split()]
        options += [f"rounds-{told['rounds']}"] if "rounds" in told else []
        opened = open_room(
            "r1", "KTRGW", game, told["seed"], self.speaker(names[0]), HOUSE, words,
            now_ms=self.now_ms, place=self.place, bots=tuple(told.get("bots", "").split()),
            options=tuple(options),
        )  # fmt: skip
        self.room = opened.room.with_seat(
            replace(opened.room.seated("s1"), public=names[0] in self.group)
        )
        for name in names[1:]:
            self.happen(Arrived(self.speaker(name), public=name in self.group))
        if "pace" in told:
            pace = msgspec.convert({"name": told["pace"]}, type=type(self.room.pace))
            self.room = replace(self.room, pace=pace, pace_fixed=True)
        if "from" in told:
            self.happen(Spoke(self.speaker(names[0]), "go"))
            self.room = self._put_in(told["from"])
        words.heard.clear()

    def speaker(self, name: str) -> Speaker:
        """A person as their platform tells of them."""
        return Speaker(f"p-{name}", f"own-{name}", name, texting=name in self.texting)

    def seat(self, name: str) -> Seat:
        """The seat of somebody, or of a bot. KeyError: nobody is called so."""
        return {called: seat for seat, called in self.room.names.items()}[name]

    def happens(self, line: str) -> list[str]:
        """Everything that is seen because of one `>` line."""
        if line == "restart":
            self.room = decode_room(Decision(self.room).blob)
            return []
        if line == "start":
            host = self.room.seated(self.room.host).name
            return self.happen(Spoke(self.speaker(host), "go"))
        if passed := re.fullmatch(r"(wait|sleep) (\d+)([smhd])", line):
            until_ms = self.now_ms + int(passed[2]) * UNITS[passed[3]]
            return list(self._wait(until_ms, awake=passed[1] == "wait"))
        self.now_ms += 1_000
        return self._somebody(line)

    def happen(self, happening: Happening) -> list[str]:
        """Let something happen now, and show it."""
        decision = decide(self.room, happening, self.now_ms, HOUSE, self.words)
        self.room = decision.room
        lines = self._letters(decision.letters)
        if decision.toast and isinstance(happening, Pressed):
            names = decision.toast.names
            text = named(decision.toast.text, lambda seat: names[seat])
            lines += block(f"{happening.speaker.name} toast", text.split("\n"))
        return lines

    def _somebody(self, line: str) -> list[str]:
        found = re.fullmatch(r"(\w+)(:| aloud:|) (.*)", line)
        if not found:
            raise ValueError(f"not a happening: {line}")
        who, what = self.speaker(found[1]), re.sub(r"\{(\w+) ?(\d?)\}", self._on_card, found[3])
        if found[2]:
            return self.happen(Spoke(who, what, public=found[2] != ":"))
        return self.happen(self._done(who, what))

    def _on_card(self, mark: re.Match[str]) -> str:
        return on_card(self.room, self.seat(mark[1]))[int(mark[2] or 0)]

    def _done(self, who: Speaker, what: str) -> Happening:
        match what.partition(" "):
            case ("presses", _, button):
                return self._pressed(who, button)
            case ("joins", _, but):
                return Arrived(replace(who, open=not but), public=who.name in self.group)
            case ("leaves", "", ""):
                return Spoke(who, "leave")
            case ("opens", _, "the chat"):
                return Opened(who)
            case ("can't", _, "be reached"):
                return Unreached(self.seat(who.name))
            case _:
                raise ValueError(f"not a happening: {who.name} {what}")

    def _pressed(self, who: Speaker, what: str) -> Pressed:
        names = self.room.names
        for button in (*self.buttons.get(who.address, ()), *self.buttons.get(PLACE, ())):
            text = named(button.text, lambda seat: names[seat])
            if what in {text, text.partition(":")[0], button.label}:
                _, ask, option = button.data.split(":")
                return Pressed(who, ask, option)
        raise ValueError(f"{who.name} sees no button {what}")

    def _wait(self, until_ms: int, *, awake: bool) -> Iterator[str]:
        while awake:
            due_ms = playing.deadline_ms(self.room)
            if due_ms is None or due_ms > until_ms:
                break
            self.now_ms = max(self.now_ms, due_ms)
            yield from self.happen(Woke())
        self.now_ms = until_ms
        if not awake:
            yield from self.happen(Woke())

    def _letters(self, letters: tuple[Letter, ...]) -> list[str]:
        """What each destination sees; those who see the same are shown together."""
        seen: dict[tuple[str, ...], list[str]] = {}
        for letter in letters:
            for how, lines in self._read(letter):
                seen.setdefault((how, *lines), []).append(letter.to.removeprefix("own-"))
        return [
            line
            for (how, *lines), whom in seen.items()
            for line in block(", ".join(whom).replace(PLACE, "room") + how, lines)
        ]

    def _read(self, letter: Letter) -> Iterator[tuple[str, list[str]]]:
        """How a letter is shown, and its lines."""
        names = letter.names
        self.buttons[letter.to] = letter.buttons or self.buttons.get(letter.to, ())
        if letter.to.removeprefix("own-") in self.texting:
            yield from ((" sms", body.split("\n")) for body in bodies(letter))
            return
        lines = named(letter.text, lambda seat: names[seat]).split("\n")
        buttons = [named(button.text, lambda seat: names[seat]) for button in letter.buttons]
        before, pressable = self.shown.get((letter.to, letter.status), ([], []))
        same = next(
            (at for at, (a, b) in enumerate(zip(before, lines, strict=False)) if a != b),
            len(before),
        )
        if letter.status:
            self.shown[letter.to, letter.status] = lines, buttons
        row = [f"[{' / '.join(buttons)}]"] if buttons != pressable else []
        how = ", edited" if before else "" if letter.to == PLACE else " only"
        yield how, [*lines[same:], *row]

    def _put_in(self, patch: str) -> Room:
        assert isinstance(self.room.stage, Playing)
        for seat, name in self.room.names.items():
            patch = patch.replace(f'"{name}"', f'"{seat}"')
        state = msgspec.json.decode(self.room.stage.state, type=dict[str, Any])
        for key, value in msgspec.json.decode(patch, type=dict[str, Any]).items():
            state[key] = {**state[key], **value} if isinstance(value, dict) else value
        stage = replace(self.room.stage, state=Raw(msgspec.json.encode(state)))
        return replace(self.room, stage=stage)


def block(who: str, lines: list[str]) -> list[str]:
    """What one destination sees, with its first line behind its name."""
    first = f"    {who}: "
    return [(first if at == 0 else " " * len(first)) + line for at, line in enumerate(lines)]
