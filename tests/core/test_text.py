"""The catalogue: lines with their arguments, in two forms."""

import pytest

from core.game import Each, Line, Who
from core.text import CLOSE, OPEN, Catalogue, Text, load, mark, named

SOURCE = """
hello = Hello, { $who }!
    .sms = Hi { $who }
same = The same everywhere.
silent = A long thing.
    .sms = { "" }
count = { $count ->
        [one] One of { $who }
       *[other] { $count } of { $who }
    }
"""


@pytest.fixture
def words() -> Catalogue:
    return Catalogue("en", {"test.ftl": SOURCE})


def test_a_text_has_a_full_form_and_a_short_one(words: Catalogue) -> None:
    text = words.render(Line("hello", {"who": Who("s1")}))
    assert text == Text(f"Hello, {OPEN}s1{CLOSE}!", f"Hi {OPEN}s1{CLOSE}")


def test_without_a_short_form_both_are_the_same(words: Catalogue) -> None:
    assert words.render(Line("same")) == Text("The same everywhere.", "The same everywhere.")


def test_an_empty_short_form_says_nothing(words: Catalogue) -> None:
    assert words.render(Line("silent")).short == ""


def test_several_seats_are_a_list(words: Catalogue) -> None:
    text = words.render(Line("count", {"who": Each(("s1", "s2")), "count": 2}))
    assert named(text.full, {"s1": "Ann", "s2": "Bo"}.__getitem__) == "2 of Ann, Bo"
    assert words.render(Line("count", {"who": "x", "count": 1})).full == "One of x"


def test_a_name_is_put_in_as_it_is() -> None:
    assert named(f"{mark('s1')} left", lambda _: "{ $who } *<b>") == "{ $who } *<b> left"
    assert named("nobody left", mark) == "nobody left"


def test_no_isolation_marks_turn_a_text_message_into_a_dear_one(words: Catalogue) -> None:
    assert not set(words.render(Line("hello", {"who": "x"})).full) & {"\u2068", "\u2069"}


def test_what_somebody_typed_is_no_markup(words: Catalogue) -> None:
    assert words.render(Line("hello", {"who": "{ hello }"})).full == "Hello, { hello }!"


def test_an_unknown_key_and_a_missing_argument_are_errors(words: Catalogue) -> None:
    with pytest.raises(KeyError):
        words.render(Line("nothing"))
    with pytest.raises(ValueError, match="hello"):
        words.render(Line("hello"))


def test_a_key_that_two_files_have_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"b\.ftl"):
        Catalogue("en", {"a.ftl": SOURCE, "b.ftl": "same = Another."})


def test_what_is_no_fluent_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"a\.ftl: not understood: broken"):
        Catalogue("en", {"a.ftl": "broken = { $who\n"})


def test_every_word_of_the_house_and_its_games_is_in_one_catalogue() -> None:
    words = load()
    assert words.render(Line("room-full")).full
    assert words.render(Line("ask-clue")).full
