"""A store that can't be reached says so, in one way, and is there again when it is."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

import pytest

from adapters.redis_store import client, embedded
from adapters.redis_store.client import Server, connect
from adapters.redis_store.store import RedisRecords
from core.ports import Commit, Parcel, StoreAway
from tests.adapters.stores.stores import ROOM, Stores, in_memory, in_redis, letter
from tests.servers import PROGRAMS


async def check_all_raise(stores: Stores) -> None:
    parcel = Parcel(f"{ROOM}.1.0", letter())
    calls: list[Callable[[], Awaitable[object]]] = [
        lambda: stores.records.load(ROOM),
        lambda: stores.records.commit(Commit(ROOM, b"{}", 0)),
        stores.records.due,
        lambda: stores.records.retime(ROOM, 0, None),
        stores.records.live,
        lambda: stores.records.notes(ROOM),
        stores.outbox.ready,
        lambda: stores.outbox.mark(parcel),
        lambda: stores.outbox.done(parcel),
        lambda: stores.outbox.later(parcel, 0),
        lambda: stores.directory.get("name"),
        lambda: stores.directory.put("name", "value", instead_of=None, keep_ms=1),
    ]
    for call in calls:
        with pytest.raises(StoreAway):
            await call()


async def test_every_call_says_that_the_store_in_memory_is_away() -> None:
    stores = in_memory()
    store = stores.records
    assert not isinstance(store, RedisRecords)
    store.away = True
    await check_all_raise(stores)

    store.away = False
    await stores.commit()


@pytest.mark.parametrize("program", PROGRAMS)
async def test_every_call_says_that_a_server_is_away_and_works_when_it_is_back(
    program: str,
) -> None:
    with TemporaryDirectory(prefix="parlour-") as folder:
        data_dir, choice = Path(folder), [PROGRAMS[program]]
        async with connect(embedded.url(embedded.ensure(data_dir, choice))) as server:
            stores = in_redis(server)
            await stores.commit(letter(), wake_ms=1)
            embedded.stop(data_dir)
            await check_all_raise(stores)

            embedded.ensure(data_dir, choice)
            assert (await stores.records.load(ROOM)).revision == 1
            assert (await stores.parcel()).letter == letter()
            assert (await stores.records.due()).keys == (ROOM,)
            embedded.stop(data_dir)


async def test_a_server_that_was_never_there_is_away() -> None:
    with pytest.raises(StoreAway):
        async with connect("unix:///nowhere/server.sock"):
            pass


@pytest.mark.parametrize(("setting", "value"), [("maxmemory", "1"), ("min-replicas-to-write", "1")])
async def test_a_server_that_takes_no_writes_is_away(url: str, setting: str, value: str) -> None:
    async with connect(url, shards=4) as server:
        await server.run(("FLUSHALL",))
        stores = in_redis(server)
        await server.run(("CONFIG", "SET", setting, value))
        try:
            with pytest.raises(StoreAway):
                await stores.commit(letter())
        finally:
            await server.run(("CONFIG", "SET", setting, "0"))
        assert (await stores.records.load(ROOM)).revision == 0


@asynccontextmanager
async def losing_a_reply(url: str, to: bytes) -> AsyncGenerator[str]:
    """The URL of a line to the server that breaks once instead of replying to a command."""
    losing = [to]
    ended: list[asyncio.Task[None]] = []

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        ended.append(task)
        server_reader, server_writer = await asyncio.open_unix_connection(
            unquote(url.removeprefix("unix://"))
        )
        while asked := await reader.read(65536):
            server_writer.write(asked)
            answer = await server_reader.read(65536)
            if losing and losing[0] in asked:
                losing.clear()
                break
            writer.write(answer)
        for one in (writer, server_writer):
            one.close()
            await one.wait_closed()

    with TemporaryDirectory(prefix="parlour-") as folder:
        listening = Path(folder) / "line.sock"
        line = await asyncio.start_unix_server(relay, listening)
        try:
            yield embedded.url(listening)
        finally:
            line.close()
            await asyncio.gather(*ended)
        assert not losing


async def test_a_commit_whose_reply_is_lost_on_the_way_is_applied_once(url: str) -> None:
    change = Commit(ROOM, b"{}", 0, "tg:1", "nonce", letters=(letter(),))
    async with connect(url, shards=4) as server:
        await server.run(("FLUSHALL",))
        async with losing_a_reply(url, b"tg:1") as line:
            lossy = Server(line, shards=4)
            await RedisRecords(server).load(ROOM)
            await RedisRecords(lossy).load("r:other")
            assert await RedisRecords(lossy).commit(change) == "committed"
            await lossy.close()
        stores = in_redis(server)
        assert (await stores.records.load(ROOM)).revision == 1
        await stores.outbox.done(await stores.parcel())
        assert await stores.parcels() == ()


def test_a_connection_that_was_closed_meanwhile_is_a_store_that_is_away() -> None:
    """What uvloop says of a transport whose server was killed."""
    with pytest.raises(StoreAway), client._reaching():
        raise RuntimeError("unable to perform operation on <UnixTransport>; the handler is closed")


def test_what_is_no_word_of_the_network_stays_what_it_is() -> None:
    with pytest.raises(RuntimeError, match="a bug"), client._reaching():
        raise RuntimeError("a bug")
