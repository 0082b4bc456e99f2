"""The part of the environment that SMS by Twilio needs."""

from __future__ import annotations

import hashlib
import re

import phonenumbers
from msgspec import Struct

from adapters.settings import Reader

E164 = re.compile(r"\+[1-9]\d{7,14}")
"""A phone number that can be texted: no short code, no sender's name, no other channel's prefix."""

_ACCOUNT = re.compile(r"AC[0-9a-fA-F]{32}")
_ALL = (
    "TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_AUTH_TOKEN_OLD", "TWILIO_NUMBER",
    "TWILIO_API_URL", "TWILIO_ANSWERS_KEYWORDS", "TWILIO_TIMEOUT_SECONDS", "SMS_COUNTRIES",
    "SMS_DAY_SEGMENTS", "SMS_COUNTRY_DAY_SEGMENTS", "SMS_ROOM_DAY_SEGMENTS", "TWILIO_SHARED_KEY",
)  # fmt: skip


class SmsSettings(Struct, frozen=True):
    """One account and one number.

    `public_url` is where the world, and so Twilio's signature, finds Parlour; `api_url` is "" for
    Twilio's own, and a request to it takes `timeout_seconds` at most. `provider_answers`: Twilio
    itself answers STOP, START and HELP. `countries` are those that may be texted, ISO 3166; unless
    the operator names them, only that of our own number, and nobody is invited by number. The
    segments are those of a day, in all, to each country, and of each room.
    """

    account_sid: str
    auth_token: str
    number: str
    public_url: str
    old_token: str = ""
    api_url: str = ""
    provider_answers: bool = True
    timeout_seconds: float = 10
    countries: tuple[str, ...] = ()
    day_segments: int = 5_000
    country_segments: int = 2_500
    room_segments: int = 500
    shared_key: str = ""

    @property
    def home(self) -> str:
        """The country of our own number."""
        return country_of(self.number)

    @property
    def texted(self) -> frozenset[str]:
        """The countries in which anybody is texted."""
        return frozenset(self.countries or (self.home,))

    @property
    def bot(self) -> str:
        """What addresses and events of this number begin with: `sms:<id>`, no number in it."""
        return f"sms:{hashlib.sha256(self.number.encode()).hexdigest()[:8]}"

    @property
    def shared_keys(self) -> tuple[str, ...]:
        """What a webhook may be signed with that names a shared key."""
        return (self.shared_key,) if self.shared_key else ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """What a webhook may be signed with; two while the token is being changed."""
        return tuple(token for token in (self.auth_token, self.old_token) if token)


def country_of(number: str) -> str:
    """The country of an E.164 number; +1 alone says nothing. Empty for what is none."""
    try:
        return phonenumbers.region_code_for_number(phonenumbers.parse(number)) or ""
    except phonenumbers.NumberParseException:
        return ""


def read_settings(reader: Reader) -> SmsSettings | None:
    """The settings of SMS, or None if there are none. Faults go to the reader."""
    if not reader.given(*_ALL):
        return None
    account_sid = reader.text("TWILIO_ACCOUNT_SID", "the account, AC and 32 digits or a to f")
    if reader.given("TWILIO_ACCOUNT_SID") and not _ACCOUNT.fullmatch(account_sid):
        reader.fault("TWILIO_ACCOUNT_SID", "is not AC and 32 digits or a to f")
    number = re.sub(r"[\s().-]", "", reader.text("TWILIO_NUMBER", "the number, +12025550100"))
    if reader.given("TWILIO_NUMBER") and not E164.fullmatch(number):
        reader.fault("TWILIO_NUMBER", "is not a number with + and its country, +12025550100")
    public_url = reader.url("PUBLIC_URL", "where Twilio finds Parlour, https://parlour.example")
    if "?" in public_url:
        reader.fault("PUBLIC_URL", "has a query, which no signature would survive")
    answers = reader.text("TWILIO_ANSWERS_KEYWORDS", "yes or no", "yes").casefold()
    if answers not in {"yes", "no"}:
        reader.fault("TWILIO_ANSWERS_KEYWORDS", "is neither yes nor no")
    return SmsSettings(
        account_sid=account_sid,
        auth_token=reader.text("TWILIO_AUTH_TOKEN", "the token of the account"),
        number=number,
        public_url=public_url,
        old_token=reader.text("TWILIO_AUTH_TOKEN_OLD", "the token before", ""),
        api_url=reader.url("TWILIO_API_URL", "another address of the REST API", ""),
        provider_answers=answers == "yes",
        timeout_seconds=reader.number("TWILIO_TIMEOUT_SECONDS", "how long a request may take", 10),
        countries=_countries(reader),
        day_segments=round(reader.number("SMS_DAY_SEGMENTS", "a day's segments", 5_000)),
        country_segments=round(
            reader.number("SMS_COUNTRY_DAY_SEGMENTS", "a day's segments to a country", 2_500)
        ),
        shared_key=reader.text("TWILIO_SHARED_KEY", "the secret of a key for webhooks", ""),
        room_segments=round(
            reader.number("SMS_ROOM_DAY_SEGMENTS", "a day's segments of a room", 500)
        ),
    )


def _countries(reader: Reader) -> tuple[str, ...]:
    typed = reader.text("SMS_COUNTRIES", "the countries that may be texted, US,CA", "")
    countries = tuple(one.strip().upper() for one in typed.split(",") if one.strip())
    if not phonenumbers.SUPPORTED_REGIONS.issuperset(countries):
        reader.fault("SMS_COUNTRIES", "names no countries of two letters, like US,CA")
    return countries
