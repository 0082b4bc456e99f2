"""What must hold when the run is over. Each function gives what is wrong with a world, or None."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from core import people, playing
from core.codec import decode_room
from core.room import Lobby, Over

if TYPE_CHECKING:
    from tests.simulation.world import World


def everything_sent_was_accepted(world: World) -> str | None:
    """A platform brings what was refused until it is accepted."""
    missing = world.crowd.sent.keys() - world.crowd.accepted
    return f"{sorted(missing)} were never accepted" if missing else None


def everything_accepted_was_applied(world: World) -> str | None:
    """What must leave a trace in the store did; that nothing left two was seen at each commit."""
    lost = [
        one
        for one, certain in world.crowd.sent.items()
        if certain and not world.watch.was_applied(one)
    ]
    return f"{lost} were accepted and never applied" if lost else None


def every_room_ends_or_pauses(world: World) -> str | None:
    """Time alone brings every game to an end, or to a pause; every lobby closes."""
    for story in world.watch.stories.values():
        waits = isinstance(story.room.stage, Lobby) or bool(playing.asks(story.room))
        if waits and not isinstance(story.room.stage, Over):
            key = f"r:{story.room.id}"
            due_ms, wakes_ms = playing.deadline_ms(story.room), world.books.wakes(key)
            return f"{key} still waits; due {due_ms}, woken {wakes_ms}, now {world.store_ms()}"
    return None


def every_outbox_is_empty(world: World) -> str | None:
    """Nothing that was written waits for ever."""
    waiting = {to: len(rows) for to, rows in world.books._letters.items() if rows}
    return f"letters wait: {waiting}" if waiting else None


def every_room_is_its_replay(world: World) -> str | None:
    """What the store holds in the end, scores and all, is what the log makes."""
    for room_id, story in world.watch.stories.items():
        blob = world.books.peek(f"r:{room_id}")
        if blob is None or decode_room(blob) != story.room:
            return f"room {room_id} is not what its log makes of it"
    return None


def everybody_is_led_to_their_seat(world: World) -> str | None:
    """Whoever has a seat in a room that goes on is led there by what is known of them."""
    for room_id, story in world.watch.stories.items():
        for seated in () if isinstance(story.room.stage, Over) else story.room.people:
            person = people.decode(world.books.peek(f"p:{seated.person}"), seated.person)
            if person.claim is None or person.claim.room != room_id:
                return f"{seated.person} sits in {room_id}, but is led to {person.claim}"
    return None


ENDINGS: dict[str, Callable[[World], str | None]] = {
    ending.__name__: ending
    for ending in (
        everything_sent_was_accepted,
        everything_accepted_was_applied,
        every_room_ends_or_pauses,
        every_outbox_is_empty,
        every_room_is_its_replay,
        everybody_is_led_to_their_seat,
    )
}
