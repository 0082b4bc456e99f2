"""The Parlour under test: its settings, and what it makes of a webhook and of an address."""

from collections.abc import Mapping

from adapters.settings import Reader
from adapters.sms import read as sms_read
from adapters.sms.settings import SmsSettings
from adapters.sms.settings import read_settings as read_sms
from adapters.telegram import read as telegram_read
from adapters.vault import Vault
from core.ports import MARK_MS
from core.service import Incoming
from core.table import House, Way
from tests.chaos.faults import LEASE_SECONDS, TEXT_SECONDS

TOKEN, SECRET, BOT = "123456:stand-in", "webhook-secret", "parlour_bot"
ACCOUNT, AUTH, NUMBER = "AC" + "0" * 32, "auth-token", "+12025550100"
PUBLIC = "https://parlour.example"
VAULT_KEY = bytes.fromhex("5e" * 32)
SECOND_MS = 30
BOT_ID = int(TOKEN.partition(":")[0])
TELEGRAM_PATH = f"/telegram/{BOT_ID}"


def environment(redis_url: str, telegram_url: str, twilio_url: str) -> dict[str, str]:
    """What a worker's environment says."""
    return {
        "REDIS_URL": redis_url,
        "PARLOUR_SECRET": VAULT_KEY.hex(),
        "PARLOUR_PACE_SCALE": str(SECOND_MS / 1_000),
        "PARLOUR_LEASE_SECONDS": str(LEASE_SECONDS),
        "PUBLIC_URL": PUBLIC,
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "TELEGRAM_WEBHOOK_SECRET": SECRET,
        "TELEGRAM_API_URL": telegram_url,
        "TWILIO_ACCOUNT_SID": ACCOUNT,
        "TWILIO_AUTH_TOKEN": AUTH,
        "TWILIO_NUMBER": NUMBER,
        "SMS_SEGMENTS_PER_SECOND": "1000",
        "TWILIO_API_URL": twilio_url,
        "TWILIO_TIMEOUT_SECONDS": str(TEXT_SECONDS),
    }


class Ours:
    """Reads what comes in as Parlour does, with the addresses it has for people and places."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """By these settings."""
        sms = read_sms(Reader(environ))
        assert sms is not None
        self.sms: SmsSettings = sms
        self._vault = Vault(VAULT_KEY)
        # Only the texts of letters depend on them.
        link = f"t.me/{BOT}?start={{code}}"
        ways = (
            Way(
                f"SMS: text JOIN {{code}} to {NUMBER}\nsms:{NUMBER}?&body=JOIN%20{{code}}",
                "Friends text JOIN {code} to this number.",
            ),
            Way(f"Telegram: https://{link}", link),
        )
        self.house = House(ways, SECOND_MS)

    def telegram(self, raw: object) -> str:
        """The address of a person or a group on Telegram."""
        return self._address(f"telegram:{BOT_ID}", str(raw))

    def phone(self, number: str) -> str:
        """The address of a phone."""
        return self._address(self.sms.bot, number)

    def _address(self, prefix: str, raw: str) -> str:
        return f"{prefix}:{self._vault.opaque(f'{prefix}:{raw}')}"

    def heard(self, path: str, body: bytes) -> Incoming | None:
        """What somebody did, if a webhook's body says that somebody did something."""
        if path == TELEGRAM_PATH:
            bot = telegram_read.Bot(BOT_ID, BOT)
            said = telegram_read.read(body, bot).heard
            if said is None:
                return None
            place = self.telegram(said.place) if said.place else ""
            return Incoming(
                said.event, said.kind, self.telegram(said.user_id), said.text, said.name, place,
                open=said.open, mark_ms=MARK_MS,
            )  # fmt: skip
        text = sms_read.read(sms_read.form(body), self.sms) if path == "/sms" else None
        if text is None:
            return None
        event, address = f"{self.sms.bot}:{text.sid}", self.phone(text.number)
        return Incoming(event, text.kind, address, text.text, texting=True, open=True)
