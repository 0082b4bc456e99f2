"""The rules of Smallseat: properties PT1–PT13, vectors V1–V6, and the rows S-01 … S-31."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json
from msgspec.structs import replace

from core.dice import Dice
from core.game import (
    Answered,
    Context,
    Event,
    Given,
    Joined,
    Left,
    Pick,
    Refused,
    Say,
    Seat,
    TimeUp,
    Turn,
    Undeliverable,
    Who,
)
from core.games.smallseat import animals, bench, rules, telling
from core.games.smallseat.animals import KINDS
from core.games.smallseat.choosing import card_options, cards_in
from core.games.smallseat.state import (
    COPIES,
    Acting,
    Card,
    Duties,
    Ended,
    Hand,
    Handling,
    Keeping,
    Owing,
    Paused,
    Paying,
    Polling,
    State,
    Voting,
)
from core.games.smallseat.voting import choice, to_follow, votable, winner
from core.pace import Pace
from core.text import load

WORDS = load()
X, Y, Z, V = "dog", "pig", "rabbit", "hedgehog"


def seats(n: int) -> tuple[Seat, ...]:
    return tuple(f"s{at}" for at in range(1, n + 1))


def context(
    n: int, *, seed: str = "1", step: int = 0, here: Sequence[Seat] | None = None
) -> Context:
    return Context(
        now_ms=1_000,
        dice=Dice(seed, step),
        pace=Pace(),
        table=seats(n),
        seats=seats(n) if here is None else tuple(here),
    )


class Table:
    """A game of Smallseat that events happen to; `s1` is the Teller and sits in the Smallseat."""

    def __init__(self, n: int = 4, kinds: Sequence[str] = (), seed: str = "1") -> None:
        self.n, self.step, self.seed = n, 0, seed
        self.here: tuple[Seat, ...] = seats(n)
        self.said: list[Say] = []
        self.refused: Refused | None = None
        self.state = self._take(rules.begin(seats(n), "s1", tuple(kinds or KINDS[:n]), self._ctx()))

    def _ctx(self) -> Context:
        self.step += 1
        return context(self.n, seed=self.seed, step=self.step, here=self.here)

    def _take(self, turn: Turn[State]) -> State:
        self.turn = turn
        self.said += turn.says
        assert all(WORDS.render(say.line).full for say in turn.says)
        self.state = turn.state
        return turn.state

    def feed(self, event: Event) -> None:
        played = rules.play(self.state, event, self._ctx())
        self.refused = played if isinstance(played, Refused) else None
        if not isinstance(played, Refused):
            self._take(played)

    def says(self, seat: Seat, *picked: str) -> None:
        """A seat answers what it is asked."""
        ask = next(ask for ask in rules.asks(self.state) if ask.to == seat)
        assert isinstance(ask.answer, Pick)
        assert set(picked) <= {option.value for option in ask.answer.options}
        self.feed(Answered(seat, ask.id, Given(picked)))

    def closes(self) -> None:
        self.feed(TimeUp())

    def lines(self) -> list[str]:
        return [say.line.key for say in self.said]

    def votes(self, **picked: str) -> None:
        """Everybody votes, the Boss and the Teller first where they are asked first."""
        while isinstance(self.state.phase, Voting):
            who = self.state.phase.who
            for seat in self.state.phase.ballot.voters:
                self.says(seat, picked[seat])
            if who == "rest":
                self.closes()


def dealt(
    hands: Mapping[Seat, Sequence[str]], kinds: Sequence[str] = (X, Y, Z, V), *, call: str = V,
    **fields: object,
) -> Table:  # fmt: skip
    """A round about to begin, with these cards; a kind with `*` lies open."""
    made = Table(len(hands), kinds)
    left = Counter[str]()
    found: dict[Seat, Hand] = {}
    for seat, named in hands.items():
        hand = Hand()
        for name in named:
            kind = name.rstrip("*")
            card = kinds.index(kind) * COPIES + left[kind]
            left[kind] += 1
            hand = hand.plus([card], is_open=name.endswith("*"))
        found[seat] = hand
    state = replace(made.state, call=call, hands=found, **fields)
    made.state = rules._next_round(state, made._ctx(), ()).state
    made.said.clear()
    return made


def kinds_of(table: Table, seat: Seat) -> list[str]:
    hand = table.state.hands[seat]
    return sorted(
        [table.state.kind(card) for card in hand.secret]
        + [f"{table.state.kind(card)}*" for card in hand.open]
    )


def in_play(state: State) -> list[Card]:
    return [state.votes[seat] for seat in state.losing] or (
        list(state.votes.values()) if not state.won else []
    )


# --- properties ----------------------------------------------------------------------------------


def every_card(state: State) -> list[Card]:
    return sorted(
        [*(card for hand in state.hands.values() for card in hand.cards), *in_play(state)]
    )


def holds(state: State) -> None:
    """PT1–PT3, of every state after the deal."""
    if not state.hands:
        return
    assert every_card(state) == list(range(state.deck))  # PT1
    assert all(state.hands[seat].cards for seat in state.candidates)  # PT2
    assert sorted(state.chairs) == sorted(state.hands)  # PT3
    assert state.boss == state.chairs[0]
    assert (rules.deadline(state) is None) == isinstance(state.phase, Ended)
    assert (rules.result(state) is not None) == isinstance(state.phase, Ended)
    assert all(WORDS.render(line).full for line in telling.recap(state))
    for ask in rules.asks(state):
        assert isinstance(ask.answer, Pick)
        assert WORDS.render(ask.line).short
        assert all(WORDS.shown(option.shown).short for option in ask.answer.options)
        assert sum(option.times for option in ask.answer.options) >= ask.answer.at_least


GAMES = st.integers(3, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(n, 12)))


@settings(max_examples=12)
@given(sizes=GAMES, seed=st.integers(0, 10**6))
def test_pt1_2_3_9_11_hold_in_any_game(sizes: tuple[int, int], seed: int) -> None:
    players, kinds = sizes
    figures = bench.Figures()
    end = bench.game(str(seed), players, figures, animals=kinds, watch=holds)
    assert isinstance(end.phase, Ended)
    assert figures.teller + figures.candidate + figures.nobody == 1  # PT9
    assert figures.rounds <= 2 * end.deck  # PT11
    alone = end.phase.winners == (end.teller,)
    assert alone or end.teller not in end.phase.winners


@settings(max_examples=20)
@given(sizes=GAMES, seed=st.integers(0, 10**6))
def test_pt13_the_same_seed_and_inputs_make_the_same_game(
    sizes: tuple[int, int], seed: int
) -> None:
    players, kinds = sizes
    one, other = (bench.game(str(seed), players, bench.Figures(), animals=kinds) for _ in range(2))
    assert json.encode(one) == json.encode(other)


MOVES = st.lists(
    st.tuples(st.integers(0, 11), st.integers(0, 10**6), st.sampled_from("aaaaaaaaatlju")),
    max_size=120,
)


@settings(max_examples=60)
@given(sizes=GAMES, moves=MOVES)
def test_any_answer_legal_or_not_keeps_the_cards_and_the_game_ends(
    sizes: tuple[int, int], moves: list[tuple[int, int, str]]
) -> None:
    players, kinds = sizes
    table = Table(players, KINDS[:kinds])
    for who, what, kind in moves:
        seat = f"s{1 + who % players}"
        open_now = rules.asks(table.state)
        if kind == "a" and open_now:
            ask = open_now[who % len(open_now)]
            assert isinstance(ask.answer, Pick)
            values = [option.value for option in ask.answer.options]
            count = ask.answer.at_least + what % (1 + ask.answer.at_most - ask.answer.at_least)
            picked = Dice(str(what), 0).order(values, "any")[:count]
            before = table.state
            table.feed(Answered(ask.to, ask.id, Given(tuple(picked))))
            assert table.state is before if table.refused else True
        elif kind == "t":
            table.closes()
        elif kind in "lu":
            table.here = tuple(s for s in table.here if s != seat)
            table.feed(Left(seat) if kind == "l" else Undeliverable(seat))
        elif kind == "j":
            table.here = tuple(s for s in seats(players) if s in {*table.here, seat})
            table.feed(Joined(seat))
        holds(table.state)
        stored = json.decode(json.encode(table.state), type=State)
        assert stored == table.state
    for _ in range(20_000):
        if isinstance(table.state.phase, Ended):
            break
        table.closes()
    assert isinstance(table.state.phase, Ended)


@pytest.mark.parametrize("players", range(3, 13))
def test_pt7_the_deal_and_the_plain_game_are_those_of_the_table(players: int) -> None:
    for kinds in range(players, 13):
        table = Table(players, KINDS[:kinds])
        table.says("s1", KINDS[0])
        state = table.state
        deck, each = 9 * kinds, 9 * kinds // (players - 1)
        held = {seat: len(state.hands[seat].cards) for seat in state.hands}
        assert {held[seat] for seat in state.candidates} == {each}
        assert held[state.teller] == deck % (players - 1)
        plain = plain_rounds(players, kinds)
        assert plain == (each - 1, deck - (players - 1))


def plain_rounds(players: int, kinds: int) -> tuple[int, int]:
    """Rounds, and the Teller's cards at the end, when every losing card is just put away."""
    table = Table(players, KINDS[:kinds])
    table.says("s1", KINDS[0])
    rounds = 0
    while not isinstance(table.state.phase, Ended):
        if isinstance(table.state.phase, Handling | Voting):
            rounds += isinstance(table.state.phase, Voting) and table.state.phase.who == "rest"
            table.closes()
    return rounds, len(table.state.hands["s1"].cards)


ODD_DEALS = {
    3: {4, 6, 8, 10, 12}, 4: set(range(4, 13)), 5: {8, 12}, 6: {10}, 7: {8, 10, 12},
    10: {10, 11, 12},
}  # fmt: skip


@pytest.mark.parametrize("players", range(3, 13))
def test_where_nothing_is_left_of_the_deal_the_teller_has_no_card(players: int) -> None:
    empty = {kinds for kinds in range(players, 13) if not 9 * kinds % (players - 1)}
    assert empty == ODD_DEALS.get(players, set())
    for kinds in empty:
        table = Table(players, KINDS[:kinds])
        table.says("s1", KINDS[0])
        assert isinstance(table.state.phase, Voting)
        assert table.state.phase.who == "rest"  # V3: no follow duty, so nobody can be charged
        assert all(to_follow(table.state, seat) is None for seat in table.state.candidates)
        assert not any(choice(table.state, seat).dear for seat in table.state.candidates)


@settings(max_examples=30)
@given(sizes=GAMES, seed=st.integers(0, 10**6))
def test_pt4_6_8_10_12_hold_round_by_round(sizes: tuple[int, int], seed: int) -> None:
    players, kinds = sizes
    table = Table(players, KINDS[:kinds], seed=str(seed))
    player = bench.Player(str(seed), bench.Figures())
    while not isinstance(table.state.phase, Ended):
        before, phase = table.state, table.state.phase
        assert not isinstance(phase, Paused)
        for ask in rules.asks(before):
            answer = player.answer(before, ask)
            if isinstance(phase, Voting):
                charged_only_who_could_follow(before, ask.to, answer)
            table.feed(Answered(ask.to, ask.id, answer))
            assert table.refused is None
        if table.state.phase == phase or rules.waits(phase):
            table.closes()
        the_most_votes_win(before, table.state)


def charged_only_who_could_follow(state: State, seat: Seat, answer: Given) -> None:
    """PT10."""
    (card,) = cards_in(state, seat, answer)
    wanted = to_follow(state, seat)
    able = wanted in [state.kind(one) for one in votable(state, seat)]
    overruled = state.duties.rule == "cat" or (
        seat in state.duties.koala and "koala" in [state.kind(c) for c in votable(state, seat)]
    )
    after, _ = rules._cast(state, seat, card, is_open=False)
    charged = seat in after.payers and seat not in state.payers
    assert charged == (wanted is not None and able and not overruled and state.kind(card) != wanted)


def the_most_votes_win(before: State, after: State) -> None:
    """PT4."""
    if len(after.history) <= len(before.history) or not after.votes or not after.won:
        return
    count = Counter(after.kind(card) for card in after.votes.values())
    assert count[after.history[-1]] == max(count.values()) >= 1


@settings(max_examples=30)
@given(n=st.integers(3, 8), turn=st.integers(1, 7), seed=st.integers(0, 999))
def test_pt5_turning_the_table_with_the_smallseat_changes_nothing(
    n: int, turn: int, seed: int
) -> None:
    cards = Dice(str(seed), 0).order(range(9 * n), "votes")[:n]
    chairs = seats(n)
    state = Table(n, KINDS[:n]).state
    one = replace(state, chairs=chairs, votes=dict(zip(chairs, cards, strict=True)))
    turned = (*chairs[turn % n :], *chairs[: turn % n])
    renamed = dict(zip(chairs, turned, strict=True))
    votes = {renamed[seat]: card for seat, card in one.votes.items()}
    other = replace(state, chairs=turned, votes=votes)
    assert winner(one) == winner(other)


# --- vectors -------------------------------------------------------------------------------------


def voted(**kinds: str) -> State:
    table = dealt({seat: [kind, kind] for seat, kind in kinds.items()})
    votes = {seat: table.state.hands[seat].secret[0] for seat in kinds}
    return replace(table.state, votes=votes)


def test_v1_a_tie_goes_to_whoever_sits_nearest_the_smallseat() -> None:
    state = voted(s1=X, s2=Y, s3=Y, s4=X)
    assert winner(state) == X
    assert winner(replace(state, chairs=("s2", "s1", "s3", "s4"))) == Y


def test_v2_after_a_swap_the_moved_player_is_reached_at_the_new_place() -> None:
    kinds = ("dog", "chick", "hedgehog", "otter", "cat")
    hands = {"s1": ["chick"] * 2, "s2": ["hedgehog"] * 3, "s3": ["cat"] * 3,
             "s4": ["dog"] * 3, "s5": ["dog"] * 3}  # fmt: skip
    table = dealt(hands, kinds, call="cat")
    table.votes(s1="chick", s2="hedgehog", s3="cat", s4="dog", s5="dog")
    asked: list[Seat] = []
    while isinstance(table.state.phase, Handling):
        (seat,) = table.state.phase.ballot.voters
        asked.append(seat)
        table.says(seat, "s2" if seat == "s1" else rules.DO)
        if isinstance(table.state.phase, Acting):
            table.closes()
    assert asked == ["s1", "s3", "s2"]


def test_v4_with_two_cards_nobody_can_pay() -> None:
    table = dealt({"s1": [X], "s2": [X, Y], "s3": [Y, Y, Y], "s4": [Y, Y]})
    table.says("s1", X)
    may = choice(table.state, "s2")
    assert [table.state.kind(card) for card in may.free] == [X]
    assert may.dear == ()


def test_v5_the_teller_wins_alone_by_a_tie_else_the_candidates_do() -> None:
    hands = {"s1": [X] * 5 + [Y] * 5, "s2": [X], "s3": [Y], "s4": [V]}
    table = dealt(hands, call=Y)
    assert table.state.phase == Ended(("s1",), table.state.phase.finals, (X, Y))  # type: ignore[union-attr]
    table = dealt(hands, call=Z)
    assert isinstance(table.state.phase, Ended)
    assert table.state.phase.winners == ("s2", "s3")


def test_nobody_wins_where_nobody_kept_the_animal() -> None:
    table = dealt({"s1": [X] * 2, "s2": [Y], "s3": [Y], "s4": [V]}, call=Z)
    assert isinstance(table.state.phase, Ended)
    assert table.state.phase.winners == ()
    assert "nobody-won" in [line.key for line in telling.recap(table.state)]


def test_nobody_wins_where_the_teller_has_nothing_secret() -> None:
    table = dealt({"s1": [f"{X}*"], "s2": [X], "s3": [Y], "s4": [V]}, call=X)
    assert isinstance(table.state.phase, Ended)
    assert (table.state.phase.winners, table.state.phase.most) == ((), ())


def test_v6_a_lost_secret_vote_of_the_teller_counts_no_more_and_a_won_open_one_does() -> None:
    hands = {"s1": [X, X, f"{Y}*"], "s2": [Y] * 2, "s3": [Y] * 2, "s4": [V] * 2}
    table = dealt(hands)
    table.votes(s1=X, s2=Y, s3=Y, s4=V)
    while isinstance(table.state.phase, Handling):
        table.closes()
    assert kinds_of(table, "s1").count(X) == 1
    assert kinds_of(table, "s1").count(f"{X}*") == 1
    table = dealt(hands)
    table.votes(s1=f"{Y}-open", s2=Y, s3=Y, s4=V)
    assert kinds_of(table, "s1").count(Y) == 3


# --- votes ---------------------------------------------------------------------------------------


def test_who_could_have_followed_pays_a_card_of_their_choice_to_anybody() -> None:
    table = dealt({"s1": [X], "s2": [X, Y, Z], "s3": [Y, Y, Y], "s4": [Y, Y]})
    table.votes(s1=X, s2=Z, s3=Y, s4=Y)
    assert isinstance(table.state.phase, Paying)
    assert table.state.phase.ballot.voters == ("s2",)
    table.says("s2", X, "s4")
    table.closes()
    assert X in kinds_of(table, "s4")
    assert kinds_of(table, "s2") == [Y]
    told = [say for say in table.said if say.line.key == "you-got"]
    assert [say.to for say in told] == ["s4"]
    assert "got-openly" not in table.lines()


def test_an_open_card_is_paid_openly() -> None:
    table = dealt({"s1": [X], "s2": [X, Z, f"{Y}*"], "s3": [Y, Y, Y], "s4": [Y, Y]})
    table.votes(s1=X, s2=Z, s3=Y, s4=Y)
    table.says("s2", f"{Y}-open", "s3")
    table.closes()
    assert "got-openly" in table.lines()


def test_a_payment_names_one_card_and_one_player() -> None:
    table = dealt({"s1": [X], "s2": [X, Y, Z], "s3": [Y, Y, Y], "s4": [Y, Y]})
    table.votes(s1=X, s2=Z, s3=Y, s4=Y)
    table.says("s2", X, Y)
    assert table.refused
    assert table.refused.line.key == "pay-one-of-each"


def test_a_payment_that_is_not_chosen_is_made_by_chance_and_a_vote_never_costs_by_itself() -> None:
    table = dealt({"s1": [X], "s2": [X, Y, Z], "s3": [Y, Y, Y], "s4": [Y, Y]})
    table.votes(s1=X, s2=Z, s3=Y, s4=Y)
    table.closes()
    assert len(kinds_of(table, "s2")) == 1
    table = dealt({"s1": [X], "s2": [X, Y, Z], "s3": [Y, Y, Y], "s4": [Y, Y]})
    table.says("s1", X)
    table.closes()
    assert table.state.kind(table.state.votes["s2"]) == X
    assert table.state.payers == ()


def test_a_candidate_without_a_secret_card_votes_an_open_one_and_else_never() -> None:
    table = dealt({"s1": [], "s2": [f"{X}*", f"{Y}*"], "s3": [X, f"{Y}*"], "s4": [Y, Y]})
    assert {table.state.kind(c) for c in choice(table.state, "s2").free} == {X, Y}
    assert {table.state.kind(c) for c in choice(table.state, "s3").free} == {X}


def test_of_all_duties_the_highest_that_can_be_met_binds() -> None:
    kinds = ("otter", "koala", "chick", "cat", "dog")
    hands = {"s1": ["dog"], "s2": ["koala", "cat", "cat", "dog"], "s3": ["cat", "dog", "dog"],
             "s4": ["dog"] * 3, "s5": ["dog"] * 2}  # fmt: skip
    table = dealt(hands, kinds, call="dog")
    table.says("s1", "dog")
    state = table.state
    voted = {state.kind(card) for card in choice(state, "s2").free}
    assert voted == {"dog"}
    catty = replace(state, duties=Duties(rule="cat"))
    assert {catty.kind(card) for card in choice(catty, "s2").free} == {"cat"}
    sleepy = replace(state, duties=Duties(rule="cat", koala=("s2", "s3")))
    assert {sleepy.kind(card) for card in choice(sleepy, "s2").free} == {"koala"}
    assert {sleepy.kind(card) for card in choice(sleepy, "s3").free} == {"dog"}
    assert choice(sleepy, "s2").dear == ()
    wild = replace(state, duties=Duties(("s2",), ("s2",), "cat"))
    assert choice(wild, "s2").at_random


def test_two_missed_votes_and_a_player_sits_out() -> None:
    table = dealt({"s1": [], "s2": [X] * 4, "s3": [Y] * 4, "s4": [Z] * 4})
    table.says("s2", X)
    table.says("s3", Y)
    table.closes()
    assert table.turn.sits_out == ()
    while not isinstance(table.state.phase, Voting):
        table.closes()
    for seat in ("s1", "s2", "s3"):
        if seat in {ask.to for ask in rules.asks(table.state)}:
            ask = next(ask for ask in rules.asks(table.state) if ask.to == seat)
            assert isinstance(ask.answer, Pick)
            table.says(seat, ask.answer.options[0].value)
    table.closes()
    assert table.turn.sits_out == ("s4",)


# --- the Animals ---------------------------------------------------------------------------------


def losing(
    kind: str, *, hand: Sequence[str] = (), others: Mapping[Seat, Sequence[str]] | None = None,
    teller: str = "", winner: str = X, **fields: object,
) -> Table:  # fmt: skip
    """A round in which the second player's card of a kind loses, and they do what it says."""
    kinds = tuple(dict.fromkeys([kind, X, Y, Z, V]))
    hands: dict[Seat, Sequence[str]] = {
        "s1": [], "s2": [kind, *(hand or [Y, Z])], "s3": [winner] * 3, "s4": [winner] * 3,
    }  # fmt: skip
    hands |= others or {}
    table = dealt(hands, kinds, call=V, **fields)
    table.votes(s1=teller, s2=kind, s3=winner, s4=winner)
    table.said.clear()
    while isinstance(table.state.phase, Handling) and table.state.phase.ballot.voters != ("s2",):
        table.closes()
    table.says("s2", rules.DO)
    return table


def next_votes(table: Table) -> None:
    while not isinstance(table.state.phase, Voting):
        table.closes()


def test_chick_the_boss_votes_first_and_is_followed() -> None:
    table = losing("chick", chairs=("s4", "s1", "s2", "s3"))
    assert table.state.duties.rule == "chick"
    assert isinstance(table.state.phase, Voting)
    assert (table.state.phase.who, table.state.phase.ballot.voters) == ("boss", ("s4",))
    table.says("s4", X)
    assert table.state.phase.who == "teller"
    assert to_follow(table.state, "s1") == X
    assert to_follow(table.state, "s4") is None


def test_chick_where_the_teller_is_the_boss_nobody_follows() -> None:
    table = losing("chick")
    assert isinstance(table.state.phase, Voting)
    assert table.state.phase.who == "teller"
    table.says("s1", X)
    assert all(to_follow(table.state, seat) is None for seat in ("s2", "s3", "s4"))


def test_chick_a_boss_who_cant_vote_makes_it_void() -> None:
    table = losing("chick", chairs=("s4", "s1", "s2", "s3"), others={"s4": [X, X]})
    assert isinstance(table.state.phase, Voting)
    assert table.state.phase.who == "teller"
    table.says("s1", X)
    assert to_follow(table.state, "s3") == X


def test_chick_the_teller_may_pay_too() -> None:
    chairs = ("s4", "s1", "s2", "s3")
    table = losing("chick", chairs=chairs, others={"s1": [V, X, Y]}, teller=V)
    while not isinstance(table.state.phase, Voting):
        table.closes()
    table.says("s4", X)
    may = choice(table.state, "s1")
    assert {table.state.kind(card) for card in may.free} == {X}
    assert Y in {table.state.kind(card) for card in may.dear}


def test_hedgehog_nobody_swaps_with_a_prickly_player_for_the_rest_of_the_round() -> None:
    kinds = ("hedgehog", X, Y, Z)
    hands = {"s1": [], "s2": ["hedgehog"] * 2, "s3": [Y] * 2, "s4": [X] * 2}
    table = dealt(hands, kinds, call=Z, chairs=("s2", "s1", "s3", "s4"))
    table.votes(s2="hedgehog", s3=Y, s4=X)
    table.said.clear()
    assert isinstance(table.state.phase, Handling)
    won = table.state.history[-1]
    assert won == "hedgehog"


def test_hedgehog_blocks_swaps_until_the_round_is_over() -> None:
    kinds = ("hedgehog", X, Y, Z, V)
    hands = {"s1": [], "s2": ["hedgehog"] * 3, "s3": [Y] * 3, "s4": [X] * 3, "s5": [X] * 3}
    table = dealt(hands, kinds, call=Z)
    table.votes(s2="hedgehog", s3=Y, s4=X, s5=X)
    table.says("s2", rules.DO)
    assert animals.partners(table.state, "s3") == ("s1", "s4", "s5")
    assert animals.partners(table.state, "s2") == ("s1", "s3", "s4", "s5")
    table.closes()
    assert table.state.prickly == ()


def test_koala_who_voted_alone_decides_alone() -> None:
    table = losing("koala", hand=["koala", Z])
    assert isinstance(table.state.phase, Polling)
    table.says("s2", "on")
    assert table.state.duties.koala == ("s2",)
    assert {table.state.kind(card) for card in choice(table.state, "s2").free} == {"koala"}


def test_koala_if_all_agree_the_round_ends_and_nobody_must_play_one() -> None:
    kinds = ("koala", X, Y, Z, V)
    hands = {"s1": [], "s2": ["koala"] * 3, "s3": ["koala"] * 3, "s4": [X] * 3,
             "s5": [X] * 3, "s6": [X] * 3}  # fmt: skip
    table = dealt(hands, (*kinds, "pony"), call=Z)
    table.votes(s2="koala", s3="koala", s4=X, s5=X, s6=X)
    table.says("s2", rules.DO)
    assert isinstance(table.state.phase, Polling)
    assert table.state.phase.ballot.voters == ("s2", "s3")
    table.says("s2", "over")
    table.says("s3", "over")
    table.closes()
    assert isinstance(table.state.phase, Voting)
    assert table.state.duties == Duties()
    assert "koala-ends-it" in table.lines()


def test_koala_silence_is_no() -> None:
    table = losing("koala", hand=["koala", Z])
    table.closes()
    assert table.state.duties.koala == ("s2",)


def test_rabbit_the_count_is_told_to_the_two_alone() -> None:
    table = losing("rabbit", hand=[X, Z])
    table.says("s2", "s3", X)
    told = {say.line.key: say for say in table.said}
    assert told["rabbit-learns"].to == "s2"
    assert told["rabbit-learns"].line.args["count"] == 2
    assert told["rabbit-shows"].to == "s3"
    assert told["rabbit-did"].line.args == {"who": Who("s2"), "to": Who("s3")}


def test_rabbit_needs_a_player_and_an_animal() -> None:
    table = losing("rabbit", hand=[X, Z])
    table.says("s2", X, Z)
    assert table.refused
    assert table.refused.line.key == "rabbit-needs-one-of-each"
    table.says("s2", "s1", "s3")
    assert table.refused


def test_rabbit_can_not_be_done_without_anybody_to_show_it_to() -> None:
    immune = dict.fromkeys(("s1", "s3", "s4"), 99)
    kinds = ("rabbit", X, Y, V)
    hands = {"s1": [], "s2": ["rabbit", Y], "s3": [X] * 2, "s4": [X] * 2}
    table = dealt(hands, kinds, call=V, immune=immune)
    table.votes(s2="rabbit", s3=X, s4=X)
    assert "card-lost" in table.lines()
    assert not isinstance(table.state.phase, Handling)


def test_squirrel_takes_the_card_back_and_gives_another_one_up() -> None:
    table = losing("squirrel")
    table.says("s2", Y)
    assert kinds_of(table, "s2") == ["rabbit", "squirrel"]
    assert f"{Y}*" in kinds_of(table, "s1")


def test_squirrel_with_the_last_card_keeps_the_hand_at_one() -> None:
    table = losing("squirrel", hand=[Y])
    table.says("s2", Y)
    assert kinds_of(table, "s2") == ["squirrel"]


def test_pig_gives_up_to_three_cards_and_gets_secret_ones_of_the_teller() -> None:
    table = losing("pig", hand=[Z, Z, V], others={"s1": [f"{X}*"]}, teller="dog-open")
    table.says("s2", Z, "rabbit", "s3", "s4")
    assert isinstance(table.state.phase, Owing)
    assert table.state.phase.count == 2
    assert Z in kinds_of(table, "s3")
    table.says("s1", X, X)
    assert kinds_of(table, "s2") == sorted([V, X, X])


def test_pig_a_candidate_keeps_the_last_card_and_a_gift_needs_somebody() -> None:
    table = losing("pig", hand=[Z, V])
    table.says("s2", Z, V, "s3")
    assert table.refused
    table.says("s2", Z)
    assert table.refused
    assert table.refused.line.key == "pig-needs-both"
    table.says("s2")
    assert kinds_of(table, "s2") == sorted([V, Z])


def test_pig_the_last_named_gets_the_rest() -> None:
    table = losing("pig", hand=[Z, V, Y, Y])
    table.says("s2", Z, V, Y, "s3", "s4")
    assert Z in kinds_of(table, "s3")
    assert {V, Y} <= set(kinds_of(table, "s4"))


def test_panda_everybody_without_the_animal_gives_a_card_openly() -> None:
    table = losing("panda", others={"s1": [], "s3": [X, X, X], "s4": [X, Z, X]})
    table.says("s2", Z)
    assert isinstance(table.state.phase, Owing)
    assert table.state.phase.ballot.voters == ("s1", "s3")
    for seat in ("s1", "s3"):
        table.says(seat, X)
    table.closes()
    assert table.lines().count("panda-got") == 2
    assert kinds_of(table, "s2").count(X) == 2


def test_cat_shows_three_and_next_round_the_most_frequent_is_voted() -> None:
    table = losing("cat", hand=[Y, Y, Z, V])
    table.says("s2", Y, Z, V)
    assert table.state.duties.rule == "cat"
    shown = next(say for say in table.said if say.line.key == "cat-did")
    assert len(shown.line.args["cards"].lines) == 3  # type: ignore[union-attr]
    table.says("s1", X)
    assert {table.state.kind(card) for card in choice(table.state, "s2").free} == {Y}


def test_otter_takes_the_smallseat_and_ends_the_round_and_otters_vote_by_chance() -> None:
    table = losing("otter")
    assert table.state.chairs == ("s2", "s1", "s3", "s4")
    assert table.state.duties.at_random == ("s2",)
    table.says("s1", X)
    assert isinstance(table.state.phase, Voting)
    assert "s2" not in table.state.phase.ballot.voters
    assert "s2" in table.state.votes


def test_otter_fails_against_a_boss_nobody_can_touch() -> None:
    table = losing("otter", immune={"s1": 99})
    assert table.state.chairs == seats(4)
    assert table.state.duties == Duties()
    assert "otter-failed" in table.lines()


def test_seal_gives_the_teller_a_secret_card_and_the_teller_flips_three() -> None:
    table = losing("seal", others={"s1": [f"{V}*"]}, teller="hedgehog-open")
    table.says("s2", Z)
    assert isinstance(table.state.phase, Owing)
    assert table.state.phase.count == 3
    before = kinds_of(table, "s1")
    table.says("s1", X, X, Z)
    after = kinds_of(table, "s1")
    assert before.count(X) - after.count(X) == 2
    assert f"{Z}*" in after


def test_seal_fails_where_the_teller_is_immune_and_costs_nothing() -> None:
    table = losing("seal", immune={"s1": 99})
    assert "seal-failed" in table.lines()
    assert len(kinds_of(table, "s2")) == 2


def test_dog_shows_the_hand_and_is_immune_this_round_and_the_next() -> None:
    table = losing("dog", hand=[V, Z, V], winner=Y)
    assert table.state.immune == {"s2": 2}
    assert table.state.number == 2
    assert "s2" not in animals.partners(table.state, "s3")
    table.votes(s1=Y, s2=V, s3=Y, s4=Y)
    next_votes(table)
    assert table.state.number == 3
    assert "s2" in animals.partners(table.state, "s3")


def test_pony_the_winning_cards_go_to_the_boss_and_one_to_its_player() -> None:
    table = losing("pony", chairs=("s3", "s1", "s2", "s4"))
    assert kinds_of(table, "s3").count(X) == 3
    assert kinds_of(table, "s2").count(X) == 1
    assert kinds_of(table, "s1") == ["pony*"]


def test_pony_where_the_teller_is_the_boss_one_card_goes_to_its_player() -> None:
    table = losing("pony")
    assert kinds_of(table, "s2").count(X) == 1
    assert kinds_of(table, "s1").count(X) == 1


def test_pony_runs_once_a_round_and_fails_against_an_immune_boss() -> None:
    table = losing("pony", chairs=("s3", "s1", "s2", "s4"), immune={"s3": 99})
    assert "pony-barred" in table.lines()
    assert kinds_of(table, "s1").count(X) == 2


# --- who is away, and how it ends ----------------------------------------------------------------


def test_who_left_votes_by_chance_and_puts_losing_cards_away() -> None:
    table = dealt({"s1": [], "s2": [Y] * 3, "s3": [X] * 3, "s4": [X] * 3})
    table.here = ("s1", "s3", "s4")
    table.feed(Left("s2"))
    table.says("s3", X)
    table.says("s4", X)
    table.closes()
    assert isinstance(table.state.phase, Voting)
    assert f"{Y}*" in kinds_of(table, "s1")


def test_a_teller_who_left_calls_and_votes_by_chance() -> None:
    table = Table(4)
    table.here = seats(4)[1:]
    table.feed(Left("s1"))
    assert table.state.call in table.state.animals


def test_where_nobody_is_left_the_game_waits_and_then_ends() -> None:
    table = dealt({"s1": [], "s2": [Y] * 3, "s3": [X] * 3, "s4": [X] * 3})
    table.here = ()
    table.closes()
    assert isinstance(table.state.phase, Paused)
    table.here = ("s2",)
    table.feed(Joined("s2"))
    assert isinstance(table.state.phase, Voting)
    table.here = ()
    table.closes()
    table.closes()
    assert isinstance(table.state.phase, Ended)


def test_the_cap_lets_everybody_keep_one_card() -> None:
    table = dealt({"s1": [X, X], "s2": [X, Y], "s3": [X], "s4": [Z]}, call=V, number=72)
    assert isinstance(table.state.phase, Keeping)
    assert table.state.phase.ballot.voters == ("s2",)
    table.says("s2", X)
    table.closes()
    assert isinstance(table.state.phase, Ended)
    assert table.state.phase.winners == ("s2", "s3")
    table = dealt({"s1": [X, X], "s2": [X, X], "s3": [X], "s4": [Z]}, call=V, number=72)
    table.closes()
    assert isinstance(table.state.phase, Ended)


def test_cards_that_came_can_be_turned_over_until_the_next_votes() -> None:
    table = losing("pony")
    (got,) = table.state.fresh.get("s2", (None,))
    assert got is None
    state = replace(table.state, fresh={"s2": table.state.hands["s2"].secret[:1]})
    turned = rules.turned_over(state, "s2", state.hands["s2"].cards)
    assert len(turned.hands["s2"].open) == 1


def test_of_cards_that_are_alike_only_so_many_are_offered() -> None:
    hand = Hand((0, 1, 2, 9), (3,))
    state = Table(4, (X, Y, Z, V)).state.with_hand("s1", hand)
    offered = card_options(state, "s1", hand.cards, 2)
    assert [(one.value, one.times) for one in offered] == [(X, 2), (Y, 1), (f"{X}-open", 1)]
    assert cards_in(state, "s1", Given((f"{X}-open", X, "s2", X))) == (3, 0, 1)


def test_who_comes_back_is_waited_for_again() -> None:
    table = dealt({"s1": [], "s2": [Y] * 3, "s3": [X] * 3, "s4": [X] * 3})
    table.feed(Undeliverable("s2"))
    assert isinstance(table.state.phase, Voting)
    assert "s2" not in table.state.phase.ballot.waiting
    table.feed(Joined("s2"))
    assert "s2" in table.state.phase.ballot.waiting
    table.feed(Left("s9"))
    assert "s2" in table.state.phase.ballot.waiting


def test_nothing_happens_in_a_game_that_is_over_or_waits() -> None:
    table = dealt({"s1": [X] * 2, "s2": [Y], "s3": [Y], "s4": [V]}, call=Z)
    before = table.state
    table.closes()
    assert table.state is before
    table = dealt({"s1": [], "s2": [Y] * 3, "s3": [X] * 3, "s4": [X] * 3})
    table.here = ()
    table.closes()
    before, due = table.state, rules.deadline(table.state)
    assert due
    assert due.length_ms == Pace().idle_ms
    table.feed(Left("s2"))
    assert table.state is before


def test_what_is_owed_and_not_chosen_is_given_by_chance() -> None:
    table = losing("panda", others={"s1": [], "s3": [X, X, X], "s4": [X, Z, X]})
    table.says("s2", Z)
    table.closes()
    assert table.lines().count("panda-got") == 2


def test_for_a_teller_who_is_away_cards_are_turned_over_at_once() -> None:
    table = losing("seal")
    table.here = ("s2", "s3", "s4")
    table.says("s2", Z)
    assert "turned-up" in table.lines()
    assert not isinstance(table.state.phase, Owing)


def test_a_game_nobody_came_back_to_ends_without_a_winner() -> None:
    table = dealt({"s1": [], "s2": [Y] * 9, "s3": [X] * 9, "s4": [X] * 9})
    table.here = ()
    table.closes()
    assert isinstance(table.state.phase, Paused)
    table.closes()
    assert table.state.phase == Ended()
    assert table.lines()[-1] == "smallseat-broken-off"


def test_a_button_of_the_last_game_answers_nothing_in_the_next() -> None:
    first = Table(4)
    first.says("s1", KINDS[0])
    context_after = replace(context(4), last=first.state)
    again = rules.start(context_after).state
    assert {ask.id for ask in rules.asks(again)}.isdisjoint(
        f"{verb}/{number}" for verb in ("call", "vote") for number in range(first.state.asked + 1)
    )
    one, other = telling.scene(first.state), telling.scene(again)
    assert one
    assert other
    assert one.name != other.name


def test_a_card_that_just_came_can_not_be_turned_over_under_an_answer() -> None:
    table = dealt({"s1": [X] * 2, "s2": [X, X], "s3": [X], "s4": [Z]}, call=V, number=72)
    assert isinstance(table.state.phase, Keeping)
    table.state = replace(table.state, fresh={"s2": table.state.hands["s2"].secret})
    table.says("s2", X)
    table.feed(Answered("s2", "turn/1", Given((X,))))
    assert table.refused
    assert table.refused.line.key == "turn-later"
    table.closes()
    assert isinstance(table.state.phase, Ended)
    assert telling.scene(table.state) is None


def test_whoever_only_looks_on_does_not_keep_a_deserted_game_going() -> None:
    table = dealt({"s1": [], "s2": [Y] * 9, "s3": [X] * 9, "s4": [X] * 9})
    table.here = ("s9",)
    table.closes()
    assert isinstance(table.state.phase, Paused)
    assert table.state.number < 4


def test_a_round_is_never_played_inside_another() -> None:
    table = dealt({"s1": [Z], "s2": [Y], "s3": [X] * 8, "s4": [V] * 8}, kinds=(X, Y, Z, V))
    table.here = ("s2",)
    before = table.state.number
    for later in (0, 1, 2):
        table.closes()
        assert table.state.number == before + later
