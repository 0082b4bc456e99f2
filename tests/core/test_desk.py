"""What somebody who sits in no room can wish for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.entropy import SeededEntropy
from core.commands import RESERVED
from core.desk import CODE_LETTERS, RUDE, JoinRoom, NewRoom, Told, Wish, code_length, is_code, wish
from core.text import load

JOIN = JoinRoom("KTRGW")


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("join KTRGW", JOIN), ("JOIN ktrgw", JOIN), ("Join Ktrgw.", JOIN), ("/join ktrgw", JOIN),
        ("JOINKTRGW", JOIN), ("joinktrgw", JOIN), ("ktrgw", JOIN), ("KTRGW", JOIN),
        (" “KTRGW” ", JOIN), ("/ktrgw", JOIN), ("ＫＴＲＧＷ", JOIN), ("join: KTRGW", JOIN),
        ("JOIN KTRGW Bo", JoinRoom("KTRGW", "Bo")),
        ("join ktrgw bo", JoinRoom("KTRGW", "bo")),
        ("joinktrgw Bo  Lee", JoinRoom("KTRGW", "Bo Lee")),
        ("join KTRGWX", JoinRoom("KTRGWX")),
        ("KTRGWXCF", JoinRoom("KTRGWXCF")),
        ("join", JoinRoom("")), ("/join", JoinRoom("")), ("Join!", JoinRoom("")),
        ("new", NewRoom("ferret-out")), ("/NEW", NewRoom("ferret-out")),
        ("new ferret-out", NewRoom("ferret-out")), ("New Ferret Out!", NewRoom("ferret-out")),
        ("/new ferretout", NewRoom("ferret-out")),
    ],
)  # fmt: skip
def test_a_wish_is_understood(typed: str, wanted: Wish) -> None:
    assert wish(typed) == wanted


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("join KTRGA", "join-how"), ("join Bo", "join-how"), ("join KTR", "join-how"),
        ("join KTRGWXCFG", "join-how"), ("join ktrgfck", "join-how"), ("join 12345", "join-how"),
        ("new chess", "no-such-game"), ("rules", "rules-of-the-house"), ("?", "rules-of-the-house"),
        ("/rules", "rules-of-the-house"), ("hi", "hello"), ("", "hello"), ("🏖", "hello"),
        ("leave", "hello"), ("who", "hello"), ("ktrgw hello there", "hello"), ("joinery", "hello"),
        ("a" * 10_000, "hello"), ("join " + "x" * 10_000, "join-how"),
    ],
)  # fmt: skip
def test_what_is_no_wish_is_told_how(typed: str, line: str) -> None:
    told = wish(typed)
    assert isinstance(told, Told)
    assert [one.key for one in told.lines] == [line]
    for one in told.lines:
        load().render(one)


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_carriers_keyword_is_not_answered(word: str) -> None:
    assert wish(word.upper()) == wish(f" {word}. ") == Told(())


@given(st.text())
def test_nothing_that_is_typed_raises(typed: str) -> None:
    wish(typed)
    wish(f"join {typed}")
    wish(f"new {typed}")


def test_a_code_is_long_enough_that_guessing_is_hopeless() -> None:
    possible = len(CODE_LETTERS)
    assert code_length(0) == 5
    for live in (1, 52, 53, 54, 800, 100_000):
        assert possible ** code_length(live) >= 10_000 * live
    assert code_length(60) == 6
    assert code_length(1_000) == 7


def test_a_code_spells_nothing() -> None:
    assert not set(CODE_LETTERS) & set("AEIOUYBDLQSZ0125")
    assert len(set(CODE_LETTERS)) == len(CODE_LETTERS)
    assert not any(is_code(f"{rude}cf") or is_code(f"cf{rude}") for rude in RUDE)


def test_nearly_every_code_that_is_drawn_fits_and_can_be_typed() -> None:
    entropy = SeededEntropy("codes")
    for letters in (5, 6, 7, 8):
        codes = [entropy.code(letters) for _ in range(500)]
        fit = [code for code in codes if is_code(code.casefold())]
        assert len(fit) > 450
        assert all(wish(code) == JoinRoom(code) for code in fit)
