"""From the text of a file to a pack, or to what is wrong with it, line by line.

What is a fault here can't be played. What only plays badly is for `lint`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from core.games.ferret_out.pouches.keys import key
from core.games.ferret_out.pouches.pack import POSITIONS, POUCHES, Family, Pack

_ID = re.compile(r"[a-z][a-z0-9-]{1,19}")
_AT_BYTE = re.compile(r" \(byte (\d+)\)")
_IN_FAMILY = re.compile(r"\$\.families\[(\d+)\]")


class Fault(Struct, frozen=True):
    """Something wrong with a pack: in which family (""), about which word (""), and what."""

    family: str
    word: str
    what: str


def load(raw: bytes) -> Pack:
    """A pack from its JSON. ValueError, a line for each fault with its place: it can't be played.

    The lines begin with the number of the file's line: `line 12: 'mouse' stands for both …`.
    """
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        pack = msgspec.json.decode(raw.decode(), type=Pack)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line}: not written in UTF-8") from error
    except msgspec.DecodeError as error:
        raise ValueError(_undecoded(raw, error)) from error
    if found := [f"line {line_of(raw, fault)}: {fault.what}" for fault in faults(pack)]:
        raise ValueError("\n".join(found))
    return pack


def faults(pack: Pack) -> Iterator[Fault]:
    """Why a pack can't be played."""
    if not _ID.fullmatch(pack.id):
        what = "the id has 2 to 20 small letters, digits and hyphens, a letter first"
        yield Fault("", pack.id, f"{pack.id!r} can't be an id: {what}")
    if len(pack.families) != POSITIONS:
        yield Fault("", "families", f"{len(pack.families)} families instead of {POSITIONS}")
    owner: dict[str, tuple[str, str]] = {}
    names: set[str] = set()
    for family in pack.families:
        if family.name in names:
            yield Fault(family.name, "", f"there are two families {family.name!r}")
        names.add(family.name)
        yield from _in_family(family)
        for word in family.words:
            yield from _taken(pack, family, word, owner)


def _in_family(family: Family) -> Iterator[Fault]:
    name = family.name
    if len(family.words) != POUCHES:
        yield Fault(name, "", f"family {name!r} has {len(family.words)} words instead of {POUCHES}")
    for listed, what in ((family.forms, "forms"), (family.associations, "associations")):
        for stray in sorted(listed.keys() - set(family.words)):
            why = f"family {name!r} has {what} of {stray!r}, which is none of its words"
            yield Fault(name, stray, why)
    for word in family.words:
        for form in (word, *family.forms.get(word, ())):
            if not key(form):
                yield Fault(name, form, f"{form!r} in family {name!r} has no letter and no digit")


def _taken(
    pack: Pack, family: Family, word: str, owner: dict[str, tuple[str, str]]
) -> Iterator[Fault]:
    """Whether a word, or a form of it, is another word too; `owner` learns whose they are."""
    for form in sorted(pack.forms(word)):
        if form in owner:
            first, other = owner[form]
            where = "" if first == family.name else f" (in family {first!r})"
            why = f"{form!r} stands for both {other!r}{where} and {word!r}"
            yield Fault(family.name, word, why)
        owner[form] = family.name, word


def line_of(raw: bytes, fault: Fault) -> int:
    """The line of a pack's text, from 1, that a fault is about: the word's, or its family's.

    It is found by looking for the words as they are written there, so that any layout will do.
    """
    text = raw.decode(errors="replace")
    start = _start(text, fault.family)
    end = _end(text, start) if fault.family else len(text)
    at = start
    if fault.word:
        # Of a word that stands there twice the second is at fault; else it may be a form, a clue …
        words = text.find('"words"', start, end)
        listed = text.rfind(_quoted(fault.word), words, text.find("]", words)) if words >= 0 else -1
        at = listed if listed >= 0 else text.find(_quoted(fault.word), start, end)
    return text.count("\n", 0, max(at, start)) + 1


def _start(text: str, family: str) -> int:
    """Where a family begins: at its name."""
    found = re.search(rf'"name"\s*:\s*{re.escape(_quoted(family))}', text) if family else None
    return found.start() if found else 0


def _end(text: str, start: int) -> int:
    """Where the family that begins at `start` ends: at the next one's name."""
    following = re.compile(r'"name"\s*:').search(text, start + 1)
    return following.start() if following else len(text)


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()


def _undecoded(raw: bytes, error: msgspec.DecodeError) -> str:
    """What the decoder says, with the line: it knows the byte, or the family by its number."""
    why = str(error)
    if not isinstance(error, msgspec.ValidationError):
        at = _AT_BYTE.search(why)  # without one, the text breaks off at its end
        line = raw.count(b"\n", 0, int(at[1]) if at else len(raw)) + 1
        return f"line {line}: not JSON: {_AT_BYTE.sub('', why)}"
    if at := _IN_FAMILY.search(why):
        starts = [found.start() for found in re.finditer(rb'"name"\s*:', raw)]
        nth = int(at[1])
        line = raw.count(b"\n", 0, starts[nth]) + 1 if nth < len(starts) else 1
        return f"line {line}: not a pack of words: {why}"
    return f"line 1: not a pack of words: {why}"
