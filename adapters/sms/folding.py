"""Text made cheap on its way out and plain on its way in.

Out: one character outside GSM 03.38 halves what a segment holds, so quotes, dashes and accents
that cost so much are written in their plain form, unless the text needs UTF-16 anyway.
In: whatever a phone's keyboard put there (curly quotes, full-width digits, hidden characters) is
read as what the person meant. The signature of a webhook is checked before, on the raw text.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count

from adapters.sms.segments import clusters, is_gsm7, septets, utf16_units
from core.commands import COMMANDS

SHORT_NAME_UNITS = 8

_QUOTES = dict.fromkeys("‘’‚‛′‹›`´ʻʼˈ＇", "'") | dict.fromkeys("“”„‟″«»＂", '"')
_DASHES = dict.fromkeys("‐‑‒–—―−⁃﹘﹣－", "-")
_TYPOGRAPHY = str.maketrans(
    _QUOTES
    | _DASHES
    | dict.fromkeys("•◦▪‣∙·●", "-")
    | {"…": "...", "‥": "..", "→": "->", "←": "<-", "×": "x", "÷": "/", "⁄": "/"}
    | {"©": "(c)", "®": "(r)", "™": "TM"}
)
_QUOTES_AND_DASHES = str.maketrans(_QUOTES | _DASHES)

# What Unicode does not take apart into a plain character and a mark, or takes apart wrongly.
_SPELLED = dict(zip("ŁłĐđÐðıĦħŦŧŊŋƏəµ", "LlDdDdiHhTtNnEeu", strict=True)) | {
    "Œ": "OE",
    "œ": "oe",
    "Þ": "Th",
    "þ": "th",
    "ẞ": "SS",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
}
_GREEK_OF_GSM = frozenset("ΔΦΓΛΩΠΨΣΘΞ")

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Variation selectors, the keycap's frame and the grapheme joiner: marks nobody sees.
_UNSEEN = frozenset("\u034f\u20e3\u180b\u180c\u180d\u180f") | frozenset(
    map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
)
_JOINERS = "\u200c\u200d"
# A joiner between two emoji or two letters of a far script belongs to them; beside Latin it hides.
_FAR = rf"[^\0-\u024f{_JOINERS}]"
_LOOSE_JOINER = re.compile(rf"[{_JOINERS}]{{2,}}|(?<!{_FAR})[{_JOINERS}]|[{_JOINERS}](?!{_FAR})")

# What iOS and Google Messages send in place of a reaction; both quote the text reacted to, or
# name the thing. A bare "Liked" is a word like any other.
_THING = r'(?:"|(?:an?|your) (?:image|movie|photo|video|attachment|link|sticker|audio message)\b)'
_TAPBACK = re.compile(
    rf"(?:Liked|Loved|Disliked|Laughed at|Emphasi[sz]ed|Questioned) {_THING}"
    rf"|Reacted .{{1,30}}? to {_THING}"
    rf"|Removed .{{1,30}}? from {_THING}"
    rf"|[^\w\s\"'.,:;!?()&-]+ ?to {_THING}"
)
# In whatever language: a few words, and then a long quotation that ends the text, or nearly does.
_QUOTED = re.compile(
    r"([^\W\d_]+)(?:[ '][^\W\d_]+){0,5} ?\" ?[^\"]{12,}(?:\"(?: ?[^\W\d_]+){0,2}|\.\.\.)\W*\Z"
)


def fold(text: str) -> str:
    """Make a text GSM-7 where that can be done without losing what it says.

    Typography becomes ASCII and what can't be seen goes, always. Latin letters lose marks that
    GSM-7 lacks only if the whole text is GSM-7 then: beside an emoji "Łódź" keeps its letters.
    """
    tidy = unicodedata.normalize("NFC", _seen(_LINE_ENDS.sub("\n", text), keep=_JOINERS))
    tidy = unicodedata.normalize("NFC", _LOOSE_JOINER.sub("", tidy.translate(_TYPOGRAPHY)))
    plain = "".join(map(_plain_latin, tidy))
    return plain if is_gsm7(plain) else tidy


def plain_inbound(text: str) -> str:
    """Read what a phone sent as what was meant, case kept (the classifiers fold it themselves).

    Compatibility forms, quotes and dashes become plain, hidden characters go, runs of white space
    become one space, or one line end if there was one among them.
    """
    meant = unicodedata.normalize("NFKC", _seen(_LINE_ENDS.sub("\n", text), keep=""))
    meant = meant.translate(_QUOTES_AND_DASHES)
    return re.sub(r"\s+", lambda run: "\n" if "\n" in run[0] else " ", meant).strip()


def is_tapback(text: str) -> bool:
    """Say whether a text is a reaction ("Liked “…”", "👍 to “…”") that a phone wrote out in words.

    It quotes what we sent, perhaps a secret: never an answer, and never to be passed on.
    """
    plain = plain_inbound(text)
    quoted = _QUOTED.match(plain)
    foreign = quoted is not None and quoted[1].casefold() not in COMMANDS
    return foreign or _TAPBACK.match(plain) is not None


def short_names(names: Mapping[str, str]) -> dict[str, str]:
    """Give each seat a name of at most 8 septets (or 8 UTF-16 units), unique whatever the case.

    The order of the mapping decides who keeps the plain name: "Alexandr", then "Alexand2".
    """
    short: dict[str, str] = {}
    taken: set[str] = set()
    for place, (seat, name) in enumerate(names.items(), start=1):
        full = re.sub(r"\s+", " ", fold(name)).strip()
        if not _cut(full, SHORT_NAME_UNITS):
            full = f"P{place}"
        short[seat] = next(free for free in _candidates(full) if free.casefold() not in taken)
        taken.add(short[seat].casefold())
    return short


def _candidates(full: str) -> Iterator[str]:
    yield _cut(full, SHORT_NAME_UNITS)
    for number in count(2):
        yield (_cut(full, SHORT_NAME_UNITS - len(str(number))) or "P") + str(number)


def _cut(name: str, units: int) -> str:
    kept = ""
    for cluster in clusters(name):
        if _size(kept + cluster) > units:
            break
        kept += cluster
    return kept.rstrip()


def _size(name: str) -> int:
    return septets(name) if is_gsm7(name) else utf16_units(name)


def _seen(text: str, keep: str) -> str:
    """Drop what can't be seen; white space of any width becomes a space, line ends stay."""
    return "".join(
        " " if char == "\t" or unicodedata.category(char) == "Zs" else char
        for char in text
        if char in "\n\t" or char in keep or not is_hidden(char)
    )


def is_hidden(char: str) -> bool:
    """Say whether a character has no shape of its own: controls, marks of direction, selectors."""
    return unicodedata.category(char) in {"Cc", "Cf", "Cs"} or char in _UNSEEN


@cache
def _plain_latin(char: str) -> str:
    if is_gsm7(char):
        return char
    if char in _SPELLED:
        return _SPELLED[char]
    parts = unicodedata.normalize("NFKD", char)
    if char.isalpha() or _is_mark(char):
        parts = "".join(part for part in parts if not _is_mark(part))
    parts = parts.translate(_TYPOGRAPHY)
    return parts if is_gsm7(parts) and _GREEK_OF_GSM.isdisjoint(parts) else char


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")
