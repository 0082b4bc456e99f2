"""The bench plays whole games through the real rules, and counts right."""

import pytest
from msgspec.structs import replace

from core.dice import Dice
from core.game import Answered, Ask, Context, Given, TimeUp, Turn, Write
from core.games.ferret_out import GAME, bots
from core.games.ferret_out.bench import BENCHES, Balance, balance
from core.games.ferret_out.bots import MINDS, Seen, Strength
from core.games.ferret_out.pouches import Pack
from core.pace import Pace

STRENGTHS = list(MINDS)


def test_the_same_seed_counts_the_same_and_another_does_not() -> None:
    assert balance(2, seed="a") == balance(2, seed="a")
    assert balance(2, seed="a") != balance(2, seed="b")


@pytest.mark.parametrize("players", [3, 7])
def test_counts_belong_together(players: int) -> None:
    counted = balance(3, players)
    assert counted.games == 3
    assert counted.rounds >= 8 * counted.games
    assert counted.ballots == (players - 1) * counted.rounds
    assert counted.found <= counted.ballots
    assert counted.words <= counted.suspected <= counted.rounds
    assert counted.ferret_points <= 3 * counted.ballots
    assert counted.weasel_points <= 4 * counted.rounds


def test_what_was_counted_reads_as_a_table() -> None:
    counted = Balance(5, "fair", 1, 10, 40, 30, 6, 4, 70, 18)
    assert str(counted).splitlines() == [
        "1 games of 5 fair bots, 10 rounds",
        "  Ferrets name the Weasel         75.0 %",
        "  The Weasel names itself         60.0 %",
        "  The Weasel gets the word        40.0 %",
        "  Points of a Ferret a round        1.75",
        "  Points of the Weasel a round      1.80",
        "  Difference                       -0.05",
    ]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_five_equal_bots_are_in_balance(strength: Strength) -> None:
    counted = balance(25, strength=strength)
    assert 60 < counted.found_percent < 85
    assert 25 < counted.word_percent < 50
    assert abs(counted.ferret_mean - counted.weasel_mean) < 0.6


@pytest.mark.long
@pytest.mark.parametrize("strength", STRENGTHS)
def test_five_equal_bots_are_in_balance_over_2000_games(strength: Strength) -> None:
    counted = balance(strength=strength)
    assert 60 < counted.found_percent < 85
    assert 25 < counted.word_percent < 50
    assert abs(counted.ferret_mean - counted.weasel_mean) < 0.6


@pytest.mark.parametrize(
    ("players", "chosen"),
    [
        (2, ("duel",)),
        (2, ("duel", "point-of-order", "weasel-brained")),
        (3, ("paranoia", "point-of-order")),
        (4, ("weasel-brained",)),
        (5, ("team-weasel", "paranoia")),
        (7, ("team-weasel", "point-of-order", "weasel-brained")),
    ],
)
def test_bots_play_every_variant_to_its_end_and_are_never_refused(
    players: int, chosen: tuple[str, ...]
) -> None:
    seats = tuple(f"s{at}" for at in range(1, players + 1))
    ctx = Context(0, Dice("variants", 0), Pace(), seats, seats, seats, chosen=chosen)
    state = GAME.start(ctx).state
    while deadline := GAME.deadline(state):
        ask = next((ask for ask in GAME.asks(state) if ask.answered is None), None)
        now_ms = ctx.now_ms if ask else deadline.at_ms
        ctx = replace(ctx, now_ms=now_ms, dice=Dice("variants", ctx.dice.step + 1))
        event = Answered(ask.to, ask.id, GAME.bot(state, ask, ctx)) if ask else TimeUp()
        turn = GAME.play(state, event, ctx)
        assert isinstance(turn, Turn)
        state = turn.state
    assert state.played >= 8


def test_a_strength_no_bot_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no bot is 'clever': easy, fair, sharp"):
        BENCHES["balance"](1, 5, "clever")


def test_a_bot_that_is_refused_stops_the_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = bots.answer

    def cheat(ask: Ask, seen: Seen, dice: Dice, pack: Pack) -> Given:
        clue = isinstance(ask.answer, Write)
        return Given(words=seen.card[0]) if clue else answer(ask, seen, dice, pack)

    monkeypatch.setattr(bots, "answer", cheat)
    with pytest.raises(TypeError, match="a bot was refused: clue-is-on-your-card"):
        balance(1)
