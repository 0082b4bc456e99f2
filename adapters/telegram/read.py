"""A webhook's body -> what somebody did. Pure.

Rules of this file
    1. In a private chat everything is for us. In a group only a command or a reply to us is: people
       also talk to each other there, and an admin bot hears it all.
    2. Only a person can play. A bot, an anonymous admin and a channel that posts all come with a
       `from` that is nobody; presses always carry the real one.
    3. An edited message is not heard: an answer was given when it was sent.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from msgspec import Struct

from adapters.telegram import wire
from core.desk import is_code
from core.spelling import key

Kind: TypeAlias = Literal["text", "press", "opened", "gone", "reachable"]

_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]+))?(?=\s|$)")


class Bot(Struct, frozen=True):
    """Ourselves: the id and the @username, without the @."""

    id: int
    username: str


class Heard(Struct, frozen=True):
    """What somebody did, with Telegram's own ids. Kinds and `open` are those of `Incoming`.

    `place` is the group it was done in ("" for a private chat): a chat's id, and behind a slash
    the topic's, where the group has topics.
    """

    event: str
    kind: Kind
    user_id: int
    name: str
    text: str = ""
    place: str = ""
    open: bool = False


class Update(Struct, frozen=True):
    """All that one update holds for us. Every part may be missing.

    `press` is the id that a pressed button waits to be answered under; `alert`: with a box to be
    closed. `moved` are a group's old id and the new one it got by becoming a supergroup.
    """

    heard: Heard | None = None
    press: str = ""
    alert: bool = False
    moved: tuple[int, int] | None = None


def read(body: bytes, bot: Bot) -> Update:
    """What an update says. Raises msgspec.MsgspecError if it is none."""
    update = wire.decode(body)
    event = f"telegram:{bot.id}:{update.update_id}"
    if update.callback_query:
        return _pressed(update.callback_query, event)
    if update.my_chat_member:
        return Update(_membership(update.my_chat_member, event))
    if update.message is None:
        return Update()
    message = update.message
    if message.migrate_to_chat_id:
        return Update(moved=(message.chat.id, message.migrate_to_chat_id))
    if message.migrate_from_chat_id:
        return Update(moved=(message.migrate_from_chat_id, message.chat.id))
    if message.chat.private and not message.text and not wire.has_content(body):
        return Update()
    return Update(_said(message, event, bot))


def _pressed(press: wire.Press, event: str) -> Update:
    heard, shows = None, press.data.split(":")[1:2] == ["look"]
    where = press.message
    if where and press.data and press.sender.person and (where.chat.private or where.chat.group):
        sender = press.sender
        heard = Heard(
            event, "press", sender.id, sender.name, press.data, where.place, where.chat.private
        )
    return Update(heard, press.id, shows)


def _membership(change: wire.Membership, event: str) -> Heard | None:
    # Whoever restarts the bot also sends /start, and is answered then.
    kinds: dict[str, Kind] = {"kicked": "gone", "member": "reachable"}
    kind, sender = kinds.get(change.new_chat_member.status), change.sender
    if kind is None or not change.chat.private or not sender.person:
        return None
    return Heard(event, kind, sender.id, sender.name, open=kind == "reachable")


def _said(message: wire.Message, event: str, bot: Bot) -> Heard | None:
    sender, text = message.sender, message.text
    if sender is None or not sender.person or message.sender_chat:
        return None
    command, rest = "", ""
    found = _COMMAND.match(text)
    if found:
        addressee = found[2]
        if addressee and addressee.casefold() != bot.username.casefold():
            return None
        command, rest = found[1].casefold(), text[found.end() :].strip()
        text = f"/{found[1]} {rest}".rstrip()
    if message.chat.private:
        kind, text = _privately(command, rest, text)
        return Heard(event, kind, sender.id, sender.name, text, open=True)
    if not message.chat.group or not (text.startswith("/") or _replies(message, bot)):
        return None
    text = _in_a_group(command, rest, text)
    return Heard(event, "text", sender.id, sender.name, text, message.place)


def _replies(message: wire.Message, bot: Bot) -> bool:
    replied = message.reply_to_message
    to_us = replied is not None and replied.sender is not None and replied.sender.id == bot.id
    return to_us and bool(message.text)


def _privately(command: str, rest: str, text: str) -> tuple[Kind, str]:
    """Telegram's own two commands in our words; the payload of a deep link is a room's code."""
    match command:
        case "start" if _begins_with_a_code(rest):
            return "text", f"JOIN {rest}"
        case "start":
            return "opened", ""
        case "help":
            return "text", "?"
        case _:
            return "text", text


def _in_a_group(command: str, rest: str, text: str) -> str:
    match command:
        case "start":
            return f"/join {rest}" if _begins_with_a_code(rest) else "/new"
        case "help":
            return "?"
        case _:
            return text


def _begins_with_a_code(rest: str) -> bool:
    return is_code(key(rest.partition(" ")[0]))
