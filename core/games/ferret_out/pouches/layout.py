"""The one way a pack is written down: a line per list, so that a change of one word is one line.

`dumps` of what `load` read is the file again, byte for byte, if `dumps` wrote it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

import msgspec

from core.games.ferret_out.pouches.pack import Family, Pack

LINE_CHARS = 98
"""Near words are thousands, so many stand in a line."""


def dumps(pack: Pack) -> str:
    """`pack` as the JSON of a file. Forms and associations come in the order of the words."""
    fields = [_field(name, getattr(pack, name)) for name in ("id", "language", "licence", "author")]
    fields.append(_block("families", "[]", (_family(family) for family in pack.families)))
    if pack.near:
        fields.append(_block("near", "[]", wrap(_json(pack.near)[1:-1], LINE_CHARS), comma=""))
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _family(family: Family) -> str:
    parts = [_field("name", family.name), _field("words", family.words)]
    if family.forms:
        parts.append(_field("forms", _ordered(family.forms, family.words)))
    if family.clues:
        parts.append(_field("clues", family.clues))
    if family.associations:
        known = _ordered(family.associations, family.words)
        listed = (_field(word, clues) for word, clues in known.items())
        parts.append(_block("associations", "{}", listed))
    return "{" + ",\n".join(parts) + "}"


def _ordered(
    listed: Mapping[str, tuple[str, ...]], words: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """`listed` in the order of `words`; what is of none of them comes last."""
    order = (*(word for word in words if word in listed), *listed)
    return {word: listed[word] for word in order}


def _field(name: str, value: object) -> str:
    return f"{_json(name)}: {_json(value)}"


def _block(name: str, brackets: str, lines: Iterable[str], *, comma: str = ",") -> str:
    start, end = brackets
    return f"{_json(name)}: {start}\n" + f"{comma}\n".join(lines) + f"\n{end}"


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
