"""The route that Telegram calls with every update.

Telegram takes any 2xx for "done" and tries everything else again, one update of a chat at a time.
So a 200 means that the update is committed or holds nothing for us, a 503 that it was not taken; a
toast, which may fail, goes out after the 200.
"""

from __future__ import annotations

import hmac
import logging
from typing import Protocol

import msgspec
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from adapters.platform import body_of
from adapters.telegram.chats import Chats
from adapters.telegram.read import Bot, Heard, Update, read
from adapters.telegram.render import toast
from core.engine import Toast
from core.ports import StoreAway
from core.service import Busy, Incoming

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105  (a header's name)
BODY_BYTES = 1_000_000
log = logging.getLogger("parlour.telegram")


class Ears(Protocol):
    """Whoever is told what was heard: the part of `core.service.Service` that is used here."""

    async def hear(self, heard: Incoming) -> Toast | None:
        """Apply what somebody did. Raises Busy or StoreAway when it was not accepted."""
        ...


class Mouth(Protocol):
    """Whoever answers a press: the part of the messenger that is used here."""

    async def answer(self, press: str, text: str, *, alert: bool) -> None:
        """Show a toast, or an alert, to whoever pressed."""
        ...


class Webhook:
    """Takes updates in and hands them on."""

    def __init__(self, secret: str, bot: Bot, chats: Chats, mouth: Mouth, ears: Ears) -> None:
        """`secret` is what Telegram was told to show at every call."""
        self._secret = secret.encode()
        self._bot, self._chats, self._mouth, self._ears = bot, chats, mouth, ears

    def route(self, path: str) -> Route:
        """The route at `path`."""
        return Route(path, self._take, methods=["POST"])

    async def _take(self, request: Request) -> Response:
        shown = request.headers.get(SECRET_HEADER, "").encode()
        if not hmac.compare_digest(shown, self._secret):
            return Response(status_code=403)
        body = await body_of(request, BODY_BYTES)
        if body is None:
            return Response(status_code=413)
        try:
            update = read(body, self._bot)
        except msgspec.MsgspecError:
            # The same bytes would come again: there is nothing to wait for.
            log.warning("an update could not be read and was let go")
            return Response()
        try:
            said = await self._hear(update)
        except (Busy, StoreAway):
            return Response(status_code=503, headers={"Retry-After": "1"})
        if not update.press:
            return Response()
        text = toast(said.text, said.names) if said else ""
        answer = BackgroundTask(self._mouth.answer, update.press, text, alert=update.alert)
        return Response(background=answer)

    async def _hear(self, update: Update) -> Toast | None:
        if update.moved:
            await self._chats.moved(*update.moved)
        if update.heard is None:
            return None
        return await self._ears.hear(await self._incoming(update.heard))

    async def _incoming(self, heard: Heard) -> Incoming:
        return Incoming(
            event=heard.event,
            kind=heard.kind,
            address=await self._chats.person(heard.user_id),
            text=heard.text,
            name=heard.name,
            place=await self._chats.place(heard.place) if heard.place else "",
            open=heard.open,
        )
