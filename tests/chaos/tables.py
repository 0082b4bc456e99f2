"""Tables of people who play one game after the other, whatever happens.

They look at the room as it is stored and do what they are asked to there, by buttons and words,
through their phones. They know no game: an open question says what can be answered to it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import TypeVar

from adapters.redis_store import keys
from adapters.redis_store.client import Server
from adapters.redis_store.store import RedisRecords
from core import people, playing
from core.codec import decode_room
from core.game import Ask, Pick
from core.ports import StoreAway
from core.reading import label
from core.room import Lobby, Over, Playing, Room
from tests.chaos.players import Player

T = TypeVar("T")

LOOK_SECONDS = 0.15
THINK_SECONDS = (0.1, 0.5)
GAME_SECONDS = 45.0
SMALL_TALK = ("/who", "/scores", "/look", "hello", "/rules")
LETTERS = "bcdfghjkmp"


class Table:
    """People who play together, the first of them the host; a game after the other until `over`."""

    def __init__(
        self, players: Sequence[Player], opens: Callable[[], Awaitable[object]],
        server: Server, dice: Random,
    ) -> None:  # fmt: skip
        """`opens`: the host opens a room."""
        self.players, self._opens, self._server, self._dice = players, opens, server, dice
        self._records = RedisRecords(server)
        self.over = asyncio.Event()
        self.games = 0
        self._words = 0
        self._room: Room | None = None

    async def evening(self) -> None:
        """Play until it is over, and end the last game then."""
        while not self.over.is_set():
            await self._game()

    async def _game(self) -> None:
        host, *others = self.players
        await self._opens()
        self._room = await self._look(await self._room_of(host))
        async with asyncio.TaskGroup() as sitting:
            for player in others:
                sitting.create_task(player.joins(self._room.code))
        ending = self._dice.choice(("rounds-1", "rounds-2", "rounds-3"))
        await host.says("/pace live")
        await host.says(f"/variant {ending}")
        if self._dice.random() < 0.3:
            await host.says("/variant point-of-order")
        await host.says("/go")
        async with asyncio.TaskGroup() as playing_on:
            for player in self.players:
                playing_on.create_task(self._play(player))
            playing_on.create_task(self._watch(self._room.id))
        self.games += 1
        await self._all_told(self._room)

    async def _all_told(self, room: Room) -> None:
        """Wait until whatever this room said has gone out.

        Letters of two rooms come in any order, and many say the same: nobody could tell which came.
        """
        shard = keys.shard_of(f"r:{room.id}", self._server.shards)
        places = {room.place, *(one.address for one in room.seats)} - {""}
        waiting = [("LLEN", keys.letters(shard, place)) for place in sorted(places)]
        while any(await self._again(lambda: self._server.run_all(waiting))):  # noqa: ASYNC110
            await asyncio.sleep(LOOK_SECONDS)

    async def _room_of(self, player: Player) -> str:
        """The room in which the player was seated by what was accepted last."""
        person = people.decode(
            (await self._again(lambda: self._records.load(f"p:{player.address}"))).blob,
            player.address,
        )
        assert person.claim is not None, f"{player.name} was accepted and sits nowhere"
        return person.claim.room

    async def _look(self, room_id: str) -> Room:
        blob = (await self._again(lambda: self._records.load(f"r:{room_id}"))).blob
        assert blob is not None, f"the room {room_id} was accepted and is not there"
        return decode_room(blob)

    async def _again(self, load: Callable[[], Awaitable[T]]) -> T:
        """Look until the store is there."""
        while True:
            try:
                return await load()
            except StoreAway:
                await asyncio.sleep(LOOK_SECONDS)

    async def _watch(self, room_id: str) -> None:
        """Keep looking at the room until its game is over; the host ends one that takes long."""
        ends, finished = time.monotonic() + GAME_SECONDS, False
        while not isinstance(self._stage, Over):
            await asyncio.sleep(LOOK_SECONDS)
            self._room = await self._look(room_id)
            late = self.over.is_set() or time.monotonic() > ends
            if late and not finished and not isinstance(self._stage, Over):
                finished = True
                await self._finish(self._room)

    @property
    def _stage(self) -> Lobby | Playing | Over:
        assert self._room is not None
        return self._room.stage

    async def _finish(self, room: Room) -> None:
        """Whoever is host now ends the game; a text has to be confirmed by its number."""
        host = next(one for one in self.players if one.address == room.seated(room.host).address)
        await host.says("/finish")
        asked = (await self._look(room.id)).confirmation
        if asked is not None:
            await host.says(f"/finish {asked.number}")

    async def _play(self, player: Player) -> None:
        while not isinstance(self._stage, Over):
            await asyncio.sleep(self._dice.uniform(*THINK_SECONDS))
            room = self._room
            assert room is not None
            seated = room.seat_of(player.address)
            if seated is None:
                await player.joins(room.code)
                continue
            if isinstance(room.stage, Playing):
                ask = playing.ask_of(room, seated.seat)
                await self._act(player, room, ask, away=seated.away)

    async def _act(self, player: Player, room: Room, ask: Ask | None, *, away: bool) -> None:
        """Do something, or nothing: a sixth of all questions is left to the clock."""
        if ask and ask.id != player.asked:
            player.asked = ask.id
            player.quiet = ask.id if self._dice.random() < 1 / 6 else ""
        chatty = self._dice.random() < 0.06
        if away or chatty:
            await player.says(self._dice.choice(SMALL_TALK))
        elif ask and player.quiet != ask.id:
            changes_it = self._dice.random() < 0.15
            if ask.answered is None or changes_it:
                await self._answer(player, room, ask)

    async def _answer(self, player: Player, room: Room, ask: Ask) -> None:
        if not isinstance(ask.answer, Pick):
            return await player.says(self._word())
        at = self._dice.randrange(len(ask.answer.options))
        option = ask.answer.options[at]
        if self._dice.random() < 0.7 and await player.presses(f"{room.id}:{ask.id}:{option.value}"):
            return None
        return await player.says(f"{ask.verb} {label(ask, at)}")

    def _word(self) -> str:
        """A word that nobody has said before."""
        self._words += 1
        return "zq" + "".join(LETTERS[int(digit)] for digit in str(self._words))
