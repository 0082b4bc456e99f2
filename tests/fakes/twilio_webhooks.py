"""How Twilio calls an application: signed form posts, given again until they are taken."""

import asyncio
import base64
import hmac
import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit, urlunsplit

import httpx

from tests.fakes.twilio_journal import Journal

_EMPTY_TWIML = re.compile(r"\s*(<\?xml[^>]*\?>\s*)?(<Response\s*/>|<Response>\s*</Response>)\s*")
_XML_TYPES = {"text/xml", "application/xml"}
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.02, 0.5
_TIMEOUT_SECONDS = 15.0
_FORBIDDEN, _TOO_MANY_REQUESTS, _SERVER_ERROR = 403, 429, 500
FORGED = "Zm9yZ2VkLCBub3Qgc2lnbmVkIQ=="


class Reply(NamedTuple):
    """What the application under test answered; the names of headers are lower case."""

    status: int
    headers: Mapping[str, str]
    body: str


def sign(auth_token: str, url: str, params: Mapping[str, str]) -> str:
    """X-Twilio-Signature: HMAC-SHA1 over the URL and the sorted names and values, in base64."""
    signed = url + "".join(name + params[name] for name in sorted(params))
    return base64.b64encode(hmac.digest(auth_token.encode(), signed.encode(), "sha1")).decode()


class Webhooks:
    """Posts to the application, and puts down what Twilio would stumble over in its answers."""

    def __init__(self, auth_token: str, journal: Journal) -> None:
        self._auth_token = auth_token
        self._journal = journal
        self._http = httpx.AsyncClient(timeout=_TIMEOUT_SECONDS, trust_env=False)
        self._public_url: str | None = None
        self._send_to: str | None = None
        self._times = 1
        self._patience_seconds = 60.0

    def deliver_to(
        self, public_url: str, times: int, send_to: str | None, patience_seconds: float
    ) -> None:
        """Set where texts go; see FakeTwilio.deliver_to."""
        self._public_url, self._send_to = public_url, send_to
        self._times, self._patience_seconds = times, patience_seconds

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def text(self, params: Mapping[str, str]) -> Reply:
        """Give a text to the webhook, as many times as was set. Returns the last answer."""
        for _ in range(self._times - 1):
            await self._inbound(params)
        return await self._inbound(params)

    async def forged(self, params: Mapping[str, str], signature: str | None) -> Reply:
        """Give a text that Twilio did not sign, once; anything but a 403 is a violation."""
        reply = await self._post(self._webhook(), params, signature)
        if reply.status != _FORBIDDEN:
            self._journal.violation(f"a forged webhook got {reply.status}, not 403")
        return reply

    async def status(self, url: str, params: Mapping[str, str]) -> Reply:
        """Give a status callback to the URL that the message named."""
        return await self._until_taken(url, params)

    def _webhook(self) -> str:
        if self._public_url is None:
            raise AssertionError("call deliver_to before a phone texts")
        return self._public_url

    async def _inbound(self, params: Mapping[str, str]) -> Reply:
        reply = await self._until_taken(self._webhook(), params)
        content_type = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
        if httpx.codes.is_success(reply.status):
            if content_type not in _XML_TYPES:
                self._journal.violation(f"12300: TwiML came as {content_type or 'no type'!r}")
            if not _EMPTY_TWIML.fullmatch(reply.body):
                self._journal.violation(f"not an empty <Response/>: {reply.body[:200]!r}")
        return reply

    async def _until_taken(self, url: str, params: Mapping[str, str]) -> Reply:
        """Post until a final answer: 2xx, or a 4xx that no repetition would change."""
        signature = sign(self._auth_token, url.partition("#")[0], params)
        pause_seconds, failure = _FIRST_PAUSE_SECONDS, ""
        try:
            async with asyncio.timeout(self._patience_seconds):
                while True:
                    try:
                        reply = await self._post(url, params, signature)
                    except httpx.TransportError as error:
                        failure = type(error).__name__
                    else:
                        if httpx.codes.is_success(reply.status):
                            return reply
                        failure = str(reply.status)
                        if not _is_worth_repeating(reply.status):
                            self._journal.violation(f"11200: a signed webhook got {failure}")
                            return reply
                    await asyncio.sleep(pause_seconds)
                    pause_seconds = min(pause_seconds * 1.5, _LONGEST_PAUSE_SECONDS)
        except TimeoutError:
            waited = f"{self._patience_seconds} s"
            raise AssertionError(f"no 2xx within {waited}, at last {failure}") from None

    async def _post(self, url: str, params: Mapping[str, str], signature: str | None) -> Reply:
        headers = {
            "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8",
            "User-Agent": "TwilioProxy/1.1",
            "I-Twilio-Idempotency-Token": params["MessageSid"],
        }
        if signature is not None:
            headers["X-Twilio-Signature"] = signature
        content = urlencode(params).encode()
        response = await self._http.post(self._reachable(url), content=content, headers=headers)
        return Reply(response.status_code, dict(response.headers), response.text)

    def _reachable(self, url: str) -> str:
        """Where the URL really leads: the public one is served on a loopback port, perhaps."""
        url = url.partition("#")[0]
        if self._send_to is None or self._public_url is None:
            return url
        if url == self._public_url.partition("#")[0]:
            return self._send_to
        public, asked, real = map(urlsplit, (self._public_url, url, self._send_to))
        if (asked.scheme, asked.netloc) != (public.scheme, public.netloc):
            return url
        return urlunsplit(asked._replace(scheme=real.scheme, netloc=real.netloc))


def _is_worth_repeating(status: int) -> bool:
    return status >= _SERVER_ERROR or status == _TOO_MANY_REQUESTS
