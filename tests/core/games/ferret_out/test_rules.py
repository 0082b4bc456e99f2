"""Ferret Out by the rows of DECISIONS.md, where a transcript doesn't show it better.

F-01  test_no_word_comes_twice_in_a_game, test_a_pair_of_pouches_stays_four_rounds
F-02  test_the_weasel_is_anybody_whoever_it_was_before
F-03  test_a_seat_sees_the_six_words_of_its_own_face
F-04  test_a_clue_is_refused_for_the_own_card_only; a_clue_on_the_own_card.txt
F-05  a_two_word_clue.txt, a_clue_of_the_carriers.txt
F-06  test_two_may_give_the_same_clue
F-07  a_caught_weasel.txt
F-08  a_missing_clue.txt
F-09  a_vote_is_changed.txt
F-10  the_weasel_guesses_the_word.txt, the_weasel_guesses_wrong.txt
F-11  a_ferret_names_themself.txt; test_a_ferrets_guess_is_never_looked_at
F-12  test_points: the Weasel's own ballot
F-13  test_points: each ballot alone
F-14  a_missing_ballot.txt, test_points
F-15  test_matching; the_weasel_guesses_the_word.txt
F-16  a_missing_ballot.txt, a_ferret_leaves.txt
F-17  the_weasel_leaves.txt, a_ferret_leaves.txt, test_a_void_round_is_not_counted
F-18  a_quiet_player_sits_out.txt, everybody_is_gone.txt
F-19  the_cfo_picks_a_number.txt, the_cfo_sleeps.txt, the_cfo_leaves.txt,
      test_the_office_of_cfo_goes_clockwise, test_the_first_cfo_is_anybody
F-20  test_the_phases_last_as_long_as_the_table_says
F-21  test_a_game_has_eight_rounds
F-22  a_tie_plays_on.txt, a_tie_is_shared_after_ten_extra_rounds.txt
F-23  test_three_to_seven_play; a_full_room.txt
F-24  too_few_are_left.txt
F-25  a_late_vote_is_no_clue.txt

The variants, beside test_points, test_variants and a transcript for each and each allowed pair
Point-of-Order  a_clue_that_was_given.txt, a_clue_in_the_group.txt, a_turn_is_missed.txt,
      the_one_whose_turn_it_is_leaves.txt, the_one_whose_turn_it_is_cant_be_reached.txt,
      test_a_turn_lasts_as_long_as_the_table_says, test_turns_go_clockwise_from_the_cfo
Weasel-Brained  the_weasels_word_with_the_wrong_name.txt, the_right_word_for_the_wrong_side.txt,
      the_weasel_guesses_its_own_word.txt
Paranoia  paranoia_without_a_weasel.txt, paranoia_and_everybody_says_nobody.txt,
      paranoia_with_a_weasel.txt
Team Weasel  team_weasel.txt, team_weasel_with_fewer_than_five.txt, one_of_two_weasels_leaves.txt,
      test_a_team_round_with_three_left_is_void_whoever_left
Duel  duel_with_the_same_word.txt, duel_against_the_weasel.txt, duel_as_the_weasel.txt,
      somebody_leaves_a_duel.txt, test_a_duel_ends_with_whoever_leaves_it
AGAIN  again_with_fresh_words.txt, again_with_too_few.txt,
      test_no_pouch_comes_again_in_a_rematch_before_all_were_used
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from core.dice import Dice
from core.game import (
    Answered,
    Context,
    Given,
    Joined,
    Left,
    Lines,
    Refused,
    Seat,
    TimeUp,
    Turn,
    Undeliverable,
    room,
)
from core.games.ferret_out import GAME, rules, variants
from core.games.ferret_out.pouches import POUCHES, house
from core.games.ferret_out.state import Choosing, Clueing, Ended, Paused, State, Studying
from core.games.ferret_out.variants import Variant, chosen
from core.pace import Pace, PaceName
from tests.packs import pack, registered
from tests.transcripts import paths

CHI_SQUARE = {2: 13.8, 4: 18.5, 5: 20.5, 16: 39.3}
"""Exceeded by chance once in a thousand, by degrees of freedom."""


def seats(n: int) -> tuple[Seat, ...]:
    return tuple(f"s{i}" for i in range(1, n + 1))


def context(n: int = 5, *, seed: str = "1", step: int = 0, option: str = "roll") -> Context:
    return Context(
        now_ms=1_000,
        dice=Dice(seed, step),
        pace=Pace(),
        table=seats(n),
        seats=seats(n),
        chosen=(option,),
    )


class Played:
    """A game played by its pure functions alone."""

    def __init__(self, n: int = 5, seed: str = "1", option: str = "roll") -> None:
        self.ctx = context(n, seed=seed, option=option)
        self.state = self.take(rules.start(self.ctx))

    def take(self, turn: Turn[State]) -> State:
        self.ctx = replace(self.ctx, dice=Dice(self.ctx.dice.seed, self.ctx.dice.step + 1))
        self.turn = turn
        self.state = turn.state
        return turn.state

    def feed(self, event: object) -> State:
        turn = rules.play(self.state, event, self.ctx)  # type: ignore[arg-type]
        assert not isinstance(turn, Refused)
        return self.take(turn)

    def answer(self, seat: Seat, *picked: str, words: str = "") -> State:
        ask = next(one for one in rules.asks(self.state) if one.to == seat)
        return self.feed(Answered(seat, ask.id, Given(picked, words)))

    def time_up(self) -> State:
        end = rules.deadline(self.state)
        assert end is not None
        self.ctx = replace(self.ctx, now_ms=end.at_ms)
        return self.feed(TimeUp())

    def round(self) -> State:
        """A round in which everybody answers: a clue, and the next seat's name."""
        players = self.state.deal.players
        for seat in players:
            self.answer(seat, words="zzz")
        self.time_up()
        for at, seat in enumerate(players):
            self.answer(seat, players[(at + 1) % len(players)])
        return self.time_up()

    def deals(self) -> Iterator[State]:
        """The state in each round, to the end of the game."""
        while not isinstance(self.state.phase, Ended):
            yield self.state
            self.round()


def weasel_of(state: State) -> Seat:
    """The Weasel of a round that has just one."""
    (weasel,) = state.deal.weasels
    return weasel


def chi_square(counts: Counter[str], cells: int) -> float:
    expected = sum(counts.values()) / cells
    squares = sum((count - expected) ** 2 for count in counts.values())
    return (squares + (cells - len(counts)) * expected**2) / expected


# --- dealing


def test_the_weasel_is_anybody_whoever_it_was_before() -> None:
    """F-02: uniform, and independent of the round before."""
    firsts: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for seed in range(600):
        played = Played(seed=str(seed))
        first = weasel_of(played.state)
        second = weasel_of(played.round())
        firsts[first] += 1
        pairs[f"{seats(5).index(second) - seats(5).index(first)}"] += 1
    assert chi_square(firsts, 5) < CHI_SQUARE[4]
    shifts = Counter({str(shift): pairs[str(shift)] + pairs[str(shift - 5)] for shift in range(5)})
    assert chi_square(shifts, 5) < CHI_SQUARE[4]


def test_the_first_cfo_is_anybody() -> None:
    """F-19."""
    cfos = Counter(rules.start(context(seed=str(n))).state.deal.cfo for n in range(600))
    assert chi_square(cfos, 5) < CHI_SQUARE[4]


def test_the_die_is_fair() -> None:
    slots = Counter(str(rules.start(context(seed=str(n))).state.deal.slot) for n in range(600))
    assert chi_square(slots, 6) < CHI_SQUARE[5]


def test_the_office_of_cfo_goes_clockwise() -> None:
    """F-19, past those who don't play."""
    played = Played()
    held = [state.deal.cfo for state in played.deals()]
    table = seats(5)
    for last, after in pairwise(held):
        assert table.index(after) == (table.index(last) + 1) % 5
    played = Played()
    after = table[(table.index(played.state.deal.cfo) + 1) % 5]
    played.ctx = replace(played.ctx, seats=tuple(seat for seat in table if seat != after))
    assert played.round().deal.cfo == table[(table.index(after) + 1) % 5]


@pytest.mark.parametrize("n", [3, 5, 7])
def test_no_word_comes_twice_in_a_game(n: int) -> None:
    """F-01, extra rounds and void ones included: 48 deals have new faces."""
    played = Played(n)
    shown: list[str] = []
    for _ in range(48):
        weasel, ferret = weasel_of(played.state), played.state.deal.ferrets[0]
        faces = (rules.face(played.state, weasel), rules.face(played.state, ferret))
        shown += [word for face in faces for word in face]
        assert rules.word_of(played.state, weasel) != rules.word_of(played.state, ferret)
        played.take(rules._deal(played.state, played.ctx))
    assert len(shown) == len(set(shown)) == len(house().words)
    assert played.state.deal.number == 49


def test_a_pair_of_pouches_stays_four_rounds() -> None:
    """F-01: both cards have the same position, the pouches' sides stay as they are."""
    played = Played()
    pairs = [state.deal.pouches for state in played.deals()]
    faces = [state.deal.face for state in Played().deals()]
    assert len(set(pairs[:4])) == len(set(pairs[4:])) == 1
    assert not set(pairs[0]) & set(pairs[4])
    assert faces == [0, 1, 2, 3, 0, 1, 2, 3]


def test_the_positions_are_one_shuffle_for_both_pouches() -> None:
    state = Played().state
    deal, pack = state.deal, house()
    assert sorted(state.positions) == list(range(24))
    at = state.positions[deal.face * 6 : deal.face * 6 + 6]
    assert rules.face(state, deal.ferrets[0]) == pack.face(deal.pouches[0], at)
    assert rules.face(state, weasel_of(state)) == pack.face(deal.pouches[1], at)
    assert len({Played(seed=str(n)).state.positions for n in range(20)}) == 20


def test_a_seat_sees_the_six_words_of_its_own_face() -> None:
    """F-03: and never a role."""
    state = Played().state
    for seat in state.deal.players:
        (line,) = rules.look(state, seat)
        words = {str(line.args["word"]).lower(), *str(line.args["others"]).split(", ")}
        assert words == set(rules.face(state, seat))
        assert set(line.args) == {"word", "others"}
    assert rules.look(state, "s9") == ()


# --- playing


def test_a_clue_is_refused_for_the_own_card_only() -> None:
    """F-04: the Ferrets' word is a fine clue for the Weasel, and the other way round."""
    state = Played().state
    weasel, ferret = weasel_of(state), state.deal.ferrets[0]
    for seat, other in ((weasel, ferret), (ferret, weasel)):
        for word in rules.face(state, seat):
            event = Answered(seat, "clue/1", Given(words=word.upper()))
            refused = rules.play(state, event, context())
            assert isinstance(refused, Refused)
            assert refused.line.args == {"word": word.upper()}
        for word in rules.face(state, other):
            event = Answered(seat, "clue/1", Given(words=word))
            assert isinstance(rules.play(state, event, context()), Turn)


def test_two_may_give_the_same_clue() -> None:
    """F-06."""
    played = Played()
    for seat in played.state.deal.players:
        played.answer(seat, words="zzz")
    state = played.time_up()
    assert isinstance(state.phase, Studying)
    assert set(state.phase.clues.values()) == {"zzz"}


def test_a_ferrets_guess_is_never_looked_at() -> None:
    """F-11: not even when it is the Ferrets' word; nor is a Weasel's who named another."""
    played = Played()
    for seat in played.state.deal.players:
        played.answer(seat, words="zzz")
    played.time_up()
    ferrets = played.state.deal.ferrets
    word = rules.word_of(played.state, ferrets[0])
    played.answer(ferrets[0], ferrets[0], words=word)
    played.answer(weasel_of(played.state), ferrets[1], words=word)
    state = played.time_up()
    assert state.scores == dict.fromkeys(seats(5), 1)
    assert not any(say.line.key == "guess-was" for say in played.turn.says)


def test_a_void_round_is_not_counted() -> None:
    """F-17."""
    played = Played()
    played.round()
    scores, weasel = played.state.scores, weasel_of(played.state)
    played.ctx = replace(played.ctx, seats=tuple(s for s in seats(5) if s != weasel))
    state = played.feed(Left(weasel))
    assert (state.played, state.scores, state.deal.number) == (1, scores, 3)
    assert weasel not in state.deal.players


def test_a_round_with_two_left_is_void_even_without_the_weasel_leaving() -> None:
    """F-17: one Ferret is no Ferrets."""
    played = Played(3)
    ferret = played.state.deal.ferrets[0]
    played.ctx = replace(played.ctx, seats=tuple(s for s in seats(3) if s != ferret))
    assert isinstance(played.feed(Left(ferret)).phase, Paused)


def test_somebody_else_leaves_while_the_cfo_chooses() -> None:
    """F-19: the choice stays open."""
    played = Played(option="pick")
    deal = played.state.deal
    ferret = next(s for s in deal.ferrets if s != deal.cfo)
    played.ctx = replace(played.ctx, seats=tuple(s for s in seats(5) if s != ferret))
    state = played.feed(Left(ferret))
    assert isinstance(state.phase, Choosing)
    assert ferret not in state.deal.players
    assert rules.look(state, deal.cfo) == ()


def test_somebody_lost_while_the_cfo_chooses_is_not_waited_for() -> None:
    """F-16: no clue is waited for from who can't give one."""
    played = Played(option="pick")
    deal = played.state.deal
    lost = next(seat for seat in deal.players if seat != deal.cfo)
    played.ctx = replace(played.ctx, seats=tuple(s for s in seats(5) if s != lost))
    assert isinstance(played.feed(Undeliverable(lost)).phase, Choosing)
    state = played.answer(deal.cfo, "3")
    assert isinstance(state.phase, Clueing)
    assert lost not in state.phase.ballot.waiting


def a_ferret_in_office() -> tuple[Played, Seat]:
    """A table of four whose CFO, a Ferret, is to pick the number."""
    played = Played(4, option="pick")
    cfo = played.state.deal.ferrets[0]
    played.state = replace(played.state, deal=replace(played.state.deal, cfo=cfo))
    return played, cfo


def test_the_office_passes_to_somebody_who_was_dealt_a_card() -> None:
    """F-19: whoever sat down since would be shown a card that is not theirs (F-03)."""
    played, cfo = a_ferret_in_office()
    at = seats(4).index(cfo) + 1
    table = (*seats(4)[:at], "late", *seats(4)[at:])
    played.ctx = replace(played.ctx, table=table, seats=tuple(s for s in table if s != cfo))
    state = played.feed(Left(cfo))
    assert isinstance(state.phase, Choosing)
    assert state.deal.cfo in state.deal.players


def test_a_cfo_who_leaves_those_that_are_lost_leaves_the_number_to_the_die() -> None:
    """F-19: nobody is there to take the office."""
    played, cfo = a_ferret_in_office()
    played.ctx = replace(played.ctx, seats=())
    assert isinstance(played.feed(Left(cfo)).phase, Choosing)
    assert isinstance(played.time_up().phase, Clueing)


def test_a_cfo_who_is_lost_leaves_the_number_to_the_die() -> None:
    """F-19."""
    played = Played(option="pick")
    cfo = played.state.deal.cfo
    played.ctx = replace(played.ctx, seats=tuple(s for s in seats(5) if s != cfo))
    state = played.feed(Undeliverable(cfo))
    assert isinstance(state.phase, Clueing)
    assert state.deal.slot in range(1, 7)


def test_who_comes_back_is_waited_for_again() -> None:
    """F-18: and starts afresh with missed rounds."""
    played = Played()
    played.state = replace(played.state, missed={"s1": 1})
    played.feed(Undeliverable("s1"))
    state = played.feed(Joined("s1"))
    assert isinstance(state.phase, Clueing)
    assert "s1" in state.phase.ballot.waiting
    assert state.missed == {}


def test_who_comes_late_plays_from_the_next_round_with_no_points() -> None:
    """F-17."""
    played = Played(4)
    played.ctx = replace(played.ctx, table=seats(5), seats=seats(5))
    state = played.feed(Joined("s5"))
    assert "s5" not in state.deal.players
    state = played.round()
    assert "s5" in state.deal.players
    assert state.scores["s5"] == 0


def test_a_paused_game_goes_on_when_enough_are_there() -> None:
    """F-24."""
    played = Played(3)
    played.ctx = replace(played.ctx, seats=seats(2))
    assert isinstance(played.feed(Left("s3")).phase, Paused)
    played.ctx = replace(played.ctx, seats=("s1",))
    assert isinstance(played.feed(Left("s2")).phase, Paused)
    played.ctx = replace(played.ctx, seats=("s1", "s3"))
    assert isinstance(played.feed(Joined("s3")).phase, Paused)
    played.ctx = replace(played.ctx, table=seats(4), seats=("s1", "s3", "s4"))
    assert played.feed(Joined("s4")).deal.players == ("s1", "s3", "s4")


# --- time and length


@pytest.mark.parametrize(
    ("pace", "number", "clue", "ballot"),
    [("live", 30, 120, 90), ("relaxed", 120, 480, 360), ("mail", 86_400, 86_400, 86_400)],
)
def test_the_phases_last_as_long_as_the_table_says(
    pace: PaceName, number: int, clue: int, ballot: int
) -> None:
    """F-20, and the table of paces."""
    played = Played(option="pick")
    played.ctx = replace(played.ctx, pace=Pace(pace))
    played.take(rules.start(played.ctx))
    for seconds in (number, clue, ballot):
        wait = rules.deadline(played.state)
        assert wait is not None
        assert wait.length_ms == seconds * 1_000
        played.time_up()


@pytest.mark.parametrize(("pace", "seconds"), [("live", 45), ("relaxed", 180), ("mail", 86_400)])
def test_a_turn_lasts_as_long_as_the_table_says(pace: PaceName, seconds: int) -> None:
    ctx = replace(context(), pace=Pace(pace), chosen=("roll", "point-of-order"))
    wait = rules.deadline(rules.start(ctx).state)
    assert wait is not None
    assert wait.length_ms == seconds * 1_000


def test_turns_go_clockwise_from_the_cfo() -> None:
    played = Played(4)
    played.ctx = replace(played.ctx, chosen=("roll", "point-of-order"))
    state = played.take(rules.start(played.ctx))
    first = seats(4).index(state.deal.cfo)
    for step in range(4):
        (ask,) = rules.asks(played.state)
        assert ask.public
        assert ask.to == seats(4)[(first + step) % 4]
        played.answer(ask.to, words=f"zzz{step}")
    assert isinstance(played.state.phase, Studying)


def test_a_team_round_with_three_left_is_void_whoever_left() -> None:
    """Counted as if both Weasels were here: else a round that goes on would tell of them."""
    played = Played(5)
    played.ctx = replace(played.ctx, chosen=("roll", "team-weasel"))
    first, second, *_ = played.take(rules.start(played.ctx)).deal.ferrets
    played.ctx = replace(played.ctx, seats=tuple(s for s in seats(5) if s != first))
    assert played.feed(Left(first)).deal.number == 1
    rest = tuple(s for s in seats(5) if s not in {first, second})
    played.ctx = replace(played.ctx, seats=rest)
    state = played.feed(Left(second))
    assert state.deal.number == 2
    assert not state.variant.team_weasel
    assert played.turn.says[0].line.key == "round-is-void"


def test_a_duel_ends_with_whoever_leaves_it() -> None:
    """While it waits for somebody, too: two are all there are."""
    for quiet in (False, True):
        played = Played(2)
        played.ctx = replace(played.ctx, chosen=("roll", "duel"))
        played.take(rules.start(played.ctx))
        if quiet:
            played.time_up()
            assert isinstance(played.time_up().phase, Paused)
        played.ctx = replace(played.ctx, seats=("s1",))
        assert played.feed(Left("s2")).phase == Ended(())


def test_no_pouch_comes_again_in_a_rematch_before_all_were_used() -> None:
    used: list[int] = []
    played = Played(3)
    for _ in range(12):
        used += played.state.deal.pouches
        played.round()
        played.take(rules.start(replace(played.ctx, last=played.state)))
        assert played.state.history == ()
        assert set(played.state.scores.values()) == {0}
    assert sorted(used) == list(range(24))


def test_a_game_has_eight_rounds() -> None:
    """F-21: or more, if the lead is tied; the most points win."""
    for seed in range(10):
        played = Played(seed=str(seed))
        rounds = len(list(played.deals()))
        result = rules.result(played.state)
        assert result is not None
        assert rounds >= 8
        best = max(result.points.values())
        assert result.winners == tuple(s for s, total in result.points.items() if total == best)
        assert len(result.winners) == 1 or rounds == 18
        assert rules.deadline(played.state) is None
        assert rules.asks(played.state) == ()


def test_three_to_seven_play() -> None:
    """F-23."""
    assert GAME.seats(()) == (3, 7)
    assert Played(7).state.deal.players == seats(7)


def test_a_texting_table_rolls_unless_the_host_chose() -> None:
    """F-19."""
    for option, texting, phase in (
        ("", (), Choosing), ("", ("s2",), Clueing), ("pick", ("s2",), Choosing),
        ("roll", (), Clueing),
    ):  # fmt: skip
        ctx = replace(context(), chosen=(option,) if option else (), texting=texting)
        assert isinstance(rules.start(ctx).state.phase, phase)


def test_a_variant_is_what_the_host_chose() -> None:
    assert chosen(()) == Variant()
    assert chosen(("pick",)).number == "pick"
    assert chosen(("roll",)).number == "roll"


def test_every_row_of_the_rules_page_names_a_test_or_a_transcript_that_exists() -> None:
    rows = [line for line in (__doc__ or "").splitlines() if line.strip()]
    assert [f"F-{n:02}" in (__doc__ or "") for n in range(1, 26)] == [True] * 25
    named = {word.strip(",;") for line in rows for word in line.split() if word.strip(",;")}
    transcripts = {path.name for path in paths("ferret_out")}
    assert {word for word in named if word.endswith(".txt")} <= transcripts
    here = Path(__file__).parent
    source = "".join(path.read_text("utf-8") for path in here.glob("test_*.py"))
    tests = {word for word in named if word.startswith("test_") and "." not in word}
    assert all(f"def {t}(" in source or (here / f"{t.strip(':')}.py").exists() for t in tests)


# --- words of one's own ------------------------------------------------------------------------


def test_a_room_plays_with_the_pack_it_was_started_with() -> None:
    with registered(pack()) as own:
        played = Played(option="pack-nonsense")
        state = played.state
        assert set(rules.face(state, "s1")) <= set(own.words)
        assert room("played-with", variants=Lines((variants.called("pack-nonsense"),))) in (
            played.turn.says
        )


def test_a_rematch_with_other_words_may_have_any_pouch() -> None:
    before = replace(Played().state, used=tuple(range(POUCHES)))
    with registered(pack()):
        ctx = replace(context(option="pack-nonsense"), last=before)
        assert len(rules.start(ctx).state.used) == 2
    assert len(rules.start(replace(context(), last=before)).state.used) == 2
    some = replace(before, used=(1, 2))
    assert rules.start(replace(context(), last=some)).state.used[:2] == (1, 2)
