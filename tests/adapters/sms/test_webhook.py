"""Twilio's posts: refused unless signed, answered once what they say is committed."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlencode

import httpx
import pytest
from msgspec.structs import replace
from starlette.applications import Starlette

from adapters.sms import ADAPTER
from adapters.sms.settings import SmsSettings
from adapters.sms.webhook import MAX_BYTES, NOTHING_TO_SAY, Webhook
from adapters.vault import AddressBook
from core.game import Seat
from core.ports import StoreAway
from core.service import Busy, Incoming, Service
from tests.adapters.sms.ours import (
    ACCOUNT,
    BO,
    LETTER_ID,
    NUMBER,
    PUBLIC,
    SETTINGS,
    TOKEN,
    a_letter,
    a_shared,
)
from tests.fakes.telegram_server import Server
from tests.fakes.twilio import FakeTwilio
from tests.fakes.twilio_webhooks import sign

SID = "SM" + "0" * 32
STATUS = "/sms/status/r%3Aabc123.7.0/abc123/s2"


class Ears(Service):
    """A service that remembers what it heard, or fails as it is told to."""

    def __init__(self) -> None:
        self.heard: list[Incoming] = []
        self.lost: list[tuple[str, Seat, str]] = []
        self.failure: Exception | None = None

    async def hear(self, heard: Incoming) -> None:
        if self.failure:
            raise self.failure
        self.heard.append(heard)

    async def unreached(self, room_id: str, seat: Seat, event: str) -> None:
        if self.failure:
            raise self.failure
        self.lost.append((room_id, seat, event))


class Post:
    """Posts to the webhooks as Twilio does."""

    def __init__(self, settings: SmsSettings = SETTINGS) -> None:
        self.service, shared = Ears(), a_shared()
        self.book = shared.book
        self.app = Starlette(routes=Webhook(settings, shared, self.service).routes())

    async def __call__(
        self, path: str, params: dict[str, str], token: str = TOKEN, method: str = "POST"
    ) -> httpx.Response:
        signature = sign(token, f"{PUBLIC}{path}", params)
        return await self.raw(path, urlencode(params).encode(), signature, method)

    async def raw(
        self, path: str, body: bytes, signature: str | None, method: str = "POST"
    ) -> httpx.Response:
        headers = {"Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"}
        if signature is not None:
            headers["X-Twilio-Signature"] = signature
        transport = httpx.ASGITransport(self.app)
        # The proxy in front asks by another name: only the public one is signed.
        async with httpx.AsyncClient(transport=transport, base_url="http://inside:8080") as http:
            return await http.request(method, path, content=body, headers=headers)

    async def texts(self, body: str, **more: str) -> httpx.Response:
        params = {"MessageSid": SID, "AccountSid": ACCOUNT, "From": BO, "To": NUMBER}
        return await self("/sms", params | {"Body": body, "FromCity": ""} | more)

    async def tells(self, status: str, code: str = "", path: str = STATUS) -> httpx.Response:
        params = {"MessageSid": SID, "AccountSid": ACCOUNT, "From": NUMBER, "To": BO}
        return await self(path, params | {"MessageStatus": status, "ErrorCode": code})

    async def suppressed(self) -> bool:
        return await self.book.suppressed(await address(self.book))


async def address(book: AddressBook) -> str:
    return await book.address(SETTINGS.bot, BO)


@pytest.fixture
def post() -> Post:
    return Post()


# --- What phones text ----------------------------------------------------------------------------


async def test_a_text_is_heard_and_answered_with_nothing(post: Post) -> None:
    reply = await post.texts(" JOIN  KTRGW “Bo” ")
    assert (reply.status_code, reply.text) == (200, NOTHING_TO_SAY)
    assert reply.headers["content-type"].startswith("text/xml")
    assert post.service.heard == [
        Incoming(
            event=f"{SETTINGS.bot}:{SID}",
            kind="text",
            address=await address(post.book),
            text='JOIN KTRGW "Bo"',
            texting=True,
            open=True,
            mark_ms=30 * 86_400_000,
        )
    ]


async def test_no_number_is_in_what_the_service_hears(post: Post) -> None:
    await post.texts("hello")
    assert BO[1:] not in repr(post.service.heard)


async def test_a_keyword_stops_every_text_until_start(post: Post) -> None:
    for body, kind, suppressed in (
        ("Stop.", "gone", True),
        ("JOIN KTRGW", "text", True),
        ("start", "reachable", False),
        ("JOIN KTRGW", "text", False),
    ):
        assert (await post.texts(body)).text == NOTHING_TO_SAY
        assert post.service.heard[-1].kind == kind
        assert post.service.heard[-1].open is not suppressed
        assert await post.suppressed() is suppressed


@pytest.mark.parametrize("body", ["HELP", "Liked “Your word is MARMOT”"])
async def test_what_is_not_for_us_is_taken_and_left_alone(post: Post, body: str) -> None:
    reply = await post.texts(body)
    assert (reply.status_code, reply.text) == (200, NOTHING_TO_SAY)
    assert (await post.texts("hello", From="12345")).status_code == 200
    assert post.service.heard == []


async def test_help_is_ours_to_answer_where_the_provider_does_not() -> None:
    post = Post(replace(SETTINGS, provider_answers=False))
    await post.texts("HELP")
    assert [heard.text for heard in post.service.heard] == ["?"]


@pytest.mark.parametrize("failure", [Busy("room"), StoreAway()])
async def test_what_could_not_be_committed_is_asked_for_again(
    post: Post, failure: Exception
) -> None:
    post.service.failure = failure
    assert (await post.texts("hello")).status_code == 503
    assert (await post.tells("failed", "21610")).status_code == 503
    post.service.failure = None
    assert (await post.texts("hello")).status_code == 200


# --- Signatures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/sms", STATUS, "/sms/status/x"])
async def test_what_twilio_did_not_sign_gets_a_403_and_no_word(post: Post, path: str) -> None:
    body = urlencode({"MessageSid": SID, "AccountSid": ACCOUNT, "From": BO, "Body": "stop"})
    for signature in (None, "", "Zm9yZ2VkLCBub3Qgc2lnbmVkIQ=="):
        reply = await post.raw(path, body.encode(), signature)
        assert (reply.status_code, reply.text) == (403, "")
    assert post.service.heard == []


async def test_a_signature_for_one_path_opens_no_other(post: Post) -> None:
    params = {"MessageSid": SID, "AccountSid": ACCOUNT, "To": BO, "MessageStatus": "failed"}
    signature = sign(TOKEN, f"{PUBLIC}{STATUS}", params)
    other = STATUS.replace("/s2", "/s3")
    reply = await post.raw(other, urlencode(params).encode(), signature)
    assert reply.status_code == 403


async def test_the_old_token_opens_too() -> None:
    post = Post(replace(SETTINGS, old_token="before"))
    params = {"MessageSid": SID, "AccountSid": ACCOUNT, "From": BO, "Body": "hello"}
    assert (await post("/sms", params, token="before")).status_code == 200
    assert (await post("/sms", params, token="another")).status_code == 403


async def test_a_body_without_end_is_not_read(post: Post) -> None:
    params = {"Body": "x" * MAX_BYTES}
    assert (await post("/sms", params)).status_code == 403


async def test_odd_bytes_are_a_403(post: Post) -> None:
    for body in (b"\xff\xfe", b"Body=%ED%A0%80", b"%", b"=&=&&"):
        assert (await post.raw("/sms", body, "Zm9yZ2VkLCBub3Qgc2lnbmVkIQ==")).status_code == 403


async def test_only_posts_are_taken(post: Post) -> None:
    assert (await post("/sms", {}, method="GET")).status_code == 405
    assert (await post(STATUS, {}, method="GET")).status_code == 405


# --- What became of our texts --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "code", "lost", "suppressed"),
    [
        ("delivered", "", False, False),
        ("sent", "", False, False),
        ("failed", "21610", True, True),
        ("undelivered", "30004", True, True),
        ("undelivered", "30005", True, False),
        ("undelivered", "30006", True, False),
        ("undelivered", "30003", False, False),
        ("undelivered", "30007", False, False),
        ("failed", "30036", False, False),
    ],
)
async def test_a_dead_number_leaves_its_seat(
    post: Post, status: str, code: str, *, lost: bool, suppressed: bool
) -> None:
    assert (await post.tells(status, code)).status_code == 204
    event = f"{SETTINGS.bot}:{SID}:{status}"
    assert post.service.lost == ([("abc123", "s2", event)] if lost else [])
    assert await post.suppressed() is suppressed


async def test_a_letter_from_the_desk_has_no_seat_to_leave(post: Post) -> None:
    reply = await post.tells("failed", "21610", path="/sms/status/p%3Ax.1.0")
    assert reply.status_code == 204
    assert post.service.lost == []
    assert await post.suppressed()


async def test_the_log_names_the_letter_and_no_number(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    await post.tells("undelivered", "30007")
    ours = [record.getMessage() for record in caplog.records if record.name == "parlour"]
    assert ours == ["letter r:abc123.7.0 undelivered: twilio 30007"]


# --- The whole platform, over real HTTP ----------------------------------------------------------


@asynccontextmanager
async def serving(app: Starlette) -> AsyncGenerator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(app)
        task = asyncio.create_task(server.serve(sockets=[listening]))
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.stop()
        await task


async def test_the_way_in_names_our_own_number() -> None:
    async with ADAPTER.open(SETTINGS, a_shared()) as sms:
        assert sms.way.text == (
            f"SMS: text JOIN {{code}} to {NUMBER}\nsms:{NUMBER}?&body=JOIN%20{{code}}"
        )
        assert NUMBER not in sms.way.short
    assert ADAPTER.name == "sms"


async def test_the_platform_talks_with_twilio_both_ways() -> None:
    service, shared = Ears(), a_shared()
    async with FakeTwilio(account_sid=ACCOUNT, auth_token=TOKEN, number=NUMBER) as twilio:
        settings = replace(SETTINGS, api_url=twilio.base_url)
        async with (
            ADAPTER.open(settings, shared) as sms,
            serving(Starlette(routes=sms.routes(service))) as inside,
        ):
            twilio.deliver_to(f"{PUBLIC}/sms#rc=2&rp=all", send_to=f"{inside}/sms", times=2)
            phone = twilio.phone(BO)
            await phone.texts("Zoë’s here 😀")
            await phone.forges("stop")
            assert [heard.text for heard in service.heard] == ["Zoë's here 😀"] * 2
            assert len({heard.event for heard in service.heard}) == 1
            await sms.messenger.send(await a_letter(shared.book, "Your clue?"), LETTER_ID, "")
            (text,) = phone.inbox
            assert (await twilio.callback(text, "undelivered", 30005)).status == 204
            assert [(room, seat) for room, seat, _ in service.lost] == [("abc123", "s2")]
        assert twilio.violations == []
