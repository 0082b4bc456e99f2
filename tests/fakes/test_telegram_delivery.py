"""The fake Telegram delivers what its people do: webhooks, polling, privacy, order, retries."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.error import BadRequest, Conflict, Forbidden
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, ContextTypes

from tests.fakes.telegram import FakeTelegram, Toast, User
from tests.fakes.telegram_schema import Json
from tests.fakes.telegram_server import Server

VOTES = InlineKeyboardMarkup(
    [[InlineKeyboardButton(name, callback_data=f"r:1:{name}") for name in ("Ann", "Bo")]]
)


class Listener:
    """The server under test: takes webhooks on a port, and can go away and come back."""

    def __init__(self) -> None:
        self.updates: list[Json] = []
        self.secrets: list[str | None] = []
        self.statuses: list[int] = []
        self.reply: Json = {}
        self.then: Callable[[Update], Awaitable[None]] | None = None
        self.bot: Bot | None = None
        self.port = 0
        self._running: tuple[Server, asyncio.Task[None]] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def texts(self) -> list[object]:
        messages = [msgspec.convert(u["message"], Json) for u in self.updates if "message" in u]
        return [message.get("text") for message in messages]

    async def starts(self) -> None:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", self.port))
        self.port = listening.getsockname()[1]
        server = Server(Starlette(routes=[Route("/hook", self._hook, methods=["POST"])]))
        self._running = server, asyncio.create_task(server.serve(sockets=[listening]))
        await server.listening.wait()

    async def stops(self) -> None:
        if self._running is not None:
            server, serving = self._running
            self._running = None
            server.stop()
            await serving

    async def _hook(self, request: Request) -> Response:
        body = msgspec.json.decode(await request.body(), type=dict[str, object])
        self.updates.append(body)
        self.secrets.append(request.headers.get("X-Telegram-Bot-Api-Secret-Token"))
        if self.statuses:
            return Response(status_code=self.statuses.pop(0))
        if self.then is not None:
            await self.then(Update.de_json(body, self.bot))
        return JSONResponse(self.reply) if self.reply else Response()


@pytest.fixture
async def listener(telegram: FakeTelegram, bot: Bot) -> AsyncGenerator[Listener]:
    server = Listener()
    server.bot = bot
    await server.starts()
    telegram.deliver_to(server.url, "s3cret")
    yield server
    await server.stops()


@pytest.fixture
def ann(telegram: FakeTelegram) -> User:
    return telegram.user("Ann", language_code="en")


@pytest.fixture
def bo(telegram: FakeTelegram) -> User:
    return telegram.user("Bo", username="bo_b")


async def test_a_message_arrives_with_the_secret(listener: Listener, bot: Bot, ann: User) -> None:
    said = await ann.says("/start KTRGW")
    assert said.delivered
    assert listener.secrets == ["s3cret"]
    update = Update.de_json(listener.updates[0], bot)
    assert update.message is not None
    assert update.message.text == "/start KTRGW"
    assert update.message.entities[0].type == "bot_command"
    assert update.message.entities[0].length == len("/start")
    assert update.effective_user is not None
    assert update.effective_user.language_code == "en"


async def test_writing_first_opens_the_private_chat(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    with pytest.raises(Forbidden, match="initiate"):
        await bot.send_message(ann.user_id, "hello")
    await ann.says("hello")
    await bot.send_message(ann.user_id, "hello")
    assert telegram.chat(ann).heard == ["hello"]
    assert len(listener.updates) == 1


async def test_blocking_is_told_and_refuses_what_follows(
    listener: Listener, bot: Bot, ann: User
) -> None:
    await ann.says("/start")
    await ann.blocks_bot()
    change = Update.de_json(listener.updates[-1], bot).my_chat_member
    assert change is not None
    assert (change.old_chat_member.status, change.new_chat_member.status) == ("member", "kicked")
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(ann.user_id, "hello")
    with pytest.raises(AssertionError, match="Ann must unblock"):
        await ann.says("hello")
    await ann.unblocks_bot()
    await bot.send_message(ann.user_id, "hello")


async def test_privacy_mode_lets_through_commands_and_replies(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    group = telegram.group("Pals", members=[ann])
    sent = await bot.send_message(group.chat_id, "Your clue?")
    (posted,) = telegram.chat(group).messages
    assert posted.message_id == sent.message_id
    for text in ("hello", "@parlour_bot hello", "/join@other_bot", "/join", "/join@Parlour_Bot"):
        await ann.says(text, to=group)
    await ann.says("violin", to=group, reply_to=posted)
    assert listener.texts == ["/join", "/join@Parlour_Bot", "violin"]


async def test_a_bare_command_goes_to_the_bot_that_posted_last(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    group = telegram.group("Pals", members=[ann])
    group.other_bot_posts()
    assert not (await ann.says("/join", to=group)).delivered
    await bot.send_message(group.chat_id, "Here again")
    assert (await ann.says("/join", to=group)).delivered
    assert listener.texts == ["/join"]


async def test_an_admin_and_a_bot_without_privacy_hear_everything(
    listener: Listener, telegram: FakeTelegram, ann: User
) -> None:
    await ann.says("one", to=telegram.group("Pals", members=[ann], bot="administrator"))
    telegram.world.privacy = False
    await ann.says("two", to=telegram.group("Chums", members=[ann]))
    assert listener.texts == ["one", "two"]


async def test_nobody_writes_where_they_are_not(telegram: FakeTelegram, ann: User) -> None:
    with pytest.raises(AssertionError, match="Ann is not in Pals"):
        await ann.says("/join", to=telegram.group("Pals"))


async def test_a_press_returns_the_toast(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    async def answer(update: Update) -> None:
        assert update.callback_query is not None
        await update.callback_query.answer(f"You chose {update.callback_query.data}")

    group = telegram.group("Pals", members=[ann])
    await bot.send_message(group.chat_id, "Who?", reply_markup=VOTES)
    await bot.send_message(group.chat_id, "(a later message)")
    listener.then = answer
    assert await ann.presses(group, "Bo") == Toast("You chose r:1:Bo", alert=False)
    assert await ann.presses(telegram.posts[0], "Ann") == Toast("You chose r:1:Ann", alert=False)
    assert len(ann.toasts) == 2


async def test_a_press_is_answered_after_the_webhook_too(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    group = telegram.group("Pals", members=[ann])
    await bot.send_message(group.chat_id, "Who?", reply_markup=VOTES)
    pressing = asyncio.create_task(ann.presses(group, "Bo"))
    await telegram.until(lambda: bool(telegram.attempts))
    query = Update.de_json(listener.updates[0], bot).callback_query
    assert query is not None
    await query.answer("later", show_alert=True)
    assert await pressing == Toast("later", alert=True)


async def test_only_a_button_that_is_there_can_be_pressed(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User, bo: User
) -> None:
    group = telegram.group("Pals", members=[ann])
    sent = await bot.send_message(group.chat_id, "Who?", reply_markup=VOTES)
    with pytest.raises(AssertionError, match="sees no button 'Cy'"):
        await ann.presses(group, "Cy")
    with pytest.raises(AssertionError, match="sees no button 'Bo'"):
        await bo.presses(group, "Bo")
    await sent.edit_text("Closed")
    with pytest.raises(AssertionError, match="sees no button 'Bo'"):
        await ann.presses(telegram.posts[0], "Bo")
    assert listener.updates == []


async def test_an_old_client_can_press_what_is_gone(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    async def answer(update: Update) -> None:
        assert update.callback_query is not None
        assert update.callback_query.message is not None
        await update.callback_query.answer(f"{update.callback_query.message.is_accessible}")

    await ann.says("/start")
    sent = await bot.send_message(ann.user_id, "Who?", reply_markup=VOTES)
    await sent.delete()
    listener.then = answer
    toast = await ann.presses_data(telegram.posts[0], "r:1:Bo")
    assert toast == Toast("False", alert=False)


async def test_every_webhook_can_be_doubled(
    listener: Listener, telegram: FakeTelegram, ann: User
) -> None:
    telegram.deliver_to(listener.url, "s3cret", times=2)
    await ann.says("one")
    await ann.says("two")
    assert listener.texts == ["one", "one", "two", "two"]
    ids = [update["update_id"] for update in listener.updates]
    assert ids[0] == ids[1] != ids[2] == ids[3]


async def test_an_old_update_can_come_again_late(
    listener: Listener, telegram: FakeTelegram, ann: User
) -> None:
    await ann.says("one")
    await ann.says("two")
    await telegram.redeliver(telegram.updates[0])
    assert listener.texts == ["one", "two", "one"]


async def test_a_refused_webhook_is_tried_again(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    listener.statuses = [503, 500]
    await ann.says("hello")
    assert [attempt.status for attempt in telegram.attempts] == [503, 500, 200]
    assert len({str(update["update_id"]) for update in listener.updates}) == 1
    info = await bot.get_webhook_info()
    assert info.last_error_message == "Wrong response from the webhook: 500"
    assert info.pending_update_count == 0


async def test_a_server_that_was_away_finds_its_updates_in_order(
    listener: Listener, telegram: FakeTelegram, ann: User
) -> None:
    await listener.stops()
    saying = [asyncio.create_task(ann.says(text)) for text in ("one", "two", "three")]
    await telegram.until(lambda: len(telegram.attempts) > 2)
    await listener.starts()
    await asyncio.gather(*saying)
    assert listener.texts == ["one", "two", "three"]


async def test_a_server_that_never_takes_it_fails_the_test_with_the_transcript(
    listener: Listener, telegram: FakeTelegram, ann: User
) -> None:
    await listener.stops()
    telegram.deliver_to(listener.url, give_up_seconds=0.1)
    with pytest.raises(AssertionError, match=r"never taken(.|\n)*Ann \| Ann: hello"):
        await ann.says("hello")


async def test_a_chat_waits_for_its_message_and_presses_of_others_do_not(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User, bo: User
) -> None:
    gate, at_the_gate = asyncio.Event(), asyncio.Event()

    async def hold(update: Update) -> None:
        if update.message is not None and update.message.text == "/slow":
            at_the_gate.set()
            await gate.wait()
        if update.callback_query is not None:
            await update.callback_query.answer()

    group = telegram.group("Pals", members=[ann, bo])
    await bot.send_message(group.chat_id, "Who?", reply_markup=VOTES)
    listener.then = hold
    slow = asyncio.create_task(ann.says("/slow", to=group))
    await at_the_gate.wait()
    after = asyncio.create_task(bo.says("/after", to=group))
    await asyncio.gather(ann.presses(group, "Bo"), bo.presses(group, "Ann"))
    assert listener.texts == ["/slow"]
    gate.set()
    await asyncio.gather(slow, after)
    assert listener.texts == ["/slow", "/after"]
    ids = [update.update_id for update in telegram.updates]
    assert ids == sorted(set(ids))


async def test_a_press_is_lost_after_150_seconds_and_a_message_is_not() -> None:
    now = [1_790_000_000.0]
    async with FakeTelegram(clock=lambda: now[0]) as telegram:
        async with Bot(telegram.token, base_url=telegram.base_url) as bot:
            ann, listener = telegram.user("Ann"), Listener()
            ann.starts()
            sent = await bot.send_message(ann.user_id, "Who?", reply_markup=VOTES)
        assert sent.message_id == telegram.posts[0].message_id
        pressing = asyncio.create_task(ann.presses(ann, "Bo"))
        saying = asyncio.create_task(ann.says("Bo"))
        await telegram.until(lambda: len(telegram.updates) == 2)
        now[0] += 151
        await listener.starts()
        telegram.deliver_to(listener.url)
        assert await pressing is None
        assert (await saying).delivered
        assert [update.fate.result() for update in telegram.updates] == ["expired", "delivered"]
        await listener.stops()


async def test_a_webhook_can_answer_with_a_method(
    listener: Listener, telegram: FakeTelegram, ann: User
) -> None:
    listener.reply = {"method": "sendMessage", "chat_id": ann.user_id, "text": "by reply"}
    await ann.says("hello")
    assert telegram.chat(ann).heard == ["by reply"]


async def test_set_webhook_changes_the_secret_but_not_the_local_address(
    listener: Listener, bot: Bot, ann: User
) -> None:
    await bot.set_webhook("https://parlour.example.org/telegram", secret_token="n3w-Secret_")
    await ann.says("hello")
    assert listener.secrets == ["n3w-Secret_"]
    assert (await bot.get_webhook_info()).url == "https://parlour.example.org/telegram"


async def test_set_webhook_alone_reaches_a_loopback_address(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    listener = Listener()
    await listener.starts()
    await bot.set_webhook(listener.url, allowed_updates=["message"])
    assert (await ann.says("hello")).delivered
    await ann.blocks_bot()  # a kind that was not asked for
    assert len(listener.updates) == 1
    assert telegram.updates[-1].fate.result() == "dropped"
    await listener.stops()


@pytest.mark.parametrize("secret", ["", "white space", "x" * 257])
async def test_a_bad_secret_token_is_refused(bot: Bot, secret: str) -> None:
    with pytest.raises(BadRequest, match=r"[Ss]ecret token"):
        await bot.set_webhook("https://parlour.example.org/", api_kwargs={"secret_token": secret})


async def test_a_webhook_needs_https(bot: Bot) -> None:
    with pytest.raises(BadRequest, match=r"(?i)https url must be provided"):
        await bot.set_webhook("http://parlour.example.org/")


async def test_polling_waits_for_updates_and_confirms_them(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    polling = asyncio.create_task(bot.get_updates(timeout=10))
    saying = asyncio.create_task(ann.says("hello"))
    (update,) = await polling
    assert update.message is not None
    assert update.message.text == "hello"
    assert not saying.done()
    assert await bot.get_updates(offset=update.update_id + 1, timeout=0) == ()
    assert (await saying).delivered
    assert telegram.updates[0].fate.result() == "delivered"


async def test_polling_is_a_conflict_while_a_webhook_is_set(listener: Listener, bot: Bot) -> None:
    with pytest.raises(Conflict, match="while webhook is active"):
        await bot.get_updates()
    assert listener.updates == []
    await bot.delete_webhook()
    assert await bot.get_updates(timeout=0) == ()


async def test_a_second_poll_ends_the_first(telegram: FakeTelegram, bot: Bot) -> None:
    async with Bot(telegram.token, base_url=telegram.base_url) as other:
        first = asyncio.create_task(bot.get_updates(timeout=10))
        await telegram.until(lambda: telegram.calls[-1].method == "getUpdates")
        assert await other.get_updates(timeout=0) == ()
        with pytest.raises(Conflict, match="terminated by other getUpdates request"):
            await first


async def test_a_whole_application_can_poll(telegram: FakeTelegram, ann: User) -> None:
    async def start(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.message is not None
        await update.message.reply_text(f"Code {context.args}", reply_markup=VOTES)

    async def vote(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.callback_query is not None
        await update.callback_query.answer("Counted")

    application = Application.builder().token(telegram.token).base_url(telegram.base_url).build()
    application.add_handlers([CommandHandler("start", start), CallbackQueryHandler(vote)])
    assert application.updater is not None
    async with application:
        await application.start()
        await application.updater.start_polling()
        await ann.opens("https://t.me/parlour_bot?start=KTRGW")
        await telegram.until(lambda: telegram.chat(ann).heard == ["Code ['KTRGW']"])
        assert await ann.presses(ann, "Bo") == Toast("Counted", alert=False)
        await application.updater.stop()
        await application.stop()


async def test_the_bot_coming_and_going_is_told(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User, bo: User
) -> None:
    group = telegram.group("Pals", members=[ann, bo], bot="left")
    await group.bot_added(by=ann)
    await bot.send_message(group.chat_id, "hello")
    await bo.leaves(group)
    await group.bot_kicked(by=ann)
    with pytest.raises(Forbidden, match="kicked from the supergroup"):
        await bot.send_message(group.chat_id, "hello")
    kinds = [next(kind for kind in update if kind != "update_id") for update in listener.updates]
    assert kinds == ["my_chat_member", "message", "message", "my_chat_member"]
    left = Update.de_json(listener.updates[2], bot).message
    assert left is not None
    assert left.left_chat_member is not None
    assert left.left_chat_member.first_name == "Bo"


async def test_an_upgraded_group_is_told_in_both_chats(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    old = telegram.group("Pals", members=[ann], kind="group")
    new = await old.migrate()
    there, here = (Update.de_json(update, bot).message for update in listener.updates)
    assert there is not None
    assert here is not None
    assert (there.chat_id, there.migrate_to_chat_id) == (old.chat_id, new.chat_id)
    assert (here.chat_id, here.migrate_from_chat_id) == (new.chat_id, old.chat_id)
    await ann.says("/join", to=new)


async def test_an_edited_message_is_an_update_of_its_own(
    listener: Listener, bot: Bot, ann: User
) -> None:
    said = await ann.says("violin")
    await ann.edits(said, "cello")
    edited = Update.de_json(listener.updates[1], bot).edited_message
    assert edited is not None
    assert (edited.text, edited.message_id) == ("cello", said.message_id)
    assert listener.texts == ["violin"]


async def test_an_anonymous_admin_hides_behind_the_group(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    group = telegram.group("Pals", members=[ann])
    await ann.says("/join", to=group, anonymously=True)
    update = Update.de_json(listener.updates[0], bot)
    assert update.effective_user is not None
    assert update.effective_user.id == 1_087_968_824
    assert update.effective_sender is not None
    assert update.effective_sender.id == group.chat_id


async def test_an_ephemeral_command_has_message_id_zero(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    await ann.says("/clue violin", to=telegram.group("Pals", members=[ann]), ephemeral=True)
    message = Update.de_json(listener.updates[0], bot).message
    assert message is not None
    assert message.message_id == 0
    assert message.api_kwargs["ephemeral_message_id"]


async def test_a_reply_in_a_supergroup_has_a_thread_that_is_no_topic(
    listener: Listener, telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    group = telegram.group("Pals", members=[ann], forum=True)
    await bot.send_message(group.chat_id, "Your clue?")
    await ann.says("violin", to=group, reply_to=telegram.posts[0])
    await ann.says("/join", to=group, topic=group.topic("Games"))
    reply, in_topic = (Update.de_json(update, bot).message for update in listener.updates)
    assert reply is not None
    assert reply.message_thread_id
    assert not reply.is_topic_message
    assert in_topic is not None
    assert in_topic.is_topic_message


async def test_a_sticker_is_a_message_without_text(listener: Listener, bot: Bot, ann: User) -> None:
    await ann.sends_a_sticker()
    message = Update.de_json(listener.updates[0], bot).message
    assert message is not None
    assert message.text is None
    assert message.sticker is not None


async def test_quiet_waits_until_no_call_came_for_a_while(telegram: FakeTelegram, bot: Bot) -> None:
    async def chat() -> None:
        for _ in range(5):
            await bot.get_me()

    before = len(telegram.calls)
    chatting = asyncio.create_task(chat())
    await telegram.quiet(for_seconds=0.1)
    assert len(telegram.calls) == before + 5
    await chatting


async def test_quiet_gives_up_on_a_bot_that_never_stops(telegram: FakeTelegram, bot: Bot) -> None:
    async def chat() -> None:
        while True:
            await bot.get_me()

    chatting = asyncio.create_task(chat())
    with pytest.raises(AssertionError, match="not quiet within"):
        await telegram.quiet(for_seconds=0.1, within=0.2)
    chatting.cancel()
    with suppress(asyncio.CancelledError):
        await chatting


async def test_until_shows_the_transcript_when_it_does_not_happen(
    listener: Listener, telegram: FakeTelegram, ann: User
) -> None:
    await ann.says("hello")
    with pytest.raises(AssertionError, match=r"Ann \| Ann: hello"):
        await telegram.until(lambda: len(listener.updates) == 2, within=0.05)
