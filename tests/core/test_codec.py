"""A room as JSON: round trips, newer rooms, older rooms."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from core import codec
from core.codec import TooNew, decode_room, encode_room
from core.room import SCHEMA, Room
from tests.tables import table, voting_table

Old = dict[str, Any]


def test_a_room_comes_back_as_it_was_stored() -> None:
    for room in (table("Ann").room, voting_table("Ann", "Bo", "Cy").room):
        assert decode_room(encode_room(room)) == room


def test_a_stored_room_can_be_read_by_a_person() -> None:
    stored = encode_room(voting_table("Ann", "Bo", "Cy").room).decode()
    assert '"name":"Bo"' in stored
    assert '"clues":{"s1":"stripes"' in stored


def test_a_newer_room_is_left_to_a_newer_process() -> None:
    newer = encode_room(replace(table("Ann").room, schema=SCHEMA + 1))
    with pytest.raises(TooNew):
        decode_room(newer)


def test_what_is_no_room_is_refused() -> None:
    for blob in (b"{}", b"[]", b'{"schema":1}', b"room", b'{"schema":"1"}'):
        with pytest.raises(msgspec.DecodeError):
            decode_room(blob)


def test_a_field_that_came_later_has_its_default() -> None:
    raw: Old = msgspec.json.decode(encode_room(table("Ann").room))
    for field in ("options", "confirmation", "pace_fixed", "step"):
        del raw[field]
    assert decode_room(msgspec.json.encode(raw)) == table("Ann").room


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> Callable[[Room], bytes]:
    """Two older schemas: in -1 a code was called `word`; in 0 it was small."""

    def renamed(raw: Old) -> Old:
        return {**{k: v for k, v in raw.items() if k != "word"}, "code": raw["word"]}

    def capital(raw: Old) -> Old:
        return {**raw, "code": raw["code"].upper()}

    monkeypatch.setattr(codec, "UPCASTERS", {SCHEMA - 2: renamed, SCHEMA - 1: capital})

    def stored(room: Room) -> bytes:
        raw: Old = msgspec.json.decode(encode_room(room))
        return msgspec.json.encode(
            {**raw, "schema": SCHEMA - 2, "word": raw["code"].lower(), "code": None}
        )

    return stored


def test_an_older_room_is_brought_up_to_date_step_by_step(older: Callable[[Room], bytes]) -> None:
    room = voting_table("Ann", "Bo", "Cy").room
    assert decode_room(older(room)) == room


def test_an_older_room_that_nobody_can_read_any_more_is_an_error() -> None:
    ancient = encode_room(replace(table("Ann").room, schema=SCHEMA - 9))
    with pytest.raises(KeyError):
        decode_room(ancient)
