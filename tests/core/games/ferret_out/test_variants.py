"""What a host can choose, what goes together (the end of DECISIONS.md), who may play."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import TypeVar

import pytest
from msgspec.structs import replace

from core.dice import Dice
from core.game import Context, Line, Refused
from core.games.ferret_out import GAME, rules, variants
from core.games.ferret_out.variants import NAMES, Variant
from core.pace import Pace
from tests.packs import pack, registered

T = TypeVar("T")

APART = {
    ("paranoia", "duel"): "duel-is-paranoid",
    ("team-weasel", "duel"): "duel-has-no-team",
}
FEWEST = {(): (3, 7), ("team-weasel",): (5, 7), ("duel",): (2, 2), ("paranoia",): (3, 7)}


class Sleeves(Dice, frozen=True):
    """Dice that have fallen: the sleeves, from the top."""

    top: tuple[str, ...] = ()

    def order(self, items: Sequence[T], label: str) -> list[T]:
        """The sleeves as they lie, whatever is asked for."""
        assert label == "weasel"
        assert set(self.top) <= set(items)
        by_name = {str(item): item for item in items}
        return [by_name[name] for name in self.top]


def weasels(variant: Variant, n: int) -> Counter[int]:
    """How many Weasels there are, over all orders of the sleeves."""
    seats = tuple(f"s{i}" for i in range(1, n + 1))
    ctx = Context(0, Dice("1", 0), Pace(), seats, seats)
    sleeves = (*seats, *("",) * variant.spare_cards)
    return Counter(
        len(rules._weasels(variant, replace(ctx, dice=Sleeves("1", 0, top))))
        for top in permutations(sleeves, variant.weasel_cards)
    )


def chance(variant: Variant, n: int, count: int) -> Fraction:
    dealt = weasels(variant, n)
    return Fraction(dealt[count], sum(dealt.values()))


# --- dealing


@pytest.mark.parametrize("n", range(3, 8))
def test_one_weasel_is_sure_in_the_base_game_and_two_with_a_team(n: int) -> None:
    assert chance(Variant(), n, 1) == 1
    assert chance(Variant(team_weasel=True), n, 2) == 1


@pytest.mark.parametrize("n", range(3, 8))
def test_the_chance_of_no_weasel_in_paranoia_is_one_in_one_more_than_play(n: int) -> None:
    assert chance(Variant(paranoia=True), n, 0) == Fraction(1, n + 1)
    assert chance(Variant(paranoia=True), n, 1) == Fraction(n, n + 1)


@pytest.mark.parametrize("n", range(5, 8))
def test_a_paranoid_team_has_one_or_two_weasels_and_never_none(n: int) -> None:
    both = Variant(paranoia=True, team_weasel=True)
    assert chance(both, n, 2) == Fraction(n - 1, n + 1)
    assert chance(both, n, 1) == Fraction(2, n + 1)


def test_the_three_deals_of_a_duel_are_as_likely() -> None:
    ctx = Context(0, Dice("1", 0), Pace(), ("s1", "s2"), ("s1", "s2"))
    dealt = Counter(
        rules._weasels(Variant(duel=True), replace(ctx, dice=Sleeves("1", 0, top)))
        for top in permutations(("s1", "s2", ""))
    )
    assert dealt == {(): 2, ("s1",): 2, ("s2",): 2}


@pytest.mark.parametrize(
    ("chosen", "n", "least", "most"), [((), 5, 1, 1), (("team-weasel",), 5, 2, 2),
    (("paranoia",), 3, 0, 1), (("duel",), 2, 0, 1), (("paranoia", "team-weasel"), 6, 1, 2)],
)  # fmt: skip
def test_many_deals_have_as_many_weasels_as_can_be(
    chosen: tuple[str, ...], n: int, least: int, most: int
) -> None:
    """The same through the whole deal, with real dice: 300 seeds."""
    seats = tuple(f"s{i}" for i in range(1, n + 1))
    ctx = Context(0, Dice("1", 0), Pace(), seats, seats, chosen=(*chosen, "roll"))
    dealt = Counter(
        len(rules.start(replace(ctx, dice=Dice(str(seed), 0))).state.deal.weasels)
        for seed in range(300)
    )
    assert set(dealt) == {least, most}
    expected = (
        float(weasels(variants.chosen(chosen), n)[least])
        / weasels(variants.chosen(chosen), n).total()
    )
    assert abs(dealt[least] / 300 - expected) < 0.1


# --- choosing


@pytest.mark.parametrize(("one", "other"), list(combinations(NAMES, 2)))
def test_two_variants_go_together_or_it_is_said_why_not(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        made = variants.choose((first,), second)
        why = APART.get((one, other))
        assert made == (Refused(Line(why)) if why else (first, second))


def test_what_is_on_goes_off_again() -> None:
    assert variants.choose(("duel", "to-15"), "duel") == ("to-15",)


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        (("to-15",), "to-20", ("to-20",)),
        (("to-20", "duel"), "rounds-4", ("duel", "rounds-4")),
        (("rounds-4",), "to-7", ("to-7",)),
        (("pick",), "roll", ("roll",)),
        (("roll", "to-15"), "pick", ("to-15", "pick")),
    ],
)
def test_of_the_endings_only_one_is_on_and_of_the_ways_to_a_number(
    before: tuple[str, ...], name: str, after: tuple[str, ...]
) -> None:
    assert variants.choose(before, name) == after


@pytest.mark.parametrize(
    "name", ["", "charades", "rounds-", "rounds-0", "rounds-31", "rounds-x", "to-0", "to-301", "to"]
)
def test_what_is_unknown_or_out_of_bounds_is_refused(name: str) -> None:
    assert variants.choose((), name) == Refused(Line("no-such-variant"))


@pytest.mark.parametrize("name", ["rounds-1", "rounds-30", "to-1", "to-300", *NAMES])
def test_what_is_known_and_within_bounds_is_chosen(name: str) -> None:
    assert variants.choose((), name) == (name,)


def test_the_menu_lists_the_usual_and_whatever_else_is_on() -> None:
    listed = [option.value for option in variants.menu(("rounds-3", "duel", "pick"))]
    assert listed == [*NAMES, "to-15", "to-20", "rounds-3", "pick"]
    on = [one.value for one in variants.menu(("duel",)) if one.shown == shown("duel", on=True)]
    assert on == ["duel"]


def shown(name: str, *, on: bool) -> Line:
    return Line(f"variant-{'on' if on else 'off'}", {"name": variants.called(name)})


def test_a_variant_is_what_the_host_chose() -> None:
    assert variants.chosen(()) == Variant()
    assert variants.chosen(("pick",)).number == "pick"
    assert variants.chosen(("roll",)).number == "roll"
    assert variants.chosen(("duel", "to-15")) == Variant(duel=True, to_points=15)
    assert variants.chosen(("rounds-3",)).rounds == 3
    assert variants.chosen(tuple(NAMES[:4])).names == NAMES[:4]


@pytest.mark.parametrize(("chosen", "seats"), FEWEST.items(), ids=list(map("+".join, FEWEST)))
def test_how_few_and_how_many_can_play(chosen: tuple[str, ...], seats: tuple[int, int]) -> None:
    assert GAME.seats(chosen) == seats


@pytest.mark.parametrize("chosen", [(), ("paranoia",), ("team-weasel", "duel"), NAMES])
def test_the_rules_speak_of_what_is_on_and_of_nothing_else(chosen: tuple[str, ...]) -> None:
    first, *others = GAME.rules(chosen, None)
    assert first == Line("rules-ferret-out", {"rounds": 8, "points": 0})
    named = [line.key.removeprefix("rules-") for line in others]
    if {"paranoia", "team-weasel"} <= set(chosen):
        assert named == ["point-of-order", "weasel-brained", "duel", "paranoia-team-weasel"]
    else:
        assert named == [name for name in NAMES if name in chosen]


# --- words of one's own ------------------------------------------------------------------------


def test_a_pack_is_on_the_menu_once_there_is_one_and_its_name_is_told() -> None:
    assert "pack-nonsense" not in [one.value for one in variants.menu(())]
    with registered(pack()):
        menu = {one.value: one.shown for one in variants.menu(())}
        called = Line("name-pack", {"pack": "nonsense"})
        assert menu["pack-nonsense"] == Line("variant-off", {"name": called})
        assert variants.chosen(("pack-nonsense",)).pack == "nonsense"


def test_a_pack_whose_name_ends_in_a_number_is_called_by_its_name() -> None:
    assert variants.called("pack-my-2") == Line("name-pack", {"pack": "my-2"})


def test_one_pack_is_chosen_at_a_time_and_switched_off_again() -> None:
    with registered(pack("one")), registered(pack("two")):
        assert variants.choose(("pack-one", "duel"), "pack-two") == ("duel", "pack-two")
        assert variants.choose(("pack-one",), "pack-one") == ()


@pytest.mark.parametrize("name", ["pack-nonsense", "pack-house", "pack-"])
def test_a_pack_that_is_not_there_is_refused(name: str) -> None:
    assert variants.choose((), name) == Refused(Line("no-such-variant"))
