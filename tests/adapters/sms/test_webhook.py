"""Twilio's posts: refused unless signed, answered once what they say is committed."""

import asyncio
import base64
import hmac
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
from core.delivery import Letter
from core.game import Seat
from core.ports import StoreAway
from core.room import Over, Room
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
STATUS = "/sms/status/r%3Aabc123.7.0%3A0/abc123/s2"


class Ears(Service):
    """A service that remembers what it heard, or fails as it is told to."""

    def __init__(self) -> None:
        self.heard: list[Incoming] = []
        self.lost: list[tuple[str, Seat, str]] = []
        self.again: list[tuple[Letter, str]] = []
        self.failure: Exception | None = None
        self.seated = False

    async def room_of(self, address: str) -> Room | None:
        room = Room("abc123", "KTRGW", "ferret-out", "7", "s1", (), Over())
        return room if self.seated and address else None

    async def hear(self, heard: Incoming) -> None:
        if self.failure:
            raise self.failure
        self.heard.append(heard)

    async def unreached(self, room_id: str, seat: Seat, event: str) -> None:
        if self.failure:
            raise self.failure
        self.lost.append((room_id, seat, event))

    async def send_again(self, letter: Letter, event: str) -> None:
        if self.failure:
            raise self.failure
        self.again.append((letter, event))


class Post:
    """Posts to the webhooks as Twilio does."""

    def __init__(self, settings: SmsSettings = SETTINGS) -> None:
        self.service, self.shared = Ears(), a_shared()
        self.book = self.shared.book
        self.app = Starlette(routes=Webhook(settings, self.shared, self.service).routes())

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

    async def tells(
        self, status: str, code: str = "", path: str = STATUS, sid: str = SID
    ) -> httpx.Response:
        params = {"MessageSid": sid, "AccountSid": ACCOUNT, "From": NUMBER, "To": BO}
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
    for at, (body, kind, suppressed) in enumerate(
        [
            ("Stop.", "gone", True),
            ("JOIN KTRGW", "text", True),
            ("start", "reachable", False),
            ("JOIN KTRGW", "text", False),
        ]
    ):
        assert (await post.texts(body, MessageSid=f"SM{at:032}")).text == NOTHING_TO_SAY
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
    reply = await post.tells("failed", "21610", path="/sms/status/p%3Ax.1.0%3A0")
    assert reply.status_code == 204
    assert post.service.lost == []
    assert await post.suppressed()


async def test_the_log_names_the_letter_and_no_number(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    await post.tells("undelivered", "30007")
    ours = [record.getMessage() for record in caplog.records if record.name == "parlour"]
    assert ours == ["text r:abc123.7.0:0 failed, filtered: twilio 30007, filtered by a carrier"]


# --- The whole platform, over real HTTP ----------------------------------------------------------


AWAY = "I am out of the office until Monday and read no texts. Call my colleague."


async def test_a_machine_that_says_the_same_to_everything_is_heard_three_times(post: Post) -> None:
    """Two machines that answer each other would never stop (medic/cht-core#4715)."""
    for n in range(10):
        await post.texts(AWAY if n % 2 else AWAY.upper(), MessageSid=f"SM{n:032}")
    assert len(post.service.heard) == 3
    await post.texts("Is that a game? I would like to play it.", MessageSid=f"SM{98:032}")
    await post.texts(AWAY, MessageSid=f"SM{97:032}", From="+12025550143")
    assert len(post.service.heard) == 5


async def test_the_same_short_answer_counts_however_often(post: Post) -> None:
    for n in range(10):
        await post.texts("2", MessageSid=f"SM{n:032}")
    assert len(post.service.heard) == 10


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


# --- Who signed it, and how -----------------------------------------------------------------------

KEY = "a-shared-key-of-the-tests"


def sign_256(key: str, path: str, params: dict[str, str]) -> str:
    signed = f"{PUBLIC}{path}" + "".join(name + params[name] for name in sorted(params))
    return base64.b64encode(hmac.digest(key.encode(), signed.encode(), "sha256")).decode()


async def posted(settings: SmsSettings, signature: str, how: str | None, **headers: str) -> int:
    """The status of a text with this signature, and what else it came with."""
    app = Starlette(routes=Webhook(settings, a_shared(), Ears()).routes())
    more = {"X-Twilio-Webhooks-Signature-Settings": how} if how is not None else {}
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://inside:8080") as http:
        sent = {"X-Twilio-Signature": signature, **more, **headers}
        return (await http.post("/sms", data=A_TEXT, headers=sent)).status_code


A_TEXT = {"MessageSid": SID, "AccountSid": ACCOUNT, "From": BO, "To": NUMBER, "Body": "hello"}
GOOD_256, GOOD_1 = sign_256(KEY, "/sms", A_TEXT), sign(TOKEN, f"{PUBLIC}/sms", A_TEXT)
SHARED_KEY = replace(SETTINGS, shared_key=KEY)
HOW_256 = "key=webhooks_sharedkey_1,algorithm=HMAC_SHA256"


@pytest.mark.parametrize(
    ("settings", "signature", "how", "status"),
    [
        (SHARED_KEY, GOOD_256, HOW_256, 200),
        (SHARED_KEY, GOOD_1, None, 200),
        (SHARED_KEY, GOOD_256, None, 403),
        (SHARED_KEY, GOOD_1, HOW_256, 403),
        (SHARED_KEY, GOOD_1, "key=webhooks_sharedkey_1", 403),
        (SHARED_KEY, GOOD_1, "", 403),
        (SHARED_KEY, GOOD_256, "algorithm=HMAC_MD5", 403),
        (SHARED_KEY, "", HOW_256, 403),
        (SETTINGS, GOOD_256, HOW_256, 403),
        (SETTINGS, sign_256("", "/sms", A_TEXT), HOW_256, 403),
        (SETTINGS, GOOD_1, None, 200),
        (replace(SETTINGS, auth_token="new", old_token=TOKEN), GOOD_1, None, 200),
        (replace(SETTINGS, auth_token="new"), GOOD_1, None, 403),
    ],
)  # fmt: skip
async def test_a_post_is_taken_if_it_is_signed_as_it_says(
    settings: SmsSettings, signature: str, how: str | None, status: int
) -> None:
    assert await posted(settings, signature, how) == status


async def test_what_a_proxy_says_of_the_address_changes_nothing() -> None:
    lies = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "Host": "evil.example"}
    assert await posted(SETTINGS, GOOD_1, None, **lies) == 200
    forged = sign(TOKEN, "http://evil.example/sms", A_TEXT)
    assert await posted(SETTINGS, forged, None, **lies) == 403


# --- Whoever wants no more texts, and whom we can't answer ----------------------------------------


async def test_consent_taken_back_in_ones_own_words_is_a_stop(post: Post) -> None:
    await post.texts("please stop texting me")
    assert [heard.kind for heard in post.service.heard] == ["gone"]
    assert await post.suppressed()


@pytest.mark.parametrize("seated", [True, False])
async def test_what_may_be_banter_is_a_stop_from_a_stranger_only(
    post: Post, *, seated: bool
) -> None:
    post.service.seated = seated
    await post.texts("leave me alone")
    assert [heard.kind for heard in post.service.heard] == ["text" if seated else "gone"]
    assert await post.suppressed() is not seated


async def test_a_text_from_a_country_that_is_not_texted_is_not_heard(post: Post) -> None:
    assert (await post.texts("JOIN KTRGW", From="+18765550123")).status_code == 200
    assert post.service.heard == []


async def test_an_old_stop_that_is_posted_again_does_not_undo_a_newer_start(post: Post) -> None:
    await post.texts("STOP", MessageSid="SM" + "1" * 32)
    assert await post.suppressed()
    await post.texts("START", MessageSid="SM" + "2" * 32)
    await post.texts("STOP", MessageSid="SM" + "1" * 32)
    assert not await post.suppressed()
    await post.texts("STOP", MessageSid="SM" + "3" * 32)
    assert await post.suppressed()
