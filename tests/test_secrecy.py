"""Twins: what a seat may not know changes nothing that it sees."""

import pytest
from hypothesis import given, settings

from core.game import AnyGame
from core.games import find_games
from tests.plays import Options, tables
from tests.worlds import WORLDS, World, compare, evening, secrets_of

GAMES = find_games()
TABLES = tables(endings=False)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_gives_twins(game: AnyGame) -> None:
    assert secrets_of(game).twins
    assert secrets_of(game).told


TWINS = pytest.mark.parametrize(("game", "options"), TABLES.values(), ids=list(TABLES))


@TWINS
@settings(max_examples=25)
@given(world=WORLDS)
def test_a_seat_sees_the_same_in_twin_worlds(game: AnyGame, options: Options, world: World) -> None:
    compare(game, options, world)


@TWINS
def test_a_seat_sees_the_same_all_evening(
    game: AnyGame, options: Options, caplog: pytest.LogCaptureFixture
) -> None:
    compared = [evening(game, options, seed) for seed in range(2)]
    assert sum(compared) > 10
    assert not caplog.records


@pytest.mark.long
@TWINS
def test_a_seat_sees_the_same_on_many_evenings(game: AnyGame, options: Options) -> None:
    for seed in range(2, 14):
        evening(game, options, seed)


@pytest.mark.long
@TWINS
@settings(max_examples=100)
@given(world=WORLDS)
def test_a_seat_sees_the_same_in_many_twin_worlds(
    game: AnyGame, options: Options, world: World
) -> None:
    compare(game, options, world)
