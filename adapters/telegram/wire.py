"""The fields of an update that are used, as Telegram sends them. Pure.

Decoding just these with msgspec is two hundred times as fast as the library's own objects, and a
field or a kind of update newer than the library is no error.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from core.reading import clean_name

# GroupAnonymousBot, the account behind forwarded channel posts, and Channel Bot.
_NOBODY = frozenset({1087968824, 777000, 136817688})
# A message of a person without text; any other message without text is the chat's own news.
_CONTENT = frozenset(
    "animation audio checklist contact dice document game live_photo location paid_media photo "
    "poll rich_message sticker story venue video video_note voice".split()
)


class User(Struct):
    """Somebody, or a bot, or an account that stands for nobody."""

    id: int
    is_bot: bool = False
    first_name: str = ""
    username: str = ""

    @property
    def name(self) -> str:
        """The first of their names that a player can be called; "" if none can."""
        return next((one for one in (self.first_name, self.username) if clean_name(one)), "")

    @property
    def person(self) -> bool:
        """Somebody who can play."""
        return not self.is_bot and self.id not in _NOBODY


class Chat(Struct):
    """A private chat, a group or a channel."""

    id: int
    type: str = ""

    @property
    def private(self) -> bool:
        """One person and the bot are alone here."""
        return self.type == "private"

    @property
    def group(self) -> bool:
        """Several people are here, of whom anybody can speak."""
        return self.type in {"group", "supergroup"}


class Replied(Struct, rename={"sender": "from"}):
    """The message that was replied to."""

    sender: User | None = None


class Message(Struct, rename={"sender": "from"}):
    """A message, or a chat's own news."""

    chat: Chat
    sender: User | None = None
    sender_chat: Chat | None = None
    text: str = ""
    reply_to_message: Replied | None = None
    is_topic_message: bool = False
    message_thread_id: int = 0
    migrate_to_chat_id: int = 0
    migrate_from_chat_id: int = 0

    @property
    def place(self) -> str:
        """The group, and the topic in it, as `adapters.telegram.read.Heard` tells it."""
        if not self.chat.group:
            return ""
        # Outside of topics a thread id only marks a chain of replies, and can't be posted to.
        topic = f"/{self.message_thread_id}" if self.is_topic_message else ""
        return f"{self.chat.id}{topic}"


class Press(Struct, rename={"sender": "from"}):
    """A callback query: a button was pressed."""

    id: str
    sender: User
    message: Message | None = None
    data: str = ""


class Member(Struct):
    """What a member of a chat is now."""

    status: str


class Membership(Struct, rename={"sender": "from"}):
    """What the bot is in a chat has changed."""

    chat: Chat
    sender: User
    new_chat_member: Member


class Update(Struct):
    """An update; of a kind not listed here, nothing but its id."""

    update_id: int
    message: Message | None = None
    callback_query: Press | None = None
    my_chat_member: Membership | None = None


class Fields(Struct):
    """A message as the names of its fields."""

    message: dict[str, Raw]


_updates = msgspec.json.Decoder(Update)
_fields = msgspec.json.Decoder(Fields)


def decode(body: bytes) -> Update:
    """The update in a webhook's body. Raises msgspec.MsgspecError if there is none."""
    return _updates.decode(body)


def has_content(body: bytes) -> bool:
    """Whether a message without text is a person's all the same: a sticker, a photo, a poll."""
    return not _CONTENT.isdisjoint(_fields.decode(body).message)
