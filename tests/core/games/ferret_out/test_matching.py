"""Which typed words are a guess at a word (F-15), and which clues are on a card (F-04)."""

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

GUESSES = [
    # the word itself, however it is written
    ("beach", "beach", True),
    ("BEACH", "beach", True),
    (" Beach. ", "beach", True),
    ("beach!!!", "beach", True),
    ("the beach", "beach", True),
    ("is it the beach?", "beach", True),
    ("i think it's a beach", "beach", True),
    ("maybe beach", "beach", True),
    ("Café", "cafe", True),
    ("cafe", "cafe", True),
    ("space-ship", "spaceship", True),
    ("space ship", "spaceship", True),
    ("e-mail", "email", True),
    # its noun forms
    ("beaches", "beach", True),
    ("beach's", "beach", True),
    ("beach’s", "beach", True),
    ("beachs", "beach", True),
    ("mice", "mouse", True),
    ("geese", "goose", True),
    ("feet", "foot", True),
    ("wolves", "wolf", True),
    ("shelves", "shelf", True),
    ("tomatoes", "tomato", True),
    ("cherries", "cherry", True),
    ("octopi", "octopus", True),
    ("theatre", "theater", True),
    ("harbour", "harbor", True),
    ("pyjamas", "pajamas", True),
    ("yoghurt", "yogurt", True),
    ("doughnuts", "donut", True),
    ("aeroplane", "plane", True),
    ("buses", "bus", True),
    # three letters: no slip is forgiven
    ("dgo", "dog", False),
    ("dop", "dog", False),
    ("doog", "dog", False),
    ("kat", "cat", False),
    ("owll", "owl", False),
    # four to seven letters: one
    ("beasch", "beach", True),
    ("benhc", "bench", True),
    ("baech", "beach", True),
    ("beahc", "beach", True),
    ("beeach", "beach", True),
    ("bbeaach", "beach", False),
    ("bch", "beach", False),
    ("guitr", "guitar", True),
    ("giutar", "guitar", True),
    ("gitr", "guitar", False),
    ("piza", "pizza", True),
    ("wolff", "wolf", True),
    ("battary", "battery", True),
    ("batrey", "battery", False),
    ("shelvs", "shelf", True),
    ("theatr", "theater", True),
    # eight and more: two
    ("elefant", "elephant", True),
    ("elefent", "elephant", False),
    ("elphant", "elephant", True),
    ("elpehnat", "elephant", True),
    ("elpehnta", "elephant", False),
    ("alligater", "alligator", True),
    ("astronot", "astronaut", True),
    ("choclate", "chocolate", True),
    ("choklat", "chocolate", False),
    ("hosptial", "hospital", True),
    # a word that means something else is no slip
    ("band", "sand", False),
    ("sand", "band", False),
    ("golf", "wolf", False),
    ("wolf", "golf", False),
    ("boat", "coat", False),
    ("coat", "boat", False),
    ("bear", "deer", False),
    ("boats", "coat", False),
    ("mouth", "moth", False),
    ("horse", "house", False),
    ("mouse", "house", False),
    ("rose", "hose", False),  # as near to "nose"
    ("chin", "skin", False),
    ("read", "head", False),  # a clue of the pack
    ("page", "cave", False),
    # as near to two words
    ("hoise", "house", False),
    ("bech", "beach", False),  # or "bench"
    ("batery", "battery", False),  # or "bakery"
    ("hoise", "horse", False),
    ("xand", "sand", False),
    ("xoat", "boat", False),
    # another word
    ("ran", "running", False),
    ("run", "running", False),
    ("swim", "swimming", False),
    ("dressed", "dress", False),
    ("sandpaper", "sand", False),
    ("tshirt", "shirt", True),  # one letter more; a list of words will know it
    ("hamburger", "burger", False),
    ("kitten", "cat", False),
    ("rain", "snow", False),
    ("", "beach", False),
    ("🏖️", "beach", False),
    ("the", "tie", False),
]


@pytest.mark.parametrize(("text", "expected"), KEYS)
def test_a_key_is_what_is_left_of_a_text(text: str, expected: str) -> None:
    assert key(text) == expected


@given(st.text(alphabet="aAbeéßhtis '’-.?🐶"))
def test_a_key_is_letters_and_digits_in_small(text: str) -> None:
    assert key(text) == "".join(ch for ch in key(text).casefold() if ch.isalnum())
    assert key(key(text)) == key(text)


@pytest.mark.parametrize(("typed", "word", "expected"), GUESSES)
def test_a_guess_means_the_word_or_not(typed: str, word: str, *, expected: bool) -> None:
    assert names_word(typed, word, HOUSE) is expected


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
