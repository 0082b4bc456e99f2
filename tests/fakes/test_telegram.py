"""The fake Bot API refuses what the real one refuses, seen through python-telegram-bot."""

from collections.abc import AsyncGenerator
from datetime import timedelta

import httpx
import pytest
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllPrivateChats,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    ReplyParameters,
)
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TimedOut,
)

from tests.fakes.telegram import FakeTelegram, Toast, User

VOTES = InlineKeyboardMarkup(
    [
        [
            InlineKeyboardButton("Ann", callback_data="r:1:a"),
            InlineKeyboardButton("Bo", callback_data="r:1:b"),
        ]
    ]
)


class Clock:
    """Epoch seconds that stand still until a test moves them."""

    def __init__(self) -> None:
        self.now = 1_790_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def timedeltas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, python-telegram-bot 22 warns at each RetryAfter."""
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def telegram(clock: Clock) -> AsyncGenerator[FakeTelegram]:
    async with FakeTelegram(clock=clock) as fake:
        yield fake


async def test_the_bot_learns_who_it_is_and_whether_it_hears_everything(bot: Bot) -> None:
    me = await bot.get_me()
    assert me.is_bot
    assert me.username == "parlour_bot"
    assert me.can_read_all_group_messages is False


async def test_a_wrong_token_is_a_401(telegram: FakeTelegram) -> None:
    async with httpx.AsyncClient() as http:
        reply = await http.get(f"{telegram.base_url}123:wrong/getMe")
    assert reply.status_code == 401
    assert reply.json() == {"ok": False, "error_code": 401, "description": "Unauthorized"}


async def test_an_unknown_method_is_a_404_and_a_violation(telegram: FakeTelegram, bot: Bot) -> None:
    with pytest.raises(EndPointNotFound):
        await bot.do_api_request("sendTelegram")
    assert telegram.calls[-1].status == 404
    assert telegram.violations == ["the method sendTelegram does not exist"]
    telegram.violations.clear()


async def test_a_method_the_fake_does_not_model_is_told_apart(
    telegram: FakeTelegram, bot: Bot
) -> None:
    with pytest.raises(InvalidToken):
        await bot.send_dice(1)
    assert telegram.violations == ["the method sendDice is not modelled by this fake"]
    telegram.violations.clear()


async def send_a_colour() -> None:
    async with FakeTelegram() as telegram:
        ann = telegram.user("Ann")
        ann.starts()
        async with Bot(telegram.token, base_url=telegram.base_url) as bot:
            await bot.send_message(ann.user_id, "hi", api_kwargs={"colour": "red"})


async def test_leaving_with_a_violation_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="sendMessage has no parameter 'colour'"):
        await send_a_colour()


async def test_an_unknown_field_deep_inside_is_a_violation(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    button = InlineKeyboardButton("Go", callback_data="go", api_kwargs={"shape": "round"})
    await bot.send_message(ann.user_id, "hi", reply_markup=InlineKeyboardMarkup([[button]]))
    assert len(telegram.violations) == 1
    assert "InlineKeyboardButton has no field 'shape'" in telegram.violations[0]
    telegram.violations.clear()


async def test_fields_newer_than_the_library_are_known(bot: Bot, ann: User) -> None:
    button = InlineKeyboardButton("Go", callback_data="go", api_kwargs={"style": "primary"})
    await bot.send_message(ann.user_id, "hi", reply_markup=InlineKeyboardMarkup([[button]]))


async def test_json_bodies_and_query_strings_are_taken_as_forms_are(
    telegram: FakeTelegram, ann: User
) -> None:
    url = f"{telegram.base_url}{telegram.token}/sendMessage"
    async with httpx.AsyncClient() as http:
        await http.post(url, json={"chat_id": ann.user_id, "text": "as json"})
        await http.get(url, params={"chat_id": ann.user_id, "text": "as a query"})
    assert telegram.chat(ann).heard == ["as json", "as a query"]


async def test_a_message_is_kept_with_its_buttons(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    sent = await bot.send_message(ann.user_id, "Who is it?", reply_markup=VOTES)
    (posted,) = telegram.posts
    assert posted.message_id == sent.message_id
    assert posted.buttons == [[("Ann", "r:1:a"), ("Bo", "r:1:b")]]
    assert sent.reply_markup == VOTES
    assert telegram.transcript() == "Ann | bot #1000: 'Who is it?' [Ann] [Bo]"


async def test_every_chat_counts_its_own_message_ids(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    group = telegram.group("Pals", [ann])
    ids = [(await bot.send_message(c, "x")).message_id for c in (ann.user_id, group.chat_id)]
    more = [(await bot.send_message(c, "y")).message_id for c in (ann.user_id, group.chat_id)]
    assert more == [ids[0] + 1, ids[1] + 1]


async def test_ids_need_52_bits_and_supergroups_start_with_minus_100(
    telegram: FakeTelegram, ann: User
) -> None:
    assert 2**51 < ann.user_id < 2**52
    assert str(telegram.group("Pals").chat_id).startswith("-100")
    assert not str(telegram.group("Old", kind="group").chat_id).startswith("-100")


@pytest.mark.parametrize("text", ["", "   \n "])
async def test_an_empty_text_is_refused(bot: Bot, ann: User, text: str) -> None:
    with pytest.raises(BadRequest, match="Message text is empty"):
        await bot.send_message(ann.user_id, text)


async def test_a_text_is_counted_in_utf_16_units(bot: Bot, ann: User) -> None:
    await bot.send_message(ann.user_id, "🎲" * 2048)
    with pytest.raises(BadRequest, match="Message is too long"):
        await bot.send_message(ann.user_id, "🎲" * 2048 + "!")


async def test_a_text_is_counted_without_its_markup(bot: Bot, ann: User) -> None:
    await bot.send_message(ann.user_id, "<b>" + "x" * 4096 + "</b>", parse_mode="HTML")


@pytest.mark.parametrize(
    "source",
    [
        "<b>open",
        "</b>",
        "<b><i>x</b></i>",
        "<h1>x</h1>",
        "a < b",
        "a > b",
        "a & b",
        '<b id="x">x</b>',
    ],
)
async def test_broken_html_is_refused(bot: Bot, ann: User, source: str) -> None:
    with pytest.raises(BadRequest, match="Can't parse entities"):
        await bot.send_message(ann.user_id, source, parse_mode="HTML")


async def test_html_becomes_entities_with_utf_16_offsets(bot: Bot, ann: User) -> None:
    source = '🎲 <b>Ann &amp; Bo</b> <a href="https://example.org/?a=1&amp;b=2">see</a>'
    sent = await bot.send_message(ann.user_id, source, parse_mode="HTML")
    assert sent.text == "🎲 Ann & Bo see"
    bold, link = sent.entities
    assert (bold.type, bold.offset, bold.length) == ("bold", 3, 8)
    assert sent.parse_entity(link) == "see"
    assert link.url == "https://example.org/?a=1&b=2"


async def test_html_without_a_parse_mode_is_plain_text(bot: Bot, ann: User) -> None:
    assert (await bot.send_message(ann.user_id, "<b>Ann</b>")).text == "<b>Ann</b>"


@pytest.mark.parametrize(("offset", "length"), [(1, 1), (0, 1), (0, 9), (3, 0), (-1, 2)])
async def test_an_entity_outside_or_inside_a_character_is_refused(
    bot: Bot, ann: User, offset: int, length: int
) -> None:
    with pytest.raises(BadRequest, match="Can't parse entities"):
        await bot.send_message(
            ann.user_id, "🎲 x", entities=[MessageEntity("bold", offset, length)]
        )


async def test_callback_data_is_counted_in_bytes(bot: Bot, ann: User) -> None:
    def one(data: str) -> InlineKeyboardMarkup:
        return InlineKeyboardMarkup([[InlineKeyboardButton("x", callback_data=data)]])

    await bot.send_message(ann.user_id, "x", reply_markup=one("é" * 32))
    with pytest.raises(BadRequest, match=r"(?i)button_data_invalid"):
        await bot.send_message(ann.user_id, "x", reply_markup=one("é" * 33))


async def test_a_button_opens_web_addresses_but_no_sms_link(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    def link(url: str) -> InlineKeyboardMarkup:
        return InlineKeyboardMarkup([[InlineKeyboardButton("Open", url=url)]])

    await bot.send_message(ann.user_id, "x", reply_markup=link("https://t.me/parlour_bot?start=A"))
    assert telegram.posts[-1].links == {"Open": "https://t.me/parlour_bot?start=A"}
    assert telegram.posts[-1].buttons == []
    with pytest.raises(BadRequest, match="wrong http url"):
        await bot.send_message(ann.user_id, "x", reply_markup=link("sms:+12025550100"))


async def test_whoever_never_wrote_cannot_be_written_to(telegram: FakeTelegram, bot: Bot) -> None:
    with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
        await bot.send_message(telegram.user("Cy").user_id, "hello")


async def test_a_deleted_account_is_a_403(bot: Bot, ann: User) -> None:
    ann.deletes_account()
    with pytest.raises(Forbidden, match="user is deactivated"):
        await bot.send_message(ann.user_id, "hello")


async def test_an_unknown_chat_is_a_400(bot: Bot) -> None:
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(-1009999, "hello")


@pytest.mark.parametrize(
    ("status", "words"), [("kicked", "was kicked"), ("left", "is not a member")]
)
async def test_a_group_without_the_bot_is_a_403(
    telegram: FakeTelegram, bot: Bot, status: str, words: str
) -> None:
    group = telegram.group("Pals", bot=status)
    with pytest.raises(Forbidden, match=words):
        await bot.send_message(group.chat_id, "hello")


async def test_an_edit_that_changes_nothing_is_refused(bot: Bot, ann: User) -> None:
    sent = await bot.send_message(
        ann.user_id, "<b>4</b>/6 voted", parse_mode="HTML", reply_markup=VOTES
    )
    with pytest.raises(BadRequest, match="Message is not modified: "):
        await sent.edit_text("<b>4</b>/6 voted", parse_mode="HTML", reply_markup=VOTES)


async def test_an_edit_without_reply_markup_takes_the_keyboard_away(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    sent = await bot.send_message(ann.user_id, "4/6 voted", reply_markup=VOTES)
    await sent.edit_text("5/6 voted")
    (posted,) = telegram.chat(ann).messages
    assert posted.buttons == []
    assert [edit.text for edit in posted.edits] == ["5/6 voted"]
    assert telegram.chat(ann).heard == ["4/6 voted", "5/6 voted"]
    assert telegram.chat(ann).showing == ["5/6 voted"]


async def test_a_keyboard_can_be_changed_alone(telegram: FakeTelegram, bot: Bot, ann: User) -> None:
    sent = await bot.send_message(ann.user_id, "Who?", reply_markup=VOTES)
    await sent.edit_reply_markup(None)
    assert telegram.posts[0].labels == []
    with pytest.raises(BadRequest, match="not modified"):
        await sent.edit_reply_markup(None)


async def test_an_unknown_or_deleted_message_cannot_be_edited(bot: Bot, ann: User) -> None:
    sent = await bot.send_message(ann.user_id, "x")
    assert await sent.delete()
    for message_id in (sent.message_id, 7):
        with pytest.raises(BadRequest, match="Message to edit not found"):
            await bot.edit_message_text("y", ann.user_id, message_id)
        with pytest.raises(BadRequest, match="Message to delete not found"):
            await bot.delete_message(ann.user_id, message_id)


async def test_a_message_older_than_48_hours_stays(clock: Clock, bot: Bot, ann: User) -> None:
    sent = await bot.send_message(ann.user_id, "x")
    clock.now += 48 * 3600 + 1
    with pytest.raises(BadRequest, match="can't be deleted"):
        await sent.delete()


async def test_a_reply_needs_its_message_unless_it_may_do_without(bot: Bot, ann: User) -> None:
    with pytest.raises(BadRequest, match="Message to be replied not found"):
        await bot.send_message(ann.user_id, "x", reply_parameters=ReplyParameters(77))
    alone = ReplyParameters(77, allow_sending_without_reply=True)
    await bot.send_message(ann.user_id, "x", reply_parameters=alone, reply_markup=ForceReply())


async def test_a_thread_is_a_topic_of_the_forum_or_not_found(
    telegram: FakeTelegram, bot: Bot
) -> None:
    group = telegram.group("Pals", forum=True)
    sent = await bot.send_message(group.chat_id, "x", message_thread_id=group.topic("Games"))
    assert sent.is_topic_message
    with pytest.raises(BadRequest, match="Message thread not found"):
        await bot.send_message(group.chat_id, "x", message_thread_id=1)


async def test_an_upgraded_group_names_its_new_id(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    old = telegram.group("Pals", [ann], kind="group")
    sent = await bot.send_message(old.chat_id, "Join?", reply_markup=VOTES)
    new = old.becomes_supergroup()
    with pytest.raises(ChatMigrated) as caught:
        await bot.send_message(old.chat_id, "x")
    assert caught.value.new_chat_id == new.chat_id
    await sent.edit_text("We moved.")  # what was there can still be changed
    await bot.send_message(new.chat_id, "x")


async def test_flood_limits_are_a_sliding_window_of_20_in_60_seconds(
    telegram: FakeTelegram, clock: Clock, bot: Bot
) -> None:
    telegram.world.flood_limits = True
    group = telegram.group("Pals")
    sent = await bot.send_message(group.chat_id, "0")
    clock.now += 1
    for number in range(1, 20):
        await bot.send_message(group.chat_id, str(number))
        clock.now += 1
    with pytest.raises(RetryAfter) as caught:
        await bot.send_message(group.chat_id, "x")
    assert caught.value.retry_after == timedelta(seconds=40)
    await sent.edit_text("an edit is not counted")
    clock.now += 40
    await bot.send_message(group.chat_id, "x")


async def test_without_flood_limits_a_group_takes_any_number(
    telegram: FakeTelegram, bot: Bot
) -> None:
    group = telegram.group("Pals")
    for number in range(30):
        await bot.send_message(group.chat_id, str(number))


async def test_a_call_can_be_made_to_fail_before_its_effect(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    telegram.trouble(
        "sendMessage",
        status=429,
        description="Too Many Requests: retry after 3",
        parameters={"retry_after": 3},
    )
    with pytest.raises(RetryAfter):
        await bot.send_message(ann.user_id, "one")
    await bot.send_message(ann.user_id, "two")
    assert telegram.chat(ann).heard == ["two"]
    assert [(call.method, call.status) for call in telegram.calls[1:]] == [
        ("sendMessage", 429),
        ("sendMessage", 200),
    ]


async def test_trouble_can_be_kept_to_one_chat_and_ended(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    group = telegram.group("Pals")
    trouble = telegram.trouble("sendMessage", chat=group, times=None, status=500)
    await bot.send_message(ann.user_id, "fine")
    for _ in range(2):
        with pytest.raises(NetworkError):
            await bot.send_message(group.chat_id, "x")
    trouble.ends()
    await bot.send_message(group.chat_id, "fine")


@pytest.mark.parametrize("happens", [False, True])
async def test_a_connection_can_be_cut_with_or_without_the_effect(
    telegram: FakeTelegram, bot: Bot, ann: User, *, happens: bool
) -> None:
    telegram.trouble("sendMessage", drop=True, after_the_effect=happens)
    with pytest.raises(NetworkError) as caught:
        await bot.send_message(ann.user_id, "x")
    assert not isinstance(caught.value, BadRequest)
    assert telegram.chat(ann).heard == (["x"] if happens else [])
    await bot.send_message(ann.user_id, "y")


async def test_a_late_reply_times_out_after_its_effect(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    telegram.trouble("sendMessage", delay_seconds=30)
    with pytest.raises(TimedOut):
        await bot.send_message(ann.user_id, "x", read_timeout=0.05)
    assert telegram.chat(ann).heard == ["x"]


async def test_an_unknown_callback_cannot_be_answered(bot: Bot) -> None:
    with pytest.raises(BadRequest, match="Query is too old and response timeout expired"):
        await bot.answer_callback_query("12345")


async def test_an_alert_is_at_most_200_long(telegram: FakeTelegram, bot: Bot, ann: User) -> None:
    callback = telegram.world.callback(ann.user_id)
    with pytest.raises(BadRequest, match=r"(?i)message_too_long"):
        await bot.answer_callback_query(callback.callback_id, "x" * 201, show_alert=True)
    await bot.answer_callback_query(callback.callback_id, "x" * 200, show_alert=True)
    assert ann.toasts == [Toast("x" * 200, alert=True)]


async def test_a_callback_is_answered_once(telegram: FakeTelegram, bot: Bot, ann: User) -> None:
    callback = telegram.world.callback(ann.user_id)
    await bot.answer_callback_query(callback.callback_id, "first")
    with pytest.raises(BadRequest, match="Query is too old"):
        await bot.answer_callback_query(callback.callback_id, "second")
    assert ann.toasts == [Toast("first", alert=False)]


async def test_a_callback_expires_after_150_seconds(
    telegram: FakeTelegram, clock: Clock, bot: Bot, ann: User
) -> None:
    callback = telegram.world.callback(ann.user_id)
    clock.now += 150
    with pytest.raises(BadRequest, match="Query is too old"):
        await bot.answer_callback_query(callback.callback_id)


async def test_an_ephemeral_message_needs_a_fresh_press_of_its_receiver(
    telegram: FakeTelegram, clock: Clock, bot: Bot, ann: User
) -> None:
    group = telegram.group("Pals", [ann])
    press = telegram.world.callback(ann.user_id)
    to_ann = {"receiver_user_id": ann.user_id, "callback_query_id": press.callback_id}
    secret = {"ephemeral_message_parameters": to_ann}
    sent = await bot.send_message(group.chat_id, "You are the ferret", api_kwargs=secret)
    assert sent.message_id == 0
    assert sent.api_kwargs["ephemeral_message_id"]
    assert telegram.posts[-1].only_for == ann.user_id
    clock.now += 16
    with pytest.raises(BadRequest, match=r"[Nn]ot enough rights"):
        await bot.send_message(group.chat_id, "You are the ferret", api_kwargs=secret)


async def test_commands_are_kept_by_scope_and_language(telegram: FakeTelegram, bot: Bot) -> None:
    scope = BotCommandScopeAllPrivateChats()
    await bot.set_my_commands([BotCommand("hand", "Your cards")], scope=scope, language_code="en")
    key = ('{"type":"all_private_chats"}', "en")
    assert telegram.commands[key] == [{"command": "hand", "description": "Your cards"}]
    with pytest.raises(BadRequest, match=r"(?i)bot_command_invalid"):
        await bot.set_my_commands([BotCommand("Hand", "Your cards")])


async def test_chats_and_members_can_be_asked_for(
    telegram: FakeTelegram, bot: Bot, ann: User
) -> None:
    group = telegram.group("Pals", [ann], bot="administrator")
    chat = await bot.get_chat(group.chat_id)
    assert (chat.title, chat.type) == ("Pals", "supergroup")
    assert (await bot.get_chat_member(group.chat_id, ann.user_id)).status == "member"
    assert (await bot.get_chat_member(group.chat_id, bot.id)).status == "administrator"
    assert (await bot.get_chat_member(group.chat_id, telegram.user("Cy").user_id)).status == "left"


async def test_a_group_can_be_left(telegram: FakeTelegram, bot: Bot) -> None:
    group = telegram.group("Pals")
    assert await bot.leave_chat(group.chat_id)
    with pytest.raises(Forbidden):
        await bot.send_message(group.chat_id, "still here?")
