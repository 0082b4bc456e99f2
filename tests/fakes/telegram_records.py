"""What Telegram keeps: chats, messages of the bot and of people, presses and their toasts."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from tests.fakes.telegram_photos import photo_sizes
from tests.fakes.telegram_schema import ApiError, Json
from tests.fakes.telegram_text import Entity, InlineButton, bad_request, inline_keyboard

CALLBACK_LASTS_SECONDS = 150.0
FLOOD_MESSAGES = 20
FLOOD_WINDOW_SECONDS = 60.0


class Button(NamedTuple):
    """A button that calls back: what it says, and what a press sends."""

    label: str
    data: str


class Toast(NamedTuple):
    """What answerCallbackQuery showed to the presser alone; `alert` is a box to be closed."""

    text: str
    alert: bool
    url: str | None = None


class Edit(NamedTuple):
    """One edit of a message: the text and buttons from then on, at epoch seconds."""

    text: str
    buttons: list[list[Button]]
    at: float


@dataclass(eq=False)
class Chat:
    """A private chat, group or supergroup with its own message ids."""

    chat_id: int
    kind: str
    title: str
    bot: Json
    next_message_id: int
    is_forum: bool = False
    bot_status: str = "member"
    refusal: tuple[int, str] | None = None
    migrated_to: int | None = None
    messages: list["Posted"] = field(default_factory=list["Posted"])
    said: dict[int, "Said"] = field(default_factory=dict[int, "Said"])
    topics: dict[int, str] = field(default_factory=dict[int, str])
    heard_texts: list[str] = field(default_factory=list[str])
    other_bot_posted_last: bool = False
    recent: deque[float] = field(default_factory=deque[float])

    @property
    def private(self) -> bool:
        """Whether one person and the bot are alone here."""
        return self.kind == "private"

    @property
    def heard(self) -> list[str]:
        """Every line of text ever shown here, in order: posts and edits, also those since gone."""
        return [line for text in self.heard_texts for line in text.splitlines()]

    @property
    def showing(self) -> list[str]:
        """The texts that are on the screen now."""
        return [posted.text for posted in self.messages if not posted.deleted]

    def new_id(self) -> int:
        """The next message id of this chat."""
        self.next_message_id += 1
        return self.next_message_id - 1

    def as_json(self) -> Json:
        """The Chat object."""
        name = "first_name" if self.private else "title"
        found: Json = {"id": self.chat_id, "type": self.kind, name: self.title}
        return {**found, "is_forum": True} if self.is_forum else found

    def posted(self, message_id: int, missing: str) -> "Posted":
        """The bot's message of that id, not deleted; a 400 with `missing` in it otherwise."""
        for one in self.messages:
            if one.message_id == message_id and not one.deleted and not one.ephemeral_message_id:
                return one
        raise bad_request(missing)

    def check_access(self) -> None:
        """Whether the bot reaches this chat at all: 403 as the chat has it."""
        if self.refusal:
            raise ApiError(*self.refusal)
        if self.bot_status == "kicked":
            raise ApiError(403, f"Forbidden: bot was kicked from the {self._noun} chat")
        if self.bot_status == "left":
            raise ApiError(403, f"Forbidden: bot is not a member of the {self._noun} chat")

    def check_writable(self) -> None:
        """Whether a new message can come: a group that was upgraded names its new id."""
        if self.migrated_to is not None:
            raise bad_request(
                "group chat was upgraded to a supergroup chat",
                {"migrate_to_chat_id": self.migrated_to},
            )
        self.check_access()

    @property
    def _noun(self) -> str:
        return "supergroup" if self.kind == "supergroup" else "group"

    def spend(self, now: float) -> None:
        """One message of a group's 20 in any 60 seconds, or a 429 that says how long to wait."""
        while self.recent and self.recent[0] <= now - FLOOD_WINDOW_SECONDS:
            self.recent.popleft()
        if len(self.recent) >= FLOOD_MESSAGES:
            wait = max(1, int(self.recent[0] + FLOOD_WINDOW_SECONDS - now + 0.999))
            raise ApiError(429, f"Too Many Requests: retry after {wait}", {"retry_after": wait})
        self.recent.append(now)


@dataclass(eq=False)
class Posted:
    """A message of the bot, as it stands now; `edits` tells how it came to that.

    `sent_text` is the text as the bot wrote it, with its markup. An ephemeral message has id 0
    and is seen by `only_for` (a user id) alone. Under a `photo` (a PNG) the text is its caption.
    """

    chat: Chat
    message_id: int
    text: str
    sent_text: str
    parse_mode: str | None
    entities: list[Entity]
    markup: Json | None
    at: float
    thread_id: int | None = None
    reply_to_message_id: int | None = None
    ephemeral_message_id: int | None = None
    only_for: int | None = None
    protected: bool = False
    silent: bool = False
    photo: bytes | None = None
    edits: list[Edit] = field(default_factory=list[Edit])
    deleted: bool = False

    @property
    def chat_id(self) -> int:
        """Where it is."""
        return self.chat.chat_id

    @property
    def keyboard(self) -> list[list[InlineButton]]:
        """The rows of the inline keyboard, buttons of every kind."""
        return inline_keyboard(self.markup, private=self.chat.private)

    @property
    def buttons(self) -> list[list[Button]]:
        """The rows of buttons that call back."""
        rows = [
            [Button(b.text, b.callback_data) for b in row if b.callback_data]
            for row in self.keyboard
        ]
        return [row for row in rows if row]

    @property
    def labels(self) -> list[str]:
        """What every button says, row after row."""
        return [button.text for row in self.keyboard for button in row]

    @property
    def links(self) -> dict[str, str]:
        """The buttons that open an address, by label."""
        return {b.text: b.url for row in self.keyboard for b in row if b.url}

    def as_json(self) -> Json:
        """The Message object."""
        message: Json = {
            "message_id": self.message_id,
            "from": self.chat.bot,
            "chat": self.chat.as_json(),
            "date": int(self.at),
        }
        if self.photo is not None:
            message["photo"] = photo_sizes(self.photo)
        if self.text or self.photo is None:
            message["text" if self.photo is None else "caption"] = self.text
        if self.entities:
            kind = "entities" if self.photo is None else "caption_entities"
            message[kind] = msgspec.to_builtins(self.entities)
        if self.markup and "inline_keyboard" in self.markup:
            message["reply_markup"] = self.markup
        if self.edits:
            message["edit_date"] = int(self.edits[-1].at)
        if self.thread_id is not None:
            message |= {"message_thread_id": self.thread_id, "is_topic_message": True}
        if self.ephemeral_message_id is not None:
            message["ephemeral_message_id"] = self.ephemeral_message_id
        return message

    def as_json_in_callback(self) -> Json:
        """What a press carries: an InaccessibleMessage (date 0) once it is deleted."""
        if self.deleted:
            return {"chat": self.chat.as_json(), "message_id": self.message_id, "date": 0}
        return self.as_json()


@dataclass(eq=False)
class Said:
    """A message of a person; `delivered` is false when the bot was not to hear it."""

    chat: Chat
    message_id: int
    text: str
    content: Json
    delivered: bool = False
    deleted: bool = False


@dataclass(eq=False)
class Callback:
    """One press of a button, waiting for its answer."""

    callback_id: str
    user_id: int
    at: float
    toast: Toast | None = None
    answered: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(eq=False)
class Call:
    """One request to the Bot API and how it was answered (status none: cut off)."""

    method: str
    params: Json
    at: float
    status: int | None = None
    description: str = ""

    @property
    def chat_id(self) -> object:
        """The chat it names, if any."""
        return self.params.get("chat_id")
