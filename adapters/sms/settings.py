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
_SERVICE = re.compile(r"MG[0-9a-fA-F]{32}")
_ALL = (
    "TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_AUTH_TOKEN_OLD", "TWILIO_NUMBER",
    "TWILIO_API_URL", "TWILIO_ANSWERS_KEYWORDS", "TWILIO_TIMEOUT_SECONDS", "SMS_COUNTRIES",
    "SMS_DAY_SEGMENTS", "SMS_COUNTRY_DAY_SEGMENTS", "SMS_ROOM_DAY_SEGMENTS", "TWILIO_SHARED_KEY",
    "TWILIO_MESSAGING_SERVICE_SID", "SMS_SEGMENTS_PER_SECOND",
)  # fmt: skip


class Price(Struct, frozen=True):
    """What a segment costs; 0 where nobody has said."""

    segment: float = 0
    currency: str = "USD"


class SmsSettings(Struct, frozen=True):
    """One account and its numbers, of which `number` is the first: the one that players are told.

    With a `service` (Twilio's Messaging Service) Twilio picks one of them for each text. Each sends
    so many `segments_per_second`.

    `public_url` is where the world, and so Twilio's signature, finds Parlour; `api_url` is "" for
    Twilio's own, and a request to it takes `timeout_seconds` at most. `provider_answers`: Twilio
    itself answers STOP, START and HELP. `countries` are those that may be texted, ISO 3166; unless
    the operator names them, only those of our own numbers, and nobody is invited by number. The
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
    more_numbers: tuple[str, ...] = ()
    service: str = ""
    segments_per_second: float = 1
    price: Price = Price()

    @property
    def numbers(self) -> tuple[str, ...]:
        """All of our own numbers."""
        return (self.number, *self.more_numbers)

    @property
    def home(self) -> str:
        """The country of our first number."""
        return country_of(self.number)

    @property
    def texted(self) -> frozenset[str]:
        """The countries in which anybody is texted."""
        return frozenset(self.countries or map(country_of, self.numbers))

    @property
    def bot(self) -> str:
        """What addresses and events begin with: `sms:<id>`, by the first number, but not with it.

        Numbers may be added behind it; with another first one nobody is known any more.
        """
        return f"sms:{id_of(self.number)}"

    @property
    def shared_keys(self) -> tuple[str, ...]:
        """What a webhook may be signed with that names a shared key."""
        return (self.shared_key,) if self.shared_key else ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """What a webhook may be signed with; two while the token is being changed."""
        return tuple(token for token in (self.auth_token, self.old_token) if token)


def id_of(number: str) -> str:
    """What stands for a number of ours in names: everybody may know that, but no key needs to."""
    return hashlib.sha256(number.encode()).hexdigest()[:8]


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
    numbers = _numbers(reader)
    public_url = reader.url("PUBLIC_URL", "where Twilio finds Parlour, https://parlour.example")
    if "?" in public_url:
        reader.fault("PUBLIC_URL", "has a query, which no signature would survive")
    answers = reader.text("TWILIO_ANSWERS_KEYWORDS", "yes or no", "yes").casefold()
    if answers not in {"yes", "no"}:
        reader.fault("TWILIO_ANSWERS_KEYWORDS", "is neither yes nor no")
    return SmsSettings(
        account_sid=account_sid,
        auth_token=reader.text("TWILIO_AUTH_TOKEN", "the token of the account"),
        number=numbers[0],
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
        more_numbers=numbers[1:],
        service=_service(reader),
        segments_per_second=reader.number(
            "SMS_SEGMENTS_PER_SECOND", "what each number sends in a second", 1
        ),
        price=read_price(reader),
    )


def read_price(reader: Reader) -> Price:
    """What a segment costs. Faults go to the reader."""
    segment = reader.number("SMS_SEGMENT_PRICE", "what a segment costs, 0.0079", 0)
    return Price(segment, reader.text("SMS_CURRENCY", "in which currency", "USD"))


def _numbers(reader: Reader) -> tuple[str, ...]:
    typed = reader.text("TWILIO_NUMBER", "the number, +12025550100; or several, with commas")
    plain = re.sub(r"[\s().-]", "", typed)
    numbers = tuple(dict.fromkeys(one for one in plain.split(",") if one)) or ("",)
    if reader.given("TWILIO_NUMBER") and not all(map(E164.fullmatch, numbers)):
        reader.fault("TWILIO_NUMBER", "is not a number with + and its country, +12025550100")
    return numbers


def _service(reader: Reader) -> str:
    name = "TWILIO_MESSAGING_SERVICE_SID"
    sid = reader.text(name, "the Messaging Service that the numbers are in", "")
    if sid and not _SERVICE.fullmatch(sid):
        reader.fault(name, "is not MG and 32 digits or a to f")
    return sid


def _countries(reader: Reader) -> tuple[str, ...]:
    typed = reader.text("SMS_COUNTRIES", "the countries that may be texted, US,CA", "")
    countries = tuple(one.strip().upper() for one in typed.split(",") if one.strip())
    if not phonenumbers.SUPPORTED_REGIONS.issuperset(countries):
        reader.fault("SMS_COUNTRIES", "names no countries of two letters, like US,CA")
    return countries
