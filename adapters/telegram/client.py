"""The bot as a client: opened with the platform, and set up once by the operator.

python-telegram-bot is used thinly, without its `Application`: rooms, order, limits and retries are
the core's and the outbox's, and what comes in is read in `read.py`.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from starlette.routing import BaseRoute
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)
from telegram.error import InvalidToken, TelegramError
from telegram.request import HTTPXRequest

from adapters.platform import Shared
from adapters.settings import WrongSettings
from adapters.telegram.chats import Chats
from adapters.telegram.messenger import TelegramMessenger
from adapters.telegram.read import Bot as Ourselves
from adapters.telegram.settings import TelegramSettings
from adapters.telegram.webhook import Webhook
from core.ports import Messenger, Phones
from core.service import Service
from core.table import Way

UPDATES = ("message", "callback_query", "my_chat_member")
PRIVATE_COMMANDS = {
    "look": "Show me my own card again",
    "who": "Who is here, and who is waited for",
    "scores": "The points so far",
    "rules": "How it is played",
    "new": "Open a room",
    "join": "Join a room: /join CODE",
    "name": "Change my name: /name Bo",
    "invite": "Something to share; with phone numbers, a text to each",
    "go": "Start the game (host)",
    "pace": "Live, relaxed or by mail (host)",
    "leave": "Leave the room",
}
GROUP_COMMANDS = {
    "new": "Open a room in this group",
    "join": "Take a seat",
    "go": "Start the game (host)",
    "who": "Who is here, and who is waited for",
    "scores": "The points so far",
    "rules": "How it is played",
    "leave": "Leave the room",
    "finish": "End the game now (host)",
}


class Telegram:
    """The opened platform (`adapters.platform.Platform`)."""

    def __init__(self, settings: TelegramSettings, bot: Bot, chats: Chats) -> None:
        """`bot` has been initialized, so that its username is known."""
        link = f"t.me/{bot.username}?start={{code}}"
        self.way = Way(text=f"Telegram: https://{link}", short=link)
        mouth = TelegramMessenger(bot, chats)
        self.messenger: Messenger = mouth
        self.phones: Phones | None = None
        self._settings, self._chats, self._mouth = settings, chats, mouth
        self._ourselves = Ourselves(settings.bot_id, bot.username)

    def routes(self, service: Service) -> Sequence[BaseRoute]:
        """The webhook."""
        secret, path = self._settings.webhook_secret, self._settings.path
        webhook = Webhook(secret, self._ourselves, self._chats, self._mouth, service)
        return (webhook.route(path),)


@asynccontextmanager
async def open_telegram(
    settings: TelegramSettings, shared: Shared, pauses: Sequence[float] = (1.0, 2.0, 4.0)
) -> AsyncGenerator[Telegram]:
    """The platform, once Telegram has said who the bot is; asked again after each of `pauses`.

    Raises WrongSettings when it doesn't know the token, ConnectionError when it can't be reached.
    """
    bot = make_bot(settings)
    try:
        await _introduce(bot, pauses)
        yield Telegram(settings, bot, Chats(shared.book, settings.bot_id))
    finally:
        await bot.shutdown()


async def set_up(settings: TelegramSettings, public_url: str) -> None:
    """Tell Telegram where the webhook is, and which commands to offer. For once, not each start.

    Updates that wait are kept: they are players' answers. Raises WrongSettings, ConnectionError.
    """
    bot = make_bot(settings)
    try:
        await _introduce(bot, ())
        await bot.set_webhook(
            f"{public_url.rstrip('/')}{settings.path}",
            secret_token=settings.webhook_secret,
            allowed_updates=UPDATES,
            drop_pending_updates=False,
        )
        for commands, scope in (
            (PRIVATE_COMMANDS, BotCommandScopeAllPrivateChats()),
            (GROUP_COMMANDS, BotCommandScopeAllGroupChats()),
        ):
            await bot.set_my_commands([BotCommand(*one) for one in commands.items()], scope)
    except TelegramError as error:
        raise ConnectionError(f"Telegram refused the set-up: {error.message}") from None
    finally:
        await bot.shutdown()


def make_bot(settings: TelegramSettings) -> Bot:
    """A client; nothing is called yet."""
    # httpx logs every address it calls, and the token is part of it.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    # The library's new way to tell durations; it warns at every use of the old one.
    os.environ.setdefault("PTB_TIMEDELTA", "1")
    request = HTTPXRequest(
        connection_pool_size=64,
        connect_timeout=5,
        read_timeout=10,
        write_timeout=10,
        pool_timeout=5,
    )
    if settings.api_url:
        return Bot(settings.token, base_url=settings.api_url, request=request)
    return Bot(settings.token, request=request)


async def _introduce(bot: Bot, pauses: Sequence[float]) -> None:
    for pause in (*pauses, None):
        try:
            await bot.initialize()
        except InvalidToken:
            # Not `from` it: the library's message has the token in it.
            raise WrongSettings("TELEGRAM_BOT_TOKEN: Telegram does not know this token") from None
        except TelegramError as error:
            if pause is None:
                kind = type(error).__name__
                raise ConnectionError(f"Telegram can't be reached: {kind}") from None
            await asyncio.sleep(pause)
        else:
            return
