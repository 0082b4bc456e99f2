"""The people of the fake Telegram: what somebody with a phone can do to a bot."""

import asyncio
import re
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

from tests.fakes.telegram_records import CALLBACK_LASTS_SECONDS, Chat, Posted, Said, Toast
from tests.fakes.telegram_schema import Json
from tests.fakes.telegram_text import typed_entities
from tests.fakes.telegram_world import ANONYMOUS_ADMIN, Group, World

TOAST_WITHIN_SECONDS = 2.0
_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")


class User:
    """A person with a phone: writes, presses, blocks, leaves."""

    def __init__(
        self, world: World, user_id: int, name: str, username: str | None, language_code: str | None
    ) -> None:
        """`language_code` may be absent or odd, as in life."""
        self.world = world
        self.user_id = user_id
        self.name = name
        self.username = username
        self.language_code = language_code
        self.toasts: list[Toast] = []
        self.thread = Chat(user_id, "private", name, world.bot, 1000 * (len(world.chats) + 1))
        self.thread.refusal = (403, "Forbidden: bot can't initiate conversation with a user")

    def as_json(self) -> Json:
        """The User object."""
        found: Json = {"id": self.user_id, "is_bot": False, "first_name": self.name}
        optional = {"username": self.username, "language_code": self.language_code}
        return found | {name: value for name, value in optional.items() if value is not None}

    async def says(
        self,
        text: str,
        *,
        to: Group | None = None,
        reply_to: Posted | Said | None = None,
        topic: int | None = None,
        anonymously: bool = False,
        ephemeral: bool = False,
    ) -> Said:
        """Write to the bot, or to a group; returns once the bot took it, or was not to hear it.

        `anonymously` is an admin who hides behind the group; `ephemeral` an ephemeral command,
        seen by the bot alone. An AssertionError if the person could not do that.
        """
        extra: Json = {"text": text}
        if entities := typed_entities(text):
            extra["entities"] = entities
        if ephemeral:
            extra["ephemeral_message_id"] = self.thread.new_id()
        return await self._sends(extra, to, reply_to, topic, anonymously=anonymously)

    async def sends_a_sticker(self, *, to: Group | None = None) -> Said:
        """Send something that is no text."""
        kind: Json = {"type": "regular", "is_animated": False, "is_video": False, "emoji": "👍"}
        file: Json = {"file_id": "CAAC", "file_unique_id": "AgAD", "width": 512, "height": 512}
        return await self._sends({"sticker": kind | file}, to, None, None)

    async def _sends(
        self,
        extra: Json,
        to: Group | None,
        reply_to: Posted | Said | None,
        topic: int | None,
        *,
        anonymously: bool = False,
    ) -> Said:
        chat = self._may_write(to)
        content: Json = {"from": self.as_json(), **extra}
        if anonymously:
            content |= {"from": ANONYMOUS_ADMIN, "sender_chat": chat.as_json()}
        if reply_to is not None:
            content["reply_to_message"] = (
                reply_to.as_json()
                if isinstance(reply_to, Posted)
                else reply_to.content | {"message_id": reply_to.message_id}
            )
            if chat.kind == "supergroup":
                # A thread of replies, not a topic: sending this id back is a 400.
                content["message_thread_id"] = reply_to.message_id
        if topic is not None:
            content |= {"message_thread_id": topic, "is_topic_message": True}
        ephemeral = "ephemeral_message_id" in extra
        text = str(extra.get("text", ""))
        said = Said(chat, 0 if ephemeral else chat.new_id(), text, content)
        said.content |= {
            "message_id": said.message_id,
            "chat": chat.as_json(),
            "date": int(self.world.clock()),
        }
        chat.said[said.message_id] = said
        self.world.note(chat, f"{self.name}: {text or '(no text)'}")
        if ephemeral or not isinstance(chat, Group) or chat.hears(text, reply_to):
            said.delivered = (
                await self.world.deliver("message", said.content, ("chat", chat.chat_id))
                == "delivered"
            )
        return said

    def _may_write(self, to: Group | None) -> Chat:
        if to is None:
            if self.thread.refusal and "initiate" not in self.thread.refusal[1]:
                raise AssertionError(f"{self.name} must unblock the bot first")
            self.thread.refusal = None
            return self.thread
        if self not in to.members or to.migrated_to is not None:
            raise AssertionError(f"{self.name} is not in {to.title}, or it has become a supergroup")
        return to

    async def opens(self, link: str, *, into: Group | None = None) -> Said:
        """Follow a deep link of this bot: `?start=` here, `?startgroup=` into a group."""
        parts, bot = urlsplit(link), str(self.world.bot["username"])
        query = parse_qs(parts.query)
        word = "startgroup" if into else "start"
        payload = query.get(word, [""])[0]
        if parts.hostname != "t.me" or parts.path.strip("/").casefold() != bot.casefold():
            raise AssertionError(f"{link} does not lead to @{bot}")
        if payload and not _PAYLOAD.fullmatch(payload):
            raise AssertionError(f"{payload!r} is no payload: 1-64 of A-Za-z0-9_-")
        command = f"/start@{bot}" if into else "/start"
        return await self.says(f"{command} {payload}".rstrip(), to=into)

    async def edits(self, said: Said, text: str) -> None:
        """Change what was said; the bot gets `edited_message` if it got the message."""
        now = int(self.world.clock())
        said.text = text
        said.content |= {"text": text, "entities": typed_entities(text), "edit_date": now}
        self.world.note(said.chat, f"{self.name} (edited): {text}")
        if said.delivered:
            await self.world.deliver(
                "edited_message", dict(said.content), ("chat", said.chat.chat_id)
            )

    async def presses(self, where: "Posted | Chat | User", label: str) -> Toast | None:
        """Press a button by its label, on a message or on the latest in a chat that has it.

        Returns the toast; none if the bot took the press and did not answer within 2 seconds.
        An AssertionError if there is no such button for this person.
        """
        posted = self._message_with(where, label)
        data = next(
            button.data for row in posted.buttons for button in row if button.label == label
        )
        return await self.presses_data(posted, data, label=label)

    async def presses_data(self, posted: Posted, data: str, *, label: str = "") -> Toast | None:
        """What an old or a forged client can send: any data, for any message it once saw."""
        callback = self.world.callback(self.user_id)
        self.world.note(posted.chat, f"{self.name} presses [{label or data}]")
        content: Json = {
            "id": callback.callback_id,
            "from": self.as_json(),
            "message": posted.as_json_in_callback(),
            "chat_instance": str(abs(posted.chat_id) * 31 + 7),
            "data": data,
        }
        fate = await self.world.deliver(
            "callback_query", content, ("callback", self.user_id), CALLBACK_LASTS_SECONDS
        )
        if fate == "delivered" and not callback.answered.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(callback.answered.wait(), TOAST_WITHIN_SECONDS)
        return callback.toast

    def _message_with(self, where: "Posted | Chat | User", label: str) -> Posted:
        if isinstance(where, Posted):
            candidates = [where]
        else:
            chat = where.thread if isinstance(where, User) else where
            candidates = [one for one in reversed(chat.messages) if not one.deleted]
        for posted in candidates:
            here = posted.chat
            inside = here is self.thread or (isinstance(here, Group) and self in here.members)
            seen = inside and posted.only_for in (None, self.user_id) and not posted.deleted
            if seen and any(label == button.label for row in posted.buttons for button in row):
                return posted
        there = [posted.labels for posted in candidates[:5]]
        raise AssertionError(
            f"{self.name} sees no button {label!r}, only {there}\n{self.world.transcript(40)}"
        )

    async def blocks_bot(self) -> None:
        """Stop the bot: everything it sends here is a 403, and it is told so."""
        self.thread.refusal = (403, "Forbidden: bot was blocked by the user")
        await self.world.wait_for(self.world.bot_becomes(self.thread, self.as_json(), "kicked"))

    async def unblocks_bot(self) -> None:
        """Let the bot write again."""
        self.thread.refusal = None
        await self.world.wait_for(self.world.bot_becomes(self.thread, self.as_json(), "member"))

    def starts(self) -> None:
        """Open the private chat long ago: the bot may write, and gets no update for it."""
        self.thread.refusal = None

    def deletes_account(self) -> None:
        """Everything the bot sends here is a 403 "user is deactivated"; nothing tells it."""
        self.thread.refusal = (403, "Forbidden: user is deactivated")

    async def leaves(self, group: Group) -> None:
        """Leave a group, with the service message for it."""
        group.members.remove(self)
        await group.service(self.as_json(), {"left_chat_member": self.as_json()})

    async def joins(self, group: Group) -> None:
        """Come into a group, with the service message for it."""
        group.members.append(self)
        await group.service(self.as_json(), {"new_chat_members": [self.as_json()]})
