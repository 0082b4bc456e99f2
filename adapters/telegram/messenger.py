"""Letters and toasts: the Bot API calls of a game, and what became of each.

Every way a call can end becomes a `Fate` here. No error's own text gets into a fate or a log: it
can hold the token, an id, or what somebody wrote.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta

from telegram import Bot, LinkPreviewOptions
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)

from adapters.telegram import card, ring
from adapters.telegram.chats import Chats
from adapters.telegram.render import Page, render
from core.delivery import Letter
from core.ports import Dropped, Fate, Gone, Later, Sent, Unknown

WRONG_TOKEN_MS = 30_000
_GONE = (
    "can't initiate conversation", "chat not found", "user is deactivated", "bot was blocked",
    "bot was kicked", "user not found", "group chat was deactivated", "peer_id_invalid",
)  # fmt: skip
_NO_TOPIC = ("message thread not found", "topic_closed", "topic_deleted")
_NOT_EDITABLE = ("message to edit not found", "message can't be edited", "message_id_invalid")
# What may go into the log of what Telegram says.
_REASONS = (
    "not enough rights", "chat_write_forbidden", "message is too long", "message text is empty",
    "button_data_invalid", "reply markup is too long", *_NO_TOPIC,
)  # fmt: skip
log = logging.getLogger("parlour.telegram")


class NoPictures(Exception):
    """A picture was refused, in a chat that may take a text all the same."""


class TelegramMessenger:
    """Sends letters, edits status lines, answers presses."""

    at_most_once = False

    def __init__(self, bot: Bot, chats: Chats) -> None:
        """`bot` is initialized by whoever opens it."""
        self._bot, self._chats = bot, chats

    async def send(self, letter: Letter, letter_id: str, ref: str) -> Fate:
        """Send a letter; if its status line was sent before as message `ref`, edit that."""
        del letter_id
        pages = render(letter, await _drawn(letter))
        if not pages:
            return Dropped("it says nothing")
        edited = ref if letter.status and len(pages) == 1 else ""
        try:
            return await self._deliver(letter, pages, edited)
        except ChatMigrated as moved:
            old = await self._chats.raw(letter.to)
            if old:
                await self._chats.moved(old[0], moved.new_chat_id)
        except TelegramError as error:
            return fate_of(error)
        try:
            return await self._deliver(letter, pages, edited)
        except TelegramError as error:
            return fate_of(error)

    async def fate(self, letter: Letter, letter_id: str, tried_ms: int) -> Fate:
        """Telegram can't be asked what became of a message."""
        del letter, letter_id, tried_ms
        return Unknown()

    async def answer(self, press: str, text: str, *, alert: bool) -> None:
        """Show a toast, or an alert, to whoever pressed; without a text only the button rests."""
        try:
            await self._bot.answer_callback_query(
                press, text or None, show_alert=alert and bool(text)
            )
        except TelegramError as error:
            log.info("a press was not answered: %s", type(error).__name__)

    async def _deliver(self, letter: Letter, pages: Sequence[Page], edited: str) -> Fate:
        found = await self._chats.raw(letter.to)
        if found is None:
            return Dropped("nobody is known at that address")
        chat_id, topic = found
        if edited and await self._edit(chat_id, int(edited), pages[0]):
            return Sent(edited)
        try:
            return Sent(await self._post_all(chat_id, topic, pages, protect=letter.secret))
        except NoPictures:
            log.info("a picture was refused; its text goes alone")
            texts = render(letter)
            return Sent(await self._post_all(chat_id, topic, texts, protect=letter.secret))

    async def _post_all(
        self, chat_id: int, topic: int | None, pages: Sequence[Page], *, protect: bool
    ) -> str:
        ref = ""
        for page in pages:
            try:
                ref = await self._post(chat_id, topic, page, protect=protect)
            except BadRequest as error:
                if topic is None or not _says(error, _NO_TOPIC):
                    raise
                # The topic is closed or gone, the group is still there.
                topic = None
                ref = await self._post(chat_id, topic, page, protect=protect)
        return ref

    async def _post(self, chat_id: int, topic: int | None, page: Page, *, protect: bool) -> str:
        """The id of the message posted. Raises NoPictures if it is the picture that is refused."""
        if page.picture is None:
            message = await self._bot.send_message(
                chat_id,
                page.text,
                message_thread_id=topic,
                protect_content=protect,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                reply_markup=page.keyboard,
            )
            return str(message.message_id)
        try:
            message = await self._bot.send_photo(
                chat_id,
                page.picture,
                page.text,
                message_thread_id=topic,
                protect_content=protect,
                reply_markup=page.keyboard,
                filename="scores.png",
            )
        except BadRequest as error:
            if _says(error, (*_GONE, *_NO_TOPIC)):
                raise
            raise NoPictures from None
        return str(message.message_id)

    async def _edit(self, chat_id: int, message_id: int, page: Page) -> bool:
        """Whether the message now says so; False when it must be sent anew."""
        try:
            await self._bot.edit_message_text(
                page.text,
                chat_id,
                message_id,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                reply_markup=page.keyboard,
            )
        except BadRequest as error:
            if _says(error, _NOT_EDITABLE):
                return False
            if not _says(error, ("message is not modified",)):
                raise
        return True


def fate_of(error: TelegramError) -> Fate:
    """What an error means for the letter that was being sent."""
    match error:
        case RetryAfter():
            return Later(_ms(error.retry_after))
        case InvalidToken():
            log.error("Telegram does not accept TELEGRAM_BOT_TOKEN any more; letters wait")
            return Later(WRONG_TOKEN_MS)
        case Forbidden():
            return Gone()
        case BadRequest() if _says(error, _GONE):
            return Gone()
        case BadRequest():
            said = error.message.casefold()
            return Dropped(next((one for one in _REASONS if one in said), "Telegram refused it"))
        case ChatMigrated():
            return Dropped("the group has moved twice")
        case _:
            # A timeout, a broken connection, a 5xx: it may be there already.
            return Unknown()


async def _drawn(letter: Letter) -> bytes | None:
    """The letter's score card or ring as a PNG; None if it has none, or it can't be drawn."""
    try:
        # Up to a fifth of a second's work: meanwhile others are answered.
        if letter.score_card:
            return await asyncio.to_thread(card.picture, letter.score_card, letter.names)
        if letter.ring:
            return await asyncio.to_thread(ring.picture, letter.ring, letter.names)
    except Exception as error:  # noqa: BLE001  (whatever is wrong with it, the text says it all)
        log.warning("a picture could not be drawn: %s", type(error).__name__)
    return None


def _says(error: TelegramError, any_of: Sequence[str]) -> bool:
    said = error.message.casefold()
    return any(one in said for one in any_of)


def _ms(wait: int | timedelta) -> int:
    seconds = wait.total_seconds() if isinstance(wait, timedelta) else wait
    return round(seconds * 1_000)
