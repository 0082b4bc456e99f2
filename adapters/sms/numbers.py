"""Phone numbers in what a host typed or pasted: each with its country's opinion of it. Pure.

Theory of operation. The text is cut where people cut lists (commas, line ends, "and"); in each
piece Google's matcher finds what could be a number, as it is spelt. What is only possible is not
yet right: `(02) 9999 1234` is possible in the United States, and wrong. So a number counts if it is
valid where it says it is, or in the host's region. Anything else is asked back, with a guess if
there is one; a guess is never texted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from typing import Literal, TypeAlias

import phonenumbers
from msgspec import Struct
from phonenumbers import Leniency, NumberParseException, PhoneNumber, PhoneNumberType
from phonenumbers.shortnumberinfo import is_emergency_number

from adapters.sms.folding import is_hidden

Verdict: TypeAlias = Literal[
    "ok", "confirm", "which_country", "invalid", "landline", "premium", "short", "country_off",
    "duplicate",
]  # fmt: skip
"""What can be done: text it, ask whether it is meant, ask which country it is in, or nothing."""

FEWEST_DIGITS, SHORT_DIGITS, MOST_DIGITS = 3, 6, 15
_CUTS = re.compile(r"[,;/\n&|]|\s(?:and|y|et|und)\s", re.IGNORECASE)
_TEL = re.compile(r"^(?:[\w-]+\.)?TEL[^:\n]*:(?:tel:)?(.+)$", re.IGNORECASE | re.MULTILINE)
_DIGITS = re.compile(r"[+(]?\d[\d()\s.\-–]*\d|\d")
_MISTYPED = re.compile(r"(?<=\d)[oO](?=\d)")
_DATE = re.compile(r"\b(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})\b")
_FOLDED = re.compile(r"\r?\n[ \t]")
_COSTLY = {
    PhoneNumberType.TOLL_FREE, PhoneNumberType.PREMIUM_RATE, PhoneNumberType.SHARED_COST,
    PhoneNumberType.PAGER, PhoneNumberType.UAN, PhoneNumberType.VOICEMAIL,
}  # fmt: skip


class Found(Struct, frozen=True):
    """A number as it was typed, what it is (E.164), if that is known, and what can be done."""

    typed: str
    e164: str | None
    verdict: Verdict


def find_numbers(text: str, region: str, countries: Collection[str] = ()) -> tuple[Found, ...]:
    """The numbers in a text by a host whose own number is in `region` (ISO 3166, two letters).

    `countries` are those that may be texted; none named: the host's own. Each number is texted
    once, so the second time it is a duplicate.
    """
    allowed = set(countries) or {region}
    shown = _vcard_numbers(text) if "BEGIN:VCARD" in text.upper() else text
    plain, places = _plain(shown)
    known: set[str] = set()
    found: list[Found] = []
    dateless = _DATE.sub(lambda date: "-" * len(date[0]), plain)
    for start, end in sorted(_spans(dateless, region)):
        typed = shown[places[start] : places[end - 1] + 1]
        one = _judged(typed, plain[start:end], region, allowed)
        if one.e164 in known:
            one = Found(one.typed, one.e164, "duplicate")
        elif one.e164:
            known.add(one.e164)
        found.append(one)
    return tuple(found)


def _vcard_numbers(text: str) -> str:
    """The numbers of the contacts in a text, a line each; a long line may be folded."""
    unfolded = _FOLDED.sub("", text.replace("\r\n", "\n"))
    return "\n".join(found.strip() for found in _TEL.findall(unfolded))


def _plain(text: str) -> tuple[str, list[int]]:
    """The text without what can't be seen, its digits as such; and where each character was."""
    plain: list[str] = []
    places: list[int] = []
    for at, ch in enumerate(text):
        if ch == "\n" or not is_hidden(ch):
            folded = unicodedata.normalize("NFKC", ch)
            plain.append(folded)
            places += [at] * len(folded)
    return "".join(plain), places


def _spans(text: str, region: str) -> Iterator[tuple[int, int]]:
    """Where whatever looks like a number begins and ends."""
    start = 0
    for cut in (*_CUTS.finditer(text), None):
        end = cut.start() if cut else len(text)
        piece = text[start:end]
        left = piece
        for match in phonenumbers.PhoneNumberMatcher(piece, region, leniency=Leniency.POSSIBLE):
            yield start + match.start, start + match.end
            left = left[: match.start] + "\n" * (match.end - match.start) + left[match.end :]
        for begins, ends in _left_out(left, region):
            yield start + begins, start + ends
        start = cut.end() if cut else end


def _left_out(text: str, region: str) -> Iterator[tuple[int, int]]:
    """Numbers the matcher leaves out: several with only spaces between, and what is none at all."""
    for run in _DIGITS.finditer(_MISTYPED.sub("0", text)):
        start: int = run.start()
        gaps = re.finditer(r"\s+", run[0])
        ends: list[int] = [start + gap.start() for gap in gaps]
        ends.append(start + len(run[0].rstrip()))
        while ends:
            end = next((one for one in ends if _valid(text[start:one], region)), ends[-1])
            if sum(ch.isdigit() for ch in text[start:end]) >= FEWEST_DIGITS:
                yield start, end
            ends = [one for one in ends if one > end]
            start = end + len(text[end:]) - len(text[end:].lstrip())


def _judged(typed: str, plain: str, region: str, allowed: set[str]) -> Found:
    digits = "".join(ch for ch in plain if ch.isdecimal())
    if len(digits) <= SHORT_DIGITS or is_emergency_number(digits, region):
        return Found(typed, None, "short")
    number = _valid(plain, region)
    if number:
        return Found(typed, _e164(number), _allowed(number, allowed))
    guess = _guess(plain, digits)
    if guess:
        verdict = _allowed(guess, allowed)
        return Found(typed, _e164(guess), "confirm" if verdict == "ok" else verdict)
    hopeless = has_plus(plain) or len(digits) > MOST_DIGITS or any(map(str.isalpha, plain))
    return Found(typed, None, "invalid" if hopeless else "which_country")


def _valid(typed: str, region: str) -> PhoneNumber | None:
    """The number, if it is valid as it is spelt, in its own country or the host's region."""
    try:
        number = phonenumbers.parse(typed, region)
    except NumberParseException:
        return None
    letters = any(ch.isalpha() for ch in typed)
    if number.extension or letters or not phonenumbers.is_valid_number(number):
        return None
    return number


def _guess(typed: str, digits: str) -> PhoneNumber | None:
    """What may have been meant: a letter O for a zero, 00 or nothing for a plus."""
    if _MISTYPED.search(typed):
        return _valid(_MISTYPED.sub("0", typed), "ZZ") or _valid(f"+{digits}", "ZZ")
    if has_plus(typed) or any(map(str.isalpha, typed)):
        return None
    return _valid(f"+{digits.removeprefix('00').removeprefix('011')}", "ZZ")


def has_plus(typed: str) -> bool:
    """Whether a number is spelt with its country."""
    return unicodedata.normalize("NFKC", typed).lstrip("( ").startswith("+")


def _allowed(number: PhoneNumber, allowed: set[str]) -> Verdict:
    kind = phonenumbers.number_type(number)
    if kind == PhoneNumberType.FIXED_LINE:
        return "landline"
    if kind in _COSTLY:
        return "premium"
    return "ok" if phonenumbers.region_code_for_number(number) in allowed else "country_off"


def _e164(number: PhoneNumber) -> str:
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
