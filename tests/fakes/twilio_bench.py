"""What the tests of the fake Twilio share: an account, twilio's own client, an application."""
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Self
from urllib.parse import parse_qsl

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from twilio.http.async_http_client import AsyncTwilioHttpClient
from twilio.request_validator import RequestValidator
from twilio.rest import Client

from tests.fakes.telegram_server import Server
from tests.fakes.twilio import FakeTwilio

ACCOUNT, TOKEN = "AC" + "0123456789abcdef" * 2, "a-token-of-the-tests"
OURS, BO, ANN = "+12025550100", "+12025550142", "+12025550143"
PUBLIC = "https://parlour.example/sms"

# What twilio's async client does with aiohttp's BasicAuth, aiohttp deprecates.
FILTERS = [
    pytest.mark.filterwarnings("ignore:.*BasicAuth.*:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'auth' parameter is deprecated:DeprecationWarning"),
]


@asynccontextmanager
async def a_fake() -> AsyncGenerator[FakeTwilio]:
    """The account of the tests."""
    async with FakeTwilio(account_sid=ACCOUNT, auth_token=TOKEN, number=OURS) as fake:
        yield fake


@asynccontextmanager
async def a_client(twilio: FakeTwilio, token: str = TOKEN) -> AsyncGenerator[Client]:
    """Twilio's own client, talking to the fake."""
    async with AsyncTwilioHttpClient() as http:
        client = Client(ACCOUNT, token, http_client=http, environment={"not": "ours"})
        client.api.base_url = twilio.base_url
        yield client


class Application:
    """A webhook that checks signatures by twilio's validator and answers what it is told to."""

    def __init__(self, port: int = 0) -> None:
        self.checks_signatures = True
        self.answers: list[Response] = []
        self.received: list[dict[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self._socket = socket.create_server(("127.0.0.1", port))
        route = Route("/{path:path}", self._answer, methods=["POST"])
        self._server = Server(Starlette(routes=[route]))

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/sms"

    async def __aenter__(self) -> Self:
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.stop()
        await self._serving
        self._socket.close()

    async def _answer(self, request: Request) -> Response:
        params = dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))
        url = f"https://parlour.example{request.url.path}"
        signature = request.headers.get("x-twilio-signature", "")
        is_signed = RequestValidator(TOKEN).compute_signature(url, params) == signature
        if self.checks_signatures and not is_signed:
            return Response(status_code=403)
        self.received.append(params)
        self.headers.append(dict(request.headers))
        return self.answers.pop(0) if self.answers else empty()


def empty() -> Response:
    """The one right answer to a webhook."""
    return Response('<?xml version="1.0" encoding="UTF-8"?><Response/>', media_type="text/xml")


async def send(client: Client, body: str = "Hello", to: str = BO, **more: str) -> str:
    """Send a text by the REST API and return its sid."""
    form = {"to": to, "from_": OURS, "body": body, **more}
    message = await client.messages.create_async(**form)
    assert message.sid
    return message.sid
