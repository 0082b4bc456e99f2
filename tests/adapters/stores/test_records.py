"""What every store of records must do."""

import asyncio

from core.ports import Commit, Loaded
from tests.adapters.stores.stores import FAR_MS, OTHER_ROOM, PERSON, ROOM, Stores, letter


async def test_what_was_never_written_has_no_blob_and_revision_0(stores: Stores) -> None:
    loaded = await stores.records.load(ROOM, "tg:1")

    assert loaded == Loaded(None, 0, loaded.now_ms, seen=False)
    assert loaded.now_ms > 1_600_000_000_000


async def test_a_commit_is_read_back(stores: Stores) -> None:
    assert await stores.records.commit(Commit(ROOM, b"one", 0, "tg:1", "n1")) == "committed"
    assert await stores.records.commit(Commit(ROOM, b"two \xc3\xa9", 1, "tg:2")) == "committed"

    loaded = await stores.records.load(ROOM, "tg:2")
    assert (loaded.blob, loaded.revision, loaded.seen) == (b"two \xc3\xa9", 2, True)
    assert not (await stores.records.load(ROOM, "tg:3")).seen


async def test_an_event_is_seen_only_by_the_record_it_was_committed_to(stores: Stores) -> None:
    await stores.records.commit(Commit(ROOM, b"{}", 0, "tg:1"))

    assert not (await stores.records.load(PERSON, "tg:1")).seen


async def test_a_commit_decided_on_an_old_revision_is_a_conflict_and_changes_nothing(
    stores: Stores,
) -> None:
    await stores.commit()
    late = Commit(
        ROOM, b"late", 0, "tg:1", letters=(letter(),), wake_ms=FAR_MS, note=b"late"
    )  # fmt: skip

    assert await stores.records.commit(late) == "conflict"
    loaded = await stores.records.load(ROOM, "tg:1")
    assert (loaded.blob, loaded.revision, loaded.seen) == (b"{}", 1, False)
    assert await stores.outbox.ready() == ((), None)
    assert await stores.records.live() == 0
    assert await stores.records.notes(ROOM) == ()


async def test_an_event_is_applied_once(stores: Stores) -> None:
    await stores.records.commit(Commit(ROOM, b"once", 0, "tg:1", "n1", letters=(letter(),)))
    again = Commit(ROOM, b"twice", 1, "tg:1", "n2", letters=(letter(),), note=b"twice")

    assert await stores.records.commit(again) == "duplicate"
    assert (await stores.records.load(ROOM)).blob == b"once"
    await stores.outbox.done(await stores.parcel())
    assert await stores.parcels() == ()


async def test_a_commit_whose_reply_was_lost_counts_as_committed_and_is_not_applied_again(
    stores: Stores,
) -> None:
    change = Commit(ROOM, b"once", 0, "tg:1", "n1", letters=(letter(),), note=b"once")

    assert await stores.records.commit(change) == "committed"
    assert await stores.records.commit(change) == "committed"
    assert (await stores.records.load(ROOM)).revision == 1
    assert await stores.records.notes(ROOM) == (b"once",)
    await stores.outbox.done(await stores.parcel())
    assert await stores.parcels() == ()


async def test_no_nonce_is_nobodys_own(stores: Stores) -> None:
    change = Commit(ROOM, b"once", 0, "tg:1")

    assert await stores.records.commit(change) == "committed"
    assert await stores.records.commit(change) == "duplicate"


async def test_a_commit_without_an_event_is_never_a_duplicate(stores: Stores) -> None:
    assert await stores.records.commit(Commit(ROOM, b"1", 0)) == "committed"
    assert await stores.records.commit(Commit(ROOM, b"2", 1)) == "committed"
    assert not (await stores.records.load(ROOM)).seen


async def test_of_two_commits_at_once_one_wins(stores: Stores) -> None:
    first, second = (Commit(ROOM, b"{}", 0, f"tg:{event}") for event in (1, 2))

    outcomes = await asyncio.gather(stores.records.commit(first), stores.records.commit(second))
    assert sorted(outcomes) == ["committed", "conflict"]


async def test_marks_and_records_are_forgotten_at_their_time(stores: Stores) -> None:
    await stores.records.commit(Commit(ROOM, b"{}", 0, "tg:1", mark_ms=1))
    await stores.records.commit(Commit(OTHER_ROOM, b"{}", 0, "tg:1", keep_ms=1))
    await stores.passes(2)

    room = await stores.records.load(ROOM, "tg:1")
    assert (room.revision, room.seen) == (1, False)
    other = await stores.records.load(OTHER_ROOM, "tg:1")
    assert (other.blob, other.revision, other.seen) == (None, 0, True)


async def test_a_record_comes_due_at_its_time_and_not_before(stores: Stores) -> None:
    now_ms = await stores.now_ms()
    await stores.commit(key=ROOM, wake_ms=now_ms)
    await stores.commit(key=OTHER_ROOM, wake_ms=now_ms + FAR_MS)

    due = await stores.records.due()
    assert due.keys == (ROOM,)
    assert due.now_ms >= now_ms


async def test_when_nothing_is_due_the_next_time_is_told(stores: Stores) -> None:
    due = await stores.records.due()
    assert (due.keys, due.next_ms) == ((), None)

    wake_ms = await stores.now_ms() + FAR_MS
    await stores.commit(key=ROOM, wake_ms=wake_ms)
    await stores.commit(key=OTHER_ROOM, wake_ms=wake_ms + 1)
    assert (await stores.records.due()).next_ms == wake_ms


async def test_a_claim_is_one_workers_until_its_lease_is_over(stores: Stores) -> None:
    async def workers() -> list[tuple[str, ...]]:
        claims = await asyncio.gather(*(stores.records.due() for _ in range(4)))
        return sorted(due.keys for due in claims)

    assert await workers() == [(), (), (), ()]
    await stores.commit(wake_ms=1)
    assert await workers() == [(), (), (), (ROOM,)]
    due = await stores.records.due()
    assert due.next_ms is not None
    assert due.next_ms > due.now_ms


async def test_a_claim_that_led_to_nothing_comes_due_again(stores: Stores) -> None:
    stores.lease(1)
    await stores.commit(wake_ms=1)

    assert (await stores.records.due()).keys == (ROOM,)
    await stores.passes(2)
    assert (await stores.records.due()).keys == (ROOM,)


async def test_no_more_is_claimed_than_asked_for(stores: Stores) -> None:
    await stores.commit(wake_ms=1)
    await stores.commit(key=OTHER_ROOM, wake_ms=1)

    found = [(await stores.records.due(limit=1)).keys for _ in range(2)]
    assert sorted(key for keys in found for key in keys) == [ROOM, OTHER_ROOM]


async def test_a_commit_sets_the_time_anew_or_takes_it_away(stores: Stores) -> None:
    await stores.commit(wake_ms=1)
    assert (await stores.records.due()).keys == (ROOM,)
    await stores.commit(wake_ms=2)
    assert (await stores.records.due()).keys == (ROOM,)

    await stores.commit(wake_ms=None)
    assert (await stores.records.due()).next_ms is None
    assert await stores.records.live() == 0


async def test_the_index_is_put_right_only_for_the_revision_that_was_read(stores: Stores) -> None:
    await stores.commit(wake_ms=1)
    await stores.records.retime(ROOM, 0, FAR_MS * FAR_MS)
    assert (await stores.records.due()).keys == (ROOM,)

    await stores.records.retime(ROOM, 1, 2)
    assert (await stores.records.due()).keys == (ROOM,)
    await stores.records.retime(ROOM, 1, None)
    assert await stores.records.live() == 0


async def test_the_time_of_a_record_that_is_gone_can_be_taken_away(stores: Stores) -> None:
    await stores.records.commit(Commit(ROOM, b"{}", 0, wake_ms=1, keep_ms=1))
    await stores.passes(2)

    assert (await stores.records.due()).keys == (ROOM,)
    await stores.records.retime(ROOM, (await stores.records.load(ROOM)).revision, None)
    assert await stores.records.live() == 0


async def test_all_that_wait_for_a_time_are_counted(stores: Stores) -> None:
    now_ms = await stores.now_ms()
    for at in range(7):
        await stores.commit(key=f"r:{at}", wake_ms=now_ms + at)
    await stores.commit(key=PERSON)

    assert await stores.records.live() == 7


async def test_a_rooms_log_keeps_its_last_500_entries_and_a_person_has_none(
    stores: Stores,
) -> None:
    for at in range(502):
        await stores.records.commit(Commit(ROOM, b"{}", at, note=b"%d" % at))
    await stores.records.commit(Commit(ROOM, b"{}", 502))
    await stores.records.commit(Commit(PERSON, b"{}", 0, note=b"a secret of Ann's"))

    assert await stores.records.notes(ROOM) == tuple(b"%d" % at for at in range(2, 502))
    assert await stores.records.notes(PERSON) == ()
