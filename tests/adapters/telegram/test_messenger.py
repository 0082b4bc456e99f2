"""What becomes of a letter, for every way a call of the Bot API can end."""

import logging

import pytest
from telegram.error import BadRequest, ChatMigrated, TelegramError

from adapters.telegram.chats import Chats
from adapters.telegram.client import Telegram
from adapters.telegram.messenger import fate_of
from core.delivery import Button, Letter
from core.ports import Dropped, Fate, Gone, Later, Sent, Unknown
from core.text import mark
from tests.fakes.telegram import FakeTelegram, Group, User

VOTE = (Button(mark("s1"), "r1:vote/1:s1"), Button(mark("s2"), "r1:vote/1:s2"))
NAMES = {"s1": "Ann", "s2": "<b>Bo</b>"}


async def send(
    platform: Telegram,
    to: str,
    text: str = "hello",
    *,
    buttons: tuple[Button, ...] = (),
    status: str = "",
    secret: bool = False,
    ref: str = "",
) -> Fate:
    letter = Letter(
        to, text, "", names=NAMES, buttons=buttons, status=status, secret=secret, seat="s1"
    )
    return await platform.messenger.send(letter, "r:r1.1.0", ref)


async def test_a_letter_arrives_with_its_buttons(
    platform: Telegram, telegram: FakeTelegram, anns: str
) -> None:
    fate = await send(platform, anns, f"Vote, {mark('s2')}!", buttons=VOTE)
    posted = telegram.posts[0]
    assert fate == Sent(str(posted.message_id))
    assert posted.text == "Vote, \u2068<b>Bo</b>\u2069!"
    assert posted.entities == []
    assert [[b.label for b in row] for row in posted.buttons] == [["Ann", "<b>Bo</b>"]]
    assert not posted.protected
    assert telegram.calls[-1].params["link_preview_options"] == '{"is_disabled": true}'


async def test_a_secret_can_not_be_forwarded(
    platform: Telegram, telegram: FakeTelegram, anns: str
) -> None:
    await send(platform, anns, "You are the Weasel.", secret=True)
    assert telegram.posts[0].protected


async def test_a_long_letter_arrives_whole(
    platform: Telegram, telegram: FakeTelegram, anns: str
) -> None:
    fate = await send(platform, anns, "\n".join(["a" * 3000, "b" * 3000]), buttons=VOTE)
    first, second = telegram.posts
    assert (first.text[0], second.text[0]) == ("a", "b")
    assert not first.buttons
    assert second.buttons
    assert fate == Sent(str(second.message_id))


async def test_a_letter_that_says_nothing_is_dropped(platform: Telegram, anns: str) -> None:
    assert isinstance(await send(platform, anns, " "), Dropped)


async def test_a_letter_to_an_unknown_address_is_dropped(platform: Telegram) -> None:
    assert isinstance(await send(platform, "telegram:123:nobody"), Dropped)


async def test_a_status_line_is_edited_in_place(
    platform: Telegram, telegram: FakeTelegram, place: str, pals: Group
) -> None:
    sent = await send(platform, place, "Waiting for 2.", buttons=VOTE, status="vote/1")
    assert isinstance(sent, Sent)
    edited = await send(platform, place, "Waiting for 1.", status="vote/1", ref=sent.ref)
    assert edited == sent
    assert pals.showing == ["Waiting for 1."]
    assert telegram.posts[0].buttons == []


async def test_a_status_line_that_says_so_already_is_sent(platform: Telegram, place: str) -> None:
    sent = await send(platform, place, "Waiting.", buttons=VOTE, status="vote/1")
    assert isinstance(sent, Sent)
    assert await send(platform, place, "Waiting.", buttons=VOTE, status="v", ref=sent.ref) == sent


async def test_a_status_line_that_was_deleted_is_sent_anew(
    platform: Telegram, telegram: FakeTelegram, place: str, pals: Group
) -> None:
    sent = await send(platform, place, "Waiting for 2.", status="vote/1")
    assert isinstance(sent, Sent)
    telegram.posts[0].deleted = True
    again = await send(platform, place, "Waiting for 1.", status="vote/1", ref=sent.ref)
    assert again == Sent(str(telegram.posts[1].message_id))
    assert pals.showing == ["Waiting for 1."]


async def test_a_message_that_can_not_be_edited_is_sent_anew(
    platform: Telegram, telegram: FakeTelegram, place: str, pals: Group
) -> None:
    await send(platform, place, "Waiting for 2.", status="vote/1")
    telegram.trouble("editMessageText", status=400, description="message can't be edited")
    ref = str(telegram.posts[0].message_id)
    assert await send(platform, place, "Waiting for 1.", status="vote/1", ref=ref) != Sent(ref)
    assert pals.showing == ["Waiting for 2.", "Waiting for 1."]


async def test_an_edit_that_is_refused_for_another_reason_is_dropped(
    platform: Telegram, telegram: FakeTelegram, place: str, pals: Group
) -> None:
    await send(platform, place, "Waiting for 2.", status="vote/1")
    telegram.trouble("editMessageText", status=400, description="not enough rights")
    ref = str(telegram.posts[0].message_id)
    fate = await send(platform, place, "Waiting for 1.", status="vote/1", ref=ref)
    assert fate == Dropped("not enough rights")
    assert pals.showing == ["Waiting for 2."]


async def test_a_reference_without_a_status_line_is_not_edited(
    platform: Telegram, telegram: FakeTelegram, place: str
) -> None:
    await send(platform, place, "Waiting.", status="vote/1")
    await send(platform, place, "All in.", ref=str(telegram.posts[0].message_id))
    assert [posted.text for posted in telegram.posts] == ["Waiting.", "All in."]


async def test_a_person_who_never_pressed_start_is_gone(
    platform: Telegram, telegram: FakeTelegram, chats: Chats
) -> None:
    address = await chats.person(telegram.user("Bo").user_id)
    assert await send(platform, address) == Gone()


async def test_a_person_who_blocked_the_bot_is_gone(
    platform: Telegram, ann: User, anns: str
) -> None:
    ann.thread.refusal = (403, "Forbidden: bot was blocked by the user")
    assert await send(platform, anns) == Gone()


async def test_a_deleted_account_is_gone(platform: Telegram, ann: User, anns: str) -> None:
    ann.deletes_account()
    assert await send(platform, anns) == Gone()


async def test_a_group_that_threw_the_bot_out_is_gone(
    platform: Telegram, pals: Group, place: str
) -> None:
    pals.bot_status = "kicked"
    assert await send(platform, place) == Gone()


@pytest.mark.parametrize(
    "said",
    ["bot can't initiate conversation with a user", "chat not found", "user is deactivated"],
)
async def test_a_400_that_means_a_403_is_gone(
    platform: Telegram, telegram: FakeTelegram, anns: str, said: str
) -> None:
    telegram.trouble("sendMessage", status=400, description=f"Bad Request: {said}")
    assert await send(platform, anns) == Gone()


async def test_a_flood_limit_says_how_long_to_wait(
    platform: Telegram, telegram: FakeTelegram, place: str
) -> None:
    telegram.trouble(
        "sendMessage",
        status=429,
        description="Too Many Requests: retry after 17",
        parameters={"retry_after": 17},
    )
    assert await send(platform, place) == Later(17_000)


async def test_a_flood_limit_on_an_edit_does_not_send_anew(
    platform: Telegram, telegram: FakeTelegram, place: str
) -> None:
    await send(platform, place, "Waiting for 2.", status="vote/1")
    telegram.trouble("editMessageText", status=429, parameters={"retry_after": 3})
    ref = str(telegram.posts[0].message_id)
    assert await send(platform, place, "Waiting.", status="vote/1", ref=ref) == Later(3_000)
    assert len(telegram.posts) == 1


async def test_a_group_that_moved_is_followed_and_remembered(
    platform: Telegram, telegram: FakeTelegram, chats: Chats, ann: User
) -> None:
    old = telegram.group("Pals", [ann], kind="group")
    address = await chats.place(str(old.chat_id))
    new = old.becomes_supergroup()
    assert await send(platform, address, "hello") == Sent(str(telegram.posts[0].message_id))
    assert telegram.posts[0].chat is new
    assert await chats.place(str(new.chat_id)) == address
    calls = len(telegram.calls)
    await send(platform, address, "again")
    assert len(telegram.calls) == calls + 1


async def test_a_group_that_moved_can_be_gone_all_the_same(
    platform: Telegram, telegram: FakeTelegram, chats: Chats, ann: User
) -> None:
    old = telegram.group("Pals", [ann], kind="group")
    address = await chats.place(str(old.chat_id))
    old.becomes_supergroup().bot_status = "kicked"
    assert await send(platform, address) == Gone()


async def test_a_status_line_follows_its_group(
    platform: Telegram, telegram: FakeTelegram, chats: Chats, ann: User
) -> None:
    old = telegram.group("Pals", [ann], kind="group")
    address = await chats.place(str(old.chat_id))
    await send(platform, address, "Waiting for 2.", status="vote/1")
    new = old.becomes_supergroup()
    await chats.moved(old.chat_id, new.chat_id)
    ref = str(telegram.posts[0].message_id)
    await send(platform, address, "Waiting for 1.", status="vote/1", ref=ref)
    assert new.showing == ["Waiting for 1."]


async def test_a_letter_to_a_topic_goes_into_the_topic(
    platform: Telegram, telegram: FakeTelegram, chats: Chats, ann: User
) -> None:
    forum = telegram.group("Forum", [ann], forum=True)
    topic = forum.topic("Games")
    address = await chats.place(f"{forum.chat_id}/{topic}")
    await send(platform, address)
    assert telegram.posts[0].thread_id == topic


@pytest.mark.parametrize("said", ["message thread not found", "TOPIC_CLOSED"])
async def test_when_the_topic_is_closed_the_letter_goes_to_its_group(
    platform: Telegram, telegram: FakeTelegram, chats: Chats, ann: User, said: str
) -> None:
    forum = telegram.group("Forum", [ann], forum=True)
    address = await chats.place(f"{forum.chat_id}/{forum.topic('Games')}")
    telegram.trouble("sendMessage", status=400, description=f"Bad Request: {said}")
    assert isinstance(await send(platform, address), Sent)
    assert telegram.posts[0].thread_id is None


@pytest.mark.parametrize("after", [False, True])
async def test_nobody_knows_what_became_of_a_letter_whose_answer_was_lost(
    platform: Telegram,
    telegram: FakeTelegram,
    anns: str,
    after: bool,  # noqa: FBT001
) -> None:
    telegram.trouble("sendMessage", drop=True, after_the_effect=after)
    assert await send(platform, anns) == Unknown()


async def test_nobody_knows_what_became_of_a_letter_after_a_500(
    platform: Telegram, telegram: FakeTelegram, anns: str
) -> None:
    telegram.trouble("sendMessage", status=502, description="Bad Gateway")
    assert await send(platform, anns) == Unknown()
    assert await platform.messenger.fate(Letter(anns, "", ""), "r:r1.1.0", 0) == Unknown()


async def test_any_other_refusal_drops_the_letter_and_repeats_nothing_of_it(
    platform: Telegram, telegram: FakeTelegram, anns: str, ann: User
) -> None:
    telegram.trouble(
        "sendMessage", status=400, description=f"Bad Request: {ann.user_id} said hello"
    )
    assert await send(platform, anns) == Dropped("Telegram refused it")
    telegram.trouble("sendMessage", status=400, description="not enough rights to send text")
    assert await send(platform, anns) == Dropped("not enough rights")


async def test_letters_wait_for_the_operator_when_the_token_is_refused(
    platform: Telegram,
    telegram: FakeTelegram,
    anns: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    telegram.trouble("sendMessage", status=401, description="Unauthorized")
    with caplog.at_level(logging.INFO):
        assert await send(platform, anns) == Later(30_000)
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "TELEGRAM_BOT_TOKEN" in caplog.text
    assert telegram.token not in caplog.text


@pytest.mark.parametrize(
    ("error", "fate"),
    [
        (ChatMigrated(-1002), Dropped("the group has moved twice")),
        (BadRequest("Button_data_invalid"), Dropped("button_data_invalid")),
        (TelegramError("something new"), Unknown()),
    ],
)
def test_rare_errors_have_a_fate_too(error: TelegramError, fate: Fate) -> None:
    assert fate_of(error) == fate
