"""A room: who sits where, what they play, and how far they are. Stored whole, as plain JSON.

A room has an id, opaque and for ever, and a code that people type. It goes from `Lobby` to
`Playing` to `Over` and never back. The game's own state stays raw JSON in here: only the engine
decodes it, with the game's own type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Raw, Struct
from msgspec.structs import replace

from core.game import Ask, Seat
from core.pace import Pace

SCHEMA = 1
NO_STATE = Raw(b"null")


class Seated(Struct, frozen=True):
    """A seat and whoever sits there. Without a `person` it is a bot.

    `address` is where its own lines go (an opaque id); `public` means that it hears room lines in
    the room's public place instead; `texting` that each message costs it money and takes its time.
    `open` is false until its private thread takes messages. An `away` seat is not dealt in and not
    waited for; a `gone` one has left, and keeps its name and points for the score card.
    """

    seat: Seat
    name: str
    person: str = ""
    address: str = ""
    public: bool = False
    texting: bool = False
    open: bool = True
    away: bool = False
    gone: bool = False

    @property
    def bot(self) -> bool:
        """Nobody sits here: the engine answers for it."""
        return not self.person

    @property
    def plays(self) -> bool:
        """At the table, and dealt in."""
        return not (self.gone or self.away)


class Lobby(Struct, frozen=True, tag="lobby"):
    """People gather. Closes by itself when nothing happens. `last` is the game before, if any."""

    closes_ms: int
    last: Raw = NO_STATE


class Playing(Struct, frozen=True, tag="playing"):
    """The game's state; the one deadline of it that was put off, and to when.

    `board` is what everybody was last shown, by the ask or the scene it is about: the status line
    is edited in place under it. `held` are the short lines that wait for whoever pays for each
    message, `marks` what a seat has picked so far of several, by the ask's id.
    """

    state: Raw
    put_off: tuple[int, int] | None = None
    board: tuple[str, str] = ("", "")
    held: Mapping[Seat, tuple[str, ...]] = {}
    marks: Mapping[Seat, tuple[str, tuple[str, ...]]] = {}


class Over(Struct, frozen=True, tag="over"):
    """It is over; the last state stays for whoever asks for the scores. None was played: `null`.

    Then `last` is the game before, maybe another room's: its seats are not these.
    (msgspec can't decode `Raw | None`.)
    """

    state: Raw = NO_STATE
    last: Raw = NO_STATE

    @property
    def latest(self) -> Raw:
        """The last game there was: a next one does not deal its words again."""
        return self.last if self.state == NO_STATE else self.state


Stage: TypeAlias = Lobby | Playing | Over


class Confirmation(Struct, frozen=True):
    """A power that was used by text waits for its number, because a sender can be forged."""

    seat: Seat
    command: str
    number: str


class Room(Struct, frozen=True):
    """Everything a room is. `step` counts the rolls, so that no dice are rolled twice."""

    id: str
    code: str
    game: str
    seed: str
    host: Seat
    seats: tuple[Seated, ...]
    stage: Stage
    place: str = ""
    pace: Pace = Pace()
    pace_fixed: bool = False
    options: tuple[str, ...] = ()
    step: int = 0
    confirmation: Confirmation | None = None
    schema: int = SCHEMA

    def seated(self, seat: Seat) -> Seated:
        """The seat's record. Raises KeyError when there is no such seat."""
        for one in self.seats:
            if one.seat == seat:
                return one
        raise KeyError(seat)

    def seat_of(self, person: str) -> Seated | None:
        """The seat of a person who is at the table now."""
        return next((one for one in self.seats if one.person == person and not one.gone), None)

    @property
    def here(self) -> tuple[Seated, ...]:
        """All who are at the table, the absent included, those who left not."""
        return tuple(one for one in self.seats if not one.gone)

    @property
    def people(self) -> tuple[Seated, ...]:
        """All who are at the table and are not bots."""
        return tuple(one for one in self.here if not one.bot)

    @property
    def names(self) -> Mapping[Seat, str]:
        """Every seat's name, those who left included."""
        return {one.seat: one.name for one in self.seats}

    @property
    def texting(self) -> bool:
        """Somebody at the table plays by SMS."""
        return any(one.texting for one in self.here)

    def marked(self, ask: Ask) -> tuple[str, ...]:
        """What is picked so far of an ask: by buttons, or by an answer that is in."""
        nothing: tuple[str, tuple[str, ...]] = ("", ())
        marked = self.stage.marks.get(ask.to) if isinstance(self.stage, Playing) else None
        ask_id, picked = marked or nothing
        if ask_id == ask.id:
            return picked
        return ask.answered.picked if ask.answered else ()

    def with_marks(self, seat: Seat, ask: str, picked: tuple[str, ...]) -> Room:
        """The room in which a seat has picked so much of an ask; "" forgets what it had picked."""
        if not isinstance(self.stage, Playing) or not (ask or seat in self.stage.marks):
            return self
        others = {one: marks for one, marks in self.stage.marks.items() if one != seat}
        marks = {**others, seat: (ask, picked)} if ask else others
        return replace(self, stage=replace(self.stage, marks=marks))

    def with_seat(self, changed: Seated) -> Room:
        """The room with one seat's record replaced, or added at the end."""
        if any(one.seat == changed.seat for one in self.seats):
            seats = tuple(changed if one.seat == changed.seat else one for one in self.seats)
        else:
            seats = (*self.seats, changed)
        return replace(self, seats=seats)
