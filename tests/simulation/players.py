"""People at their phones: what they do next, by the room as it stands and what they were shown.

They open rooms and join, answer and change their minds, press buttons new and old, talk nonsense,
say aloud what should be whispered, leave, come back, block us, fall silent. A host adds bots, shows
people out, changes the rules.
"""

from __future__ import annotations

from random import Random
from typing import Literal

from msgspec import Struct

from core import playing
from core.game import Ask, Option, Pick, Refused
from core.games import find_games
from core.reading import label
from core.room import Lobby, Over, Room, Seated
from tests.plays import WORDS, secrets
from tests.simulation.platforms import Platform
from tests.simulation.weather import Weather

Kind = Literal["text", "press", "opened", "gone", "reachable"]

NAMES = ("Annika", "Bodo", "Cyrille", "Dagmar", "Egon", "Frauke", "Gesine", "Hasso")
SAID = (
    "/look", "/who", "/scores", "/rules", "?", "look", "me", "2", "B", "go", "stop", "hmm",
    "name Zed", "clue 2", "two words", "...", "/finish", "/kick Bodo", "/again", "new", "join",
)  # fmt: skip
SHORT = ("rounds-1", "rounds-2", "to-3")
"""Endings that a game may know: whole games fit into a run."""
BUTTONS_KEPT = 40


class Deed(Struct, frozen=True):
    """Something done, in a person's own thread or aloud."""

    kind: Kind
    text: str = ""
    aloud: bool = False


class Table:
    """A game and its public place (or ""), and those who mean to play there."""

    def __init__(self, game: str, place: str) -> None:
        self.game, self.place = game, place
        self.players: list[Player] = []
        self.room: Room | None = None
        """The room as it stands, once there is one."""


class Player:
    """A person with one address."""

    def __init__(
        self, name: str, platform: Platform, address: str, table: Table, dice: Random
    ) -> None:
        self.name, self.platform, self.address, self.table = name, platform, address, table
        self.closed = False
        """Takes no messages from us."""
        self.buttons: list[str] = []
        """What the buttons send that this person has been shown."""
        self._dice = dice
        self._shy = dice.random() < 0.3
        self._lazy = dice.choice((0.05, 0.1, 0.4))

    def shown(self, payloads: list[str]) -> None:
        """A message has come, with these buttons."""
        self.buttons = [*self.buttons, *payloads][-BUTTONS_KEPT:]

    def pause(self, room: Room | None, now_ms: int, weather: Weather) -> float:
        """How many seconds until the next deed: mostly soon, sometimes just about the deadline."""
        dice, second = self._dice, weather.second_ms / 1_000
        seated = room.seat_of(self.address) if room else None
        if room is None or seated is None or isinstance(room.stage, Lobby | Over):
            idle = seated is not None and room is not None and seated.seat != room.host
            return dice.expovariate(1 / (30 * second if idle else 6 * second)) + dice.random()
        ask = playing.ask_of(room, seated.seat)
        idle = ask is None or ask.answered is not None
        phase = room.pace.wait_ms(40, slow=room.texting) / 1_000
        due_ms = playing.deadline_ms(room) or now_ms
        left = (due_ms - now_ms) / 1_000
        if 0 < left < 4 * phase and dice.random() < 0.15:
            return max(0.0, left + dice.uniform(-1, 1) * min(1.0, left))
        if dice.random() < self._lazy:
            return dice.uniform(0.5, 2) * phase
        return min(dice.expovariate((1 if idle else 5) / phase), phase)

    def deed(self, room: Room | None, weather: Weather) -> Deed:
        """What to do next; `room` is where this person sits."""
        dice, roll = self._dice, self._dice.random()
        if self.closed:
            self.closed = roll > 0.5
            return (
                Deed("gone") if self.closed else Deed(dice.choice(("opened", "text", "reachable")))
            )
        seated = room.seat_of(self.address) if room else None
        if room is None or seated is None:
            return self._outside(roll)
        if roll < 0.02:
            self.closed = True
            return Deed("gone")
        if roll < 0.05 or (not seated.open and roll < 0.6):
            return Deed("opened")
        if roll < 0.07:
            return Deed("text", "/leave", aloud=dice.random() < 0.3)
        if roll < 0.13:
            return Deed("text", dice.choice(SAID), aloud=dice.random() < 0.2)
        if roll < 0.19 and self.buttons:
            return Deed("press", dice.choice(self.buttons))
        if seated.seat == room.host and roll < 0.24:
            return self._presiding(room)
        match room.stage:
            case Lobby():
                return self._waiting(room, seated, weather)
            case Over():
                return Deed("text", dice.choice(("/again", "/again", "/scores", "/leave", "new")))
            case _:
                return self._playing(room, seated)

    def _outside(self, roll: float) -> Deed:
        dice, table = self._dice, self.table
        here = table.room if table.room and not isinstance(table.room.stage, Over) else None
        aloud = bool(table.place) and not self.platform.texting and not self._shy
        if roll < 0.1:
            return Deed("text", dice.choice((*SAID, "hello", "join CCCCC")), aloud=aloud)
        if here is None and (self is table.players[0] or roll > 0.9):
            return Deed("text", f"/new {table.game}", aloud=aloud)
        if here is None:
            return Deed("opened")
        if aloud:
            return Deed("text", "/join", aloud=True)
        return Deed("text", f"JOIN {here.code} {self.name}")

    def _waiting(self, room: Room, seated: Seated, weather: Weather) -> Deed:
        dice = self._dice
        if seated.seat != room.host:
            return Deed("text", dice.choice(("/who", "/who", "/rules", "/name Otto", "go")))
        game, roll = find_games()[room.game], dice.random()
        if roll < 0.2:
            return Deed("text", f"/variant {dice.choice(playing.menu(room)).value}")
        if roll < 0.35:
            return Deed("text", f"/pace {dice.choice(weather.paces)}")
        if roll < 0.45:
            return Deed("text", "/bot")
        short = dice.choice(SHORT)
        known = not isinstance(game.choose(room.options, short), Refused)
        if known and short not in room.options and roll < 0.7:
            return Deed("text", f"/variant {short}")
        return Deed("text", "/go")

    def _presiding(self, room: Room) -> Deed:
        names = [one.name for one in room.here]
        many = (f"/kick {self._dice.choice(names)}", "/bot", "/variant", "/pace live", "/finish")
        typed = self._dice.choices(many, (3, 3, 2, 1, 1))[0]
        if room.confirmation and self._dice.random() < 0.7:
            typed = f"{room.confirmation.command} {room.confirmation.number}"
        return Deed("text", typed)

    def _playing(self, room: Room, seated: Seated) -> Deed:
        dice, ask = self._dice, playing.ask_of(room, seated.seat)
        if ask is None or (ask.answered and dice.random() < 0.7):
            return Deed(
                "text", dice.choice(("/look", "/who", "/scores", "hm")), aloud=dice.random() < 0.1
            )
        if isinstance(ask.answer, Pick) and self.buttons and dice.random() < 0.15:
            return Deed("press", dice.choice(self.buttons))
        if isinstance(ask.answer, Pick):
            return self._pick(room, ask, dice.choice(ask.answer.options))
        word = dice.choice(secrets(room) or WORDS) if dice.random() < 0.3 else self._word()
        typed = f"{ask.verb} {word}" if dice.random() < 0.5 else word
        return Deed(
            "text", f"/{typed}" if ask.public else typed, aloud=ask.public and not self._shy
        )

    def _pick(self, room: Room, ask: Ask, option: Option) -> Deed:
        dice, data = self._dice, f"{room.id}:{ask.id}:{option.value}"
        if data in self.buttons and dice.random() < 0.6:
            return Deed("press", data)
        assert isinstance(ask.answer, Pick)
        called = room.names.get(option.value, option.value)
        named = dice.choice((called, label(ask, ask.answer.options.index(option))))
        guess = (
            f" {dice.choice(secrets(room) or WORDS)}" if option.word and dice.random() < 0.5 else ""
        )
        return Deed("text", dice.choice(("", f"{ask.verb} ")) + named + guess)

    def _word(self) -> str:
        return "".join(
            self._dice.choice("bdfgklmnprst") + self._dice.choice("aeiou") for _ in range(3)
        )
