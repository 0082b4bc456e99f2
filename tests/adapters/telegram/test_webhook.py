"""What the webhook takes, what it refuses, and what whoever pressed a button sees."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from typing import cast

import httpx
import pytest
from starlette.applications import Starlette
from starlette.types import Message, Scope

from adapters.telegram.chats import Chats
from adapters.telegram.client import Telegram
from adapters.telegram.read import Bot
from adapters.telegram.webhook import BODY_BYTES, SECRET_HEADER, Webhook
from core.delivery import Button, Letter
from core.engine import Toast
from core.ports import StoreAway
from core.service import Busy, Incoming, Service
from core.text import mark
from tests.fakes.telegram import FakeTelegram, Posted, User
from tests.fakes.telegram import Toast as Seen
from tests.fakes.telegram_server import Server

PATH = "/telegram/123"


class Ears:
    """Keeps what it heard, and says what it was told to say."""

    def __init__(self) -> None:
        self.heard: list[Incoming] = []
        self.toast: Toast | None = None
        self.troubles: list[Exception] = []

    async def hear(self, heard: Incoming) -> Toast | None:
        if self.troubles:
            raise self.troubles.pop()
        self.heard.append(heard)
        return self.toast


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture
def app(ears: Ears, platform: Telegram) -> Starlette:
    return Starlette(routes=list(platform.routes(cast("Service", ears))))


@pytest.fixture
async def http(app: Starlette) -> AsyncGenerator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://parlour") as client:
        yield client


@pytest.fixture
async def served(app: Starlette, telegram: FakeTelegram) -> AsyncGenerator[None]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        server = Server(app)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        await server.listening.wait()
        port = listening.getsockname()[1]
        telegram.deliver_to(f"http://127.0.0.1:{port}{PATH}", "s3cret", give_up_seconds=5)
        yield
        server.stop()
        await serving


def typed(text: str, chat: dict[str, object] | None = None) -> bytes:
    ann = {"id": 7, "is_bot": False, "first_name": "Ann"}
    chat = chat or {"id": 7, "type": "private"}
    content = {"message_id": 1, "date": 0, "chat": chat, "from": ann, "text": text}
    return json.dumps({"update_id": 870, "message": content}).encode()


def pressed(press: str) -> bytes:
    ann = {"id": 7, "is_bot": False, "first_name": "Ann"}
    shown = {"message_id": 1, "date": 0, "chat": {"id": 7, "type": "private"}}
    button = {"id": press, "from": ann, "message": shown, "data": "r1:vote/1:s2"}
    return json.dumps({"update_id": 871, "callback_query": button}).encode()


async def post(http: httpx.AsyncClient, body: bytes, shown: bytes = b"s3cret") -> httpx.Response:
    return await http.post(PATH, content=body, headers={SECRET_HEADER.encode(): shown})


async def with_a_button(telegram: FakeTelegram, platform: Telegram, to: str) -> Posted:
    vote = Letter(to, "Vote!", "", buttons=(Button("Bo", "r1:vote/1:s2"),))
    await platform.messenger.send(vote, "r:r1.1.0", "")
    return telegram.posts[-1]


async def test_what_was_typed_is_heard_from_an_opaque_address(
    http: httpx.AsyncClient, ears: Ears, chats: Chats
) -> None:
    reply = await post(http, typed("violin"))
    assert (reply.status_code, reply.content) == (200, b"")
    address = await chats.person(7)
    assert ears.heard == [Incoming("telegram:123:870", "text", address, "violin", "Ann", open=True)]
    assert address.startswith("telegram:123:")
    assert await chats.raw(address) == (7, None)


async def test_what_was_typed_in_a_group_has_a_place(
    http: httpx.AsyncClient, ears: Ears, chats: Chats
) -> None:
    await post(http, typed("/new", {"id": -1001, "type": "supergroup"}))
    assert ears.heard[0].place == await chats.place("-1001")
    assert not ears.heard[0].open


@pytest.mark.parametrize("shown", [b"", b"S3cret", b"s3cret ", b"x" * 300, "sécret".encode()])
async def test_a_wrong_secret_is_refused_without_a_word(
    http: httpx.AsyncClient, ears: Ears, shown: bytes
) -> None:
    reply = await post(http, typed("violin"), shown)
    assert (reply.status_code, reply.content) == (403, b"")
    assert ears.heard == []


async def test_a_missing_secret_is_refused(http: httpx.AsyncClient) -> None:
    reply = await http.post(PATH, content=typed("violin"))
    assert reply.status_code == 403


async def test_a_body_that_is_no_update_can_be_of_any_size(
    http: httpx.AsyncClient, ears: Ears
) -> None:
    assert (await post(http, b" " * (BODY_BYTES + 1))).status_code == 413
    assert (await post(http, typed("violin").ljust(BODY_BYTES))).status_code == 200
    assert len(ears.heard) == 1


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"update_id": "x"}', b"\xff"])
async def test_what_can_not_be_read_is_let_go_and_logged_without_its_content(
    http: httpx.AsyncClient, ears: Ears, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    assert (await post(http, body)).status_code == 200
    assert ears.heard == []
    assert [record.name for record in caplog.records] == ["parlour.telegram"]


@pytest.mark.parametrize("trouble", [Busy("r1"), StoreAway("down")])
async def test_what_was_not_accepted_is_asked_for_again(
    http: httpx.AsyncClient, ears: Ears, trouble: Exception
) -> None:
    ears.troubles = [trouble]
    reply = await post(http, typed("violin"))
    assert (reply.status_code, reply.headers["Retry-After"]) == (503, "1")
    assert (await post(http, typed("violin"))).status_code == 200
    assert len(ears.heard) == 1


async def test_only_posts_are_taken(http: httpx.AsyncClient) -> None:
    assert (await http.get(PATH)).status_code == 405
    assert (await http.post("/telegram/124")).status_code == 404


@pytest.mark.usefixtures("served")
async def test_whoever_presses_sees_the_toast_with_names(
    ears: Ears, telegram: FakeTelegram, platform: Telegram, ann: User, anns: str
) -> None:
    posted = await with_a_button(telegram, platform, anns)
    ears.toast = Toast(f"Your vote: {mark('s2')}.", {"s2": "Bo"})
    seen = await ann.presses(posted, "Bo")
    assert seen == Seen("Your vote: \u2068Bo\u2069.", alert=False)
    assert (ears.heard[0].kind, ears.heard[0].text, ears.heard[0].open) == (
        "press",
        "r1:vote/1:s2",
        True,
    )


@pytest.mark.usefixtures("served")
async def test_a_card_is_shown_in_a_box_and_cut_to_what_fits(
    ears: Ears, telegram: FakeTelegram, platform: Telegram, ann: User, anns: str
) -> None:
    posted = await with_a_button(telegram, platform, anns)
    ears.toast = Toast("x" * 300, {})
    seen = await ann.presses_data(posted, "r1:look:")
    assert seen == Seen("x" * 199 + "…", alert=True)


@pytest.mark.usefixtures("served")
async def test_a_press_is_answered_even_if_there_is_nothing_to_say(
    telegram: FakeTelegram, platform: Telegram, ann: User, anns: str
) -> None:
    posted = await with_a_button(telegram, platform, anns)
    assert await ann.presses_data(posted, "r1:look:") == Seen("", alert=False)


@pytest.mark.usefixtures("served")
async def test_a_press_in_a_group_has_the_place_and_the_presser_s_own_address(
    ears: Ears, chats: Chats, telegram: FakeTelegram, platform: Telegram, ann: User
) -> None:
    pals = telegram.group("Pals", [ann])
    posted = await with_a_button(telegram, platform, await chats.place(str(pals.chat_id)))
    await ann.presses_data(posted, "r1:look:")
    assert ears.heard[0].address == await chats.person(ann.user_id)
    assert ears.heard[0].place == await chats.place(str(pals.chat_id))
    assert not ears.heard[0].open


@pytest.mark.usefixtures("served")
async def test_a_press_that_was_not_accepted_is_delivered_again_and_answered_once(
    ears: Ears, telegram: FakeTelegram, platform: Telegram, ann: User, anns: str
) -> None:
    posted = await with_a_button(telegram, platform, anns)
    ears.troubles, ears.toast = [Busy("r1")], Toast("Noted.", {})
    assert await ann.presses(posted, "Bo") == Seen("Noted.", alert=False)
    assert [one.method for one in telegram.calls].count("answerCallbackQuery") == 1


async def test_a_press_that_can_not_be_answered_is_taken_all_the_same(
    http: httpx.AsyncClient, ears: Ears, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "parlour.telegram"):
        assert (await post(http, pressed("a-press-long-ago"))).status_code == 200
    assert len(ears.heard) == 1
    assert [record.getMessage() for record in caplog.records] == [
        "a press was not answered: BadRequest"
    ]


class SlowMouth:
    """Answers a press when it may, and no sooner."""

    def __init__(self) -> None:
        self.may = asyncio.Event()
        self.answered = False

    async def answer(self, press: str, text: str, *, alert: bool) -> None:
        del press, text, alert
        await self.may.wait()
        self.answered = True


async def test_telegram_does_not_wait_for_the_answer_to_a_press(ears: Ears, chats: Chats) -> None:
    mouth, replied = SlowMouth(), asyncio.Event()
    route = Webhook("s3cret", Bot(123, "parlour_bot"), chats, mouth, ears).route(PATH)

    async def receive() -> Message:
        return {"type": "http.request", "body": pressed("1"), "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            replied.set()

    headers = [(SECRET_HEADER.lower().encode(), b"s3cret")]
    scope: Scope = {"type": "http", "method": "POST", "path": PATH, "headers": headers}
    taking = asyncio.create_task(route.handle(scope, receive, send))
    await replied.wait()
    assert not mouth.answered
    mouth.may.set()
    await taking
    assert mouth.answered


@pytest.mark.usefixtures("served")
async def test_a_group_that_became_a_supergroup_keeps_its_address(
    ears: Ears, chats: Chats, telegram: FakeTelegram, ann: User
) -> None:
    old = telegram.group("Pals", [ann], kind="group")
    await ann.says("/new", to=old)
    new = await old.migrate()
    await ann.says("/who", to=new)
    before, after = ears.heard
    assert after.place == before.place
    assert await chats.raw(before.place) == (new.chat_id, None)


@pytest.mark.usefixtures("served")
async def test_blocking_the_bot_is_heard(ears: Ears, ann: User) -> None:
    await ann.blocks_bot()
    await ann.unblocks_bot()
    assert [one.kind for one in ears.heard] == ["gone", "reachable"]
