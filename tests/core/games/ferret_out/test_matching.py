"""Which typed words are a guess at a word (F-15), and which clues are on a card (F-04)."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.games.ferret_out.matching import key, names_word, on_card
from core.games.ferret_out.pouches import house

HOUSE = house()

KEYS = [
    ("Guitar", "guitar"),
    ("  GUITAR!  ", "guitar"),
    ("ｇｕｉｔａｒ", "guitar"),
    ("guit\u200bar", "guitar"),
    ("café", "cafe"),
    ("Straße", "strasse"),
    ("æon", "aeon"),
    ("søk", "sok"),
    ("œuf", "oeuf"),
    ("łódź", "lodz"),
    ("ﬁre", "fire"),
    ("dog's", "dog"),
    ("dog’s.", "dog"),
    ("dogs'", "dogs"),
    ("“dog’s”", "dog"),
    ("glass'", "glass"),
    ("is it beach?", "beach"),
    ("Is it the beach?", "beach"),
    ("i think beach", "beach"),
    ("I think it's a beach", "beach"),
    ("I think its the beach...", "beach"),
    ("maybe the beach", "beach"),
    ("maybe, uh", "uh"),
    ("it is an owl", "owl"),
    ("a", "a"),
    ("the", "the"),
    ("the a", "a"),
    ("Is it?", "isit"),
    ("t-shirt", "tshirt"),
    ("ice cream", "icecream"),
    ("theater", "theater"),
    ("another", "another"),
    ("isite", "isite"),
    ("maybee", "maybee"),
    ("the-dog", "thedog"),
    ("4x4", "4x4"),
    ("?!", ""),
    ("🐶", ""),
    ("", ""),
]

FILE = Path(__file__).parents[3] / "data" / "matching.tsv"
ROWS = [
    tuple(line.split("\t"))
    for line in FILE.read_text(encoding="utf-8").splitlines()[1:]
    if not line.startswith("# ")
]


@pytest.mark.parametrize(("text", "expected"), KEYS)
def test_a_key_is_what_is_left_of_a_text(text: str, expected: str) -> None:
    assert key(text) == expected


@given(st.text(alphabet="aAbeéßhtis '’-.?🐶"))
def test_a_key_is_letters_and_digits_in_small(text: str) -> None:
    assert key(text) == "".join(ch for ch in key(text).casefold() if ch.isalnum())
    assert key(key(text)) == key(text)


@pytest.mark.parametrize(("kind", "typed", "word", "match"), ROWS)
def test_a_guess_means_the_word_or_not_and_a_clue_is_on_the_card_or_not(
    kind: str, typed: str, word: str, match: str
) -> None:
    matches = {
        "guess": lambda: names_word(typed, word, HOUSE),
        "clue": lambda: on_card(typed, (word,), HOUSE) is not None,
    }
    assert matches[kind]() is (match == "yes")


def test_the_rows_are_many_and_each_comes_once() -> None:
    assert len(ROWS) == len(set(ROWS)) > 500
    assert {match for *_, match in ROWS} == {"yes", "no"}


def test_an_empty_guess_is_none() -> None:
    assert not names_word("", "beach", HOUSE)


@pytest.mark.parametrize("pouch", range(24))
def test_a_word_of_a_pouch_names_itself_and_no_other(pouch: int) -> None:
    words = HOUSE.face(pouch, range(24))
    for word in words:
        assert [other for other in words if names_word(word, other, HOUSE)] == [word]


@settings(max_examples=20)
@given(st.sampled_from(HOUSE.words), st.data())
def test_one_slip_names_at_most_one_word(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    typed = word[:at] + data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz")) + word[at + 1 :]
    assert len([other for other in HOUSE.words if names_word(typed, other, HOUSE)]) <= 1


CARD = ("sand", "wolf", "theater", "tooth", "fox", "bus")


@pytest.mark.parametrize(
    ("clue", "found"),
    [
        ("sand", "sand"),
        ("SAND!", "sand"),
        ("sands", "sand"),
        ("sand’s", "sand"),
        ("wolves", "wolf"),
        ("theatre", "theater"),
        ("théâtres", "theater"),
        ("teeth", "tooth"),
        ("foxes", "fox"),
        ("foxs", "fox"),
        ("buses", "bus"),
        ("sandpaper", None),
        ("sandy", None),
        ("toothbrush", None),
        ("werewolf", None),
        ("wolff", None),
        ("snad", None),
        ("band", None),
        ("foxy", None),
        ("beach", None),
        ("4x4", None),
        ("?", None),
    ],
)
def test_a_clue_is_on_the_card_or_not(clue: str, found: str | None) -> None:
    assert on_card(clue, CARD, HOUSE) == found


def test_a_clue_is_looked_for_on_the_card_given_alone() -> None:
    assert on_card("sand", CARD[1:], HOUSE) is None
