"""What everything that counts must do."""

import asyncio

import pytest

from core.ports import Limit
from tests.adapters.stores.stores import Stores

HOUR_MS = 3_600_000
THREE = Limit("texts", 3, HOUR_MS)


async def test_of_a_limit_only_so_much_is_taken(stores: Stores) -> None:
    got = [await stores.counters.take(f"t{at}", (THREE,)) for at in range(5)]

    assert got == [None, None, None, "texts", "texts"]
    assert await stores.counters.used(THREE) == 3


async def test_a_token_takes_once_however_often_it_is_tried(stores: Stores) -> None:
    got = [await stores.counters.take("t", (THREE,)) for _ in range(5)]

    assert got == [None] * 5
    assert await stores.counters.used(THREE) == 1


async def test_who_was_refused_may_come_again(stores: Stores) -> None:
    one = Limit("texts", 1, HOUR_MS)
    await stores.counters.take("first", (one,))
    assert await stores.counters.take("second", (one,)) == "texts"

    assert await stores.counters.take("second", (Limit("texts", 2, HOUR_MS),)) is None


async def test_what_one_limit_refuses_is_taken_of_none(stores: Stores) -> None:
    full = Limit("room", 0, HOUR_MS)

    assert await stores.counters.take("t", (THREE, full)) == "room"
    assert await stores.counters.used(THREE) == 0
    assert await stores.counters.used(full) == 0


async def test_several_units_are_taken_whole_or_not_at_all(stores: Stores) -> None:
    two = Limit("texts", 3, HOUR_MS, amount=2)

    assert await stores.counters.take("one", (two,)) is None
    assert await stores.counters.take("two", (two,)) == "texts"
    assert await stores.counters.used(two) == 2


async def test_what_was_taken_is_forgotten_after_its_window(stores: Stores) -> None:
    brief = Limit("texts", 1, 48)  # counted by 2 ms
    await stores.counters.take("one", (brief,))
    assert await stores.counters.take("two", (brief,)) == "texts"

    await stores.passes(52)
    assert await stores.counters.used(brief) == 0
    assert await stores.counters.take("two", (brief,)) is None


async def test_of_many_who_take_at_once_no_more_get_it_than_may(stores: Stores) -> None:
    takes = (stores.counters.take(f"t{at}", (THREE,)) for at in range(20))

    assert (await asyncio.gather(*takes)).count(None) == 3


async def test_a_line_serves_one_after_the_other(stores: Stores) -> None:
    waits = [await stores.counters.book("sender", f"t{at}", 60_000) for at in range(4)]

    assert waits == pytest.approx([0, 60_000, 120_000, 180_000], abs=2_000)
    assert await stores.counters.backlog_ms("sender") == pytest.approx(240_000, abs=2_000)
    assert await stores.counters.backlog_ms("another") == 0


async def test_a_place_in_a_line_is_kept(stores: Stores) -> None:
    await stores.counters.book("sender", "one", 60_000)
    first = await stores.counters.book("sender", "two", 60_000)
    again = await stores.counters.book("sender", "two", 60_000)

    assert again == pytest.approx(first, abs=2_000)
    assert await stores.counters.backlog_ms("sender") == pytest.approx(120_000, abs=2_000)


async def test_a_turn_comes(stores: Stores) -> None:
    await stores.counters.book("sender", "one", 20)
    assert await stores.counters.book("sender", "two", 20) > 0

    await stores.passes(25)
    assert await stores.counters.book("sender", "two", 20) == 0
    await stores.passes(25)
    assert await stores.counters.backlog_ms("sender") == 0
