"""Dice: deterministic, uniform, and the same for ever."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dice import Dice


@given(st.text(), st.integers(0), st.lists(st.integers()), st.text())
def test_an_order_is_the_same_items_and_the_same_every_time(
    seed: str, step: int, items: list[int], label: str
) -> None:
    rolled = Dice(seed, step).order(items, label)
    assert sorted(rolled) == sorted(items)
    assert rolled == Dice(seed, step).order(items, label)


def test_the_rolls_of_stored_rooms_never_change() -> None:
    assert Dice("7", 0).order("abcdef", "positions") == list("cbfaed")
    assert Dice("7", 1).order("abcdef", "positions") != Dice("7", 0).order("abcdef", "positions")


def test_every_item_is_as_likely_as_the_others() -> None:
    rolls = Counter(Dice("seed", step).one_of("abc", "die") for step in range(3_000))
    assert all(900 < count < 1_100 for count in rolls.values())


def test_labels_roll_apart() -> None:
    rolls = Counter(
        (Dice("seed", step).one_of("ab", "one"), Dice("seed", step).one_of("ab", "other"))
        for step in range(4_000)
    )
    assert all(900 < count < 1_100 for count in rolls.values())


def test_there_is_nothing_to_roll_from_nothing() -> None:
    with pytest.raises(IndexError):
        Dice("7", 0).one_of([], "die")
