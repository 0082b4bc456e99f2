"""What is written plainer on its way out, and read plainer on its way in."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sms.folding import fold, is_tapback, plain_inbound, short_names
from adapters.sms.segments import is_gsm7, septets, utf16_units

any_text = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("abc áçŁœ’“…—\u00a0\u200b\u200d\ufe0f\u0301\r\n\t😀👩ж你€"),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("It’s “done” – or not…", 'It\'s "done" - or not...'),
        ("1\u00a0234\u202f567", "1 234 567"),
        ("• Bo\n• Ann", "- Bo\n- Ann"),
        ("¿Qué? ¡Sí! Ça, ça", "¿Qué? ¡Si! Ça, ca"),
        ("Zoe\u0308 Łódź, Đorđe, Ioană, Bjørn, Œuvre", "Zoe Lodz, Dorde, Ioana, Bjørn, OEuvre"),
        ("Straße für Åsa", "Straße für Åsa"),
        ("İstanbul ışık", "Istanbul isik"),
        ("Nguyễn Thị Hồng", "Nguyen Thi Hong"),
        ("ﬁve ２ ½ 𝐒𝐓", "five 2 1/2 ST"),
        ("a\u200bb\u202ec\u2069d\ufeffe\u00adf", "abcdef"),
        ("one\r\ntwo\rthree\u2028four\tfive\x00\x1b", "one\ntwo\nthree\nfour five"),
        ("1\ufe0f\u20e3 Bo", "1 Bo"),
        ("\u2126 \u212b", "Ω Å"),
        ("a ≠ b → c", "a != b -> c"),
        ("z\u0335\u0489a\u0301\u0302\u0303", "za"),
    ],
)
def test_what_gsm_can_say_is_said_in_gsm(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert is_gsm7(folded)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Łódź 😀 — “tak”", 'Łódź 😀 - "tak"'),
        ("cafe\u0301 😀", "café 😀"),
        ("Привет, Ёжик", "Привет, Ёжик"),
        ("Ώρα", "Ώρα"),
        ("❤\ufe0f", "❤"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("😀\u200dx\u200d", "😀x"),
        ("😀\u200d\u200d😀", "😀😀"),
        ("你好", "你好"),
    ],
)
def test_what_needs_utf16_anyway_keeps_its_letters(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert not is_gsm7(folded)


@given(any_text)
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text)
    assert fold(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(any_text)
def test_folding_leaves_no_control_character_but_the_line_end(text: str) -> None:
    assert not [c for c in fold(text) if unicodedata.category(c) == "Cc" and c != "\n"]


@given(st.text("abc XYZ 019 éèùìòàäöüñåæøßÇÉÄÖÑÜÅ£¥€{}[]~|^\\\n", max_size=200))
def test_a_text_in_gsm_stays_as_it_is(text: str) -> None:
    assert fold(text) == text


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("\u200bSTOP", "STOP"),
        ("“Stop”", '"Stop"'),
        ("𝐒𝐓𝐎𝐏", "STOP"),
        ("１", "1"),
        ("①", "1"),
        ("1\ufe0f\u20e3", "1"),
        ("Don’t — ever", "Don't - ever"),
        ("  join \t ktrgw\u00a0\u00a0Bo  ", "join ktrgw Bo"),
        ("invite\r\nBo \r\n\r\n Ann", "invite\nBo\nAnn"),
        ("e\u200b\u0301", "é"),
        ("", ""),
        (" \u2066\u2069\n", ""),
    ],
)
def test_a_phones_spelling_is_read_as_what_was_meant(sent: str, meant: str) -> None:
    assert plain_inbound(sent) == meant


@given(any_text)
def test_reading_twice_is_reading_once(text: str) -> None:
    assert plain_inbound(plain_inbound(text)) == plain_inbound(text)


@pytest.mark.parametrize(
    "text",
    [
        "Liked “Your word is MARMOT”",
        "Loved “Round 2: …”",
        "Disliked “a”",
        "Laughed at “a”",
        "Emphasized “a”",
        "Emphasised “a”",
        "Questioned “a”",
        "Liked an image",
        "Laughed at a movie",
        "Reacted 😂 to “Your word is MARMOT”",
        "Reacted with a sticker to “a”",
        "Removed a like from “a”",
        "Removed a question mark from “a",
        "\u200a\u200b👍\u200b to “\u200aYour word is MARMOT\u200a”\u200a",
        "❤\ufe0f to “a”",
        "👍🏽 to an image",
    ],
)
def test_a_reaction_written_out_in_words_is_known(text: str) -> None:
    assert is_tapback(text)


@pytest.mark.parametrize(
    "text",
    [
        "Le gustó “Tu palabra es MARMOTA”",
        "No le gustó “Tu palabra es MARMOTA”",
        "Se rio de “Tu palabra es MARMOTA”",
        "A aimé « Ton mot est MARMOTTE »",
        "N’a pas aimé «\u00a0Ton mot est MARMOTTE\u00a0»",
        "Gefällt „Dein Wort ist MURMELTIER“",
        "Hat „Dein Wort ist MURMELTIER“ hervorgehoben",
        "Gostou de “A tua palavra é MARMOTA”",
        "Ha messo Mi piace a “La tua parola è MARMOTTA”",
        "Liked “Your word is MARMOT. Your clue? Text one w…",
    ],
)
def test_a_reaction_in_any_language_quotes_us_and_goes_no_further(text: str) -> None:
    assert is_tapback(text)


@pytest.mark.parametrize(
    "text",
    [
        "liked",
        "Liked",
        "Loved it",
        "Removed",
        "👍",
        "2",
        "Reacted",
        "add Bo to “x”",
        "I Liked “x”",
        "gefällt",
        "Le gustó",
        "A aimé",
        "name “Maximiliana Rosalie”",
        "JOIN KTRGW “Maximiliana Rosa”",
    ],
)
def test_a_word_like_a_reaction_is_a_word(text: str) -> None:
    assert not is_tapback(text)


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["Alexandra", "Alexandru", "alexandr"], ["Alexandr", "Alexand2", "alexand3"]),
        (["Bo", "BO", "Bo2"], ["Bo", "BO2", "Bo22"]),
        (["Łukasz", "Zoë"], ["Lukasz", "Zoe"]),
        (["", " \u200b", "P1"], ["P1", "P2", "P12"]),
        (["Mary Ann Lee", "Jean-Luc Picard"], ["Mary Ann", "Jean-Luc"]),
        (["[[[[[[", "€uro€uro"], ["[[[[", "€uro€u"]),
        (["Константин", "Константина"], ["Констант", "Констан2"]),
        (["👩\u200d👩\u200d👧\u200d👧", "😀😀😀😀😀"], ["P1", "😀😀😀😀"]),
        (["👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"], ["👩\u200d👩\u200d👧", "P2"]),
        (["[[[[[[[[😀"], ["[[[["]),
        (["two\nlines"], ["two line"]),
    ],
)
def test_a_short_name_is_short_and_nobody_elses(names: list[str], short: list[str]) -> None:
    seats = {f"s{place}": name for place, name in enumerate(names)}
    assert list(short_names(seats).values()) == short


@given(st.lists(st.one_of(any_text, st.sampled_from(["Bo", "bo", "Alexandra", ""])), max_size=12))
def test_short_names_fit_and_differ_for_any_names(names: list[str]) -> None:
    short = short_names({str(place): name for place, name in enumerate(names)})
    assert list(short) == [str(place) for place in range(len(names))]
    assert len({name.casefold() for name in short.values()}) == len(names)
    for name in short.values():
        assert 1 <= (septets(name) if is_gsm7(name) else utf16_units(name)) <= 8
        assert "\n" not in name
