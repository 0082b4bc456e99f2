"""What Twilio posts, read: is it theirs, and what did somebody mean by it? Pure.

The order matters. The signature covers the raw values, so it is checked before anything is made
plain; a carrier's keyword comes before everything a game could make of it; a phone's reaction in
words quotes what we sent, perhaps a secret, and goes no further.
"""
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from urllib.parse import parse_qsl

from msgspec import Struct
from twilio.request_validator import HMAC_SHA1, RequestValidator

from adapters.sms.folding import is_tapback, plain_inbound
from adapters.sms.revocation import revocation
from adapters.sms.settings import E164, SmsSettings
from core.commands import HELP, OPT_IN, OPT_OUT
from core.spelling import fold, trim

MAX_BODY_CHARS = 1600

_KEYWORDS = {"STOP": OPT_OUT, "START": OPT_IN, "HELP": HELP}  # as OptOutType calls them
_FAILED = frozenset({"failed", "undelivered"})


class Heard(Struct, frozen=True):
    """A text from a phone. `kind` as in `core.service.Incoming`; `sid` is the message's own id.

    `doubtful`: from whoever sits in no room it means that they want no texts.
    """

    kind: Literal["text", "gone", "reachable"]
    sid: str
    number: str
    text: str = ""
    doubtful: bool = False


class Told(Struct, frozen=True):
    """What became of a text of ours: `error` is Twilio's code, 0 if it did not fail."""

    sid: str
    number: str
    status: str
    error: int


def form(body: bytes) -> dict[str, str]:
    """The parameters of a form post. Empty ones are kept: they are signed too."""
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def is_signed(
    url: str,
    params: Mapping[str, str],
    signature: str | None,
    tokens: tuple[str, ...],
    algorithm: str = HMAC_SHA1,
) -> bool:
    """Whether Twilio signed `params` for `url` with one of `tokens`. Never raises.

    `url` is the public one as Twilio knows it, not the one that a proxy asked for.
    """
    if not signature:
        return False
    try:
        return any(
            RequestValidator(token).validate(url, params, signature, algorithm) is True
            for token in tokens
        )
    except (LookupError, TypeError, ValueError):  # the validator trips over odd values
        return False


def read(params: Mapping[str, str], ours: SmsSettings) -> Heard | None:
    """What somebody texted, or None if it is not for us to answer.

    That is: another account's, no phone's (a short code, a name, another channel), our own, a
    keyword that Twilio answers, a reaction.
    """
    sid, number = params.get("MessageSid", ""), params.get("From", "")
    if not sid or params.get("AccountSid") != ours.account_sid:
        return None
    if not E164.fullmatch(number) or number in ours.numbers:
        return None
    text = plain_inbound(params.get("Body", ""))
    handled = params.get("OptOutType", "").upper()
    match handled if handled in _KEYWORDS else _keyword(text):
        case "STOP":
            return Heard("gone", sid, number)
        case "START":
            return Heard("reachable", sid, number)
        case "HELP":
            answered = handled == "HELP" or ours.provider_answers
            return None if answered else Heard("text", sid, number, "?")
        case _:
            pass
    if is_tapback(text):
        return None
    revoked = revocation(text)
    if revoked == "clear":
        return Heard("gone", sid, number)
    return Heard("text", sid, number, text[:MAX_BODY_CHARS], doubtful=revoked == "doubtful")


def read_status(params: Mapping[str, str], ours: SmsSettings) -> Told | None:
    """What Twilio tells of a text of ours, or None if it is none of ours."""
    sid, number = params.get("MessageSid", ""), params.get("To", "")
    if not sid or params.get("AccountSid") != ours.account_sid or not E164.fullmatch(number):
        return None
    status, code = params.get("MessageStatus", ""), params.get("ErrorCode", "")
    failed = status in _FAILED and code.isascii() and code.isdecimal()
    return Told(sid, number, status, int(code) if failed else 0)


def _keyword(text: str) -> str:
    """Which kind of carrier's keyword the whole text is: `Stop.`, `STOP ALL`, `opt-out`; or ""."""
    word = fold(trim(text))
    spellings = {word, word.replace(" ", "")}
    return next((kind for kind, words in _KEYWORDS.items() if spellings & words), "")
