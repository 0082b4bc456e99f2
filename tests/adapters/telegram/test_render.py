"""How a letter looks on Telegram."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.render import TEXT_UNITS, cut, render, toast
from core.delivery import Button, Letter
from core.text import mark

NAMES = {"s1": "Ann", "s2": "<b>Bo</b> & _co_", "s3": "دانا"}


def letter(text: str, *labels: str) -> Letter:
    buttons = tuple(Button(label, f"r1:vote/1:{at}") for at, label in enumerate(labels))
    return Letter("telegram:123:x", text, "", names=NAMES, buttons=buttons)


def rows(*labels: str) -> list[list[str]]:
    keyboard = render(letter("Vote!", *labels))[-1].keyboard
    return [[button.text for button in row] for row in keyboard.inline_keyboard] if keyboard else []


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_a_name_is_plain_text_isolated_from_what_is_around_it() -> None:
    page = render(letter(f"{mark('s2')} voted for {mark('s3')}."))[0]
    assert page.text == "\u2068<b>Bo</b> & _co_\u2069 voted for \u2068دانا\u2069."
    assert page.keyboard is None


def test_short_labels_share_a_row_and_long_ones_do_not() -> None:
    assert rows("1", "2", "3", "4") == [["1", "2", "3"], ["4"]]
    assert rows("Ann", "Bartholomew", "Cy") == [["Ann", "Bartholomew"], ["Cy"]]
    assert rows("Ann", "Bartholomew the Third") == [["Ann"], ["Bartholomew the Third"]]


def test_wide_letters_count_double() -> None:
    assert rows("山田太郎です", "Bo", "Cy") == [["山田太郎です", "Bo"], ["Cy"]]


def test_a_name_on_a_button_is_plain() -> None:
    assert rows(mark("s2"), mark("s3")) == [["<b>Bo</b> & _co_", "دانا"]]


def test_a_button_sends_what_the_letter_says() -> None:
    keyboard = render(letter("Vote!", "Ann", "Bo"))[0].keyboard
    assert keyboard
    sent = [button.callback_data for row in keyboard.inline_keyboard for button in row]
    assert sent == ["r1:vote/1:0", "r1:vote/1:1"]


def test_a_button_with_too_much_data_is_a_bug() -> None:
    fits, too_long = Button("Ann", "é" * 32), Button("Ann", "é" * 32 + "x")
    assert render(Letter("a", "Vote!", "", buttons=(fits,)))
    with pytest.raises(ValueError, match="64 bytes"):
        render(Letter("a", "Vote!", "", buttons=(too_long,)))


def test_a_long_text_is_cut_at_line_breaks_and_the_last_part_has_the_buttons() -> None:
    first, second = "a" * 4000, "b" * 4000
    pages = render(letter(f"{first}\n{second}\nVote!", "Ann"))
    assert [page.text for page in pages] == [first, f"{second}\nVote!"]
    assert [page.keyboard is not None for page in pages] == [False, True]


def test_the_limit_counts_utf_16_units() -> None:
    assert len(cut("🎻" * 2048, TEXT_UNITS)) == 1
    assert [units(part) for part in cut("🎻" * 2049, TEXT_UNITS)] == [4096, 2]


def test_a_family_is_not_torn_apart() -> None:
    family = "👩\u200d👩\u200d👧"
    assert cut("ab" + family, 9) == ("ab", family)


def test_a_letter_that_says_nothing_has_no_pages() -> None:
    assert render(letter(" \n\n")) == ()


@given(st.text(alphabet="ab é🎻\n👩\u200d", max_size=60), st.integers(8, 40))
def test_every_part_fits_and_nothing_is_lost(text: str, most: int) -> None:
    parts = cut(text, most)
    assert all(0 < units(part) <= most for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_a_toast_is_cut_to_what_telegram_shows() -> None:
    assert toast(f"You: {mark('s1')}", NAMES) == "You: \u2068Ann\u2069"
    assert toast("🎻" * 100, {}) == "🎻" * 100
    assert toast("🎻" * 101, {}) == "🎻" * 99 + "…"
