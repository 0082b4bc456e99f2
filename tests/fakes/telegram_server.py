"""The HTTP under the fake Bot API: a server in the test's own loop, and its replies."""

import asyncio
import contextlib
import socket
from collections.abc import Generator
from urllib.parse import parse_qsl

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tests.fakes.telegram_photos import read_form
from tests.fakes.telegram_schema import Json


class Server(uvicorn.Server):
    """Uvicorn that tells when it listens and leaves the test runner's signals alone."""

    def __init__(self, app: Starlette) -> None:
        """The caller passes a bound socket to `serve`."""
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=2,
        )
        super().__init__(config)
        self.listening = asyncio.Event()
        self._stopped = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        self.listening.set()

    async def main_loop(self) -> None:
        """Run until `stop`, without uvicorn's ticks of 0.1 s."""
        await self._stopped.wait()

    def stop(self) -> None:
        """Let `serve` end."""
        self.should_exit = True
        self._stopped.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Capture none."""
        yield


class Cut(Response):
    """A reply that breaks off: uvicorn closes the connection when the body does not come."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 the shape of ASGI
        headers = [(b"content-length", b"100")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})


def json_reply(status: int, body: Json) -> Response:
    """The body as JSON under that status."""
    return Response(msgspec.json.encode(body), status, media_type="application/json")


async def read_params(request: Request) -> Json:
    """The parameters of a query string, a JSON body or a form; an uploaded file as its bytes."""
    params: Json = dict(request.query_params)
    body = await request.body()
    kind = request.headers.get("content-type", "")
    if kind.startswith("application/json") and body:
        return params | msgspec.json.decode(body, type=dict[str, object])
    if kind.startswith("multipart/form-data"):
        return params | read_form(kind, body)
    return params | dict(parse_qsl(body.decode(), keep_blank_values=True))
