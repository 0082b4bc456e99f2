"""All the people of a run, and the platforms' side of hearing them."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

from core import people
from core.delivery import Letter
from core.games import find_games
from core.ports import StoreAway
from core.room import Over, Room
from core.service import Busy, Incoming
from tests.simulation.platforms import find_platforms
from tests.simulation.players import NAMES, Deed, Player, Table
from tests.simulation.store import Died

if TYPE_CHECKING:
    from tests.simulation.world import World

LONGEST_SECONDS = 4 * 3_600.0
MOST_PAUSE_SECONDS = 20.0


class Crowd:
    """People at tables, until so many things have been done.

    What they do is brought until a process accepts it; some of it twice, late, in another order.
    """

    def __init__(self, world: World) -> None:
        self.sent: dict[str, bool] = {}
        """Every event that was sent, and whether it must leave a trace in the store."""
        self.accepted: set[str] = set()
        self.sending: set[asyncio.Task[None]] = set()
        self._world, self._dice = world, Random(f"{world.seed}/crowd")
        self._deeds = world.weather.deeds
        self._tables = self._set_tables()
        self._players = [player for table in self._tables for player in table.players]

    def _set_tables(self) -> list[Table]:
        dice, platforms = self._dice, list(find_platforms().values())
        games, public = list(find_games()), [one for one in platforms if not one.texting]
        tables: list[Table] = []
        for number in range(dice.choice((1, 1, 2, 2, 3))):
            home = dice.choice(public)
            place = f"{home.name}:sim:group{number}" if dice.random() < 0.6 else ""
            table = Table(dice.choice(games), place)
            for name in NAMES[: dice.randint(3, 8)]:
                platform = dice.choice((home, home, home, *platforms))
                address = f"{platform.name}:sim:{name}{number}"
                own = Random(f"{self._world.seed}/{address}")
                table.players.append(Player(name, platform, address, table, own))
            tables.append(table)
        return tables

    def shown(self, letter: Letter) -> None:
        """A letter with its buttons is shown to whoever reads there."""
        payloads = [button.data for button in letter.buttons]
        for player in self._players:
            if letter.to in {player.address, player.table.place}:
                player.shown(payloads)

    # --- what they do -------------------------------------------------------------------------

    async def play(self) -> None:
        """Let everybody do things until enough has been done."""
        await asyncio.gather(*(self._play(player) for player in self._players))

    async def _play(self, player: Player) -> None:
        world = self._world
        while self._goes_on():
            pause = player.pause(self._room_of(player), world.store_ms(), world.weather)
            await asyncio.sleep(pause)
            room, player.table.room = self._room_of(player), self._room_at(player.table)
            if self._goes_on():
                self._deeds -= 1
                self._send(player, player.deed(room, world.weather))

    def _goes_on(self) -> bool:
        world = self._world
        return self._deeds > 0 and not world.violations and world.seconds() < LONGEST_SECONDS

    def _room_of(self, player: Player) -> Room | None:
        blob = self._world.books.peek(f"p:{player.address}")
        return self._world.watch.room_of(people.decode(blob, player.address))

    def _room_at(self, table: Table) -> Room | None:
        """The room of a table's public place, or in which one of its players sits."""
        rooms = [story.room for story in self._world.watch.stories.values()]
        if table.place:
            return next((room for room in reversed(rooms) if room.place == table.place), None)
        found = (self._room_of(player) for player in table.players)
        return next((room for room in found if room and not isinstance(room.stage, Over)), None)

    # --- how it is brought --------------------------------------------------------------------

    def _send(self, player: Player, deed: Deed) -> None:
        """Hand what somebody does to their platform."""
        world, platform, closing = self._world, player.platform, deed.kind == "gone"
        (world.office.closed.add if closing else world.office.closed.discard)(player.address)
        place = player.table.place if deed.aloud and not platform.texting else ""
        heard = Incoming(
            f"{platform.name}:sim:{len(self.sent)}", deed.kind, player.address, deed.text,
            player.name, place, texting=platform.texting, open=not (place or closing),
        )  # fmt: skip
        world.note("deed", heard.event, heard.kind, heard.address, heard.place, heard.text)
        answered = deed.kind in {"text", "opened"}
        # A text message may be answered by nothing: not every line is worth one.
        self.sent[heard.event] = answered and not place and not platform.texting
        for _ in range(2 if self._dice.random() < world.weather.twice else 1):
            task = asyncio.create_task(self._bring(heard))
            self.sending.add(task)
            task.add_done_callback(self.sending.discard)

    async def _bring(self, heard: Incoming) -> None:
        world, pause = self._world, self._dice.expovariate(1 / self._world.weather.late_seconds)
        while True:
            await asyncio.sleep(pause)
            pause = min(2 * pause + 0.1, MOST_PAUSE_SECONDS)
            process = self._dice.choice(world.processes)
            try:
                toast = await process.hear(heard)
            except (Busy, StoreAway, Died) as why:
                world.note("refused", heard.event, type(why).__name__)
                continue
            except Exception as why:  # noqa: BLE001  (whatever it is, the run goes on to tell)
                return world.blame("the_product_never_raises", f"{heard}: {why!r}")
            if toast:
                world.watch.toasted(heard.text.partition(":")[0], heard.address, toast)
            if process.fails("lost_reply"):
                continue  # accepted, but its platform does not learn of it
            world.note("accepted", heard.event)
            self.accepted.add(heard.event)
            return None
