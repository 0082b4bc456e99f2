"""What is particular to the store in Redis."""

import re
from collections.abc import AsyncGenerator
from typing import cast

import pytest
from redis.exceptions import ResponseError

from adapters.redis_store import keys
from adapters.redis_store.client import Server, WrongShards, connect
from core.ports import Commit
from tests.adapters.stores.stores import FAR_MS, ROOM, Stores, in_redis, letter


@pytest.fixture
async def server(url: str) -> AsyncGenerator[Server]:
    async with connect(url, shards=4) as server:
        await server.run(("FLUSHALL",))
        yield server


@pytest.fixture
def stores(server: Server) -> Stores:
    return in_redis(server)


async def every_key(server: Server) -> set[str]:
    found = cast("list[bytes]", await server.run(("KEYS", "*")))
    return {key.decode() for key in found}


async def test_all_that_a_commit_touches_is_in_one_slot(server: Server, stores: Stores) -> None:
    to_many = (letter(), letter(to="telegram:bot:group", status="guess/1"))
    change = Commit(ROOM, b"{}", 0, "tg:bot:1", "n", to_many, wake_ms=FAR_MS**2, note=b"note")
    await stores.records.commit(change)
    for parcel in await stores.parcels():
        await stores.outbox.mark(parcel)

    shard = f"{{s{keys.shard_of(ROOM, 4):02}}}"
    assert await every_key(server) == {
        f"{shard}:r:room1",
        f"{shard}:u:r:room1:tg:bot:1",
        f"{shard}:l:r:room1",
        f"{shard}:t",
        f"{shard}:q",
        f"{shard}:o:sms:one:ann",
        f"{shard}:o:telegram:bot:group",
        f"{shard}:m:sms:one:ann",
        f"{shard}:m:telegram:bot:group",
    }


async def test_nothing_stays_of_a_letter_that_went_out(server: Server, stores: Stores) -> None:
    await stores.records.commit(Commit(ROOM, b"{}", 0, letters=(letter(),)))
    before = await every_key(server)
    parcel = await stores.parcel()
    await stores.outbox.mark(parcel)
    await stores.outbox.done(parcel)

    left = await every_key(server)
    assert {re.sub("^{s..}:", "", key) for key in left} == {"r:room1"}
    assert left < before


async def test_what_is_remembered_of_a_destination_has_an_end(
    server: Server, stores: Stores
) -> None:
    for at in range(101):
        await stores.commit(letter(status=f"guess/{at}"))
        await stores.outbox.done(await stores.parcel(), f"message {at}")

    known = keys.known(keys.shard_of(ROOM, 4), letter().to)
    assert await server.run(("HLEN", known)) == 1
    assert cast("int", await server.run(("PTTL", known))) > 7 * 86_400_000


@pytest.mark.parametrize(
    "spoilt",
    [
        keys.letters(keys.shard_of(ROOM, 4), letter().to),
        keys.queue(keys.shard_of(ROOM, 4)),
        keys.timers(keys.shard_of(ROOM, 4)),
        keys.log(keys.shard_of(ROOM, 4), ROOM),
    ],
)
async def test_a_commit_that_fails_changes_nothing(
    server: Server, stores: Stores, spoilt: str
) -> None:
    await server.run(("SET", spoilt, "of another type"))
    change = Commit(
        ROOM, b"{}", 0, "tg:1", letters=(letter(to="sms:one:bo"), letter()), wake_ms=1, note=b"note"
    )  # fmt: skip

    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await stores.records.commit(change)
    assert await every_key(server) - {keys.SHARDS} == {spoilt}


async def test_a_server_that_has_forgotten_the_scripts_is_told_them_again(
    server: Server, stores: Stores
) -> None:
    async def forget() -> None:
        await server.run(("SCRIPT", "FLUSH"))

    await forget()
    await stores.records.load(ROOM)
    await forget()
    await stores.records.commit(Commit(ROOM, b"{}", 0, letters=(letter(),), wake_ms=1))
    await forget()
    assert (await stores.records.due()).keys == (ROOM,)
    await forget()
    await stores.records.retime(ROOM, 1, None)
    await forget()
    parcel = await stores.parcel()
    await forget()
    assert await stores.outbox.mark(parcel)
    await forget()
    await stores.outbox.later(parcel, 0)
    await forget()
    await stores.outbox.done(await stores.parcel())
    await forget()
    assert await stores.directory.put("name", "value", instead_of=None, keep_ms=1000)


async def test_the_number_of_shards_is_settled_once(url: str, server: Server) -> None:
    async with connect(url, shards=16):
        pass

    with pytest.raises(WrongShards, match="16 shards for ever, not 8"):
        async with connect(url, shards=8):
            pass
    await server.run(("FLUSHALL",))


def test_a_record_stays_in_its_shard_for_ever() -> None:
    assert [keys.shard_of(key, 16) for key in ("r:room1", "r:room2", "p:ann")] == [0, 10, 6]
