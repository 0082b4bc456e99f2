"""What every directory must do."""

import asyncio

from core.ports import Directory
from tests.adapters.stores.stores import Stores


async def put(
    directory: Directory, value: str, instead_of: str | None = None, keep_ms: int = 60_000
) -> bool:
    return await directory.put("code:FGHJK", value, instead_of=instead_of, keep_ms=keep_ms)


async def test_a_name_leads_where_it_was_put(stores: Stores) -> None:
    assert await stores.directory.get("code:FGHJK") is None

    assert await put(stores.directory, "room é")
    assert await stores.directory.get("code:FGHJK") == "room é"
    assert await stores.directory.get("code:OTHER") is None


async def test_a_name_that_is_taken_stays_taken(stores: Stores) -> None:
    await put(stores.directory, "one")

    assert not await put(stores.directory, "two")
    assert not await put(stores.directory, "two", instead_of="three")
    assert await stores.directory.get("code:FGHJK") == "one"


async def test_a_name_moves_on_for_whoever_knows_where_it_leads(stores: Stores) -> None:
    await put(stores.directory, "one")

    assert await put(stores.directory, "two", instead_of="one")
    assert await stores.directory.get("code:FGHJK") == "two"


async def test_a_name_that_leads_nowhere_is_not_taken_over(stores: Stores) -> None:
    assert not await put(stores.directory, "two", instead_of="one")
    assert await stores.directory.get("code:FGHJK") is None


async def test_to_put_what_is_there_already_is_right(stores: Stores) -> None:
    await put(stores.directory, "one", keep_ms=1)

    assert await put(stores.directory, "one")
    await stores.passes(2)
    assert await stores.directory.get("code:FGHJK") == "one"


async def test_a_name_is_free_again_after_its_time(stores: Stores) -> None:
    await put(stores.directory, "one", keep_ms=1)
    await stores.passes(2)

    assert await stores.directory.get("code:FGHJK") is None
    assert await put(stores.directory, "two")


async def test_of_two_who_want_a_name_at_once_one_gets_it(stores: Stores) -> None:
    got = await asyncio.gather(put(stores.directory, "one"), put(stores.directory, "two"))

    assert sorted(got) == [False, True]


async def test_a_name_that_was_dropped_leads_nowhere_and_is_free(stores: Stores) -> None:
    await put(stores.directory, "one")
    await stores.directory.drop("code:FGHJK")
    await stores.directory.drop("code:OTHER")

    assert await stores.directory.get("code:FGHJK") is None
    assert await put(stores.directory, "two")
