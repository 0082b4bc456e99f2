"""Bots play legally, and to win, by what their seat may know."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.ballot import Ballot
from core.dice import Dice
from core.game import Answered, Ask, Context, Given, Option, Pick, Refused, Seat, TimeUp, Turn
from core.games.smallseat import bots, rules
from core.games.smallseat.animals import KINDS
from core.games.smallseat.bots import MINDS, STRENGTHS, Bot, Seen, Strength
from core.games.smallseat.state import (
    Acting,
    Calling,
    Card,
    Ended,
    Hand,
    Handling,
    Keeping,
    Kind,
    Ordering,
    Owing,
    Paused,
    Paying,
    Phase,
    Polling,
    State,
    Voting,
)
from core.games.smallseat.voting import to_follow
from core.pace import Pace

PACE, MAIL = Pace(), Pace("mail")
Watch = Callable[[State, Ask, Given, Context], None]
BALLOT = Ballot(0, {"s1": 1})
ANIMALS: tuple[Kind, ...] = ("dog", "pig", "cat", "seal")
"""The first is the called one, where nothing else is said."""


def legal(_: State, ask: Ask, answer: Given, __: Context) -> None:
    """The form that the engine asks for."""
    assert isinstance(ask.answer, Pick)
    assert ask.answer.at_least <= len(answer.picked) <= ask.answer.at_most
    for value, times in Counter(answer.picked).items():
        option = ask.answer.option(value)
        assert option
        assert times <= option.times


def game(
    seed: str, players: int, *, minds: tuple[str, str] = ("", ""), animals: int = 0,
    pace: Pace = PACE, watch: Watch = legal, last: int | None = None,
) -> State:  # fmt: skip
    """A game of bots: of which `minds` the Teller is and of which the rest; else each has its own.

    After round `last` the cap is met.
    """
    seats = tuple(f"s{at}" for at in range(1, players + 1))
    dice = Dice(seed, 0)
    kinds = tuple(dice.order(KINDS, "animals")[: animals or players])
    first = Context(0, dice, pace, seats, seats, seats)
    state, step = rules.begin(seats, dice.one_of(seats, "teller"), kinds, first).state, 0
    while not isinstance(phase := state.phase, Ended | Paused):
        for ask in rules.asks(state):
            step += 1
            chosen = minds[ask.to != state.teller]
            ctx = replace(first, dice=Dice(seed, step), chosen=(chosen,))
            answer = bots.answer(state, ask, ctx)
            watch(state, ask, answer, ctx)
            state = taken(rules.play(state, Answered(ask.to, ask.id, answer), ctx))
        if rules.waits(phase):
            step += 1
            state = taken(rules.play(state, TimeUp(), replace(first, dice=Dice(seed, step))))
        if last is not None and state.number == last:
            state = replace(state, number=rules.CAP * state.deck)
    return state


def taken(turn: Turn[State] | Refused) -> State:
    assert not isinstance(turn, Refused), turn
    return turn.state


# --- whole games -----------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(
    sizes=st.integers(3, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(n, 12))),
    strength=st.sampled_from(("", *STRENGTHS)),
    seed=st.integers(0, 10**6),
)
def test_every_answer_is_legal(sizes: tuple[int, int], strength: str, seed: int) -> None:
    players, animals = sizes
    game(str(seed), players, minds=(strength, strength), animals=animals)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_game_that_reaches_its_cap_is_ended_by_bots_too(strength: Strength) -> None:
    asked: set[str] = set()

    def watch(state: State, ask: Ask, answer: Given, ctx: Context) -> None:
        legal(state, ask, answer, ctx)
        asked.add(ask.verb)

    end = game("cap", 5, minds=(strength, strength), watch=watch, last=3)
    assert isinstance(end.phase, Ended)
    assert "keep" in asked


@pytest.mark.parametrize("players", [3, 6, 12])
@pytest.mark.parametrize("strength", STRENGTHS)
def test_by_mail_a_bots_vote_carries_what_to_do_if_it_loses(
    players: int, strength: Strength
) -> None:
    asked: Counter[str] = Counter()

    def watch(state: State, ask: Ask, answer: Given, ctx: Context) -> None:
        legal(state, ask, answer, ctx)
        asked[ask.verb] += 1
        assert ask.verb != "vote" or len(answer.picked) == 2

    for number in range(4):
        game(f"mail/{number}", players, minds=(strength, strength), watch=watch, pace=MAIL)
    assert asked["vote"]
    assert not asked["swap"]


def test_by_mail_a_bot_orders_what_it_lost_to_be_done_if_that_takes_one_word() -> None:
    values = ("do", "s1", "s2", "s3", "s4", "pig")
    assert bot(*values, seat="s2").order("chick") == "do"
    assert bot(*values, seat="s3").order("cat") == "s1"


def test_by_mail_a_bot_orders_what_it_was_not_told_before() -> None:
    ctx = replace(context("1", "sharp"), table=("s1", "s2", "s3"))
    hands = {"s1": Hand((0, 9)), "s2": Hand((1, 10)), "s3": Hand((2, 11))}
    votes = {"s1": 12, "s2": 27, "s3": 19}
    state = State(
        ANIMALS, "s1", ("s1", "s2", "s3"), Ordering(Ballot(0, {"s2": 1})), "dog", hands, 1,
        votes=votes, losing=("s1", "s2"), won=(19,), history=("cat",), by_mail=True,
    )  # fmt: skip
    (ask,) = rules.asks(state)
    assert bots.answer(state, ask, ctx).picked == ("s1",)


def elsewhere(state: State, seat: Seat, dice: Dice) -> State:
    """A world in which all that a seat may not know is otherwise."""
    phase = state.phase
    assert not isinstance(phase, Paused | Ended)
    open_votes = {seat, state.teller, state.boss if to_follow(state, seat) else seat}
    hidden = [other for other in state.chairs if other != seat]
    in_secret = [
        other for other in state.votes if isinstance(phase, Voting) and other not in open_votes
    ]
    cards: list[Card] = [card for other in hidden for card in state.hands[other].secret]
    cards = dice.order([*cards, *(state.votes[other] for other in in_secret)], "elsewhere")
    for other in hidden:
        hand = state.hands[other]
        count = len(hand.secret)
        state, cards = state.with_hand(other, Hand(tuple(cards[:count]), hand.open)), cards[count:]
    state = replace(state, votes={**state.votes, **dict(zip(in_secret, cards, strict=True))})
    ballot = phase.ballot
    kept = {voter: cast for voter, cast in ballot.cast.items() if voter == seat}
    return replace(state, phase=replace(phase, ballot=replace(ballot, cast=kept)))


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("players", [4, 7, 12])
def test_what_a_seat_may_not_know_changes_no_answer(players: int, strength: Strength) -> None:
    changed: Counter[str] = Counter()

    def watch(state: State, ask: Ask, answer: Given, ctx: Context) -> None:
        if not state.hands:
            return
        other = elsewhere(state, ask.to, ctx.dice)
        changed[ask.verb] += other.hands != state.hands
        assert bots.answer(other, ask, ctx) == answer

    for number in range(4):
        game(f"secret/{number}", players, minds=(strength, strength), watch=watch)
    assert all(changed[verb] for verb in ("vote", "swap"))


def test_the_otters_votes_are_not_looked_at() -> None:
    hands = {"s1": Hand((0, 9)), "s2": Hand((1, 10)), "s3": Hand((2, 11))}
    ballot = Ballot(0, {"s2": 1})
    phase = Voting("rest", ballot)
    votes = {"s1": 18, "s3": 19}
    state = State(ANIMALS, "s1", ("s1", "s2", "s3"), phase, "dog", hands, 1, votes=votes)
    for card in range(36):
        there = replace(state, votes={**votes, "s3": card})
        assert bots.seen(there, "s2", 9) == bots.seen(state, "s2", 9)


# --- strengths -------------------------------------------------------------------------------


def wins(teller: Strength, rest: Strength, games: int = 200) -> Counter[str]:
    """Who won how many of the same deals."""
    count: Counter[str] = Counter()
    for number in range(games):
        end = game(f"wins/{number}", 4, minds=(teller, rest))
        assert isinstance(end.phase, Ended)
        alone = end.phase.winners == (end.teller,)
        count["teller" if alone else "candidates" if end.phase.winners else "nobody"] += 1
    return count


def test_who_is_sharper_wins_more() -> None:
    easy, sharp = wins("easy", "easy"), wins("sharp", "easy")
    both = wins("sharp", "sharp")
    assert sharp["teller"] > easy["teller"] + 30
    assert both["candidates"] > sharp["candidates"] + 30
    assert both["teller"] < sharp["teller"] - 30


def context(seed: str = "1", *chosen: str) -> Context:
    return Context(0, Dice(seed, 5), Pace(), ("s1",), ("s1",), ("s1",), chosen=chosen)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_host_may_choose_how_strong_all_bots_are(strength: Strength) -> None:
    assert {bots.strength(f"s{at}", context("1", strength)) for at in range(20)} == {strength}


def test_else_each_bot_has_a_strength_of_its_own_for_its_rooms_lifetime() -> None:
    own = [bots.strength(f"s{at}", context()) for at in range(30)]
    assert set(own) == set(STRENGTHS)
    later = replace(context(), dice=Dice("1", 77))
    assert [bots.strength(f"s{at}", later) for at in range(30)] == own


# --- one answer ------------------------------------------------------------------------------


def bot(
    *values: str, seat: Seat = "s1", count: int = 1, mind: Strength = "sharp", seed: str = "1",
    hand: Sequence[str] = (), **fields: object,
) -> Bot:  # fmt: skip
    """A bot at a table of four, `s1` the Teller, that may pick so many of these, each thrice."""
    nothing = dict.fromkeys(ANIMALS, 0.0)
    seen = Seen(
        seat, "s1", ("s2", "s1", "s3", "s4"), ANIMALS, "dog", Counter(hand), nothing,
        dict.fromkeys(ANIMALS, 5.0),
    )  # fmt: skip
    options = tuple(Option(value, value, times=3) for value in values)
    pick = Pick(options, count, count)
    return Bot(replace(seen, **fields), pick, Dice(seed, 1), MINDS[mind])


def picked(phase: Phase, *values: str, **fields: object) -> tuple[str, ...]:
    """What is picked, however the dice fall."""
    made = {bot(*values, seed=str(seed), **fields).picks(phase) for seed in range(15)}  # type: ignore[arg-type]
    assert len(made) == 1
    return made.pop()


CALLING, VOTING, HANDLING = Calling(BALLOT), Voting("rest", BALLOT), Handling(BALLOT)
TALLY = {"dog": 0.0, "pig": 4.0, "cat": 2.0, "seal": 0.0}


def test_a_cunning_teller_calls_an_animal_that_had_better_be_silent() -> None:
    assert picked(CALLING, "dog", "cat", "otter", "seal") == ("cat",)
    assert {bot("dog", "cat", mind="easy", seed=str(n)).picks(CALLING) for n in range(30)} == {
        ("dog",),
        ("cat",),
    }


def test_the_teller_votes_the_called_animal_open_cards_first() -> None:
    assert picked(VOTING, "pig", "dog", "dog-open") == ("dog-open",)
    assert picked(VOTING, "pig-open", "dog") == ("dog",)


def test_the_teller_risks_no_secret_card_that_nobody_can_join() -> None:
    assert picked(VOTING, "pig-open", "dog", out={**TALLY, "dog": 0.0}) == ("pig-open",)


def test_a_teller_without_the_called_animal_votes_what_few_hold_and_is_far_behind() -> None:
    assert picked(VOTING, "pig-open", "cat-open", "seal-open", tally=TALLY) == ("seal-open",)


def test_a_candidate_backs_what_the_teller_holds_most_of_and_keeps_one() -> None:
    values = ("dog", "pig", "cat")
    voted = {"seat": "s2", "tally": TALLY}
    assert picked(VOTING, *values, hand=["dog", "pig", "pig", "cat"], **voted) == ("pig",)
    assert picked(VOTING, *values, hand=["dog", "pig", "cat"], **voted) == ("cat",)
    assert picked(VOTING, "dog", "pig", hand=["dog", "pig"], **voted) == ("dog",)


def test_who_is_sharp_pays_rather_than_joins_the_called_animal() -> None:
    hand = ["dog", "pig", "pig", "cat"]
    asked = {"seat": "s2", "hand": hand, "dear": frozenset({"pig", "cat"}), "tally": TALLY}
    assert picked(VOTING, "dog", "pig", "cat", led="dog", **asked) == ("pig",)
    cats = {**asked, "dear": frozenset({"pig", "dog"})}
    assert picked(VOTING, "dog", "pig", "cat", led="cat", **cats) == ("cat",)


def test_nobody_pays_by_chance() -> None:
    asked = {"seat": "s2", "hand": ["dog", "pig"], "dear": frozenset({"pig"}), "led": "dog"}
    assert picked(VOTING, "dog", "pig", mind="easy", **asked) == ("dog",)


def test_a_candidate_pays_the_teller_with_the_called_animal() -> None:
    values = ("dog", "pig", "s1", "s3", "s4")
    paying = Paying(BALLOT)
    assert picked(paying, *values, seat="s2", hand=["dog", "pig"], count=2) == ("dog", "s1")


def test_what_helps_is_done_and_else_it_is_better_to_sit_in_the_teller_s_place() -> None:
    values = (rules.DO, "s1", "s2", "s4")
    assert picked(HANDLING, *values, seat="s3", lost="pig") == (rules.DO,)
    assert picked(HANDLING, *values, seat="s3", lost="cat") == ("s1",)
    assert picked(HANDLING, rules.DO, "s2", "s4", seat="s3", lost="dog") == ("s2",)
    assert picked(HANDLING, rules.DO, "s3", "s4", seat="s2", lost="dog") == (rules.DO,)
    assert picked(HANDLING, "s3", "s1", seat="s4", lost="seal") == ("s1",)


def test_the_teller_does_what_helps_the_call_and_wants_the_smallseat() -> None:
    assert picked(HANDLING, rules.DO, "s2", "s3", lost="seal") == (rules.DO,)
    assert picked(HANDLING, rules.DO, "s2", "s3", lost="chick") == ("s2",)


def test_a_pony_takes_back_what_the_other_side_won_with() -> None:
    values = (rules.DO, "s4")
    asked = {"lost": "pony", "seat": "s3"}
    assert picked(HANDLING, *values, won="dog", **asked) == (rules.DO,)
    assert picked(HANDLING, *values, won="pig", **asked) == ("s4",)
    assert picked(HANDLING, rules.DO, "s3", won="pig", lost="pony") == (rules.DO,)
    assert picked(HANDLING, rules.DO, "s3", won="dog", lost="pony") == ("s3",)


def test_the_teller_agrees_and_a_candidate_does_not() -> None:
    polling = Polling("s2", BALLOT)
    assert picked(polling, "over", "on") == ("over",)
    assert picked(polling, "over", "on", seat="s2") == ("on",)


def test_a_pigs_gifts_take_from_the_tally_or_from_the_called_animals_votes() -> None:
    acting = Acting("pig", BALLOT)
    values = ("dog", "dog-open", "pig", "cat", "cat-open", "s2")
    assert picked(acting, *values, tally=TALLY, count=6) == ("pig", "pig", "pig", "s2")
    candidate = {"seat": "s2", "hand": ["dog", "pig"], "count": 4}
    assert picked(acting, "dog", "pig", "s1", "s3", **candidate) == ("dog", "dog", "s1")
    assert picked(acting, "pig", "cat", "s1", **candidate) == ()
    assert picked(acting, "dog", "pig", "s3", **candidate) == ()
    assert picked(acting, "dog-open", "s3", count=2) == ()


def test_a_panda_names_what_few_others_hold() -> None:
    out = {"dog": 5.0, "pig": 1.0, "cat": 4.0}
    assert picked(Acting("panda", BALLOT), "dog", "pig", "cat", seat="s2", out=out) == ("pig",)


def test_a_seal_hides_what_its_player_would_win_with_and_never_the_called_animal() -> None:
    seal = Acting("seal", BALLOT)
    asked = {"seat": "s2", "tally": TALLY}
    values = ("dog", "pig", "cat")
    assert picked(seal, *values, hand=["dog", "pig", "pig", "cat"], **asked) == ("pig",)
    assert picked(seal, "dog", "cat", hand=["dog", "cat"], **asked) == ("cat",)


def test_the_teller_turns_the_called_animal_over_to_be_secret_and_others_to_be_open() -> None:
    values = ("dog", "dog-open", "pig", "pig-open", "cat")
    for phase in (Acting("seal", BALLOT), Owing("seal", "s2", 3, BALLOT)):
        turned = picked(phase, *values, tally=TALLY, count=4)
        assert turned == ("dog-open", "dog-open", "dog-open", "pig")


def test_the_teller_gives_back_what_may_beat_the_called_animal() -> None:
    owing = Owing("pig", "s2", 2, BALLOT)
    assert picked(owing, "dog", "pig", "cat", tally=TALLY, count=2) == ("pig", "pig")
    assert picked(owing, "dog", "dog-open", tally=TALLY) == ("dog-open",)


def test_what_a_candidate_gives_away_is_not_the_last_card_to_end_with() -> None:
    owing = Owing("panda", "s1", 0, BALLOT)
    asked = {"seat": "s2", "tally": TALLY}
    assert picked(owing, "pig", "cat", hand=["pig", "cat"], **asked) == ("cat",)
    assert picked(owing, "dog", "cat", hand=["dog", "cat"], **asked) == ("dog",)
    assert picked(owing, "pig", "seal", hand=["pig", "pig", "seal"], **asked) == ("seal",)


def test_at_the_cap_a_candidate_keeps_what_the_teller_holds_most_of() -> None:
    hand = ["dog", "cat", "pig", "seal"]
    kept = picked(Keeping(BALLOT), *hand, seat="s2", hand=hand, tally=TALLY)
    assert kept == ("pig",)


# --- what is known ---------------------------------------------------------------------------


def test_a_candidate_reckons_the_tally_by_who_won_and_by_what_is_in_sight() -> None:
    teller = Hand(tuple(range(9, 15)), (0, 1))
    hands = {"s1": teller, "s2": Hand((2, 18)), "s3": Hand((3,), (4,))}
    history, won = ("cat", "pig", "pig"), {"cat": 2, "pig": 4}
    ballot = Ballot(0, {"s2": 1})
    state = State(
        ANIMALS,
        "s1",
        ("s1", "s2", "s3"),
        Keeping(ballot),
        "dog",
        hands,
        4,
        history=history,
        tally=won,
    )
    known = bots.seen(state, "s2", 9)
    assert known.tally == {"pig": 4, "cat": 2}
    assert known.out == {"dog": 5, "pig": 5, "cat": 6, "seal": 9}
    assert bots.seen(state, "s2", 1).tally == {"pig": 4}
    assert bots.seen(state, "s1", 1).tally == {"pig": 6}
    assert known.goal == "cat"
    assert known.rivals == ("pig", "cat", "seal")
