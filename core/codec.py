"""Room <-> JSON that a person can read in `redis-cli`; the schema number; upcasters.

A new field gets a default, and old rooms decode as they are. A changed shape gets a new `SCHEMA`
number and an entry in `UPCASTERS`, which maps the raw JSON of one number to the next. A room that
is newer than this process is left to a newer one: `TooNew`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from core.room import SCHEMA, Room

UPCASTERS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""From schema n to n + 1."""


class TooNew(Exception):
    """The room was written by a newer version; this process must not touch it."""


class _Stamp(msgspec.Struct):
    schema: int


def encode_room(room: Room) -> bytes:
    """The room as JSON."""
    return msgspec.json.encode(room)


def decode_room(blob: bytes) -> Room:
    """The room in `blob`. Raises TooNew, or msgspec.ValidationError when it is no room."""
    schema = msgspec.json.decode(blob, type=_Stamp).schema
    if schema > SCHEMA:
        raise TooNew(schema)
    if schema < SCHEMA:
        raw: dict[str, Any] = msgspec.json.decode(blob)
        for number in range(schema, SCHEMA):
            raw = UPCASTERS[number](raw)
        blob = msgspec.json.encode({**raw, "schema": SCHEMA})
    return msgspec.json.decode(blob, type=Room)
