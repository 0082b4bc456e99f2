"""What Twilio's REST API for messages accepts, refuses and answers: pure, no socket.

Parameters and the shape of a message are those of Twilio's published OpenAPI; codes are those of
its error pages, magic numbers those of its test credentials.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import format_datetime
from urllib.parse import urlencode, urlsplit

from starlette.responses import JSONResponse

from adapters.sms.segments import count

CREATE_PARAMETERS = frozenset(
    """To StatusCallback ApplicationSid MaxPrice ProvideFeedback Attempt ValidityPeriod
    ForceDelivery ContentRetention AddressRetention SmartEncoded PersistentAction TrafficType
    ShortenUrls ScheduleType SendAt SendAsMms ContentVariables RiskCheck From FallbackFrom
    MessagingServiceSid Body MediaUrl ContentSid""".split()
)
LIST_PARAMETERS = frozenset("To From DateSent DateSent< DateSent> PageSize Page PageToken".split())
STATUSES = ("accepted", "queued", "sending", "sent", "delivered", "undelivered", "failed")

MAX_BODY_CHARS = 1600
_MAX_VALIDITY_SECONDS = 36_000
_MAX_PAGE = 1000

MAGIC_SENDER = "+15005550006"
_MAGIC_TO = {
    "+15005550001": 21211,
    "+15005550002": 21612,
    "+15005550003": 21408,
    "+15005550004": 21610,
    "+15005550009": 21614,
}
_MAGIC_FROM = {"+15005550001": 21212, "+15005550007": 21606, "+15005550008": 21611}

# Twilio names the number in some of these: whoever logs an error's message logs a phone number.
_MESSAGES = {
    20001: "A parameter is not valid",
    20003: "Authenticate",
    20004: "Method not allowed",
    20404: "The requested resource was not found",
    21211: "Invalid 'To' Phone Number: {to}",
    21212: "Invalid From Number (caller ID)",
    21266: "'To' and 'From' number cannot be the same: {to}",
    21408: "Permission to send an SMS has not been enabled for the region of {to}",
    21602: "Message body is required.",
    21603: "A 'From' phone number is required.",
    21604: "A 'To' phone number is required.",
    21606: "The 'From' phone number is not a valid message-capable number of this account",
    21609: "The 'StatusCallback' URL is not valid",
    21610: "Attempt to send to unsubscribed recipient",
    21611: "This 'From' number has exceeded the maximum number of queued messages",
    21612: "Message cannot be sent with the current combination of 'To' ({to}) and 'From'",
    21614: "'To' number {to} is not a valid mobile number",
    21701: "The Messaging Service does not exist",
    21617: "The concatenated message body exceeds the 1600 character limit",
}


@dataclass(kw_only=True, eq=False)
class Text:
    """One outgoing message; `at` is aware and UTC, `status` the furthest it got."""

    sid: str
    to: str
    sender: str
    body: str
    at: datetime
    status: str = "queued"
    status_callback: str | None = None
    service: str | None = None
    error_code: int | None = None

    @property
    def segments(self) -> int:
        """How many segments it is billed as."""
        return count(self.body).segments


class RestError(Exception):
    """A refusal, in the shape that Twilio gives it."""

    def __init__(self, code: int, status: int = 400, message: str = "", to: str = "") -> None:
        self.code, self.status = code, status
        self.text = message or _MESSAGES[code].format(to=to)
        super().__init__(f"{status}, code {code}")

    def response(self) -> JSONResponse:
        """The answer to send."""
        more_info = f"https://www.twilio.com/docs/errors/{self.code}"
        content = {"code": self.code, "message": self.text, "more_info": more_info}
        return JSONResponse({**content, "status": self.status}, status_code=self.status)


def check_create(
    form: Mapping[str, str], own_numbers: Sequence[str], service: str, *, opted_out: bool
) -> None:
    """Raise the RestError that Twilio would answer to this form; the order is Twilio's own.

    A text by a Messaging Service is accepted even where its owner has opted out: a callback tells.
    """
    to, sender, body = (form.get(name, "") for name in ("To", "From", "Body"))
    if form.get("MessagingServiceSid"):
        if form["MessagingServiceSid"] != service:
            raise RestError(21701)
        sender, opted_out = sender or own_numbers[0], False
    required = {21604: to, 21603: sender, 21602: body}
    code = next((code for code, value in required.items() if not value), None)
    if code is None:
        code = _refused_numbers(to, sender, own_numbers) or _refused_rest(form)
    if code is None and opted_out:
        code = 21610
    if code is not None:
        raise RestError(code, to=to)


def _refused_numbers(to: str, sender: str, own_numbers: Sequence[str]) -> int | None:
    if sender in _MAGIC_FROM:
        return _MAGIC_FROM[sender]
    if sender not in {*own_numbers, MAGIC_SENDER}:
        return 21606
    if to in _MAGIC_TO:
        return _MAGIC_TO[to]
    if to == sender:
        return 21266
    return None if re.fullmatch(r"\+[1-9]\d{7,14}", to) else 21211


def _refused_rest(form: Mapping[str, str]) -> int | None:
    if len(form["Body"]) > MAX_BODY_CHARS:
        return 21617
    callback = urlsplit(form.get("StatusCallback", "https://unset.example"))
    if callback.scheme not in {"http", "https"} or not callback.hostname:
        return 21609
    validity = form.get("ValidityPeriod", "1")
    if not validity.isdecimal() or not 1 <= int(validity) <= _MAX_VALIDITY_SECONDS:
        return 20001
    return None


def resource(text: Text, account_sid: str, *, just_created: bool = False) -> dict[str, object]:
    """The message as JSON; one just created has not been sent yet: it is queued, or accepted."""
    when = format_datetime(text.at)
    uri = f"/2010-04-01/Accounts/{account_sid}/Messages/{text.sid}"
    return {
        "account_sid": account_sid,
        "api_version": "2010-04-01",
        "body": text.body,
        "date_created": when,
        "date_sent": None if just_created else when,
        "date_updated": when,
        "direction": "outbound-api",
        "error_code": text.error_code,
        "error_message": None,
        "from": None if text.service and just_created else text.sender,
        "messaging_service_sid": text.service,
        "num_media": "0",
        "num_segments": str(text.segments),
        "price": None,
        "price_unit": "USD",
        "sid": text.sid,
        "status": ("accepted" if text.service else "queued") if just_created else text.status,
        "subresource_uris": {"media": f"{uri}/Media.json"},
        "to": text.to,
        "uri": f"{uri}.json",
    }


def page(texts: Sequence[Text], query: Mapping[str, str], account_sid: str) -> dict[str, object]:
    """One page of those the query asks for, the newest first."""
    try:
        size = min(int(query.get("PageSize", "50")), _MAX_PAGE)
        number = int(query.get("Page", "0"))
        wanted = [text for text in reversed(texts) if _is_wanted(text, query)]
    except ValueError as error:
        raise RestError(20001) from error
    start = number * size
    shown = wanted[start : start + size]
    has_more = start + size < len(wanted)

    def uri(of: int) -> str:
        kept = {name: value for name, value in query.items() if name != "PageToken"}
        asked = urlencode({**kept, "PageSize": size, "Page": of})
        return f"/2010-04-01/Accounts/{account_sid}/Messages.json?{asked}"

    return {
        "end": max(start + len(shown) - 1, 0),
        "first_page_uri": uri(0),
        "next_page_uri": f"{uri(number + 1)}&PageToken=PA{shown[-1].sid}" if has_more else None,
        "page": number,
        "page_size": size,
        "previous_page_uri": uri(number - 1) if number else None,
        "messages": [resource(text, account_sid) for text in shown],
        "start": start,
        "uri": uri(number),
    }


def _is_wanted(text: Text, query: Mapping[str, str]) -> bool:
    sent = text.at.replace(microsecond=0)  # Twilio knows whole seconds
    return (
        query.get("To", text.to) == text.to
        and query.get("From", text.sender) == text.sender
        and ("DateSent" not in query or _day(query["DateSent"]) == sent.date())
        and ("DateSent>" not in query or sent >= _moment(query["DateSent>"]))
        and ("DateSent<" not in query or sent <= _moment(query["DateSent<"]))
    )


def _moment(value: str) -> datetime:
    moment = datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _day(value: str) -> date:
    return _moment(value).date()
