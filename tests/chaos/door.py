"""What stands before the workers: it gives each webhook to one of them, and some to two at once.

A platform's request goes to a worker by chance, dead or stopped ones included; no answer in time is
a 502, and the platform sends it again. Some are sent twice at once, the copy until it is taken too,
as after a network that lost an answer. Whatever got a 200 counts as accepted.
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from random import Random
from typing import Self

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.service import Incoming
from tests.fakes.telegram_server import Server

TWICE = 0.15
PATIENCE_SECONDS = 1.0
PAUSE_SECONDS = 0.1
PASSED_ON = ("content-type", "x-telegram-bot-api-secret-token", "x-twilio-signature")


@dataclass
class Input:
    """Something that somebody did, and when it was sent first and accepted first, epoch seconds."""

    heard: Incoming
    sent: float
    accepted: float = 0.0
    doubled: bool = False


class Door:
    """A loopback server before `workers` (their URLs); `read` makes sense of a path and a body."""

    def __init__(
        self, workers: Sequence[str], read: Callable[[str, bytes], Incoming | None], dice: Random
    ) -> None:
        self.inputs: dict[str, Input] = {}
        self._workers, self._read, self._dice = workers, read, dice
        self._copies: set[asyncio.Task[None]] = set()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        route = Route("/{path:path}", self._take, methods=["POST"])
        self._server = Server(Starlette(routes=[route]))
        self._http = httpx.AsyncClient(trust_env=False, timeout=PATIENCE_SECONDS)

    async def __aenter__(self) -> Self:
        self._socket.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        await self._server.listening.wait()
        return self

    async def __aexit__(self, *error: object) -> None:
        for copy in self._copies:
            copy.cancel()
        await asyncio.gather(*self._copies, return_exceptions=True)
        self._server.stop()
        await self._serving
        await self._http.aclose()

    @property
    def idle(self) -> bool:
        """Whether every copy was taken, too."""
        return not self._copies

    async def _take(self, request: Request) -> Response:
        path, body = request.url.path, await request.body()
        headers = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
        heard = self._read(path, body)
        known = None
        if heard is not None:
            known = self.inputs.setdefault(heard.event, Input(heard, time.time()))
            if not known.doubled and self._dice.random() < TWICE:
                known.doubled = True
                copy = asyncio.create_task(self._until_taken(path, body, headers, known))
                self._copies.add(copy)
                copy.add_done_callback(self._copies.discard)
        return await self._give(path, body, headers, known)

    async def _until_taken(
        self, path: str, body: bytes, headers: dict[str, str], known: Input
    ) -> None:
        while (await self._give(path, body, headers, known)).status_code != HTTPStatus.OK:  # noqa: ASYNC110
            await asyncio.sleep(PAUSE_SECONDS * (1 + self._dice.random()))

    async def _give(
        self, path: str, body: bytes, headers: dict[str, str], known: Input | None
    ) -> Response:
        worker = self._dice.choice(self._workers)
        reply = None
        with contextlib.suppress(httpx.TransportError):
            reply = await self._http.post(f"{worker}{path}", content=body, headers=headers)
        if reply is None:
            return Response(status_code=502)
        if known is not None and reply.is_success and not known.accepted:
            known.accepted = time.time()
        kind = reply.headers.get("content-type")
        return Response(reply.content, reply.status_code, media_type=kind)
