"""A letter as text messages."""

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sms.folding import fold
from adapters.sms.render import MOST_SEGMENTS, bodies, status_path
from adapters.sms.segments import count
from core.delivery import Letter
from core.text import mark


def texts(short: str, **names: str) -> tuple[str, ...]:
    return bodies(Letter(to="sms:x:y", text="the long form", short=short, names=names))


def test_seats_are_called_by_short_names_unlike_each_other() -> None:
    short = f"{mark('s1')}, {mark('s2')} and {mark('s3')}: go!"
    names = {"s1": "Alexandrina", "s2": "Alexandra", "s3": "Łódź"}
    assert texts(short, **names) == ("Alexandr, Alexand2 and Lodz: go!",)


def test_a_seat_nobody_knows_is_a_question_mark() -> None:
    assert texts(f"{mark('s9')} left.") == ("? left.",)


@pytest.mark.parametrize("short", ["", "  ", "\n \n", "\u200b"])
def test_what_says_nothing_is_no_text(short: str) -> None:
    assert texts(short) == ()


def test_text_is_made_cheap() -> None:
    assert texts("It’s “done”… \nwell —  \n") == ('It\'s "done"...\nwell -',)


def test_a_number_for_a_name_is_never_shown_whole() -> None:
    (text,) = texts(f"{mark('s1')} joined.", s1="+12025550142")
    assert not re.search(r"\+?\d{9,}", text)


def test_three_segments_are_one_text() -> None:
    assert texts("x" * 459) == ("x" * 459,)
    assert len(texts("x" * 460)) == 2


def test_more_than_three_segments_are_cut_at_line_ends() -> None:
    lines = [f"{n} a line of the rules, as long as such lines may be." for n in range(20)]
    first, second, third = texts("\n".join(lines))
    assert [text.split("\n")[0] for text in (first, second, third)] == ["(1/3)", "(2/3)", "(3/3)"]
    assert [line for text in (first, second, third) for line in text.split("\n")[1:]] == lines
    assert all(count(text).segments <= MOST_SEGMENTS for text in (first, second, third))


def test_a_line_too_long_is_cut_at_a_space() -> None:
    words = ["word"] * 150
    parts = [text.split("\n")[1] for text in texts(" ".join(words))]
    assert " ".join(parts).split() == words


def test_an_emoji_is_not_torn_in_two() -> None:
    family = "👨‍👩‍👧‍👦"
    parts = [text.split("\n")[1] for text in texts(family * 40)]
    assert len(parts) > 1
    assert all(part.replace(family, "") == "" for part in parts)


@given(st.text(st.sampled_from("ab \n’…😀ж€\u0301\u200d你"), max_size=900))
def test_no_text_is_empty_or_over_three_segments_and_none_is_lost(short: str) -> None:
    found = texts(short)
    assert all(text.strip() and count(text).segments <= MOST_SEGMENTS for text in found)
    said = found if len(found) < 2 else [text.partition("\n")[2] for text in found]
    assert "".join("".join(said).split()) == "".join(fold(short).split())


def test_the_path_of_a_status_holds_what_it_is_about() -> None:
    path = status_path("r:abc.7.0", "abc", "s2")
    assert path == "/sms/status/r%3Aabc.7.0/abc/s2"
    assert unquote(path).split("/")[3:] == ["r:abc.7.0", "abc", "s2"]
    assert status_path("p:sms:x:y.1.0", "", "") == "/sms/status/p%3Asms%3Ax%3Ay.1.0"
