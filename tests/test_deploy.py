"""What deploy/env.example says: every setting, and values to start with."""

import re
from pathlib import Path

from adapters.app import configured, find_adapters
from adapters.settings import Form, Reader, T, read_settings

EXAMPLE = Path(__file__).parent.parent / "deploy" / "env.example"
FILLED_IN = {"PARLOUR_SECRET": "ab" * 32}
TELEGRAM = {"TELEGRAM_BOT_TOKEN": "123:abc", "TELEGRAM_WEBHOOK_SECRET": "hush"}
SMS = {
    "TWILIO_ACCOUNT_SID": f"AC{'0' * 32}",
    "TWILIO_AUTH_TOKEN": "hush",
    "TWILIO_NUMBER": "+12025550100",
}


class Curious(Reader):
    """A reader that remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__({}, every_platform=True)
        self.asked: set[str] = set()

    def _read(self, name: str, meaning: str, default: T | None, form: Form[T]) -> T:
        self.asked.add(name)
        return super()._read(name, meaning, default, form)


def example() -> dict[str, str]:
    """The variables of the example, as Compose and systemd read them."""
    lines = EXAMPLE.read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"[A-Z_]+=", line))


def test_the_example_has_every_setting_and_no_other() -> None:
    reader = Curious()
    read_settings(reader)
    for adapter in find_adapters().values():
        adapter.settings(reader)
    assert example().keys() == reader.asked


def test_the_example_with_a_secret_and_either_platform_filled_in_is_enough() -> None:
    for name, settings in (("telegram", TELEGRAM), ("sms", SMS)):
        _, chosen = configured(example() | FILLED_IN | settings)
        assert list(chosen) == [name]
