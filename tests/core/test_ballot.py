"""Everyone answers in secret, until all have or time is up."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.ballot import Ballot
from core.dice import Dice
from core.game import Context, Deadline, Given, Line, Write
from core.pace import DAY_MS, HOUR_MS, Pace, PaceName

NOW_MS = 10 * DAY_MS
SEATS = ("s1", "s2", "s3")
ZEBRA, HORSE = Given(words="zebra"), Given(words="horse")


def at_table(
    pace: PaceName = "live", waking: Mapping[str, tuple[int, int]] | None = None
) -> Context:
    return Context(NOW_MS, Dice("7", 0), Pace(pace), SEATS, SEATS, waking=waking or {})


def later(ctx: Context, ms: int) -> Context:
    return replace(ctx, now_ms=ctx.now_ms + ms)


def opened(ctx: Context) -> Ballot:
    return Ballot.open(ctx, 120, SEATS)


def test_it_waits_for_everybody_until_the_time_is_up() -> None:
    ballot = opened(at_table())
    assert ballot.voters == ballot.waiting == SEATS
    assert ballot.deadline == Deadline(NOW_MS + 120_000, 120_000)


def test_the_last_answer_starts_a_moment_of_regret() -> None:
    ctx = at_table()
    ballot = opened(ctx).answer("s1", ZEBRA, ctx).answer("s3", ZEBRA, ctx)
    assert ballot.waiting == ("s2",)
    assert ballot.deadline.at_ms == NOW_MS + 120_000
    ballot = ballot.answer("s2", ZEBRA, later(ctx, 7_000))
    assert ballot.deadline == Deadline(NOW_MS + 12_000, 12_000)


def test_an_answer_changed_in_the_regret_window_counts_and_does_not_restart_it() -> None:
    ctx = at_table()
    ballot = opened(ctx)
    for seat in SEATS:
        ballot = ballot.answer(seat, ZEBRA, ctx)
    changed = ballot.answer("s1", HORSE, later(ctx, 4_000))
    assert changed.deadline == ballot.deadline
    assert changed.answers[0] == ("s1", HORSE)


def test_the_regret_window_never_outlives_the_time_there_was() -> None:
    ctx = at_table()
    ballot = opened(ctx).answer("s1", ZEBRA, ctx).answer("s2", ZEBRA, ctx)
    ballot = ballot.answer("s3", ZEBRA, later(ctx, 119_000))
    assert ballot.deadline.at_ms == NOW_MS + 120_000


def test_nobody_waits_for_the_excused_but_their_answer_counts() -> None:
    ctx = at_table()
    ballot = opened(ctx).excuse("s2", ctx).answer("s1", ZEBRA, ctx)
    assert ballot.waiting == ("s3",)
    ballot = ballot.answer("s3", ZEBRA, ctx)
    assert ballot.settles_ms == NOW_MS + 5_000
    assert [seat for seat, _ in ballot.answer("s2", HORSE, ctx).answers] == ["s1", "s2", "s3"]


def test_one_who_comes_back_is_waited_for_again() -> None:
    ctx = at_table()
    ballot = opened(ctx).answer("s1", ZEBRA, ctx).answer("s3", ZEBRA, ctx).excuse("s2", ctx)
    assert ballot.settles_ms is not None
    back = ballot.recall("s2")
    assert back.waiting == ("s2",)
    assert back.deadline.at_ms == NOW_MS + 120_000


def test_a_regret_window_goes_on_when_whoever_comes_back_has_answered() -> None:
    ctx = at_table()
    ballot = opened(ctx).answer("s2", ZEBRA, ctx).excuse("s2", ctx)
    ballot = ballot.answer("s1", ZEBRA, ctx).answer("s3", ZEBRA, ctx)
    assert ballot.recall("s2").settles_ms == ballot.settles_ms
    assert ballot.recall("s9").closes == ballot.closes


def test_one_who_was_struck_was_never_asked() -> None:
    ctx = at_table()
    ballot = opened(ctx).answer("s1", ZEBRA, ctx).answer("s3", HORSE, ctx).strike("s2", ctx)
    assert ballot.voters == ("s1", "s3")
    assert ballot.settles_ms == NOW_MS + 5_000
    assert ballot.strike("s3", ctx).answers == (("s1", ZEBRA),)


def test_a_ballot_of_nobody_closes_in_a_moment() -> None:
    ctx = at_table()
    ballot = Ballot.open(ctx, 120, ("s1",)).strike("s1", ctx)
    assert ballot.deadline == Deadline(NOW_MS + 5_000, 5_000)


def test_an_absent_voter_is_asked_but_not_waited_for() -> None:
    ctx = replace(at_table(), seats=("s1", "s3"))
    ballot = opened(ctx)
    assert ballot.voters == SEATS
    assert ballot.waiting == ("s1", "s3")


def test_by_mail_each_voter_has_their_own_closing_and_the_latest_one_waited_for_counts() -> None:
    ctx = at_table("mail", {"s1": (8 * 60, 22 * 60), "s2": (6 * 60, 23 * 60)})
    ballot = Ballot.open(ctx, 120, SEATS)
    assert ballot.closes == {
        "s1": NOW_MS + DAY_MS + 8 * HOUR_MS,
        "s2": NOW_MS + DAY_MS + 6 * HOUR_MS,
        "s3": NOW_MS + DAY_MS,
    }
    assert ballot.deadline.at_ms == ballot.closes["s1"]
    assert ballot.answer("s1", ZEBRA, ctx).deadline.at_ms == ballot.closes["s2"]


def test_by_mail_the_last_answer_closes_it() -> None:
    ctx = at_table("mail")
    ballot = opened(ctx)
    for seat in SEATS:
        ballot = ballot.answer(seat, ZEBRA, later(ctx, 1_000))
    assert ballot.deadline.at_ms == NOW_MS + 1_000


def test_every_voter_has_an_ask_that_shows_their_own_answer_only() -> None:
    ctx = at_table()
    asks = opened(ctx).answer("s2", ZEBRA, ctx).asks("clue/4", Line("ask-clue"), lambda _: Write())
    assert [(ask.to, ask.answered) for ask in asks] == [("s1", None), ("s2", ZEBRA), ("s3", None)]
    assert {(ask.verb, ask.number) for ask in asks} == {("clue", 4)}


@given(st.permutations(SEATS))
def test_answers_are_read_in_seat_order_whoever_was_first(order: list[str]) -> None:
    ctx, ballot = at_table(), opened(at_table())
    for at, seat in enumerate(order):
        ballot = ballot.answer(seat, Given(words=seat), later(ctx, at))
    assert ballot.answers == tuple((seat, Given(words=seat)) for seat in SEATS)
