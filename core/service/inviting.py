"""A host invites friends by phone number: each gets one text, and nothing more unless they answer.

Theory of operation. First comes sharing: a friend who writes first has agreed to be written to. A
host who types numbers has to vouch once that their owners agreed to a text; by SMS, where a sender
can be forged, a number is typed back each time. What is only a guess is always asked back. The
invitation and its note are one commit in the friend's own record, so that nobody gets a second one
into the same room, whoever asks for it and however often.

What the host hears of a number depends on that number, and on what this host has done: never on
whether somebody has opted out, plays already, or was invited by others.
"""

from __future__ import annotations

import re
from hashlib import sha256

from msgspec.structs import replace

from core.delivery import Letter
from core.game import Line, Who
from core.pace import MINUTE_MS
from core.people import Person, Waiting
from core.playing import seats_of
from core.ports import Directory, Entropy, Phones
from core.room import Over, Room
from core.service.incoming import Incoming
from core.service.ledger import Ledger
from core.spelling import key
from core.table import House, sharing
from core.text import Catalogue

FRESH_MS = 10 * MINUTE_MS
"""An invitation that could not go out by then is not sent: night may have fallen."""
OK = "OK"
NAME_LETTERS = 8
_INVITE = re.compile(r"/?invite(?:@\w+)?\s+(?=\S)", re.IGNORECASE)


class _Invited(Exception):
    """They have got an invitation into this room meanwhile."""


def invites(text: str) -> str:
    """What was typed behind INVITE, or nothing."""
    command = _INVITE.match(text.lstrip())
    return text.lstrip()[command.end() :] if command else ""


def plain_name(name: str) -> str:
    """A host's name as a text to a stranger shows it: short, cheap, and never a link."""
    letters = key(name).replace("-", "")[:NAME_LETTERS]
    return letters.title() if letters.isascii() and letters.isalpha() else "A friend"


class Inviting:
    """Invites whom a host names."""

    def __init__(
        self, ledger: Ledger, directory: Directory, entropy: Entropy, house: House,
        words: Catalogue, phones: Phones | None,
    ) -> None:  # fmt: skip
        """Without `phones` nobody can be invited but by sharing."""
        self._ledger, self._directory, self._entropy = ledger, directory, entropy
        self._house, self._words, self._phones = house, words, phones

    async def serve(self, heard: Incoming, person: Person, room: Room | None, typed: str) -> None:
        """Do what `INVITE typed` says, and answer. Raises Busy or StoreAway."""
        waiting, vouches = person.waiting, False
        seated = room.seat_of(person.id) if room else None
        if room is None or seated is None:
            lines: tuple[Line, ...] = (Line("invite-a-room"),)
        elif heard.place:
            lines = (Line("invite-in-private"),)
        elif room.host != seated.seat:
            lines = (Line("only-the-host", {"who": Who(room.host)}),)
        elif isinstance(room.stage, Over) or self._phones is None:
            lines = sharing(room, self._house)
        elif waiting and waiting.room == room.id and key(typed) == key(waiting.word):
            vouches = True
            lines = tuple(
                [
                    await self._invite(self._phones, shown, address, person, room)
                    for shown, address in waiting.invitees
                ]
            )
            waiting = None
        else:
            lines, waiting = await self._named(self._phones, heard, person, room, typed)
        await self._answer(heard, person, room, lines, waiting, vouches=vouches)

    async def _named(
        self, phones: Phones, heard: Incoming, host: Person, room: Room, typed: str
    ) -> tuple[tuple[Line, ...], Waiting | None]:
        """Invite those who are surely meant; the rest waits for the host's word."""
        found = await phones.find(typed, heard.address)
        if found is None:
            return (Line("invite-not-here"), *sharing(room, self._house)), host.waiting
        if not found:
            return (Line("invite-whom"),), host.waiting
        asks = heard.texting or host.vouched_ms is None
        lines: list[Line] = []
        waits: list[tuple[str, str]] = []
        for one in found:
            if one.verdict == "confirm" or (one.verdict == "ok" and asks):
                waits.append((one.shown, one.address))
                lines.append(_line("invite-is-it", one.shown))
            elif one.verdict == "ok":
                lines.append(await self._invite(phones, one.shown, one.address, host, room))
            else:
                lines.append(Line(f"invite-{one.verdict}", {"number": one.shown}))
        if not waits:
            return tuple(lines), None
        word = self._number() if heard.texting else OK
        lines.append(Line("invite-confirm", {"word": word}))
        return tuple(lines), Waiting(room.id, word, tuple(waits))

    async def _invite(
        self, phones: Phones, shown: str, address: str, host: Person, room: Room
    ) -> Line:
        """Send one invitation, unless something is against it. What the host is told of it."""
        friend = await self._ledger.person(
            await self._directory.get(f"person:{address}") or address
        )
        before, seated = friend.invitation(room.id), room.seat_of(friend.id)
        if seated and before and before.by == host.id:
            return _line("invite-already-in", shown)
        if seated or before:
            return _line("invited", shown)
        admitted = await phones.admit(address, host.id, room.id, seats_of(room)[1])
        if admitted != "ok":
            return Line(f"invite-{admitted}", {"number": shown})

        def invited(fresh: Person, now_ms: int) -> Person:
            if fresh.invitation(room.id):
                raise _Invited
            return fresh.invited_by(host.id, room.id, now_ms)

        try:
            letters = (self._text(address, host, room),)
            await self._ledger.change(friend.id, invited, letters=letters, fresh_ms=FRESH_MS)
        except _Invited:
            pass  # that one is on its way
        return _line("invited", shown)

    def _text(self, address: str, host: Person, room: Room) -> Letter:
        seat = room.seat_of(host.id)
        args = {
            "game": room.game.replace("-", " ").title(),
            "host": plain_name(seat.name if seat else ""),
            "code": room.code,
        }
        text = self._words.render(Line("invitation", args))
        return Letter(address, text.full, text.short, room=room.id)

    def _number(self) -> str:
        """Four digits that nobody can know."""
        return str(1_000 + int(sha256(self._entropy.nonce().encode()).hexdigest(), 16) % 9_000)

    async def _answer(
        self, heard: Incoming, person: Person, room: Room | None, lines: tuple[Line, ...],
        waiting: Waiting | None, *, vouches: bool,
    ) -> None:  # fmt: skip
        texts = [self._words.render(line) for line in lines]
        letter = Letter(
            to=heard.place or heard.address,
            text="\n".join(text.full for text in texts),
            short="\n".join(text.short for text in texts if text.short),
            names=room.names if room else {},
        )

        def answered(host: Person, now_ms: int) -> Person:
            vouched_ms = host.vouched_ms or (now_ms if vouches else None)
            return replace(host, waiting=waiting, vouched_ms=vouched_ms)

        await self._ledger.change(person.id, answered, heard=heard, letters=(letter,))


def _line(called: str, shown: str) -> Line:
    return Line(called, {"number": shown})
