"""A strict stand-in for Twilio: its REST API for messages and its signed webhooks, over real HTTP.

It answers twilio's own client on a loopback port, keeps every phone's inbox and opt-out, posts
what a phone texts to the webhook under test until that takes it, and puts down in `violations`
whatever the real Twilio would have stumbled over.

    async with FakeTwilio(account_sid=..., auth_token=..., number="+12025550100") as twilio:
        twilio.deliver_to("https://parlour.example/sms", send_to="http://127.0.0.1:8080/sms")
        bo = twilio.phone("+12025550142")
        await bo.texts("JOIN KTRGW Bo")
        await twilio.until(lambda: bo.inbox)
"""

import asyncio
import base64
import re
import secrets
import socket
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, Self
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from tests.fakes import twilio_rest as rest
from tests.fakes.telegram_server import Server
from tests.fakes.twilio_journal import Journal
from tests.fakes.twilio_phone import Phone
from tests.fakes.twilio_rest import RestError, Text
from tests.fakes.twilio_webhooks import FORGED, Reply, Webhooks

__all__ = ["FORGED", "Call", "FakeTwilio", "Phone", "Reply", "Text"]

_PATH = re.compile(r"/2010-04-01/Accounts/(?P<account>\w+)/Messages(?:/(?P<sid>\w+))?\.json")
_FORM = "application/x-www-form-urlencoded"
_UNREACHABLE, _OPTED_OUT = 30003, 21610
_FIRST_REFUSAL = 400


class Call(NamedTuple):
    """One request to the REST API and the status it was answered with."""

    method: str
    path: str
    params: Mapping[str, str]
    status: int


@dataclass(kw_only=True)
class _Trouble:
    times: int
    to: str | None
    error: RestError | None
    after: bool
    drop: bool
    delay_seconds: float
    hold: asyncio.Event | None


class FakeTwilio:
    """One account with its numbers, an async context manager. Times are real and UTC.

    They may be in a Messaging Service, which sends from the first of them.
    """

    def __init__(
        self, *, account_sid: str, auth_token: str, number: str, more_numbers: tuple[str, ...] = (),
        service: str = "",
    ) -> None:  # fmt: skip
        self.account_sid, self.number = account_sid, number
        self._numbers, self._service = (number, *more_numbers), service
        self.texts: list[Text] = []
        self.calls: list[Call] = []
        self.automatic: tuple[str, ...] = ()  # callbacks that come by themselves, in this order
        self._journal = Journal()
        self._webhooks = Webhooks(auth_token, self._journal)
        self._authorization = base64.b64encode(f"{account_sid}:{auth_token}".encode()).decode()
        self._phones: dict[str, Phone] = {}
        self._troubles: list[_Trouble] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._socket = socket.socket()
        everything = Route("/{path:path}", self._serve, methods=["GET", "POST", "PUT", "DELETE"])
        self._server = Server(Starlette(routes=[everything]))

    async def __aenter__(self) -> Self:
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen()  # from here on nobody is refused, served or not yet
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._webhooks.close()
        self._server.stop()
        await self._serving
        self._socket.close()

    @property
    def base_url(self) -> str:
        """What to set as `client.api.base_url`."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    @property
    def violations(self) -> list[str]:
        """What the real Twilio would have stumbled over: a good application leaves it empty."""
        return self._journal.violations

    @property
    def transcript(self) -> list[str]:
        """Every line that went either way, phones by their last four digits."""
        return self._journal.lines

    def phone(self, number: str) -> Phone:
        """The phone with this number (or short code, or sender's name), always the same one."""
        if number not in self._phones:
            line = {"To": self.number, "AccountSid": self.account_sid, "ApiVersion": "2010-04-01"}
            self._phones[number] = Phone(number, line, self._journal, self._webhooks)
        return self._phones[number]

    def deliver_to(
        self,
        public_url: str,
        times: int = 1,
        send_to: str | None = None,
        patience_seconds: float = 60.0,
    ) -> None:
        """Set the webhook: the URL that is signed, and the one really posted to if it differs.

        Each text is given `times` times with the same MessageSid, the next after a 2xx for the
        one before. After a broken connection, a 429 or a 5xx it is given again, until the patience
        runs out: then an AssertionError. Status callbacks of the same origin go the same way.
        """
        self._webhooks.deliver_to(public_url, times, send_to, patience_seconds)

    def trouble(  # noqa: PLR0913 - each is one thing that can go wrong
        self,
        times: int = 1,
        *,
        to: str | None = None,
        status: int = 500,
        code: int = 20500,
        message: str = "An internal server error has occurred",
        after: bool = False,
        drop: bool = False,
        delay_seconds: float = 0.0,
        hold: asyncio.Event | None = None,
    ) -> None:
        """Spoil the next creates (of texts to `to`), before the effect or `after` the text is out.

        `drop` cuts the connection in place of an answer; `delay_seconds` and `hold` let the
        client wait first. A status under 400 spoils nothing but the time.
        """
        error = RestError(code, status, message) if status >= _FIRST_REFUSAL else None
        self._troubles.append(
            _Trouble(
                times=times,
                to=to,
                error=error,
                after=after,
                drop=drop,
                delay_seconds=delay_seconds,
                hold=hold,
            )
        )

    async def callback(self, text: Text, status: str, error_code: int | None = None) -> Reply:
        """Tell the application what became of a text, at the URL that the text named.

        A status earlier than the text's own is told too, and changes nothing here.
        """
        if text.status_callback is None:
            raise AssertionError("the text named no StatusCallback")
        if rest.STATUSES.index(status) > rest.STATUSES.index(text.status):
            text.status, text.error_code = status, error_code
        params = {"MessageSid": text.sid, "SmsSid": text.sid, "MessageStatus": status}
        params |= {"SmsStatus": status, "To": text.to, "From": text.sender}
        params |= {"AccountSid": self.account_sid, "ApiVersion": "2010-04-01"}
        if text.service:
            params["MessagingServiceSid"] = text.service
        if error_code is not None:
            params |= {"ErrorCode": str(error_code), "ErrorMessage": f"error {error_code}"}
        with self._journal.under_way(f"{self.phone(text.to)}: {status}"):
            return await self._webhooks.status(text.status_callback, params)

    async def until(self, predicate: Callable[[], object], within: float = 10.0) -> None:
        """Wait up to `within` seconds for the predicate, asked whenever something happened here.

        Raises AssertionError with the transcript.
        """
        await self._journal.until(predicate, within)

    async def quiet(self, seconds: float = 0.2, within: float = 10.0) -> None:
        """Wait until nothing is under way and nothing has happened for `seconds`."""
        await self._journal.quiet(seconds, within)

    async def _serve(self, request: Request) -> Response:
        params = await self._params(request)
        try:
            response = await self._answer(request, params)
        except RestError as error:
            response = error.response()
        self.calls.append(Call(request.method, request.url.path, params, response.status_code))
        self._journal.note(f"{request.method} answered {response.status_code}")
        return response

    async def _params(self, request: Request) -> dict[str, str]:
        sent = request.url.query
        if request.method != "GET":
            if request.headers.get("content-type", "").partition(";")[0] != _FORM:
                self._journal.violation("12300: the request's body is no form")
            sent = (await request.body()).decode()
        return dict(parse_qsl(sent, keep_blank_values=True))

    async def _answer(self, request: Request, params: Mapping[str, str]) -> Response:
        authorization = request.headers.get("authorization", "")
        if not secrets.compare_digest(authorization, f"Basic {self._authorization}"):
            raise RestError(20003, 401)
        path = _PATH.fullmatch(request.url.path)
        if path is None or path["account"] != self.account_sid:
            self._journal.violation(
                f"{request.method} to a path that is not the account's messages"
            )
            raise RestError(20404, 404)
        match request.method, path["sid"]:
            case "POST", None:
                return await self._create(request, params)
            case "GET", None:
                self._refuse_unknown(params, rest.LIST_PARAMETERS)
                return JSONResponse(rest.page(self.texts, params, self.account_sid))
            case "GET", sid:
                return self._fetch(sid)
            case _:
                self._journal.violation(f"{request.method} is not supported on {path[0]}")
                raise RestError(20004, 405)

    def _refuse_unknown(self, params: Mapping[str, str], known: frozenset[str]) -> None:
        if unknown := sorted(params.keys() - known):
            self._journal.violation(f"unknown parameters: {', '.join(unknown)}")
            raise RestError(20001)

    def _fetch(self, sid: str) -> Response:
        for text in self.texts:
            if text.sid == sid:
                return JSONResponse(rest.resource(text, self.account_sid))
        raise RestError(20404, 404)

    async def _create(self, request: Request, form: Mapping[str, str]) -> Response:
        trouble = self._next_trouble(form.get("To"))
        if trouble is not None and not trouble.after:
            await self._suffer(trouble, request)
        self._refuse_unknown(form, rest.CREATE_PARAMETERS)
        phone = self.phone(form.get("To", ""))
        rest.check_create(form, self._numbers, self._service, opted_out=phone.opted_out)
        text = self._send(form)
        if trouble is not None and trouble.after:
            await self._suffer(trouble, request)
        return JSONResponse(
            rest.resource(text, self.account_sid, just_created=True), status_code=201
        )

    def _send(self, form: Mapping[str, str]) -> Text:
        text = Text(
            sid="SM" + secrets.token_hex(16),
            to=form["To"],
            sender=form.get("From", self.number),
            service=form.get("MessagingServiceSid"),
            status="accepted" if form.get("MessagingServiceSid") else "queued",
            body=form["Body"],
            at=datetime.now(UTC),
            status_callback=form.get("StatusCallback"),
        )
        self.texts.append(text)
        phone = self.phone(text.to)
        if phone.opted_out:
            self._later(self._refuse(text))
            return text
        phone.receive(text)
        self._journal.note(f"{phone} < {text.body!r}")
        if self.automatic and text.status_callback is not None:
            self._later(self._tell_all(text, phone))
        return text

    def _later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _refuse(self, text: Text) -> None:
        """Tell by callback that a text which a service accepted is for somebody who opted out."""
        await self.callback(text, "failed", _OPTED_OUT)

    async def _tell_all(self, text: Text, phone: Phone) -> None:
        try:
            for status in self.automatic:
                if status == "delivered" and phone.switched_off:
                    await self.callback(text, "undelivered", _UNREACHABLE)
                else:
                    await self.callback(text, status)
        except AssertionError as error:
            self._journal.violation(f"an automatic status callback: {error}")

    def _next_trouble(self, to: str | None) -> _Trouble | None:
        for trouble in self._troubles:
            if trouble.times > 0 and trouble.to in {None, to}:
                trouble.times -= 1
                return trouble
        return None

    async def _suffer(self, trouble: _Trouble, request: Request) -> None:
        await asyncio.sleep(trouble.delay_seconds)
        if trouble.hold is not None:
            await trouble.hold.wait()
        if trouble.drop:
            self._drop(request)
        if trouble.error is not None:
            raise trouble.error

    def _drop(self, request: Request) -> None:
        """Cut the connection that a request came by, without a byte of an answer."""
        for connection in self._server.server_state.connections:
            if isinstance(connection, H11Protocol) and connection.client == request.client:
                connection.transport.abort()
