"""The Bot API's own list of methods and parameters, and the reading of requests by it.

The list is `tests/data/telegram_bot_api_10.3.json`: for each method and each object its
fields as `{"name", "type", "required"}`. An object without fields is a union or opaque.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

Json = dict[str, object]
SCHEMA_FILE = Path(__file__).parents[1] / "data" / "telegram_bot_api_10.3.json"


class ApiError(Exception):
    """A refusal as the Bot API words it: HTTP status, description, response parameters."""

    def __init__(self, status: int, description: str, parameters: Json | None = None) -> None:
        """Keep the three; `parameters` is e.g. `{"retry_after": 3}`."""
        super().__init__(description)
        self.status = status
        self.description = description
        self.parameters = parameters or {}

    def as_json(self) -> Json:
        """The body of the reply."""
        body: Json = {"ok": False, "error_code": self.status, "description": self.description}
        return {**body, "parameters": self.parameters} if self.parameters else body


class Field(msgspec.Struct, frozen=True):
    """One parameter of a method, or one field of an object."""

    name: str
    type: str
    required: bool


class Schema(msgspec.Struct, frozen=True):
    """Everything Bot API 10.3 knows by name."""

    methods: dict[str, tuple[Field, ...]]
    objects: dict[str, tuple[Field, ...]]

    def read(self, method: str, sent: Mapping[str, object]) -> tuple[Json, list[str]]:
        """The parameters with their proper types, and every complaint about them.

        Values of a form are strings: numbers, booleans and nested JSON are decoded by type.
        """
        known = {field.name: field for field in self.methods[method]}
        params: Json = {}
        complaints: list[str] = []
        for name, value in sent.items():
            if name not in known:
                complaints.append(f"{method} has no parameter {name!r}")
                continue
            kind = known[name].type
            params[name] = _decoded(value, kind) if isinstance(value, str) else value
            complaints += self._complaints(params[name], kind, f"{method}.{name}")
        missing = [f.name for f in known.values() if f.required and f.name not in params]
        return params, complaints + [f"{method} needs {name!r}" for name in missing]

    def _complaints(self, value: object, kind: str, where: str) -> list[str]:
        if " or " in kind:
            tries = [self._complaints(value, one, where) for one in kind.split(" or ")]
            return min(tries, key=len)
        if kind.startswith("Array of "):
            if not isinstance(value, list):
                return [f"{where} is not an array"]
            items = msgspec.convert(value, list[object])
            inner = kind.removeprefix("Array of ")
            return [
                c
                for i, one in enumerate(items)
                for c in self._complaints(one, inner, f"{where}[{i}]")
            ]
        if kind in _PLAIN:
            good = isinstance(value, _PLAIN[kind])
            if kind in ("Integer", "Float"):
                good = good and not isinstance(value, bool)
            return [] if good else [f"{where} is not {kind}"]
        return self._object_complaints(value, kind, where)

    def _object_complaints(self, value: object, kind: str, where: str) -> list[str]:
        fields = {field.name: field for field in self.objects.get(kind, ())}
        if not fields:
            return []
        if not isinstance(value, dict):
            return [f"{where} is not a {kind}"]
        given = msgspec.convert(value, dict[str, object])
        complaints = [
            f"{where}: {kind} has no field {name!r}" for name in given if name not in fields
        ]
        for field in fields.values():
            if field.name in given:
                complaints += self._complaints(
                    given[field.name], field.type, f"{where}.{field.name}"
                )
            elif field.required:
                complaints.append(f"{where}: {kind} needs {field.name!r}")
        return complaints


_PLAIN: dict[str, type | tuple[type, ...]] = {
    "Integer": int,
    "Float": (int, float),
    "String": str,
    "Boolean": bool,
    "True": bool,
}


def _decoded(text: str, kind: str) -> object:
    """A value of a form; what does not decode stays text and is complained about."""
    if kind in ("String", "InputFile"):
        return text
    try:
        value: object = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    if "String" in kind.split(" or ") and not isinstance(value, int):
        return text
    return value


@cache
def bot_api() -> Schema:
    """Bot API 10.3, read once."""
    return msgspec.json.decode(SCHEMA_FILE.read_bytes(), type=Schema)
