"""Telegram: groups and private chats, over webhooks and python-telegram-bot.

settings.py   environment -> TelegramSettings
webhook.py    the route that Telegram calls
wire.py       the fields of an update that are used (pure)
read.py       a webhook's body -> what somebody did (pure)
chats.py      Telegram's ids -> opaque addresses, and back
render.py     a letter -> messages and buttons (pure)
card.py       a score card -> a picture (pure)
typeset.py    text in any script -> pixels (pure)
fonts/        the fonts, and which of them has a character
messenger.py  letters, edits and toasts, and what became of each
client.py     the bot: opened with the platform, set up once
"""

from adapters.platform import Adapter
from adapters.telegram.client import open_telegram, set_up
from adapters.telegram.settings import TelegramSettings, read_settings

ADAPTER: Adapter[TelegramSettings] = Adapter("telegram", read_settings, open_telegram, set_up)
