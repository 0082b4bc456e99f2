"""The house pack keeps its promises, and a pack that can't be played is refused with the reason."""

import re
from collections.abc import Generator
from importlib.resources import files
from itertools import combinations
from typing import TypeAlias

import msgspec
import pytest

from core.commands import COMMANDS, NOT_A_NAME, RESERVED
from core.games.ferret_out import pouches
from core.games.ferret_out.matching import key, names_word
from core.games.ferret_out.pouches import (
    POSITIONS,
    POUCHES,
    Family,
    Pack,
    find,
    house,
    load,
    names,
    register,
)
from core.games.ferret_out.pouches.layout import dumps
from core.games.ferret_out.pouches.lint import problems
from core.games.ferret_out.pouches.loading import Fault, line_of
from core.games.ferret_out.pouches.near import near_words
from core.spelling import edits
from tests.packs import pack, registered

Json: TypeAlias = dict[str, object]

FACES = [range(start, start + 6) for start in range(0, POSITIONS, 6)]
HOUSE = house()
FAMILIES = [pytest.param(family, id=family.name) for family in HOUSE.families]
NEVER_A_WORD = {*RESERVED, *COMMANDS, *NOT_A_NAME, "say", "invite", "clue", "vote", "ok", "no"}


def changed(position: int, **fields: object) -> bytes:
    """The house pack as JSON, with something else in one family."""
    families = list(HOUSE.families)
    families[position] = msgspec.structs.replace(families[position], **fields)
    return msgspec.json.encode(msgspec.structs.replace(HOUSE, families=tuple(families)))


def test_the_pack_is_ours_and_free() -> None:
    assert (HOUSE.id, HOUSE.language) == ("house", "en")
    assert (HOUSE.licence, HOUSE.author) == ("CC0-1.0", "Parlour")


def test_there_are_576_words_in_24_families_of_24() -> None:
    assert [len(family.words) for family in HOUSE.families] == [POUCHES] * POSITIONS
    assert len({family.name for family in HOUSE.families}) == POSITIONS
    assert len(set(HOUSE.words)) == len(HOUSE.words) == 576


@pytest.mark.parametrize("family", FAMILIES)
def test_every_word_is_one_token_of_3_to_9_small_letters(family: Family) -> None:
    for word in family.words:
        assert 3 <= len(word) <= 9
        assert word.isascii()
        assert word.isalpha()
        assert word.islower()


@pytest.mark.parametrize("family", FAMILIES)
def test_words_forms_and_clues_are_their_own_keys(family: Family) -> None:
    forms = [form for listed in family.forms.values() for form in listed]
    for text in (*family.words, *forms, *family.clues):
        assert key(text) == text


def test_no_noun_form_belongs_to_two_words() -> None:
    forms = [form for word in HOUSE.words for form in HOUSE.forms(word)]
    assert len(forms) == len(set(forms))


def test_no_word_or_form_or_clue_is_a_carriers_keyword_or_a_command() -> None:
    clues = {key(clue) for family in HOUSE.families for clue in family.clues}
    assert not (HOUSE.owners.keys() | clues) & NEVER_A_WORD


def test_every_word_has_other_forms_listed_but_for_three() -> None:
    for word in HOUSE.words:
        assert len(HOUSE.forms(word)) > 1 or word in {"blues", "chess", "tennis"}


@pytest.mark.parametrize("family", FAMILIES)
def test_one_slip_never_turns_a_word_into_another_of_its_family(family: Family) -> None:
    for one, other in combinations(family.words, 2):
        assert edits(one, other) >= 2


@pytest.mark.parametrize("family", FAMILIES)
def test_no_word_lies_inside_another_of_its_family(family: Family) -> None:
    for one, other in combinations(family.words, 2):
        assert one not in other
        assert other not in one


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_has_12_clues_of_one_token(family: Family) -> None:
    assert len(set(family.clues)) == len(family.clues) == 12
    for clue in family.clues:
        assert clue.isalpha()
        assert clue.islower()


def test_no_clue_is_a_word_or_a_form_of_one() -> None:
    forms = {form for word in HOUSE.words for form in HOUSE.forms(word)}
    assert not forms & {clue for family in HOUSE.families for clue in family.clues}


@pytest.mark.parametrize("pouch", range(POUCHES))
def test_no_two_words_of_a_pouch_look_alike(pouch: int) -> None:
    words = HOUSE.face(pouch, range(POSITIONS))
    for one, other in combinations(words, 2):
        assert one not in other
        assert other not in one
        assert edits(one, other) >= 2


@pytest.mark.parametrize(
    "apart",
    [
        {"mammals", "birds"},
        {"mammals", "creepy-crawlies"},
        {"fruit and vegetables", "meals", "sweets and drinks", "kitchen"},
        {"buildings", "rooms", "in the home"},
        {"reading and writing", "technology"},
        {"landforms", "sky and weather"},
        {"tools", "materials"},
    ],
)
def test_families_that_are_neighbours_are_never_seen_together(apart: set[str]) -> None:
    for face in FACES:
        assert len(apart & {HOUSE.families[position].name for position in face}) <= 1


def test_a_face_is_one_pouch_at_the_positions_asked_for() -> None:
    face = HOUSE.face(7, [23, 0, 5])
    assert face == (HOUSE.word(7, 23), HOUSE.word(7, 0), HOUSE.word(7, 5))
    assert HOUSE.word(7, 23) == HOUSE.families[23].words[7]


def test_clues_are_those_of_the_position() -> None:
    assert HOUSE.clues(3) == HOUSE.families[3].clues


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("mouse", "mice"),
        ("goose", "geese"),
        ("tooth", "teeth"),
        ("scarf", "scarves"),
        ("theater", "theatre"),
        ("harbor", "harbours"),
        ("pajamas", "pyjamas"),
        ("yogurt", "yoghurt"),
        ("fox", "foxs"),
        ("jeans", "jeans"),
    ],
)
def test_forms_hold_plurals_possessives_and_both_spellings(word: str, form: str) -> None:
    assert form in HOUSE.forms(word)


def test_forms_of_a_word_of_no_pouch_are_a_key_error() -> None:
    with pytest.raises(KeyError):
        HOUSE.forms("aardvark")


def test_the_house_pack_is_read_once() -> None:
    assert house() is house()


def test_a_pack_survives_its_json() -> None:
    assert load(msgspec.json.encode(HOUSE)) == HOUSE


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="line 1: not JSON"):
        load(b"dog, cat")


def test_a_pack_without_its_licence_is_refused() -> None:
    fields: Json = msgspec.to_builtins(HOUSE)
    del fields["licence"]
    with pytest.raises(ValueError, match="licence"):
        load(msgspec.json.encode(fields))


def test_a_field_nobody_knows_is_refused() -> None:
    fields: Json = msgspec.to_builtins(HOUSE)
    with pytest.raises(ValueError, match="license"):
        load(msgspec.json.encode({**fields, "license": "MIT"}))


def test_a_pack_of_23_families_is_refused() -> None:
    short = msgspec.structs.replace(HOUSE, families=HOUSE.families[:-1])
    with pytest.raises(ValueError, match="line 1: 23 families instead of 24"):
        load(msgspec.json.encode(short))


def test_a_family_of_25_words_is_refused_by_name() -> None:
    family = HOUSE.families[2]
    with pytest.raises(ValueError, match=f"family '{family.name}' has 25 words instead of 24"):
        load(changed(2, words=(*family.words, "aardvark")))


def test_a_word_that_comes_twice_is_refused() -> None:
    words = (HOUSE.word(0, 5), *HOUSE.families[9].words[1:])
    with pytest.raises(ValueError, match=f"stands for both '{HOUSE.word(0, 5)}'"):
        load(changed(9, words=words, forms={}))


def test_two_words_of_one_key_are_refused() -> None:
    first, _, *rest = HOUSE.families[9].words
    with pytest.raises(ValueError, match=f"stands for both '{first}' and '{first.upper()}'"):
        load(changed(9, words=(first, first.upper(), *rest), forms={}))


def test_a_form_that_is_another_word_is_refused() -> None:
    word, other, *_ = HOUSE.families[9].words
    with pytest.raises(ValueError, match=f"'{other}' stands for both '{word}' and '{other}'"):
        load(changed(9, forms={word: (other,)}))


def test_forms_of_a_word_that_is_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="has forms of 'aardvark', which is none of its words"):
        load(changed(9, forms={"aardvark": ("aardvarks",)}))


def test_a_word_without_listed_forms_has_itself() -> None:
    pack: Pack = load(changed(9, forms={}))
    assert pack.forms(pack.word(0, 9)) == {pack.word(0, 9)}


# --- packs of one's own ------------------------------------------------------------------------


@pytest.fixture
def nonsense() -> Generator[Pack]:
    """A pack of one's own that rooms can play with."""
    with registered(pack()) as one:
        yield one


def test_a_pack_needs_only_its_words(nonsense: Pack) -> None:
    assert find("nonsense") == load(dumps(nonsense).encode()) == nonsense
    assert names() == ("house", "nonsense")


def test_a_pack_is_written_as_it_was_read() -> None:
    raw = files(pouches).joinpath("house.json").read_text(encoding="utf-8")
    assert dumps(load(raw.encode())) == raw


def test_what_stands_for_no_word_comes_last_when_a_pack_is_written() -> None:
    family = msgspec.structs.replace(HOUSE.families[0], forms={"zither": ("zithers",)})
    one = msgspec.structs.replace(HOUSE, families=(family,))
    assert '"forms": {"zither": ["zithers"]}' in dumps(one)


def test_the_houses_id_is_taken() -> None:
    with pytest.raises(ValueError, match="can't be called 'house'"):
        register(HOUSE)


def test_a_game_that_outlives_its_pack_goes_on_with_the_houses_words() -> None:
    assert find("gone") is HOUSE


def test_all_faults_are_told_at_once_each_with_its_line(nonsense: Pack) -> None:
    first, second, *others = nonsense.families
    first = msgspec.structs.replace(first, words=first.words[:-1])
    second = msgspec.structs.replace(
        second, words=("?!", *second.words[1:-1], second.words[1]), forms={"dog": ("dogs",)}
    )
    one = msgspec.structs.replace(nonsense, id="My pack", families=(first, second, *others))
    raw = dumps(one)
    with pytest.raises(ValueError, match="line 2") as refused:
        load(raw.encode())
    told = str(refused.value).splitlines()
    lines = raw.splitlines()
    at = {int(line.split(":")[0].removeprefix("line ")): line for line in told}
    assert "'My pack' can't be an id" in told[0]
    assert any("has 23 words instead of 24" in line for line in told)
    assert any("has forms of 'dog', which is none of its words" in line for line in told)
    assert any("'?!' in family 'family 2' has no letter" in line for line in told)
    assert any(f"stands for both '{second.words[1]}'" in line for line in told)
    for number, what in at.items():
        quoted = re.findall(r"'([^']+)'", what)
        assert any(word in lines[number - 1] for word in quoted)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_line_of_a_word_is_that_of_its_familys_words(family: Family) -> None:
    raw = files(pouches).joinpath("house.json").read_bytes()
    lines = raw.decode().splitlines()
    named = next(at for at, line in enumerate(lines) if f'"name": "{family.name}"' in line)
    assert line_of(raw, Fault(family.name, "", "")) == named + 1
    for word in family.words:
        assert line_of(raw, Fault(family.name, word, "")) == named + 2
    assert line_of(raw, Fault(family.name, family.clues[0], "")) == named + 4


def test_two_families_of_one_name_are_refused(nonsense: Pack) -> None:
    first, second, *others = nonsense.families
    second = msgspec.structs.replace(second, name=first.name)
    one = msgspec.structs.replace(nonsense, families=(first, second, *others))
    with pytest.raises(ValueError, match="there are two families 'family 1'"):
        load(dumps(one).encode())


def test_a_field_of_the_wrong_kind_is_told_with_the_line_of_its_family(nonsense: Pack) -> None:
    raw = dumps(nonsense).replace('"name": "family 3"', '"name": "family 3", "colour": 1')
    line = next(at for at, text in enumerate(raw.splitlines(), 1) if "colour" in text)
    with pytest.raises(ValueError, match=f"line {line}: not a pack of words: .*colour"):
        load(raw.encode())


def test_a_family_without_a_name_is_told_with_a_line(nonsense: Pack) -> None:
    raw = dumps(nonsense).replace('"name": "family 24"', '"title": "family 24"')
    with pytest.raises(ValueError, match="line 1: not a pack of words"):
        load(raw.encode())


def test_where_json_breaks_off_is_told_with_its_line(nonsense: Pack) -> None:
    raw = dumps(nonsense)
    with pytest.raises(ValueError, match=r"line \d+: not JSON"):
        load(raw.replace('"family 2"', '"family 2').encode())


def test_what_is_not_utf8_is_told_with_its_line_and_a_byte_order_mark_is_no_fault() -> None:
    raw = dumps(pack()).encode()
    assert load(b"\xef\xbb\xbf" + raw) == pack()
    with pytest.raises(ValueError, match="line 5: not written in UTF-8"):
        load(raw.replace(b'"Nobody"', b'"N\xf6body"'))


# --- what plays badly --------------------------------------------------------------------------


def said_of(one: Pack) -> list[str]:
    return [fault.what for fault in problems(one, NEVER_A_WORD)]


def first_words(one: Pack, *words: str, position: int = 0) -> Pack:
    """The pack with other words at the start of a family."""
    families = list(one.families)
    rest = families[position].words[len(words) :]
    families[position] = msgspec.structs.replace(families[position], words=(*words, *rest))
    return msgspec.structs.replace(one, families=tuple(families))


def test_nothing_in_the_house_pack_plays_badly() -> None:
    assert said_of(HOUSE) == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("Xylo",), "'Xylo' is not one word of small letters"),
        (("ox",), "'ox' has 2 letters, not 3 to 9"),
        (("xylophones",), "'xylophones' has 10 letters, not 3 to 9"),
        (("scores",), "'scores' is a command or a carrier's word"),
        (("color",), "'color' lacks its other spelling 'colour'"),
        (("colour",), "'colour' lacks its other spelling 'color'"),
        (("wood", "woodland"), "'wood' and 'woodland' lie inside each other"),
        (("singer", "singing"), "'singer' and 'singing' have one stem"),
        (("shape", "shade"), "'shape' and 'shade' are one slip apart"),
    ],
)
def test_a_word_that_plays_badly_is_named(words: tuple[str, ...], problem: str) -> None:
    assert said_of(first_words(pack(), *words)) == [problem]


def test_words_of_a_pouch_are_not_alike_either() -> None:
    one = first_words(first_words(pack(), "wood"), "woodland", position=1)
    assert said_of(one) == ["'wood' and 'woodland', both in pouch 1, lie inside each other"]


def test_a_clue_is_no_word_of_the_pack_and_no_command() -> None:
    one = first_words(pack(), "xylo")
    clued = msgspec.structs.replace(one.families[0], clues=("xylo", "stop"))
    one = msgspec.structs.replace(one, families=(clued, *one.families[1:]))
    assert said_of(one) == [
        "the clue 'stop' is a command or a carrier's word",
        "the clue 'xylo' is a word of the pack",
    ]


# --- near words --------------------------------------------------------------------------------


def test_near_words_are_those_that_a_guess_could_be_taken_for() -> None:
    real = ["bench", "branch", "ranch", "breach", "beech", "elegance", "elegant", "cart", "dot"]
    near = near_words(HOUSE, ["beach", *real, "xylophonist"])
    assert near == ("beech", "breach", "cart", "elegant")


@pytest.mark.parametrize("word", ["beech", "breach", "cart", "quest"])
def test_a_near_word_is_known_so_it_is_never_a_slip(word: str) -> None:
    assert word in HOUSE.near
    assert not any(names_word(word, other, HOUSE) for other in HOUSE.words)
