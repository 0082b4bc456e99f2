"""One commit of a room, as the log tells it: what happened, and the room before and after."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, json

from core import engine, playing
from core.delivery import Letter
from core.engine import Decision, Happening, Pressed, Spoke
from core.game import Ask, Seat
from core.room import Room
from core.table import House
from core.text import Catalogue

NEW = b"new"
"""The note of the commit that opens a room."""


class Note(Struct, frozen=True, array_like=True):
    """A line of a room's log: when by the store's clock, by which event, and what happened."""

    now_ms: int
    event: str
    happening: Happening


class Step(Struct, frozen=True):
    """A room's next step. `before` and `after` come from a replay of the log and nothing else."""

    note: Note
    revision: int
    before: Room
    decided: Decision
    letters: tuple[Letter, ...]
    blob: bytes
    wake_ms: int | None
    house: House
    words: Catalogue

    @property
    def after(self) -> Room:
        """The room as a replay leaves it."""
        return self.decided.room

    @property
    def now_ms(self) -> int:
        """When it happened, by the store's clock."""
        return self.note.now_ms

    @property
    def happening(self) -> Happening:
        """What happened."""
        return self.note.happening

    @property
    def actor(self) -> Seat:
        """The seat that spoke or pressed, if it was seated; else an empty string."""
        match self.note.happening:
            case Spoke(speaker) | Pressed(speaker):
                seated = self.before.seat_of(speaker.person)
                return seated.seat if seated else ""
            case _:
                return ""

    def decide(self, room: Room, happening: Happening, now_ms: int) -> Decision:
        """What would have been decided."""
        return engine.decide(room, happening, now_ms, self.house, self.words)


def asks_of(room: Room) -> Mapping[tuple[str, Seat], Ask]:
    """What is open, by question and seat."""
    return {(ask.id, ask.to): ask for ask in playing.asks(room)}


def read_note(note: bytes) -> Note:
    """A line of the log. Raises msgspec.MsgspecError if it is none."""
    return json.decode(note, type=Note)
