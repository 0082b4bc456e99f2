"""The methods that write, change and take away what people see.

What each does and refuses is told on https://core.telegram.org/bots/api, and where that page
is silent, as the public server answers.
"""

from urllib.parse import urlsplit

import msgspec

from tests.fakes.telegram_photos import check_photo
from tests.fakes.telegram_records import CALLBACK_LASTS_SECONDS, Chat, Edit, Posted, Toast
from tests.fakes.telegram_schema import Json
from tests.fakes.telegram_text import (
    ALERT_MAX,
    Entity,
    bad_request,
    check_caption,
    check_text,
    formatted,
    inline_keyboard,
    units,
)
from tests.fakes.telegram_world import Group, World, summary

EPHEMERAL_WITHIN_SECONDS = 15.0
DELETABLE_SECONDS = 48 * 3600.0
QUERY_IS_OLD = "query is too old and response timeout expired or query ID is invalid"
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly "
    "the same as a current content and reply markup of the message"
)


class _Body(msgspec.Struct):
    text: str = ""
    parse_mode: str | None = None
    entities: list[Entity] = []
    reply_markup: Json | None = None


class _Reply(msgspec.Struct):
    message_id: int | None = None
    allow_sending_without_reply: bool = False


class _Ephemeral(msgspec.Struct):
    receiver_user_id: int
    callback_query_id: str | None = None


class _Send(_Body):
    reply_parameters: _Reply | None = None
    message_thread_id: int | None = None
    ephemeral_message_parameters: _Ephemeral | None = None
    protect_content: bool = False
    disable_notification: bool = False


class _SendPhoto(_Send):
    caption: str = ""
    caption_entities: list[Entity] = []


class _Answer(msgspec.Struct):
    callback_query_id: str
    text: str = ""
    show_alert: bool = False
    url: str | None = None


class MessageMethods:
    """sendMessage, sendPhoto, the edits, deleteMessage and answerCallbackQuery."""

    def __init__(self, world: World) -> None:
        """The methods act on this world."""
        self.world = world

    async def send_message(self, params: Json) -> object:
        """Post a message; its Message object."""
        send = msgspec.convert(params, _Send)
        text, entities = self._body(send)
        check_text(text)
        return self._post(params, send, text, entities)

    async def send_photo(self, params: Json) -> object:
        """Post a photo that was uploaded with the call; its Message object."""
        send, photo = msgspec.convert(params, _SendPhoto), params.get("photo")
        if not isinstance(photo, bytes):
            raise bad_request("wrong remote file identifier specified: Wrong string length")
        body = _Body(send.caption, send.parse_mode, send.caption_entities)
        text, entities = self._body(body)
        check_caption(text)
        check_photo(photo)
        send.text = send.caption
        return self._post(params, send, text, entities, photo)

    def _post(
        self,
        params: Json,
        send: _Send,
        text: str,
        entities: list[Entity],
        photo: bytes | None = None,
    ) -> object:
        chat = self.world.find_chat(params["chat_id"])
        inline_keyboard(send.reply_markup, private=chat.private)
        chat.check_writable()
        ephemeral = self._ephemeral(chat, send.ephemeral_message_parameters)
        self._check_thread(chat, send.message_thread_id)
        reply_to = _reply_target(chat, send.reply_parameters)
        if self.world.flood_limits and not chat.private:
            chat.spend(self.world.clock())
        posted = Posted(
            chat,
            0 if ephemeral else chat.new_id(),
            text,
            send.text,
            send.parse_mode,
            entities,
            _kept(send.reply_markup),
            self.world.clock(),
            thread_id=send.message_thread_id,
            reply_to_message_id=reply_to,
            ephemeral_message_id=chat.new_id() if ephemeral else None,
            only_for=ephemeral.receiver_user_id if ephemeral else None,
            protected=send.protect_content,
            silent=send.disable_notification,
            photo=photo,
        )
        chat.messages.append(posted)
        chat.heard_texts.append(text)
        chat.other_bot_posted_last = False
        self.world.posts.append(posted)
        whom = (
            f" (only for {self.world.users[ephemeral.receiver_user_id].name})" if ephemeral else ""
        )
        self.world.note(chat, f"bot #{posted.message_id}{whom}: {summary(posted)}")
        return posted.as_json()

    def _body(self, body: _Body) -> tuple[str, list[Entity]]:
        if body.parse_mode and body.entities:
            self.world.violations.append("both parse_mode and entities were sent")
        return formatted(body.text, body.parse_mode, body.entities)

    def _ephemeral(self, chat: Chat, asked: _Ephemeral | None) -> _Ephemeral | None:
        """Only in groups, to a member; a bot that is no admin within 15 s of that one's press."""
        if asked is None:
            return None
        user = self.world.users.get(asked.receiver_user_id)
        if not isinstance(chat, Group) or user not in chat.members:
            raise bad_request("ephemeral messages can be sent only to members of groups")
        press = self.world.callbacks.get(asked.callback_query_id or "")
        fresh = press is not None and press.user_id == asked.receiver_user_id
        fresh = (
            fresh
            and press is not None
            and self.world.clock() - press.at <= EPHEMERAL_WITHIN_SECONDS
        )
        if chat.bot_status != "administrator" and not fresh:
            raise bad_request("not enough rights to send an ephemeral message")
        return asked

    def _check_thread(self, chat: Chat, thread_id: int | None) -> None:
        if thread_id is not None and thread_id not in chat.topics:
            raise bad_request("message thread not found")

    async def edit_message_text(self, params: Json) -> object:
        """Change text and keyboard; without `reply_markup` the keyboard goes."""
        body = msgspec.convert(params, _Body)
        posted = self._to_edit(params)
        if posted.photo is not None:
            raise bad_request("there is no text in the message to edit")
        text, entities = self._body(body)
        check_text(text)
        return self._edited(posted, text, body.text, entities, body.reply_markup)

    async def edit_message_reply_markup(self, params: Json) -> object:
        """Change the keyboard alone."""
        posted = self._to_edit(params)
        markup = msgspec.convert(params, _Body).reply_markup
        return self._edited(posted, posted.text, posted.sent_text, posted.entities, markup)

    def _to_edit(self, params: Json) -> Posted:
        chat = self.world.find_chat(params["chat_id"])
        chat.check_access()
        message_id = msgspec.convert(params.get("message_id"), int)
        if message_id in chat.said:
            raise bad_request("message can't be edited")
        return chat.posted(message_id, "message to edit not found")

    def _edited(
        self, posted: Posted, text: str, sent_text: str, entities: list[Entity], markup: Json | None
    ) -> object:
        inline_keyboard(markup, private=posted.chat.private)
        markup = _kept(markup)
        if (text, entities, markup) == (posted.text, posted.entities, posted.markup):
            raise bad_request(NOT_MODIFIED)
        if text != posted.text:
            posted.chat.heard_texts.append(text)
        posted.text, posted.sent_text, posted.entities, posted.markup = (
            text,
            sent_text,
            entities,
            markup,
        )
        posted.edits.append(Edit(text, posted.buttons, self.world.clock()))
        self.world.note(posted.chat, f"bot edits #{posted.message_id}: {summary(posted)}")
        return posted.as_json()

    async def delete_message(self, params: Json) -> object:
        """Take a message away, also of others where the bot is an admin."""
        chat = self.world.find_chat(params["chat_id"])
        chat.check_access()
        message_id = msgspec.convert(params.get("message_id"), int)
        said = chat.said.get(message_id) if message_id else None
        if said is not None and not said.deleted:
            if not chat.private and chat.bot_status != "administrator":
                raise bad_request("message can't be deleted")
            said.deleted = True
            return True
        posted = chat.posted(message_id, "message to delete not found")
        if self.world.clock() - posted.at > DELETABLE_SECONDS:
            raise bad_request("message can't be deleted for everyone")
        posted.deleted = True
        self.world.note(chat, f"bot deletes #{message_id}")
        return True

    async def answer_callback_query(self, params: Json) -> object:
        """Show a toast or an alert to whoever pressed, once, within 150 s."""
        answer = msgspec.convert(params, _Answer)
        if units(answer.text) > ALERT_MAX:
            raise bad_request("MESSAGE_TOO_LONG")
        link = urlsplit(answer.url or "")
        if answer.url and (link.hostname != "t.me" or not link.query.startswith("start=")):
            raise bad_request("URL_INVALID")
        callback = self.world.callbacks.get(answer.callback_query_id)
        if callback is None or self.world.clock() - callback.at >= CALLBACK_LASTS_SECONDS:
            raise bad_request(QUERY_IS_OLD)
        if callback.answered.is_set():
            raise bad_request(QUERY_IS_OLD)
        callback.toast = Toast(answer.text, answer.show_alert, answer.url)
        callback.answered.set()
        user = self.world.users[callback.user_id]
        user.toasts.append(callback.toast)
        how = "alert" if answer.show_alert else "toast"
        self.world.note(user.thread, f"({how} seen by {user.name} alone) {answer.text!r}")
        return True


def _kept(markup: Json | None) -> Json | None:
    """Only inline keyboards stay with a message; an empty one is none."""
    return markup if markup and markup.get("inline_keyboard") else None


def _reply_target(chat: Chat, reply: _Reply | None) -> int | None:
    if reply is None or reply.message_id is None:
        return None
    here = {posted.message_id for posted in chat.messages if not posted.deleted} - {0}
    if reply.message_id in here or reply.message_id in chat.said:
        return reply.message_id
    if reply.allow_sending_without_reply:
        return None
    raise bad_request("message to be replied not found")
