"""A whole game of bots, at once, on a clock that jumps from deadline to deadline.

No store, no service: the pure core alone. The same seed plays the same game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core import playing, text
from core.game import Say
from core.room import Lobby, Room, Seated

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")


def lines(game: str, players: int, seed: str, options: tuple[str, ...] = ()) -> Iterator[str]:
    """The public lines of a game of `players` bots, the final scores last."""
    seats = tuple(Seated(f"s{at}", NAMES[at - 1]) for at in range(1, players + 1))
    room = Room("auto", "", game, seed, "s1", seats, Lobby(0), options=options)
    room, said = playing.start(room, 0)
    yield from _public(room, said)
    while (now_ms := playing.deadline_ms(room)) is not None:
        room, said = playing.advance(room, now_ms)
        yield from _public(room, said)


def _public(room: Room, said: Sequence[Say]) -> Iterator[str]:
    for say in said:
        if say.to is None:
            full = text.load().render(say.line).full
            yield text.named(full, room.names.__getitem__)
