"""The bench plays by its policy, and its figures are those of the reference table."""

import pytest

from core.ballot import Ballot
from core.game import Line, Refused
from core.games.smallseat import bench
from core.games.smallseat.bench import REFERENCE, Figures, Player
from core.games.smallseat.rules import asks
from core.games.smallseat.state import Hand, Keeping, State


@pytest.mark.parametrize("players", REFERENCE)
def test_a_few_games_come_near_the_reference(players: int) -> None:
    figures = Figures()
    for number in range(60):
        bench.game(f"near/{players}/{number}", players, figures)
    rounds, ties, winning, *_ = figures.row
    wanted = REFERENCE[players]
    assert rounds == pytest.approx(wanted[0], abs=1.2)
    assert ties == pytest.approx(wanted[1], abs=0.08)
    assert winning == pytest.approx(wanted[2], abs=0.15)


def test_the_table_has_ours_and_the_reference_line_by_line() -> None:
    told = bench.smallseat(1, 0, "", "seed").splitlines()
    assert len(told) == 2 + 2 * len(REFERENCE)
    assert told[1].split()[1:] == list(bench.COLUMNS)
    assert told[3].split() == [f"{one:.2f}" for one in REFERENCE[3]]
    assert bench.smallseat(1, 0, "", "seed").splitlines() == told


def test_at_the_cap_any_card_is_kept() -> None:
    hands = {"s1": Hand((0,)), "s2": Hand((1, 9))}
    ballot = Ballot(0, {"s2": 1})
    state = State(("dog", "pig"), "s1", ("s1", "s2"), Keeping(ballot), hands=hands)
    (ask,) = asks(state)
    player = Player("seed", Figures())
    kept = {player.answer(state, ask).picked for _ in range(20)}
    assert kept == {("dog",), ("pig",)}


def test_no_games_make_no_table() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        bench.smallseat(0, 0, "", "seed")


def test_a_policy_that_is_refused_is_a_fault() -> None:
    with pytest.raises(TypeError, match="pay-one-of-each"):
        bench._after(Refused(Line("pay-one-of-each")))
