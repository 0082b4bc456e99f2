"""The way in: Twilio's posts of what phones text and of what became of our texts.

A post is answered 2xx once it is committed and 503 if that could not be done, so that Twilio
brings it again (its webhook has to be set so: deploy/README.md). The answer to a text is always
the empty TwiML: everything we say goes by the outbox.
"""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import time
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from twilio.request_validator import get_signature_algorithm

from adapters.platform import Shared, body_of
from adapters.sms import read
from adapters.sms.codes import ONCE_MORE, UNREACHABLE
from adapters.sms.consent import Consents
from adapters.sms.failures import Failures
from adapters.sms.kept import Kept
from adapters.sms.render import status_path
from adapters.sms.senders import Senders
from adapters.sms.settings import SmsSettings, country_of
from adapters.sms.statuses import Statuses
from core.pace import HOUR_MS
from core.ports import Limit, StoreAway
from core.service import Busy, Incoming, Service

MAX_BYTES = 65_536
MARK_MS = 30 * 86_400_000
MACHINE_CHARS, MACHINE_TEXTS = 20, 3
"""So long a text is heard so often an hour from one phone, if it is the same."""
NOTHING_TO_SAY = '<?xml version="1.0" encoding="UTF-8"?><Response/>'


class Webhook:
    """Both webhooks of our numbers."""

    def __init__(self, settings: SmsSettings, shared: Shared, service: Service) -> None:
        """What is heard goes to `service`."""
        self._settings, self._book, self._service = settings, shared.book, service
        self._directory, self._consents = shared.directory, Consents(shared.directory)
        self._senders, self._counters = Senders(settings, shared), shared.counters
        self._failures, self._kept = Failures(shared), Kept(shared)
        self._statuses = Statuses(shared.directory)

    def routes(self) -> Sequence[BaseRoute]:
        """Where Twilio posts to."""
        return (
            Route("/sms", self.text, methods=["POST"]),
            Route("/sms/status/{text_id}", self.status, methods=["POST"]),
            Route("/sms/status/{text_id}/{room}/{seat}", self.status, methods=["POST"]),
        )

    async def text(self, request: Request) -> Response:
        """Somebody texted."""
        params = await self._signed(request, "/sms")
        if params is None:
            return Response(status_code=403)
        heard = read.read(params, self._settings)
        try:
            if heard:
                address = await self._book.address(self._settings.bot, heard.number)
                await self._senders.texted(address, params.get("To", ""))
                await self._hear(heard)
        except (Busy, StoreAway):
            return Response(status_code=503)
        return Response(NOTHING_TO_SAY, media_type="text/xml")

    async def status(self, request: Request) -> Response:
        """Something became of a text of ours."""
        parts: dict[str, str] = request.path_params
        params = await self._signed(request, status_path(*parts.values()))
        if params is None:
            return Response(status_code=403)
        told = read.read_status(params, self._settings)
        try:
            if told:
                await self._became(told, **parts)
        except (Busy, StoreAway):
            return Response(status_code=503)
        return Response(status_code=204)

    async def _hear(self, heard: read.Heard) -> None:
        bot = self._settings.bot
        address = await self._book.address(bot, heard.number)
        kind = heard.kind
        if heard.doubtful and await self._service.room_of(address) is None:
            kind = "gone"
        await self._reach(address, kind, heard.sid)
        if kind == "text" and await self._is_machine(address, heard):
            return
        if country_of(heard.number) not in self._settings.texted:
            return  # no answer may go there, so nobody can play from there
        if kind != "gone":
            await self._consents.heard(address, heard.text, round(time.time() * 1_000))
        incoming = Incoming(
            event=f"{bot}:{heard.sid}",
            kind=kind,
            address=address,
            text=heard.text,
            texting=True,
            open=not await self._book.suppressed(address),
            mark_ms=MARK_MS,
        )
        await self._service.hear(incoming)

    async def _is_machine(self, address: str, heard: read.Heard) -> bool:
        """Whether this is what a machine says to everything: the same long text again and again.

        Short ones are answers, and may well be the same.
        """
        if len(heard.text) < MACHINE_CHARS:
            return False
        words = self._book.opaque(f"same:{address}:{heard.text.casefold()}")
        same = Limit(f"sms:same:{words}", MACHINE_TEXTS, HOUR_MS)
        return await self._counters.take(f"same:{heard.sid}", (same,)) is not None

    async def _reach(self, address: str, kind: str, sid: str) -> None:
        """Suppress whoever stops us, and no more whoever starts: once a text, whenever it comes.

        A signed post has no date: an old STOP that is posted again must not undo a newer START.
        """
        name = f"heard:{sid}"
        if kind == "text" or await self._directory.get(name) is not None:
            return
        if kind == "gone":
            await self._book.suppress(address)
        else:
            await self._book.unsuppress(address)
        await self._directory.put(name, kind, instead_of=None, keep_ms=MARK_MS)

    async def _became(self, told: read.Told, text_id: str, room: str = "", seat: str = "") -> None:
        """Something became of a text, and what follows is done before it is noted."""
        if not await self._statuses.is_news(text_id, told.status):
            return
        if told.error:
            bot = self._settings.bot
            address = await self._book.address(bot, told.number)
            deed = await self._failures.heed(text_id, told.error, address, told.number)
            if deed in UNREACHABLE and room:
                await self._service.unreached(room, seat, f"{bot}:{told.sid}:{told.status}")
            if deed in ONCE_MORE and (letter := await self._kept.get(text_id)):
                await self._service.send_again(letter, f"{bot}:again:{text_id}")
        await self._statuses.note(text_id, told.status, told.sid)

    async def _signed(self, request: Request, path: str) -> dict[str, str] | None:
        """The parameters of a post, or None if Twilio did not sign it for our public address."""
        body = await body_of(request, MAX_BYTES)
        if body is None:
            return None
        ours, params = self._settings, read.form(body)
        signature = request.headers.get("X-Twilio-Signature")
        shared = request.headers.get("X-Twilio-Webhooks-Signature-Settings")
        # Signed with a shared key and not with the account's token, it says how.
        algorithm = get_signature_algorithm(shared)
        tokens = ours.tokens if shared is None else ours.shared_keys
        url = f"{ours.public_url}{path}"
        return params if read.is_signed(url, params, signature, tokens, algorithm) else None
