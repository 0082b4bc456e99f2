"""Telegram: groups and private chats, over webhooks and python-telegram-bot.

settings.py   environment -> TelegramSettings
read.py       a webhook's body -> what somebody did (pure)
render.py     a letter -> messages and buttons (pure)
chats.py      Telegram's ids -> opaque addresses, and back
client.py     all calls of the Bot API: letters, toasts, getMe, setting the bot up
webhook.py    the route that Telegram calls
"""

from adapters.platform import Adapter
from adapters.telegram.client import open_telegram, set_up
from adapters.telegram.settings import TelegramSettings, read_settings

ADAPTER: Adapter[TelegramSettings] = Adapter("telegram", read_settings, open_telegram, set_up)
