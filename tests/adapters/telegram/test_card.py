"""The score card as a picture, and the typesetting under it."""

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from adapters.telegram import typeset
from adapters.telegram.card import WIDTH, _bands, picture
from adapters.telegram.fonts import FOLDER, PLAIN, file_of, font_for
from adapters.telegram.typeset import Style, fitted, width
from core.game import Score, ScoreCard
from core.spelling import graphemes
from core.text import mark

NAMES = {"s1": "Ann", "s2": "Bo", "s3": "Cy", "s4": "Di", "s5": "Ed", "s6": "Flo", "s7": "Gus"}
STYLE = Style(32)


def card(players: int = 3, rounds: int = 8, winners: tuple[str, ...] = ("s1",)) -> ScoreCard[str]:
    heads = tuple(str(number + 1) for number in range(rounds))
    scores = tuple(
        Score(f"s{seat}", (None, *([seat % 4] * (rounds - 1)))[:rounds], seat % 4 * (rounds - 1))
        for seat in range(1, players + 1)
    )
    title = f"{mark('s1')} wins the game with 17 points!"
    return ScoreCard(title, heads, "Total", scores, winners, ("Ferret Out · Paranoia",))


def opened(png: bytes) -> Image.Image:
    with Image.open(BytesIO(png)) as image:
        image.load()
        return image.convert("L")


def ink(image: Image.Image, *box: int) -> int:
    """How many pixels of a part are dark: left, top, right, bottom."""
    return sum(image.crop((box[0], box[1], box[2], box[3])).histogram()[:128])


def test_a_card_is_a_light_picture_of_phone_width_with_text_on_it() -> None:
    image = opened(picture(card(), NAMES))
    assert image.width == WIDTH
    assert 300 < image.height < 700
    shades = image.histogram()
    assert sum(shades[200:]) > 0.8 * sum(shades)
    assert ink(image, 0, 0, WIDTH, image.height) > 2_000


def test_the_same_card_is_the_same_picture() -> None:
    assert picture(card(), NAMES) == picture(card(), NAMES)


def test_another_name_is_another_picture() -> None:
    assert picture(card(), NAMES) != picture(card(), NAMES | {"s2": "Bob"})


def test_a_player_more_is_a_row_more() -> None:
    heights = [opened(picture(card(players), NAMES)).height for players in (3, 4, 7)]
    assert heights[1] - heights[0] == (heights[2] - heights[1]) / 3 > 0


def test_more_than_ten_rounds_go_into_a_second_band() -> None:
    heights = [opened(picture(card(7, rounds), NAMES)).height for rounds in (1, 10, 11, 18, 21)]
    assert heights[0] == heights[1] < heights[2] == heights[3] < heights[4]


def test_of_a_very_long_game_the_last_forty_rounds_are_shown() -> None:
    bands = list(_bands(300))
    assert [number for band in bands for number in band] == list(range(260, 300))
    assert opened(picture(card(7, 300), NAMES)).height < 2_500


def test_a_winner_is_marked_by_more_than_colour() -> None:
    """The star stands left of the names, where the rows of the others have nothing."""
    none, won = (opened(picture(card(winners=w), NAMES)) for w in ((), ("s1",)))
    gutter = (40, 150, 88, none.height - 90)
    assert ink(none, *gutter) == 0
    assert ink(won, *gutter) > 100


def test_a_broken_off_game_without_a_round_is_drawn() -> None:
    assert opened(picture(ScoreCard("It ends here.", (), "Total", ()), {})).height > 100


def test_nothing_reaches_the_edges_of_the_picture() -> None:
    long = dict.fromkeys(NAMES, "W" * 20)
    shared = ", ".join(map(mark, NAMES)) + " share the win with 9 points!"
    scores = ScoreCard(shared, tuple("12345678"), "T" * 60, card(7).scores, tuple(NAMES))
    image = opened(picture(scores, long))
    assert ink(image, 0, 0, 30, image.height) == 0
    assert ink(image, WIDTH - 30, 0, WIDTH, image.height) == 0
    assert ink(image, 40, 0, WIDTH - 40, image.height) > 10_000


def test_a_seat_without_a_name_is_a_question_mark() -> None:
    assert picture(card(), {}) == picture(card(), dict.fromkeys(NAMES, "?"))


@given(st.lists(st.text(max_size=40), min_size=7, max_size=7), st.text(max_size=60))
@settings(max_examples=30, deadline=None)
def test_no_name_and_no_title_breaks_the_picture(names: list[str], title: str) -> None:
    png = picture(
        ScoreCard(title, tuple("1234"), "Total", card(7, 4).scores, ("s1", "s2"), (title,)),
        {f"s{at}": name for at, name in enumerate(names, 1)},
    )
    assert opened(png).width == WIDTH


@pytest.mark.parametrize(
    ("text", "font"),
    [
        ("Ann", PLAIN),
        ("Ελένη", PLAIN),
        ("Анна", PLAIN),
        ("محمد", "NotoSansArabic"),
        ("שרה", "NotoSansHebrew"),
        ("สมชาย", "NotoSansThai"),
        ("प्रिया", "NotoSansDevanagari"),
        ("ნინო", "NotoSansGeorgian"),
        ("Արամ", "NotoSansArmenian"),
        ("ሰላም", "NotoSansEthiopic"),
        ("김민준", "WenQuanYiMicroHei"),
        ("田中さくら", "WenQuanYiMicroHei"),
        ("🦊", "NotoEmoji"),
        ("\U00012000", PLAIN),
    ],
)
def test_every_script_has_its_font(text: str, font: str) -> None:
    assert {font_for(one) for one in graphemes(text)} == {font}


def test_every_font_is_there_and_is_a_free_one() -> None:
    fonts = {path.stem for path in FOLDER.glob("*.ttf")}
    assert all(font_for(one) in fonts for one in "aع字🦊")
    assert file_of(PLAIN).is_file()
    assert {path.name for path in FOLDER.glob("*.txt")} == {"OFL.txt", "APACHE-2.0.txt"}


def test_what_does_not_fit_ends_in_an_ellipsis_between_two_characters() -> None:
    short = fitted("นำ้" * 30, STYLE, 200)
    assert short.endswith("…")
    assert set(graphemes(short)) == {*graphemes("นำ้"), "…"}
    assert 150 < width(short, STYLE) <= 200
    assert fitted("Bo", STYLE, 200) == "Bo"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ali علي שרה Bo", ["Ali ", "שרה ", "علي ", "Bo"]),
        ("علي Ali 字 שרה", ["שרה", "Ali ", "字 ", "علي "]),
        ("Bo", ["Bo"]),
    ],
)
def test_runs_stand_in_the_order_of_their_directions(text: str, shown: list[str]) -> None:
    runs = typeset._ordered(typeset._runs(text), typeset.direction_of(text))
    assert [run.text for run in runs] == shown


def test_without_the_shaping_library_a_name_still_runs_the_right_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(typeset, "_SHAPES", False)
    [run] = typeset._runs("שרה")
    assert typeset._shown(run, "rtl") == ("הרש", None)
    assert opened(picture(card(), NAMES | {"s1": "שרה"})).width == WIDTH


def test_what_can_not_be_seen_takes_no_place() -> None:
    assert typeset.seen("A\u202e\ue000n\x00\ud800 \n n") == "An n"
