"""The variables of the Telegram platform. None of them set: no Telegram."""

from __future__ import annotations

import re

from msgspec import Struct

from adapters.settings import Reader

_TOKEN = re.compile(r"[0-9]{1,20}:[A-Za-z0-9_-]{1,100}")
_WEBHOOK_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


class TelegramSettings(Struct, frozen=True):
    """One bot. `api_url` is where its Bot API is, without the token; empty: Telegram's own."""

    token: str
    webhook_secret: str
    api_url: str = ""

    @property
    def bot_id(self) -> int:
        """The bot's user id, which its token begins with."""
        return int(self.token.partition(":")[0])

    @property
    def path(self) -> str:
        """The path of the webhook."""
        return f"/telegram/{self.bot_id}"

    def __repr__(self) -> str:
        """Without the secrets: a repr ends up in a log."""
        return f"TelegramSettings(bot {self.bot_id})"


def read_settings(reader: Reader) -> TelegramSettings | None:
    """The bot's settings; None without TELEGRAM_BOT_TOKEN and TELEGRAM_WEBHOOK_SECRET."""
    if not reader.given("TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET"):
        return None
    token = _formed(reader, "TELEGRAM_BOT_TOKEN", "the token from @BotFather", _TOKEN, "0:-")
    secret = _formed(
        reader,
        "TELEGRAM_WEBHOOK_SECRET",
        "1 to 256 of A-Z a-z 0-9 _ -, which Telegram shows at every call",
        _WEBHOOK_SECRET,
        "-",
    )
    api_url = reader.url("TELEGRAM_API_URL", "a self-hosted Bot API, http://host:port/bot", "")
    return TelegramSettings(token, secret, api_url)


def _formed(reader: Reader, name: str, meaning: str, form: re.Pattern[str], harmless: str) -> str:
    """A variable of the given form; `harmless` stands in for a fault, which the reader keeps."""
    found = reader.text(name, meaning)
    if form.fullmatch(found):
        return found
    if reader.given(name):
        reader.fault(name, f"has the wrong form ({meaning})")
    return harmless
