"""The way out: letters to Twilio's REST API, at most once each. The only I/O out of this folder.

A create whose outcome is unknown may have sent a text, so nothing here ever repeats one: it is
settled later by listing what was sent to that number. Numbers and texts stay out of reasons and
logs, and so do the messages of exceptions, which quote them.
"""
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import aiohttp
from twilio.base import values
from twilio.base.exceptions import (
    TwilioException,
    TwilioRestException,
    TwilioServiceException,
)
from twilio.http import AsyncHttpClient
from twilio.http.response import Response
from twilio.rest import Client

from adapters.platform import Shared
from adapters.sms.allowance import Allowance, spread_ms
from adapters.sms.bill import Bill
from adapters.sms.codes import PAUSES_MS, UNREACHABLE, Deed, deed_of
from adapters.sms.failures import Failures
from adapters.sms.kept import Kept
from adapters.sms.render import bodies, status_path
from adapters.sms.segments import count
from adapters.sms.senders import Sender, Senders
from adapters.sms.settings import SmsSettings
from adapters.sms.statuses import Statuses
from core.delivery import Letter
from core.ports import Dropped, Fate, Gone, Later, Sent, Unknown

VALID_SECONDS = 4 * 3_600
LISTED = 50
_CLOCKS_DIFFER_MS = 15_000
"""Twilio's clock may be so far behind the store's. The same words sent twice within this time are
taken for one text: better one too few than one too many."""
_SHORTEST_SECONDS = 10
_NOT_CONNECTED_MS = 2_000
_SERVER_ERROR = 500
_SOON_MS = 50
_WAIT: frozenset[Deed] = frozenset({"busy", "full", "crowded"})
_TRIAL = "Sent from your Twilio trial account - "
# An empty one would make twilio's client read the process's: TWILIO_EDGE changes the host.
_NO_ENVIRONMENT = {"TWILIO_EDGE": ""}
_TROUBLE = (TwilioException, aiohttp.ClientError, asyncio.TimeoutError, ValueError)


class SmsMessenger:
    """Sends letters as texts from our numbers, each letter as a whole when it is its turn."""

    at_most_once = True

    def __init__(
        self, settings: SmsSettings, shared: Shared, client: Client, settle_ms: float,
        late_ms: float,
    ) -> None:  # fmt: skip
        """`settle_ms`: a text not listed so long after its try never went out.

        That has to be longer than a request may take, begun at most `late_ms` after its turn came,
        or one still under way would be repeated.
        """
        self._settings, self._book, self._client = settings, shared.book, client
        self._senders, self._bill = Senders(settings, shared), Bill(shared.counters)
        self._allowance, self._failures = Allowance(settings, shared), Failures(shared)
        self._kept, self._statuses = Kept(shared), Statuses(shared.directory)
        self._settle_ms, self._late_ms = settle_ms, late_ms

    async def send(self, letter: Letter, letter_id: str, ref: str) -> Fate:
        """Send a letter. A text can't be edited: `ref` is left alone."""
        del ref
        began = time.monotonic()
        texts, number = bodies(letter), await self._book.raw(letter.to)
        if number is None:
            return Dropped("the number was sealed with another secret")
        if await self._book.suppressed(letter.to):
            return Gone()
        if not texts:
            return Dropped("nothing worth a text")
        sender = await self._senders.of(letter.to, number)
        segments = sum(count(body).segments for body in texts)
        wait_ms = await self._senders.wait_ms(sender, letter_id, segments)
        if wait_ms > _SOON_MS:
            return Later(wait_ms)
        fate: Fate = Dropped("nothing worth a text")
        for at, body in enumerate(texts):
            if (time.monotonic() - began) * 1_000 > self._late_ms * (at + 1):
                # We were stopped, or the store was away: by now another may have taken it over.
                return Unknown()
            fate = await self._create(letter, f"{letter_id}:{at}", sender, number, body)
            if isinstance(fate, Later) and at:
                return Dropped("partly sent")
            if not isinstance(fate, Sent):
                return fate
        return fate

    async def fate(self, letter: Letter, letter_id: str, tried_ms: int) -> Fate:
        """What became of a letter that was tried at `tried_ms`: what was told, or is listed."""
        texts, number = bodies(letter), await self._book.raw(letter.to)
        if number is None or not texts:
            return Dropped("nothing that could have been sent")
        sid = await self._statuses.sid(f"{letter_id}:{len(texts) - 1}")
        if sid is not None:
            return await self._found(letter, letter_id, texts, sid)
        try:
            found = await self._listed(number, tried_ms - _CLOCKS_DIFFER_MS)
        except _TROUBLE:
            return Unknown()
        if texts[-1] in found:
            return await self._found(letter, letter_id, texts, found[texts[-1]])
        if time.time() * 1_000 - tried_ms < self._settle_ms * len(texts):
            return Unknown()
        return Dropped("partly sent") if texts[0] in found else Later(0)

    async def _found(
        self, letter: Letter, letter_id: str, texts: tuple[str, ...], sid: str
    ) -> Fate:
        for at, body in enumerate(texts):
            await self._bill.add(letter.room, f"{letter_id}:{at}", count(body).segments)
        return Sent(sid)

    async def lag_ms(self, texts: int) -> int:
        """How long until so many more texts of one segment would be out."""
        return await self._senders.lag_ms(texts)

    async def _create(
        self, letter: Letter, text_id: str, sender: Sender, number: str, body: str
    ) -> Fate:
        segments, now_ms = count(body).segments, round(time.time() * 1_000)
        refused = await self._allowance.refusal(letter, text_id, number, segments, now_ms)
        if refused:
            return refused
        path = status_path(text_id, *((letter.room, letter.seat) if letter.seat else ()))
        valid_seconds = _valid_seconds(letter.until_ms)
        # What became of it may be told before its create is answered.
        await self._kept.keep(letter, text_id, body, 1_000 * valid_seconds)
        try:
            made = await self._client.messages.create_async(
                to=number,
                from_=sender.number or values.unset,
                messaging_service_sid=sender.service or values.unset,
                body=body,
                status_callback=f"{self._settings.public_url}{path}",
                validity_period=valid_seconds,
            )
        except _TROUBLE as why:
            return await self._refused(why, letter, text_id, number)
        await self._bill.add(letter.room, text_id, segments)
        return Sent(made.sid or "")

    async def _refused(self, why: Exception, letter: Letter, text_id: str, number: str) -> Fate:
        """What became of a text whose create failed, after all that follows from it is done."""
        fate, code = fate_after(why), _code(why)
        if code and not isinstance(fate, Unknown):
            status = getattr(why, "status", 0)
            await self._failures.heed(text_id, code, letter.to, number, status=status)
        return Later(fate.delay_ms + spread_ms(text_id)) if isinstance(fate, Later) else fate

    async def _listed(self, number: str, since_ms: int) -> dict[str, str]:
        """The texts to `number` since then, by body: the ids of the messages."""
        # Not by date sent, which is empty for what is still in Twilio's queue.
        messages = await self._client.messages.list_async(to=number, limit=LISTED)
        return {
            message.body.removeprefix(_TRIAL): message.sid or ""
            for message in messages
            if message.body
            and message.date_created
            and message.date_created.timestamp() * 1_000 >= since_ms
        }


def fate_after(why: Exception) -> Fate:
    """What became of a text whose create failed so."""
    match why:
        case aiohttp.ClientConnectorError() | aiohttp.ConnectionTimeoutError():
            return Later(_NOT_CONNECTED_MS)
        case TwilioRestException() | TwilioServiceException():
            code, status = _code(why), why.status
        case _:
            return Unknown()
    deed: Deed = deed_of(code, status)
    if deed in UNREACHABLE:
        return Gone()
    if deed in _WAIT:
        return Later(PAUSES_MS[deed])
    return Unknown() if status >= _SERVER_ERROR else Dropped(f"twilio {code}")


def _code(why: Exception) -> int:
    code = getattr(why, "code", None)
    return code if isinstance(code, int) else 0


def _valid_seconds(until_ms: int | None) -> int:
    """How long the network may try: a text about a round is worth nothing the morning after."""
    if until_ms is None:
        return VALID_SECONDS
    left_seconds = int(until_ms / 1_000 - time.time())
    return max(_SHORTEST_SECONDS, min(VALID_SECONDS, left_seconds))


class _Http(AsyncHttpClient):
    """The HTTP under twilio's client: with a timeout, without its logging of numbers."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        super().__init__(logging.getLogger("parlour"), is_async=True)
        self._session = session

    async def request(  # noqa: PLR0913, PLR0917  (twilio's own signature)
        self,
        method: str,
        uri: str,
        params: dict[str, object] | None = None,
        data: dict[str, object] | None = None,
        headers: dict[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109  (the session has one)
        allow_redirects: bool = False,  # noqa: FBT001, FBT002
    ) -> Response:
        del timeout, allow_redirects
        signed = {"Authorization": aiohttp.encode_basic_auth(*auth)} if auth else {}
        async with self._session.request(
            method,
            uri,
            params={name: str(value) for name, value in (params or {}).items()},
            data={name: str(value) for name, value in data.items()} if data else None,
            headers={**(headers or {}), **signed},
            allow_redirects=False,
        ) as reply:
            return Response(reply.status, await reply.text(), reply.headers)


@asynccontextmanager
async def connected(settings: SmsSettings) -> AsyncGenerator[Client]:
    """Twilio's client for as long as the context is entered."""
    timeout = aiohttp.ClientTimeout(total=settings.timeout_seconds)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        client = Client(
            settings.account_sid,
            settings.auth_token,
            http_client=_Http(session),
            environment=_NO_ENVIRONMENT,
        )
        if settings.api_url:
            client.api.base_url = settings.api_url
        yield client
