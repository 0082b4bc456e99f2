"""A table seen from above as a picture."""

from io import BytesIO
from itertools import combinations, pairwise
from math import cos, radians, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from adapters.telegram.paper import MARGIN, WIDTH
from adapters.telegram.ring import _ROOM, _SMALL, _broad, _height, _line, _seating, picture
from adapters.telegram.shapes import Box, clockwise
from core.game import Place, Ring
from core.text import CLOSE, OPEN, mark

COUNTS = range(3, 13)
NAMES = {f"s{at}": f"Wilhelmina Feather{at:02}" for at in range(1, 13)}
HOSTILE = (
    "",
    " \n\t",
    "\x00\x1b[31m\u202e\ud800",
    "شهرزاد שרה Bo علي",
    "田中さくら🦊👩‍👩‍👧",
    "Z" + "\u0337\u0341" * 80,
    "W" * 10_000,
    "i" * 10_000,
    "a b " * 2_500,
    "🦊" * 10_000,
    "\u3164" * 10_000,
    OPEN + "s1",
    CLOSE + "s1" + OPEN,
    f"{OPEN}{OPEN}s1{CLOSE}{CLOSE}" * 1_000,
    mark("nobody") + mark("s1") + "’s",
)


def places(count: int, labels: int = 2, notes: int = 3) -> tuple[Place[str], ...]:
    said = ("10 cards", "open: Otter, 2 Pig", f"votes for {mark('s1')} and for {mark('s2')}")
    return tuple(
        Place(f"s{at}", ("Boss", "Teller")[:labels], said[:notes]) for at in range(1, count + 1)
    )


def ring(count: int = 5, labels: int = 2, notes: int = 3) -> Ring[str]:
    title = f"{mark('s1')} leads"
    return Ring(title, places(count, labels, notes), ("Won so far: 3 Rabbit, 2 Pig",))


def seating(count: int, top: int = 100) -> tuple[Box, list[Box]]:
    return _seating(count, _height(places(count)), top)


def opened(png: bytes) -> Image.Image:
    with Image.open(BytesIO(png)) as image:
        image.load()
        return image.convert("RGB")


def ink(image: Image.Image, box: Box) -> int:
    """How many pixels of a part are dark."""
    return sum(image.crop(box).convert("L").histogram()[:128])


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


@pytest.mark.parametrize("count", [1, 2, *COUNTS, 30])
def test_no_place_overlaps_another(count: int) -> None:
    assert len(seating(count)[1]) == count
    assert all(apart(one, other) for one, other in combinations(seating(count)[1], 2))


@pytest.mark.parametrize("count", COUNTS)
def test_all_places_are_in_the_picture_with_a_margin(count: int) -> None:
    height = opened(picture(ring(count), NAMES)).height
    for left, top, right, bottom in seating(count)[1]:
        assert MARGIN <= left < right <= WIDTH - MARGIN
        assert 100 <= top < bottom <= height - MARGIN


@pytest.mark.parametrize("count", COUNTS)
def test_the_first_place_is_at_the_top_and_the_others_follow_clockwise(count: int) -> None:
    _, boxes = seating(count)
    points = [middle(box) for box in boxes]
    half = count // 2
    assert points[0][0] == WIDTH / 2
    assert boxes[0][1] == 100 < min(box[1] for box in boxes[1:])
    assert all(above[1] < below[1] for above, below in pairwise(points[: half + 1]))
    assert all(below[1] > above[1] for below, above in pairwise([*points[half + 1 :], points[0]]))
    assert all(x > WIDTH / 2 for x, _ in points[1 : (count + 1) // 2])
    assert all(x < WIDTH / 2 for x, _ in points[half + 1 :])


@pytest.mark.parametrize("count", COUNTS)
def test_right_and_left_are_alike(count: int) -> None:
    _, boxes = seating(count)
    for at in range(1, (count + 1) // 2):
        right, left = boxes[at], boxes[-at]
        assert right[1] == left[1]
        assert abs(right[2] + left[0] - WIDTH) <= 1


@pytest.mark.parametrize("count", COUNTS)
def test_every_place_is_on_the_rim_and_the_middle_of_the_table_is_free(count: int) -> None:
    table, boxes = seating(count)
    x, y = middle(table)
    across, down = (table[2] - table[0]) / 2, (table[3] - table[1]) / 2
    for box in boxes:
        a, b = middle(box)
        assert ((a - x) / across) ** 2 + ((b - y) / down) ** 2 == pytest.approx(1, abs=0.15)
        assert apart(box, (round(x) - 70, round(y) - 70, round(x) + 70, round(y) + 70))


@pytest.mark.parametrize("count", COUNTS)
def test_every_place_s_name_is_where_it_sits(count: int) -> None:
    """Of two pictures that differ in one name, only that place differs."""
    _, boxes = _seating(count, _height(places(count, 0, 1)), MARGIN)
    table = Ring("", places(count, 0, 1))
    before = opened(picture(table, NAMES))
    for at, (left, top, right, bottom) in enumerate(boxes, 1):
        after = opened(picture(table, NAMES | {f"s{at}": "Bo"}))
        changed = ImageChops.difference(before, after).getbbox()
        assert changed
        assert left < changed[0] < changed[2] < right
        assert top < changed[1] < changed[3] < bottom


def test_more_places_and_fuller_cards_make_a_taller_picture() -> None:
    by_count = [opened(picture(ring(count), NAMES)).height for count in (3, 6, 9, 12)]
    assert by_count == sorted(by_count)
    assert by_count[0] < by_count[-1] < 2_500
    by_notes = [opened(picture(ring(12, 2, notes), NAMES)).height for notes in range(4)]
    assert by_notes == sorted(set(by_notes))
    bare, labelled = (opened(picture(ring(12, labels), NAMES)).height for labels in (0, 1))
    assert bare < labelled


def test_nothing_reaches_the_edges_of_the_picture() -> None:
    image = opened(picture(ring(12), NAMES))
    assert image.width == WIDTH
    assert ink(image, (0, 0, 30, image.height)) == 0
    assert ink(image, (WIDTH - 30, 0, WIDTH, image.height)) == 0
    assert ink(image, (30, 0, WIDTH - 30, image.height)) > 20_000


def test_a_card_s_text_stays_in_it_whatever_it_is() -> None:
    """A tower of marks over a letter would reach into the card above."""
    tower = "Z" + "\u0301" * 80
    names = dict.fromkeys(NAMES, tower)
    plain, towers = (opened(picture(Ring("", places(4)), who)) for who in (NAMES, names))
    _, boxes = _seating(4, _height(places(4)), MARGIN)
    for box in boxes:
        for image in (plain, towers):
            image.paste("#ffffff", box)
    assert plain.tobytes() == towers.tobytes()


def test_a_label_is_told_by_more_than_colour() -> None:
    """With a label the name is bold, and the label's word is there to read."""
    plain, boss = (opened(picture(Ring("", places(3, labels, 0)), NAMES)) for labels in (0, 1))
    box = (340, MARGIN + 10, 620, MARGIN + 60)
    assert ink(boss, box) > 1.2 * ink(plain, box)
    one, other = (Ring("", (Place("s1", (word,)),)) for word in ("Boss", "Teller"))
    assert picture(one, NAMES) != picture(other, NAMES)


def test_the_arrow_goes_clockwise() -> None:
    """Its line starts at the right; its head is broad at 285 degrees and a point at 330."""
    image = Image.new("L", (120, 120), "#ffffff")
    clockwise(image, (0, 0, 120, 120), "#000000", 6)

    def dark(radius: float, turn: float) -> bool:
        x, y = (60 + radius * of(radians(turn)) for of in (cos, sin))
        return image.getpixel((round(x), round(y))) == 0

    assert all(dark(45, turn) for turn in range(5, 285, 10))
    assert [dark(55, turn) for turn in (270, 287, 320, 330)] == [False, True, False, False]
    assert dark(43, 322)
    assert not any(dark(45, turn) for turn in (340, 350))


def test_an_arrow_is_in_the_middle_of_the_table() -> None:
    x, y = map(round, middle(seating(8, MARGIN)[0]))
    image = opened(picture(Ring("", places(8)), NAMES))
    assert len(image.crop((x - 60, y - 60, x + 60, y + 60)).getcolors() or ()) > 2
    assert len(image.crop((x - 60, y - 90, x + 60, y - 60)).getcolors() or ()) == 1


def test_what_is_too_long_for_its_line_ends_in_an_ellipsis() -> None:
    for text in (f"votes for {mark('s1')} and {mark('s2')}", "W" * 10_000, "a b " * 2_500):
        line = _line(text, NAMES, _SMALL, _ROOM)
        assert line[-1].endswith("…")
        assert _ROOM * 0.8 < _broad(line, _SMALL) <= _ROOM
    assert _line(f"for {mark('s1')}", {"s1": "Bo"}, _SMALL, _ROOM) == ["for", " ", "Bo"]
    assert _line(" ", {}, _SMALL, _ROOM) == []


def test_texts_say_names_and_a_seat_without_one_is_a_question_mark() -> None:
    assert picture(ring(), {}) == picture(ring(), dict.fromkeys(NAMES, "?"))
    told = Ring("", (Place("s1", (), (f"votes for {mark('s2')}",)),))
    assert picture(told, {"s2": "Bo"}) == picture(
        Ring("", (Place("s1", (), ("votes for Bo",)),)), {}
    )


def test_the_title_is_above_and_the_notes_are_below() -> None:
    whole, bare = (opened(picture(r, NAMES)) for r in (ring(), Ring("", places(5))))
    assert ink(whole, (MARGIN, MARGIN, 300, MARGIN + 58)) > 500
    assert ink(whole, (MARGIN, whole.height - MARGIN - 40, 300, whole.height - MARGIN)) > 300
    assert whole.height - bare.height == 58 + 30 + 30 + 40


def test_endless_texts_are_cut_so_that_the_picture_stays_one_a_phone_takes() -> None:
    endless = Ring("a b " * 2_500, places(12), ("word " * 2_000,) * 50)
    assert opened(picture(endless, NAMES)).height < 3_000
    full = tuple(Place(seat, ("Boss",) * 50, ("10 cards",) * 50) for seat in NAMES)
    assert opened(picture(Ring("", full), NAMES)).height < 2_500


@pytest.mark.parametrize("count", [0, 1, 2, 13, 40])
def test_any_number_of_places_is_drawn(count: int) -> None:
    assert opened(picture(ring(count), NAMES)).width == WIDTH


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_hostile_text_breaks_the_picture(text: str) -> None:
    place = Place("s1", (text, text), (text, text, text))
    image = opened(picture(Ring(text, (place,) * 3, (text,)), {"s1": text}))
    assert image.width == WIDTH
    assert image.height < 2_000


@given(st.lists(st.text(max_size=40), min_size=6, max_size=6), st.text(max_size=60))
@settings(max_examples=30, deadline=None)
def test_no_text_breaks_the_picture(texts: list[str], title: str) -> None:
    name, label, note, *more = texts
    seats = tuple(Place(text, (label, text), (note, title)) for text in ("s1", *more))
    assert opened(picture(Ring(title, seats, (note,)), {"s1": name})).width == WIDTH
