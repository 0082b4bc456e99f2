"""Mutants of what is decided: when time is up, who sits where, who may know what."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from core import delivery, engine, playing
from core.ballot import Ballot
from core.engine import Decision, Happening, Pressed, Spoke, Toast, Woke
from core.game import Context, Given, Line, Pick, Seat, Turn
from core.games.ferret_out import rules
from core.games.ferret_out.state import State
from core.pace import Pace
from core.people import Person
from core.ports import StoreAway
from core.room import Room, Seated
from core.service import Busy, Incoming, Service
from core.service.desk import Desk
from core.table import House, Outcome, Speaker
from core.text import Catalogue, Text
from tests.plays import on_card
from tests.simulation.mutation import Fault, Mutants, Real
from tests.simulation.mutation import mutant as of

MUTANTS: Mutants = {}
mutant = partial(of, MUTANTS)


# --- time ----------------------------------------------------------------------------------------


def _at(change: Callable[[Room, Happening, int], int]) -> Fault:
    """A machine that is told another time."""

    def fault(real: Real) -> object:
        def decide(
            room: Room, happening: Happening, now_ms: int, house: House, words: Catalogue
        ) -> Decision:
            return real(room, happening, change(room, happening, now_ms), house, words)

        return decide

    return fault


@mutant("a timer counts whatever the state says", engine, "decide")
@_at
def _(room: Room, happening: Happening, now_ms: int) -> int:
    rings = isinstance(happening, Woke)
    return max(now_ms, playing.deadline_ms(room) or 0) if rings else now_ms


@mutant("an answer counts after the close", engine, "decide")
@_at
def _(room: Room, happening: Happening, now_ms: int) -> int:
    answers = isinstance(happening, Spoke | Pressed)
    return min(now_ms, (playing.deadline_ms(room) or now_ms + 1) - 1) if answers else now_ms


@mutant("no time for regrets", Pace, "regret_ms")
def _(_: Real) -> object:
    return property(lambda _: 0)


# --- people --------------------------------------------------------------------------------------


@mutant("accepted before it is applied", Service, "hear")
def _(real: Real) -> object:
    under_way: set[asyncio.Task[None]] = set()

    async def hear(self: Service, heard: Incoming) -> Toast | None:
        async def apply() -> None:
            with suppress(Busy, StoreAway):
                await real(self, heard)

        task = asyncio.create_task(apply())
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    return hear


@mutant("a person in two rooms", Desk, "_claim")
def _(_: Real) -> object:
    async def claim(self: Desk, person: Person, room_id: str, event: str) -> bool:
        await self._ledger.change(person.id, lambda p, now_ms: p.claiming(room_id, event, now_ms))
        return True

    return claim


@mutant("a seat is claimed after the room's commit", Desk, "_join")
def _(_: Real) -> object:
    async def join(
        self: Desk, heard: Incoming, person: Person, speaker: Speaker, code: str, name: str
    ) -> None:
        where = f"code:{code}" if code else f"place:{heard.place}"
        room_id = await self._directory.get(where) or ""
        happening = engine.Arrived(speaker, name, public=bool(heard.place))
        await self._ledger.decide(room_id, happening, heard.event, heard.mark_ms)
        await self._claim(person, room_id, heard.event)

    return join


@mutant("the rooms before are forgotten", Service, "_heard_before")
def _(_: Real) -> object:
    async def heard_before(*_: object) -> bool:
        return False

    return heard_before


# --- secrets -------------------------------------------------------------------------------------


@mutant("a secret in a group's line", delivery.Mail, "_own")
def _(real: Real) -> object:
    def own(self: delivery.Mail, seated: Seated, text: Text, *, secret: bool) -> None:
        if secret and self.room.place:
            self._draft(self.room.place).parts.append(text)
        real(self, seated, text, secret=secret)

    return own


@mutant("a secret in a button's payload", delivery, "show_mine")
def _(real: Real) -> object:
    def show_mine(words: Catalogue, room: Room) -> delivery.Button:
        held = [word for one in room.seats for word in on_card(room, one.seat)]
        return replace(real(words, room), data=f"{room.id}:look:{''.join(held[:1])}")

    return show_mine


@mutant("a refusal looks at another's card", rules, "_banned")
def _(real: Real) -> object:
    def banned(state: State, seat: Seat, given: Given) -> Line | None:
        lines = (real(state, other, given) for other in (seat, *state.deal.players))
        return next((line for line in lines if line), None)

    return banned


@mutant("clues are shown in the order they came", rules, "_reveal")
def _(real: Real) -> object:
    def reveal(state: State, ballot: Ballot, ctx: Context) -> Turn[State]:
        players = tuple(dict.fromkeys((*ballot.cast, *state.deal.players)))
        return real(replace(state, deal=replace(state.deal, players=players)), ballot, ctx)

    return reveal


@mutant("an old button counts", engine, "_pressed")
def _(real: Real) -> object:
    def pressed(
        room: Room, seated: Seated, ask_id: str, option: str, words: Catalogue, now_ms: int
    ) -> Outcome:
        ask = playing.ask_of(room, seated.seat)
        picks = ask is not None and isinstance(ask.answer, Pick)
        return real(room, seated, ask.id if ask and picks else ask_id, option, words, now_ms)

    return pressed
