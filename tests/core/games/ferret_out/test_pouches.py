"""The house pack keeps its promises, and a pack that can't be played is refused with the reason."""

from itertools import combinations
from typing import TypeAlias

import msgspec
import pytest

from core.commands import COMMANDS, NOT_A_NAME, RESERVED
from core.games.ferret_out.matching import key
from core.games.ferret_out.pouches import POSITIONS, POUCHES, Family, Pack, house, load
from core.spelling import edits

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
    assert not HOUSE.known & NEVER_A_WORD


def test_every_word_has_other_forms_listed_but_for_two() -> None:
    for word in HOUSE.words:
        assert len(HOUSE.forms(word)) > 1 or word in {"chess", "tennis"}


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
        {"mammals", "birds", "water animals"},
        {"mammals", "creepy-crawlies"},
        {"creepy-crawlies", "water animals"},
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
    with pytest.raises(ValueError, match="not a pack of words"):
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
    with pytest.raises(ValueError, match="pack 'house': 23 families instead of 24"):
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
