"""A game made for tests of the engine: everybody fills a basket, in a market of three days.

It has what Ferret Out has not: answers of several things, scenes, an offer, cards, a ring, and
seats that whoever comes late can only take over.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from unittest.mock import patch

from msgspec import Struct
from msgspec.structs import replace

from core import playing, text
from core.ballot import Ballot
from core.game import (
    Answered,
    Ask,
    Card,
    Context,
    Deadline,
    Event,
    Game,
    Given,
    Joined,
    Line,
    Option,
    Pick,
    Place,
    Refused,
    Result,
    Ring,
    Say,
    Scene,
    Seat,
    TimeUp,
    Turn,
    Who,
    aside,
    aside_to,
    opening,
    room,
)
from core.text import Catalogue

FRUIT = (Option("apple", Line("fruit-apple"), times=2), Option("plum", Line("fruit-plum")))
EXACTLY, UP_TO = Pick(FRUIT, 2, 2), Pick(FRUIT, 0, 3)
DAYS = 3
WORDS = Catalogue(
    "en",
    {
        "core": (text.resources.files("core") / "en.ftl").read_text("utf-8"),
        "market": """
fruit-apple = Apple
fruit-plum = Red Plum
market-day = Market day { $day }.
    .sms = Day { $day }.
market-look = You stand at the market.
market-bought = { $who } bought something.
    .sms = { $who } bought.
market-paid = You have paid.
market-cleared = The stalls are cleared.
market-closed = The market is closed.
market-waved = { $who } waves.
market-teller = Shopper: { $who }
market-status = Shopping
ask-fruit = What do you buy?
two-plums = Not two plums again.
about-plum = A plum is a plum.
""",
    },
)


class State(Struct, frozen=True):
    """The day, and the shopping; `ended` after the last day."""

    day: int
    ballot: Ballot
    pick: Pick
    ended: bool = False


def _day(state: State, ctx: Context, *said: Say) -> Turn[State]:
    if state.day == DAYS:
        return Turn(replace(state, ended=True), (*said, room("market-closed")))
    ballot = Ballot.open(ctx, 60, ctx.seats)
    state = replace(state, day=state.day + 1, ballot=ballot)
    return Turn(state, (*said, opening("market-day", day=state.day)))


def _play(state: State, event: Event, ctx: Context) -> Turn[State] | Refused:
    absent = len(ctx.seats) < len(ctx.table)
    cleared = (aside("market-cleared"),) if absent else ()
    match event:
        case Answered(seat, ask, given) if ask.startswith("wave"):
            return Turn(state, (aside("market-waved", who=Who(seat)),))
        case Answered(seat, given=given):
            if given.picked == ("plum", "plum"):
                return Refused(Line("two-plums"))
            ballot = state.ballot.answer(seat, given, ctx)
            said = aside("market-bought", who=Who(seat))
            paid = aside_to(seat, "market-paid")
            return Turn(replace(state, ballot=ballot), (said, paid))
        case TimeUp():
            return _day(state, ctx, *cleared)
        case Joined(seat) if seat in state.ballot.voters:
            return Turn(replace(state, ballot=state.ballot.recall(seat)))
        case _:
            return Turn(state)


def _asks(state: State) -> tuple[Ask, ...]:
    if state.ended:
        return ()
    return state.ballot.asks(f"fruit/{state.day}", Line("ask-fruit"), lambda _: state.pick)


def _deadline(state: State) -> Deadline | None:
    return None if state.ended else state.ballot.deadline


def _ring(state: State) -> Ring[Line]:
    places = tuple(
        Place(seat, (Line("market-teller", {"who": Who(seat)}),)) for seat in state.ballot.voters
    )
    return Ring(Line("market-day", {"day": state.day}), places)


def _offer(state: State, seat: Seat) -> Ask | None:
    return Ask(f"wave/{state.day}", seat, Line("ask-fruit"), UP_TO)


def market(pick: Pick = EXACTLY) -> Game[State]:
    """The game, with what a basket may have."""
    return Game(
        name="market",
        state_type=State,
        menu=lambda _, seats: tuple(
            Option(f"first-{seat}", Line("market-teller", {"who": Who(seat)})) for seat in seats
        ),
        choose=lambda chosen, name: (*chosen, name),
        seats=lambda _: (2, 4),
        rules=lambda _, __: (Line("market-look"),),
        start=lambda ctx: _day(State(0, Ballot.open(ctx, 60, ctx.seats), pick), ctx),
        play=_play,
        asks=_asks,
        deadline=_deadline,
        look=lambda _, __: (Line("market-look"),),
        recap=lambda state: (Line("market-day", {"day": state.day}),),
        result=lambda state: Result({}, ()) if state.ended else None,
        bot=lambda _, __, ___: Given(("apple", "apple")),
        offer=_offer,
        words=("hop",),
        cards=(Card(("plum",), Line("fruit-plum"), Line("about-plum")),),
        dealt=lambda state: state.ballot.voters,
        scene=lambda state: Scene(f"day/{state.day}", Line("market-status")),
        ring=_ring,
    )


@contextmanager
def playing_market(pick: Pick = EXACTLY) -> Generator[None]:
    """Have the engine know this game and its words."""
    with (
        patch.object(playing, "find_games", lambda: {"market": market(pick)}),
        patch.object(text, "load", lambda: WORDS),
    ):
        yield
