"""Segments against the calculator that Twilio publishes, and laws that hold for any text."""

import json
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sms.segments import Segments, clusters, count, is_gsm7, septets, utf16_units

# Where the published calculator is not followed, and why.
WRONG_IN_THE_CALCULATOR = {
    # A cluster longer than a part: it leaves the first part empty and overfills the second.
    "zalgo 150 combining": (67, 67, 17),
    "zalgo: one grapheme of 101 units (> one part)": (67, 34),
}


class Answer(TypedDict):
    """What the calculator says of one text."""

    encoding: str
    segments: int
    units: int
    units_per_segment: list[int]


class Case(TypedDict):
    """One named text."""

    name: str
    text: str
    plain: Answer


class RandomCase(TypedDict):
    """One text of the unnamed, random rest: without the units of each part."""

    text: str
    encoding: str
    segments: int
    units: int


_CASES = json.loads((Path(__file__).parents[2] / "data" / "segments.json").read_text("utf-8"))
NAMED: list[Case] = [case for case in _CASES["cases"] if "name" in case]
RANDOM: list[RandomCase] = [case for case in _CASES["cases"] if "name" not in case]

gsm = st.text("abcdefgXYZ 0123456789@\n[]{}€^~|\\", max_size=400)
letters_and_pictures = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("aж😀👍🏽\u0301\u200d\ufe0f🇺🇸👩❤€\r\n"),
    ),
    max_size=300,
)
texts = st.one_of(gsm, letters_and_pictures)


@pytest.mark.parametrize("case", NAMED, ids=lambda case: case["name"])
def test_a_named_text_is_cut_as_the_published_calculator_cuts_it(case: Case) -> None:
    answer = case["plain"]
    parts = WRONG_IN_THE_CALCULATOR.get(case["name"], tuple(answer["units_per_segment"]) or (0,))
    counted = count(case["text"])
    assert counted == Segments(counted.encoding, parts)
    assert counted.encoding == answer["encoding"]


def test_random_texts_cost_what_the_published_calculator_says() -> None:
    for case in RANDOM:
        counted = count(case["text"])
        got = (counted.encoding, counted.segments, sum(counted.parts))
        assert got == (case["encoding"], case["segments"], case["units"]), case["text"]


def test_every_exception_to_the_calculator_is_still_a_case_of_it() -> None:
    assert set(WRONG_IN_THE_CALCULATOR) <= {case["name"] for case in NAMED}


def test_an_empty_text_is_one_segment_of_nothing() -> None:
    assert count("") == Segments("GSM-7", (0,))
    assert count("").segments == 1


def test_an_extension_character_is_not_cut_in_two() -> None:
    assert count("a" * 152 + "€" + "a" * 152).parts == (152, 153, 1)


def test_a_flag_is_not_cut_in_two() -> None:
    assert count("a" * 65 + "🇺🇸" + "a" * 65).parts == (65, 67, 2)


def test_septets_of_a_text_that_is_not_gsm_are_refused() -> None:
    with pytest.raises(ValueError, match="outside GSM"):
        septets("ж")


@pytest.mark.parametrize("char", ["`", "\t", "ç", "á", "\u2019", "\x1b", "°", "\u00a0"])
def test_a_harmless_looking_character_is_not_gsm(char: str) -> None:
    assert not is_gsm7(char)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zoe\u0308", ["Z", "o", "e\u0308"]),
        ("👩\u200d👩\u200d👧!", ["👩\u200d👩\u200d👧", "!"]),
        ("🇺🇸🇫🇷", ["🇺🇸", "🇫🇷"]),
        ("👍🏽ok", ["👍🏽", "o", "k"]),
        ("\r\n\u0301", ["\r", "\n", "\u0301"]),
    ],
)
def test_a_cluster_is_what_a_reader_takes_for_one_sign(text: str, expected: list[str]) -> None:
    assert clusters(text) == expected


@given(texts)
def test_no_unit_is_lost(text: str) -> None:
    total = septets(text) if is_gsm7(text) else utf16_units(text)
    assert sum(count(text).parts) == total


@given(texts)
def test_no_part_is_ever_too_long(text: str) -> None:
    counted = count(text)
    alone, in_part = (160, 153) if counted.encoding == "GSM-7" else (70, 67)
    assert max(counted.parts) <= (alone if counted.segments == 1 else in_part)
    assert all(counted.parts) or not text


@given(texts, texts)
def test_more_text_never_costs_less(text: str, more: str) -> None:
    assert count(text + more).segments >= count(text).segments


@given(letters_and_pictures)
def test_clusters_put_together_are_the_text(text: str) -> None:
    assert "".join(clusters(text)) == text
