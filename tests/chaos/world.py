"""Two workers, a store, two platforms and some tables of people; and what became of it all."""

import asyncio
import subprocess
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from adapters.redis_store import keys
from tests.chaos.door import Door
from tests.chaos.evidence import Evidence
from tests.chaos.faults import Faults
from tests.chaos.ours import (
    ACCOUNT,
    AUTH,
    BOT,
    NUMBER,
    PUBLIC,
    SECRET,
    TELEGRAM_PATH,
    TOKEN,
    Ours,
    environment,
)
from tests.chaos.players import Player, SmsPlayer, TelegramPlayer
from tests.chaos.store import StoreServer
from tests.chaos.stories import marks, played_again, rooms
from tests.chaos.tables import Table
from tests.chaos.threads import Post
from tests.chaos.workers import Worker
from tests.fakes.telegram import FakeTelegram
from tests.fakes.twilio import FakeTwilio

WORKERS = 2
END_SECONDS = 90.0
GIVE_UP_SECONDS = 300.0
QUIET_SECONDS = 0.5
POLL_SECONDS = 0.05
SENDS = {"sendMessage": "text", "sendPhoto": "caption"}
"""The methods that post, and where they have the words."""


@dataclass
class World:
    """Everything around Parlour, and Parlour."""

    ours: Ours
    telegram: FakeTelegram
    twilio: FakeTwilio
    store: StoreServer
    workers: list[Worker]
    door: Door
    faults: Faults
    tables: list[Table]


@asynccontextmanager
async def the_world(program: Path, seed: int) -> AsyncGenerator[World]:
    """All of it, started; `program` is the store's server."""
    dice = Random(seed)
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(watched_folder())
        store = await stack.enter_async_context(StoreServer(program, folder))
        telegram = await stack.enter_async_context(FakeTelegram(TOKEN, BOT))
        twilio = await stack.enter_async_context(
            FakeTwilio(account_sid=ACCOUNT, auth_token=AUTH, number=NUMBER)
        )
        settings = environment(store.url, telegram.base_url, twilio.base_url)
        ours = Ours(settings)
        workers = [Worker(settings, folder / f"worker{n}.log") for n in range(WORKERS)]
        urls = [worker.url for worker in workers]
        door = await stack.enter_async_context(Door(urls, ours.heard, Random(dice.random())))
        for worker in workers:
            stack.push_async_callback(worker.stop)
        await asyncio.gather(*(worker.start() for worker in workers))
        telegram.deliver_to(f"{door.url}{TELEGRAM_PATH}", SECRET, give_up_seconds=GIVE_UP_SECONDS)
        twilio.deliver_to(
            f"{PUBLIC}/sms", send_to=f"{door.url}/sms", patience_seconds=GIVE_UP_SECONDS
        )
        faults = Faults(workers, store, telegram, twilio, Random(dice.random()))
        world = World(ours, telegram, twilio, store, workers, door, faults, [])
        world.tables += seated(world, dice)
        yield world


@contextmanager
def watched_folder() -> Generator[Path]:
    """A folder of one's own; the processes of the .pid files in it end with this one.

    A server outlives whoever started it, and a test may be killed: the pipe ends with the test.
    """
    with TemporaryDirectory(prefix="chaos-") as folder:
        watch = f"read line; kill -9 $(cat {folder}/*.pid)"
        with subprocess.Popen(  # noqa: S603  (our own words)
            ["/bin/sh", "-c", watch],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as watching:
            yield Path(folder)
            for old in Path(folder).glob("*.pid"):
                old.unlink()
            watching.communicate()


def seated(world: World, dice: Random) -> list[Table]:
    """Five tables: two groups, one with a phone; friends in private; a mixed one; phones alone."""
    telegram, twilio, ours = world.telegram, world.twilio, world.ours
    numbers = iter(f"+120255501{n}" for n in range(10, 100))

    def phone(name: str) -> SmsPlayer:
        number = next(numbers)
        return SmsPlayer(ours.phone(number), name, twilio.phone(number))

    def friend(name: str) -> TelegramPlayer:
        user = telegram.user(name)
        user.starts()
        return TelegramPlayer(ours.telegram(user.user_id), user)

    def table(players: list[Player]) -> Table:
        host = players[0]
        return Table(players, lambda: host.says("NEW"), world.store.server, Random(dice.random()))

    def group(title: str, names: str, *more: Player) -> Table:
        members = [friend(name) for name in names.split()]
        place = telegram.group(title, [one.user for one in members])
        for one in members:
            one.group = place
        host = members[0].user
        return Table(
            [*members, *more], lambda: host.says("/new", to=place), world.store.server,
            Random(dice.random()),
        )  # fmt: skip

    return [
        group("Pals", "Ann Bo Cy", phone("Dee")),
        group("Kin", "Eve Fay Gus Hal"),
        table([friend("Ida"), friend("Jo"), friend("Kim")]),
        table([friend("Lou"), phone("Max"), phone("Nan")]),
        table([phone("Ole"), phone("Pat"), phone("Quin")]),
    ]


async def evening(world: World, seconds: float) -> None:
    """Play among faults for so many seconds, end the games, and wait until nothing is left to do.

    An AssertionError, or TimeoutError, when it does not come to rest.
    """
    greetings = [
        player.says("/start")
        for table in world.tables
        for player in table.players
        if isinstance(player, TelegramPlayer)
    ]
    await asyncio.gather(*greetings)
    async with asyncio.TaskGroup() as evenings:
        tables = [evenings.create_task(table.evening()) for table in world.tables]
        await world.faults.run(seconds)
        for table in world.tables:
            table.over.set()
        async with asyncio.timeout(END_SECONDS):
            await asyncio.wait(tables)
    async with asyncio.timeout(END_SECONDS):
        while not world.door.idle:  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)
        await drained(world.store)
    await world.telegram.quiet(QUIET_SECONDS, within=END_SECONDS)
    await world.twilio.quiet(QUIET_SECONDS, within=END_SECONDS)


async def evidence(world: World) -> Evidence:
    """All that is known of an evening that is over."""
    stories = played_again(await rooms(world.store.server), world.door.inputs, world.ours.house)
    return Evidence(
        house=world.ours.house,
        inputs=world.door.inputs,
        stories=stories,
        marks=await marks(world.store.server),
        posts=[
            Post(int(str(call.chat_id)), str(call.params[SENDS[call.method]]), call.at)
            for call in world.telegram.calls
            if call.method in SENDS
        ],
        showing={id_: chat.showing for id_, chat in world.telegram.world.chats.items()},
        addresses={id_: world.ours.telegram(id_) for id_ in world.telegram.world.chats},
        texts=world.twilio.texts,
        faults=world.faults.done,
        protests=[*world.telegram.violations, *world.twilio.violations],
        tracebacks=[one for worker in world.workers for one in worker.tracebacks],
        numbers=[worker.log.name for worker in world.workers if worker.names_a_number],
    )


async def drained(store: StoreServer) -> None:
    """Wait until no letter waits anywhere, and no room for a time."""
    shards = range(store.server.shards)
    commands = [("ZCARD", name(shard)) for name in (keys.queue, keys.timers) for shard in shards]
    while any(await store.server.run_all(commands)):  # noqa: ASYNC110  (it rings no bell)
        await asyncio.sleep(POLL_SECONDS)
