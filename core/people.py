"""A person, and the one seat they have.

The room is the truth about who sits in it; a person's claim only says where to look. It is taken
before the room seats them and dropped after the room lets them go, so a death in between leaves a
claim on a room that doesn't seat the person. Repair rule: such a claim counts only while it is
younger than `CLAIM_MS`, when its room may still be about to be committed.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec import Struct
from msgspec.structs import replace

CLAIM_MS = 60_000
REMEMBERED_MOVES = 8
REMEMBERED_INVITATIONS = 8


class Claim(Struct, frozen=True):
    """The room a person sits in, or is about to; made by which event, and when."""

    room: str
    event: str
    at_ms: int


class Invited(Struct, frozen=True):
    """An invitation that somebody got: into which room, from whom, when."""

    room: str
    by: str
    at_ms: int


class Waiting(Struct, frozen=True):
    """Invitations that wait for their host's word: into which room, the word, and to whom.

    Each is how the host spelt the number, masked, and the address it is at.
    """

    room: str
    word: str
    invitees: tuple[tuple[str, str], ...]


class Person(Struct, frozen=True):
    """Somebody, whatever they write from. `moves` are the events that took them out of a room.

    A redelivered LEAVE must find the room it left: by then no claim leads there any more.
    `vouched_ms` is when, as a host, they first said that whom they invite has agreed to it.
    """

    id: str
    claim: Claim | None = None
    open: bool = True
    moves: tuple[tuple[str, str], ...] = ()
    invited: tuple[Invited, ...] = ()
    waiting: Waiting | None = None
    vouched_ms: int | None = None
    schema: int = 1

    def left_by(self, event: str) -> str:
        """The room that `event` took the person out of, or an empty string."""
        return next((room for moved, room in self.moves if moved == event), "")

    @property
    def before(self) -> tuple[str, ...]:
        """The rooms they got up from, the last one first, but for the one they sit in."""
        now = self.claim.room if self.claim else ""
        rooms = dict.fromkeys(room for _, room in reversed(self.moves))
        return tuple(room for room in rooms if room != now)

    def invitation(self, room: str) -> Invited | None:
        """The invitation they got into a room: there is never a second."""
        return next((one for one in self.invited if one.room == room), None)

    def invited_by(self, host: str, room: str, now_ms: int) -> Person:
        """The person with one more invitation."""
        invited = (*self.invited, Invited(room, host, now_ms))
        return replace(self, invited=invited[-REMEMBERED_INVITATIONS:])

    def claiming(self, room: str, event: str, now_ms: int) -> Person:
        """The person about to sit down in `room`, and no longer in the one they claimed."""
        left = self.claim.room if self.claim and self.claim.room != room else ""
        person = self.moved(f"{event}/departed", left) if left else self
        return replace(person, claim=Claim(room, event, now_ms))

    def released(self, room: str, event: str, claimed_by: Collection[str]) -> Person:
        """The person out of `room`, by `event`, unless another event than these claims it again."""
        person, claim = self.moved(event, room), self.claim
        if claim is None or claim.room != room or claim.event not in claimed_by:
            return person
        return replace(person, claim=None)

    def moved(self, event: str, room: str) -> Person:
        """The person with one more room behind them."""
        if (event, room) in self.moves:
            return self
        moves = (*self.moves, (event, room))
        if len(moves) > REMEMBERED_MOVES:
            # A room is remembered longer than a move: what comes late may be for any of them.
            rooms = [known for _, known in moves]
            again = (at for at, known in enumerate(rooms) if known in rooms[at + 1 :])
            least = next(again, 0)
            moves = moves[:least] + moves[least + 1 :]
        return replace(self, moves=moves)


def encode(person: Person) -> bytes:
    """The person as JSON."""
    return msgspec.json.encode(person)


def decode(blob: bytes | None, person_id: str) -> Person:
    """The person in `blob`, or a new one."""
    return Person(person_id) if blob is None else msgspec.json.decode(blob, type=Person)
