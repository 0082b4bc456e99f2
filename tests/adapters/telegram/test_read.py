"""What a webhook's body says, and all the bodies that say nothing to us."""

import json
from typing import TypeAlias

import msgspec
import pytest

from adapters.telegram.read import Bot, Heard, Update, read

Json: TypeAlias = dict[str, object]

BOT = Bot(123, "parlour_bot")
ANN: Json = {"id": 2**51 + 7, "is_bot": False, "first_name": "Ann", "username": "ann_b"}
PRIVATE: Json = {"id": ANN["id"], "type": "private", "first_name": "Ann"}
GROUP: Json = {"id": -1001, "type": "supergroup", "title": "Pals"}
OURS: Json = {"message_id": 9, "date": 0, "chat": GROUP, "from": {"id": 123, "is_bot": True}}
THEIRS: Json = {"message_id": 9, "date": 0, "chat": GROUP, "from": {"id": 5, "is_bot": False}}
EVENT = "telegram:123:870"


def update(**parts: object) -> Update:
    return read(json.dumps({"update_id": 870, **parts}).encode(), BOT)


def message(chat: Json, text: str | None = None, fields: Json | None = None) -> Update:
    content: Json = {"message_id": 1, "date": 0, "chat": chat, "from": ANN, **(fields or {})}
    return update(message=content if text is None else {**content, "text": text})


def pressed(data: str | None, chat: Json, **fields: object) -> Update:
    button: Json = {"id": "77", "from": ANN, "chat_instance": "1", **fields}
    if chat:
        button["message"] = {"message_id": 3, "date": 0, "chat": chat}
    return update(callback_query=button if data is None else {**button, "data": data})


def privately(text: str, kind: str = "text") -> Heard:
    heard = Heard(EVENT, "text", 2**51 + 7, "Ann", text, open=True)
    return heard if kind == "text" else msgspec.structs.replace(heard, kind="opened")


def in_group(text: str, place: str = "-1001") -> Heard:
    return Heard(EVENT, "text", 2**51 + 7, "Ann", text, place)


@pytest.mark.parametrize(
    ("typed", "heard"),
    [
        ("violin", privately("violin")),
        ("two\nlines", privately("two\nlines")),
        ("/look", privately("/look")),
        ("/vote Bo", privately("/vote Bo")),
        ("/LOOK@Parlour_Bot", privately("/LOOK")),
        ("/join@parlour_bot KTRGW Ann", privately("/join KTRGW Ann")),
        ("/look@other_bot", None),
        ("/start", privately("", "opened")),
        ("/start@parlour_bot", privately("", "opened")),
        ("/start KTRGW", privately("JOIN KTRGW")),
        ("/start ktrgw", privately("JOIN ktrgw")),
        ("/START KTRGW Ann", privately("JOIN KTRGW Ann")),
        ("/start from_a_channel", privately("", "opened")),
        ("/started", privately("/started")),
        ("/help", privately("?")),
        ("/", privately("/")),
        ("/été", privately("/été")),
        ("see /start", privately("see /start")),
    ],
)
def test_everything_typed_in_a_private_chat_is_heard(typed: str, heard: Heard | None) -> None:
    assert message(PRIVATE, typed) == Update(heard)


@pytest.mark.parametrize("kind", ["sticker", "photo", "voice", "contact", "poll", "rich_message"])
def test_what_has_no_text_is_heard_as_an_empty_one(kind: str) -> None:
    assert message(PRIVATE, None, {kind: {"file_id": "x"}}) == Update(privately(""))


@pytest.mark.parametrize("kind", ["pinned_message", "message_auto_delete_timer_changed", "gift"])
def test_the_news_of_a_private_chat_is_no_answer(kind: str) -> None:
    assert message(PRIVATE, None, {kind: {"message_id": 4}}) == Update()


@pytest.mark.parametrize("kind", ["group", "supergroup"])
@pytest.mark.parametrize(
    ("typed", "heard"),
    [
        ("/new", in_group("/new")),
        ("/new@parlour_bot", in_group("/new")),
        ("/new@PARLOUR_BOT ferret-out", in_group("/new ferret-out")),
        ("/new@other_bot", None),
        ("/start@parlour_bot", in_group("/new")),
        ("/start@parlour_bot true", in_group("/new")),
        ("/start@parlour_bot KTRGW", in_group("/join KTRGW")),
        ("/help@parlour_bot", in_group("?")),
        ("good evening", None),
        ("@parlour_bot hello", None),
        ("join", None),
        ("", None),
    ],
)
def test_only_commands_to_us_are_heard_in_a_group(
    kind: str, typed: str, heard: Heard | None
) -> None:
    assert message({**GROUP, "type": kind}, typed) == Update(heard)


def test_a_reply_to_us_is_heard_in_a_group_as_it_was_typed() -> None:
    assert message(GROUP, "violin", {"reply_to_message": OURS}) == Update(in_group("violin"))


def test_a_reply_to_somebody_else_is_not_heard() -> None:
    assert message(GROUP, "violin", {"reply_to_message": THEIRS}) == Update()
    assert message(GROUP, "violin", {"reply_to_message": {**OURS, "from": None}}) == Update()


def test_a_sticker_in_a_group_is_not_heard_even_as_a_reply_to_us() -> None:
    assert message(GROUP, None, {"sticker": {}, "reply_to_message": OURS}) == Update()


def test_a_topic_is_a_place_of_its_own_and_a_chain_of_replies_is_not() -> None:
    topic = message(GROUP, "/new", {"is_topic_message": True, "message_thread_id": 40})
    replies = message(GROUP, "/new", {"message_thread_id": 40})
    assert topic == Update(in_group("/new", "-1001/40"))
    assert replies == Update(in_group("/new"))


@pytest.mark.parametrize(
    "sender",
    [
        {"id": 1087968824, "is_bot": True, "first_name": "Group"},
        {"id": 1087968824, "first_name": "Group"},
        {"id": 777000, "is_bot": False, "first_name": "Telegram"},
        {"id": 136817688, "is_bot": True, "first_name": "Channel"},
        {"id": 5, "is_bot": True, "first_name": "Robot"},
        None,
    ],
)
def test_nobody_who_is_not_a_person_is_heard(sender: Json | None) -> None:
    assert message(GROUP, "/new", {"from": sender}) == Update()
    assert message(PRIVATE, "/new", {"from": sender}) == Update()


def test_an_admin_who_hides_behind_the_group_is_not_heard() -> None:
    assert message(GROUP, "/new", {"sender_chat": GROUP}) == Update()


def test_channels_are_not_heard() -> None:
    post = {"message_id": 1, "date": 0, "chat": {"id": -1002, "type": "channel"}, "text": "/new"}
    assert update(channel_post=post) == Update()
    assert message({"id": -1002, "type": "channel"}, "/new") == Update()


def test_an_edited_message_is_not_heard() -> None:
    edited = {"message_id": 1, "date": 0, "chat": PRIVATE, "from": ANN, "text": "viola"}
    assert update(edited_message=edited) == Update()


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ({"first_name": "Ann", "last_name": "Bell"}, "Ann"),
        ({"first_name": "\u200b", "username": "ann_b"}, "ann_b"),
        ({"first_name": "stop", "username": "ann_b"}, "ann_b"),
        ({"first_name": "+1 202 555 0100"}, ""),
        ({}, ""),
    ],
)
def test_a_person_is_called_by_the_first_name_that_will_do(names: Json, shown: str) -> None:
    heard = message(PRIVATE, "hi", {"from": {"id": 5, "is_bot": False, **names}}).heard
    assert heard
    assert heard.name == shown


def test_a_press_in_a_private_chat_shows_that_it_is_open() -> None:
    heard = Heard(EVENT, "press", 2**51 + 7, "Ann", "r1:vote/1:s2", "", open=True)
    assert pressed("r1:vote/1:s2", PRIVATE) == Update(heard, "77")


def test_a_press_in_a_group_tells_the_place() -> None:
    heard = Heard(EVENT, "press", 2**51 + 7, "Ann", "r1:look:", "-1001", open=False)
    assert pressed("r1:look:", GROUP) == Update(heard, "77", alert=True)


@pytest.mark.parametrize(
    ("data", "chat", "fields"),
    [
        (None, GROUP, {"game_short_name": "chess"}),
        ("r1:look", {}, {"inline_message_id": "AbC"}),
        ("r1:vote/1:s2", {"id": -1002, "type": "channel"}, {}),
    ],
)
def test_a_press_that_means_nothing_still_waits_for_an_answer(
    data: str | None, chat: Json, fields: Json
) -> None:
    found = pressed(data, chat, **fields)
    assert found.heard is None
    assert found.press == "77"


@pytest.mark.parametrize(
    ("status", "kind", "opened"), [("kicked", "gone", False), ("member", "reachable", True)]
)
def test_blocking_and_unblocking_are_heard(status: str, kind: str, opened: bool) -> None:  # noqa: FBT001
    member = {"status": status, "user": {"id": 123, "is_bot": True}}
    change = {"chat": PRIVATE, "from": ANN, "date": 0, "new_chat_member": member}
    heard = update(my_chat_member=change).heard
    assert heard
    assert (heard.kind, heard.open, heard.text, heard.place) == (kind, opened, "", "")


@pytest.mark.parametrize(
    ("chat", "status"), [(GROUP, "kicked"), (GROUP, "member"), (PRIVATE, "restricted")]
)
def test_other_changes_of_what_the_bot_is_are_not_heard(chat: Json, status: str) -> None:
    change = {"chat": chat, "from": ANN, "date": 0, "new_chat_member": {"status": status}}
    assert update(my_chat_member=change) == Update()


def test_both_ends_of_a_move_to_a_supergroup_tell_the_same() -> None:
    old: Json = {"id": -5, "type": "group"}
    anonymous = {"id": 1087968824, "is_bot": True}
    moved = Update(moved=(-5, -1001))
    assert message(old, None, {"migrate_to_chat_id": -1001}) == moved
    assert message(GROUP, None, {"migrate_from_chat_id": -5, "from": anonymous}) == moved


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"subscription": {"user": ANN}},
        {"stopped_message_generation": {"chat": PRIVATE}},
        {"guest_message": {"message_id": 1, "chat": GROUP, "text": "/new"}},
        {"message": None},
    ],
)
def test_updates_of_an_unknown_kind_say_nothing(parts: Json) -> None:
    assert update(**parts) == Update()


def test_fields_newer_than_this_program_are_no_error() -> None:
    found = message(
        PRIVATE,
        "violin",
        {
            "ephemeral_message_id": 4,
            "receiver_user": ANN,
            "sender_tag": {"text": 1},
            "date": "soon",
        },
    )
    assert found == Update(privately("violin"))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"message": {}}',
        b'{"update_id": "7"}',
        b'{"update_id": 7, "message": {"chat": 5}}',
        b'{"update_id": 7, "message": {"chat": {"id": 5}, "text": 8}}',
        b"\xff\xfe",
    ],
)
def test_what_is_no_update_is_refused(body: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        read(body, BOT)
