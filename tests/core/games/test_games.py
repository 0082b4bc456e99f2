"""Games and their benches are found by a scan of their folder."""

from core.games import find_benches, find_games


def test_every_game_is_found_under_its_own_name() -> None:
    games = find_games()
    assert games
    assert all(name == game.name for name, game in games.items())


def test_the_benches_of_the_games_are_found() -> None:
    assert "balance" in find_benches()
