"""Rooms stored by any version are still played to their end."""

from pathlib import Path
from typing import cast

import msgspec
import pytest

from core import playing
from core.codec import TooNew, decode_room, encode_room
from core.engine import Woke, decide
from core.games import find_games
from core.room import SCHEMA, Over, Playing
from core.table import House
from core.text import load

GAMES = Path(__file__).parents[1] / "core" / "games"
STORED = sorted(GAMES.glob("*/schemas/v*.json"))
MOST_STEPS = 2_000


def named(path: Path) -> str:
    return f"{path.parents[1].name}/{path.stem}"


def test_every_game_has_a_stored_room_of_this_schema() -> None:
    assert {named(path) for path in STORED} >= {
        f"{name.replace('-', '_')}/v{SCHEMA}" for name in find_games()
    }


@pytest.mark.parametrize("path", STORED, ids=named)
def test_a_stored_room_is_still_played_to_its_end_by_time_alone(path: Path) -> None:
    room = decode_room(path.read_bytes())
    assert isinstance(room.stage, Playing)
    assert playing.asks(room)
    for _ in range(MOST_STEPS):
        due_ms = playing.deadline_ms(room)
        if due_ms is None:
            break
        decision = decide(room, Woke(), due_ms, House(), load())
        room = decode_room(decision.blob)
    assert isinstance(room.stage, Over)
    assert find_games()[room.game].result(playing.state_of(room)) is not None


@pytest.mark.parametrize("path", STORED, ids=named)
def test_a_stored_room_is_stored_again_as_it_was(path: Path) -> None:
    room = decode_room(path.read_bytes())
    again = decode_room(encode_room(room))
    assert again == room
    assert playing.state_of(again) == playing.state_of(room)
    if path.stem == f"v{SCHEMA}":
        kept(msgspec.json.decode(path.read_bytes()), msgspec.json.decode(encode_room(room)))


def kept(before: object, after: object) -> None:
    """All that was stored is stored again; a field that came since has its default."""
    if isinstance(before, dict) and isinstance(after, dict):
        old, new = cast("dict[str, object]", before), cast("dict[str, object]", after)
        for key, value in old.items():
            kept(value, new[key])
    else:
        assert after == before


@pytest.mark.parametrize("path", STORED, ids=named)
def test_a_room_of_a_newer_schema_is_left_to_a_newer_process(path: Path) -> None:
    newer = {**msgspec.json.decode(path.read_bytes()), "schema": SCHEMA + 1}
    with pytest.raises(TooNew):
        decode_room(msgspec.json.encode(newer))
