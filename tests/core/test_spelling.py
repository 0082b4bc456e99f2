"""How typed text is compared."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.spelling import edits, fold, graphemes, key, tidy, trim


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("  two   words\n\tmore ", "two words more"),
        ("ＦＵＬＬ", "FULL"),
        ("z\u200be\u200dr\ufeffo", "zero"),
        ("\u202egnirts\u202c", "gnirts"),
        ("a\ue000s1\ue001b\U000f0000", "as1b"),
        ("don’t “go” – so", 'don\'t "go" - so'),
        ("2\ufe0f\u20e3", "2"),
        ("①", "1"),
        ("ctrl\x00\x07\x1b", "ctrl"),
        ("lone\ud800", "lone"),
        ("one\r\ntwo\x0bthree\u2028four", "one two three four"),
        ("e\u200b\u0301", "é"),
        ("non\u2011breaking", "non-breaking"),
        ("", ""),
        ("🐾", "🐾"),
        ("क्षि", "क्षि"),
        ("שָּׁלוֹם", unicodedata.normalize("NFKC", "שָּׁלוֹם")),
    ],
)
def test_only_what_can_be_seen_stays(typed: str, seen: str) -> None:
    assert tidy(typed) == seen


def test_marks_are_not_piled_up() -> None:
    assert len(tidy("B" + "\u0335" * 5_000 + "o")) <= 8


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("Bo.", "Bo"),
        ("(Bo!)", "Bo"),
        ("well-known", "well-known"),
        ("...", ""),
        ("", ""),
        ("¿sí?", "sí"),
        ("🐾!", "🐾"),
        ("'tis", "tis"),
    ],
)
def test_punctuation_around_a_word_goes(typed: str, word: str) -> None:
    assert trim(typed) == word


@pytest.mark.parametrize(
    ("one", "other"),
    [("Café", "cafe"), ("STRASSE", "straße"), ("Łódź", "lodz"), ("ÆON", "aeon"), ("Ø", "o")],
)
def test_case_and_marks_do_not_tell_words_apart(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_a_key_has_neither_spaces_nor_punctuation() -> None:
    assert key("Jean-Luc  d'Arc, 2.") == "jeanlucdarc2"
    assert key("!?") == ""


def test_a_grapheme_is_what_a_person_counts() -> None:
    assert len(graphemes("👩‍👩‍👧‍👦é")) == 2


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("wolf", "wolf", 0), ("wolf", "golf", 1),
        ("beach", "baech", 1), ("cat", "cart", 1), ("kitten", "sitting", 3), ("ab", "ba", 1),
    ],
)  # fmt: skip
def test_a_swap_of_neighbours_is_one_slip(one: str, other: str, distance: int) -> None:
    assert edits(one, other) == distance


@given(st.text(max_size=6), st.text(max_size=6))
def test_slips_count_the_same_both_ways(one: str, other: str) -> None:
    assert edits(one, other) == edits(other, one) <= max(len(one), len(other))
    assert (edits(one, other) == 0) == (one == other)


@given(st.text())
def test_what_is_tidy_stays_tidy(typed: str) -> None:
    seen = tidy(typed)
    assert tidy(seen) == seen
    assert not set(seen) & {"\ue000", "\ue001", "\u200b", "\n"}
    assert trim(trim(seen)) == trim(seen)
    assert key(seen) == key(key(seen))
