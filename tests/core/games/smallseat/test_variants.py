"""What a host can choose, and what a game makes of it."""

import pytest

from core.dice import Dice
from core.game import Line, Refused
from core.games.smallseat import GAME
from core.games.smallseat.animals import KINDS, TIERS
from core.games.smallseat.variants import animals, choose, menu, teller

DICE = Dice("7", 0)
TABLE = ("s1", "s2", "s3", "s4")


def test_the_first_game_is_that_of_the_rulebook() -> None:
    assert set(animals((), 4, DICE)) == {"hedgehog", "rabbit", "pig", "dog"}


@pytest.mark.parametrize("players", range(3, 13))
@pytest.mark.parametrize("options", [(), ("medium",), ("advanced",), ("random",), ("all",)])
def test_there_are_as_many_animals_as_players_at_least(
    players: int, options: tuple[str, ...]
) -> None:
    kinds = animals(options, players, DICE)
    assert len(set(kinds)) == len(kinds) == (12 if options == ("all",) else players)
    assert list(kinds) == [kind for kind in KINDS if kind in kinds]


@pytest.mark.parametrize("tier", ["medium", "advanced"])
def test_a_tier_comes_first(tier: str) -> None:
    assert set(animals((tier,), 4, DICE)) == set(TIERS[tier])
    assert set(TIERS[tier]) < set(animals((tier,), 7, DICE))


def test_animals_by_chance_differ_from_room_to_room() -> None:
    assert len({animals(("random",), 5, Dice(str(seed), 0)) for seed in range(20)}) > 10


def test_what_the_host_switched_on_is_in_and_more_than_players_may_be() -> None:
    assert set(animals(("otter", "koala"), 3, DICE)) == {"otter", "koala", "hedgehog"}
    many = tuple(KINDS[:6])
    assert animals(many, 4, DICE) == many


def test_the_host_picks_the_teller_or_chance_does() -> None:
    assert teller(("teller-s3",), TABLE, DICE) == "s3"
    drawn = {teller(("teller-s9",), TABLE, Dice(str(seed), 0)) for seed in range(40)}
    assert drawn == set(TABLE)


def test_of_one_group_only_one_is_on() -> None:
    options: tuple[str, ...] = ()
    for name in ("otter", "medium", "pig", "teller-s1", "all", "teller-s2", "easy", "sharp"):
        made = choose(options, name)
        assert not isinstance(made, Refused)
        options = made
    assert options == ("otter", "pig", "all", "teller-s2", "sharp")
    assert choose(options, "otter") == ("pig", "all", "teller-s2", "sharp")
    assert choose(options, "unicorn") == Refused(Line("no-such-choice"))


def test_the_menu_lists_whoever_sits_there() -> None:
    listed = [option.value for option in menu((), TABLE)]
    assert [one for one in listed if one.startswith("teller-")] == [f"teller-{s}" for s in TABLE]
    assert set(KINDS) < set(listed)
    assert GAME.seats(()) == (3, 12)
