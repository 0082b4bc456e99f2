"""A person, and the one seat they have."""

from core.people import REMEMBERED_MOVES, Claim, Person, decode, encode


def test_a_person_is_stored_as_they_are() -> None:
    person = Person("web:x:ann").claiming("room1", "e1", 7).released("room0", "e0", ["e1"])
    assert decode(encode(person), "web:x:ann") == person
    assert b'"claim":{"room":"room1","event":"e1","at_ms":7}' in encode(person)


def test_whoever_was_never_stored_is_somebody_new() -> None:
    assert decode(None, "web:x:ann") == Person("web:x:ann")


def test_a_released_person_has_no_seat_and_knows_which_event_took_it() -> None:
    person = Person("web:x:ann").claiming("room1", "e1", 7).released("room1", "e2", ["e1"])
    assert person.claim is None
    assert person.left_by("e2") == "room1"
    assert person.left_by("e1") == ""


def test_a_release_that_is_made_again_changes_nothing() -> None:
    once = Person("web:x:ann").claiming("room1", "e1", 7).released("room1", "e2", ["e1"])
    assert once.released("room1", "e2", ["e1"]) == once


def test_a_person_knows_the_room_they_were_in_before() -> None:
    person = Person("web:x:ann")
    assert person.before == ()
    person = person.claiming("room1", "e1", 7).released("room1", "e2", ["e1"])
    assert person.before == ("room1",)
    assert person.claiming("room1", "e3", 9).before == ()
    person = person.claiming("room2", "e3", 9)
    assert person.before == ("room1",)
    assert person.claiming("room3", "e4", 11).before == ("room2", "room1")


def test_a_late_release_of_an_old_room_leaves_the_new_seat_alone() -> None:
    person = Person("web:x:ann").claiming("room2", "e3", 9).released("room1", "e2", ["e1", "e3"])
    assert person.claim == Claim("room2", "e3", 9)


def test_a_late_release_leaves_a_seat_taken_again_in_the_same_room_alone() -> None:
    person = Person("web:x:ann").claiming("room1", "e3", 9).released("room1", "e2", ["e2"])
    assert person.claim == Claim("room1", "e3", 9)
    assert person.left_by("e2") == "room1"


def test_a_room_is_remembered_longer_than_its_moves() -> None:
    person = Person("web:x:ann").released("room0", "e0", [])
    for at in range(REMEMBERED_MOVES + 2):
        person = person.released("room1", f"f{at}", [])
    assert person.before == ("room1", "room0")
    for at in range(REMEMBERED_MOVES - 1):
        person = person.released(f"next{at}", f"g{at}", [])
    assert "room0" not in person.before
    assert len(person.before) == REMEMBERED_MOVES


def test_only_the_last_moves_are_remembered() -> None:
    person = Person("web:x:ann")
    for at in range(REMEMBERED_MOVES + 2):
        person = person.released("room", f"e{at}", [])
    assert len(person.moves) == REMEMBERED_MOVES
    assert person.left_by("e1") == ""
    assert person.left_by("e2") == "room"
