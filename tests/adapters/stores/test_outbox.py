"""What every outbox must do."""

import asyncio

from msgspec.structs import replace

from core.delivery import Button, Letter
from core.ports import Parcel
from tests.adapters.stores.stores import FAR_MS, PERSON, ROOM, Stores, letter


async def test_a_letter_comes_out_as_it_went_in(stores: Stores) -> None:
    sent = Letter(
        to="telegram:bot:group", text="“Violin”, said \ue000s1\ue001", short="Violin", room="room1",
        seat="s1", names={"s1": "Zoë"}, buttons=(Button("Yes", "room1:vote/1:yes", "1"),),
        status="guess/1", secret=True, until_ms=1_700_000_000_000,
    )  # fmt: skip
    await stores.commit(sent)

    parcel = await stores.parcel()
    assert parcel.letter == sent
    assert parcel == Parcel(f"{ROOM}.1.0", sent, parcel.shard)


async def test_a_letters_id_is_its_record_revision_and_place(stores: Stores) -> None:
    await stores.commit(letter(to="sms:one:ann"), letter(to="sms:one:bo"))
    await stores.commit(letter(to="sms:one:cy"))
    await stores.commit(letter(to="sms:one:dee"), key=PERSON)

    ids = sorted(parcel.id for parcel in await stores.parcels())
    assert ids == [f"{PERSON}.1.0", f"{ROOM}.1.0", f"{ROOM}.1.1", f"{ROOM}.2.0"]


async def test_a_destination_gets_its_letters_in_order_one_at_a_time(stores: Stores) -> None:
    await stores.commit(letter("1"), letter("bo's", to="sms:one:bo"), letter("2"))
    await stores.commit(letter("3"))
    got: list[str] = []

    while parcels := await stores.parcels():
        assert len({parcel.letter.to for parcel in parcels}) == len(parcels)
        for parcel in parcels:
            got.append(parcel.letter.text)
            await stores.outbox.done(parcel)
    assert [text for text in got if text != "bo's"] == ["1", "2", "3"]
    assert await stores.outbox.ready() == ((), None)


async def test_a_parcel_is_one_workers_until_its_lease_is_over(stores: Stores) -> None:
    async def workers() -> list[int]:
        claims = await asyncio.gather(*(stores.parcels() for _ in range(4)))
        return sorted(len(parcels) for parcels in claims)

    assert await workers() == [0, 0, 0, 0]
    await stores.commit(letter())
    assert await workers() == [0, 0, 0, 1]
    await stores.commit(letter("more"))
    assert await stores.parcels() == ()


async def test_a_parcel_whose_worker_died_is_claimed_again(stores: Stores) -> None:
    stores.lease(1)
    await stores.commit(letter())
    parcel = await stores.parcel()

    await stores.passes(2)
    assert await stores.parcel() == parcel


async def test_a_late_acknowledgement_does_no_harm(stores: Stores) -> None:
    stores.lease(1)
    await stores.commit(letter("1"), letter("2"))
    slow = await stores.parcel()
    await stores.passes(2)
    await stores.outbox.done(await stores.parcel())
    stores.lease(FAR_MS)
    second = await stores.parcel()

    await stores.outbox.done(slow)
    await stores.outbox.later(slow, 0)
    assert not await stores.outbox.mark(slow)
    assert await stores.parcels() == ()
    assert await stores.outbox.mark(second)


async def test_a_parcel_put_back_waits_and_holds_up_its_destination_alone(stores: Stores) -> None:
    await stores.commit(letter("1"), letter("2"))
    await stores.outbox.later(await stores.parcel(), FAR_MS)
    await stores.commit(letter("bo's", to="sms:one:bo"), letter("3"))

    parcels, next_ms = await stores.outbox.ready()
    assert [parcel.letter.text for parcel in parcels] == ["bo's"]
    await stores.outbox.done(parcels[0])
    assert next_ms is not None
    parcels, next_ms = await stores.outbox.ready()
    assert parcels == ()
    assert next_ms is not None
    assert next_ms > await stores.now_ms() + FAR_MS // 2


async def test_a_parcel_put_back_comes_first_again(stores: Stores) -> None:
    await stores.commit(letter("1"), letter("2"))
    await stores.outbox.later(await stores.parcel(), 1)

    await stores.passes(2)
    assert (await stores.parcel()).letter.text == "1"


async def test_no_more_parcels_are_claimed_than_asked_for_the_longest_waiting_first(
    stores: Stores,
) -> None:
    for at in range(6):
        await stores.commit(letter(f"{at}", to=f"sms:one:{at}"), key=f"r:{at}")
        await stores.passes(1)

    parcels, next_ms = await stores.outbox.ready(limit=4)
    assert [parcel.letter.text for parcel in parcels] == ["0", "1", "2", "3"]
    assert next_ms is not None
    assert next_ms <= await stores.now_ms()
    assert {parcel.letter.text for parcel in await stores.parcels()} == {"4", "5"}


async def test_a_parcel_that_may_have_gone_out_says_when_it_was_tried(stores: Stores) -> None:
    stores.lease(1)
    await stores.commit(letter("1"), letter("2"))
    before_ms = await stores.now_ms()
    assert await stores.outbox.mark(await stores.parcel())

    await stores.passes(2)
    parcel = await stores.parcel()
    assert parcel.tried_ms is not None
    assert before_ms <= parcel.tried_ms <= await stores.now_ms()
    await stores.outbox.done(parcel)
    assert (await stores.parcel()).tried_ms is None


async def test_a_parcel_that_did_not_go_out_was_not_tried(stores: Stores) -> None:
    await stores.commit(letter())
    parcel = await stores.parcel()
    await stores.outbox.mark(parcel)
    await stores.outbox.later(parcel, 0)

    assert (await stores.parcel()).tried_ms is None


async def test_of_two_workers_with_the_same_parcel_one_may_send(stores: Stores) -> None:
    stores.lease(1)
    await stores.commit(letter())
    slow = await stores.parcel()
    await stores.passes(2)
    quick = await stores.parcel()

    assert await stores.outbox.mark(quick)
    assert not await stores.outbox.mark(slow)


async def test_a_parcel_found_not_to_have_gone_out_may_be_tried_again(stores: Stores) -> None:
    stores.lease(1)
    await stores.commit(letter())
    await stores.outbox.mark(await stores.parcel())
    await stores.passes(2)

    assert await stores.outbox.mark(await stores.parcel())


async def test_a_status_finds_the_message_it_replaces(stores: Stores) -> None:
    await stores.commit(letter("2 to come", status="guess/1"))
    await stores.outbox.done(await stores.parcel(), "message 77")
    await stores.commit(letter("1 to come", status="guess/1"))

    parcel = await stores.parcel()
    assert parcel.ref == "message 77"
    await stores.outbox.done(parcel)
    await stores.commit(letter("all in", status="guess/1"))
    assert (await stores.parcel()).ref == "message 77"


async def test_a_message_is_replaced_only_by_its_own_status_room_and_place(stores: Stores) -> None:
    await stores.commit(letter(status="guess/1"))
    await stores.outbox.done(await stores.parcel(), "message 77")

    others = (
        letter(),
        letter(status="guess/2"),
        replace(letter(status="guess/1"), room="room2"),
        letter(status="guess/1", to="telegram:bot:elsewhere"),
    )
    for other in others:
        await stores.commit(other)
        parcel = await stores.parcel()
        assert parcel.ref == ""
        await stores.outbox.done(parcel, "message 99" if other.status == "" else "")


async def test_a_status_is_stale_when_a_later_letter_replaces_it(stores: Stores) -> None:
    await stores.commit(
        letter("2 to come", status="guess/1"), letter("news"), letter("all in", status="guess/1")
    )
    stale: list[bool] = []
    for _ in range(3):
        parcel = await stores.parcel()
        stale.append(parcel.stale)
        await stores.outbox.done(parcel)
    assert stale == [True, False, False]


async def test_another_rooms_status_makes_none_stale(stores: Stores) -> None:
    await stores.commit(
        letter(status="guess/1"), replace(letter(status="guess/1"), room="room2"), letter()
    )

    assert not (await stores.parcel()).stale


async def test_only_20_letters_are_looked_through_for_a_newer_status(stores: Stores) -> None:
    await stores.commit(letter(status="a"), *[letter()] * 20, letter(status="a"))

    parcel = await stores.parcel()
    assert not parcel.stale
    await stores.outbox.done(parcel)
    await stores.commit(letter(to="sms:one:bo", status="a"), *[letter(to="sms:one:bo")] * 19)
    await stores.commit(letter(to="sms:one:bo", status="a"))
    found = {parcel.letter.to: parcel.stale for parcel in await stores.parcels()}
    assert found == {"sms:one:ann": False, "sms:one:bo": True}
