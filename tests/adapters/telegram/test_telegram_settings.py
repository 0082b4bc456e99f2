"""The variables of the Telegram platform."""

import pytest

from adapters.settings import Reader
from adapters.telegram import ADAPTER
from adapters.telegram.settings import TelegramSettings

TOKEN, SECRET = "123:abc-DEF_9", "s3cret_-"
BOTH = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_WEBHOOK_SECRET": SECRET}


def test_without_its_variables_there_is_no_telegram() -> None:
    reader = Reader({"TELEGRAM_API_URL": "http://localhost/bot"})
    assert ADAPTER.settings(reader) is None
    assert reader.faults == []


def test_a_token_and_a_secret_are_all_it_takes() -> None:
    reader = Reader(BOTH)
    assert ADAPTER.settings(reader) == TelegramSettings(TOKEN, SECRET)
    assert reader.faults == []


def test_a_self_hosted_server_can_be_named() -> None:
    reader = Reader({**BOTH, "TELEGRAM_API_URL": "http://127.0.0.1:8081/bot"})
    found = ADAPTER.settings(reader)
    assert found
    assert found.api_url == "http://127.0.0.1:8081/bot"
    assert (found.bot_id, found.path) == (123, "/telegram/123")


@pytest.mark.parametrize("missing", sorted(BOTH))
def test_one_without_the_other_is_a_fault(missing: str) -> None:
    reader = Reader({name: value for name, value in BOTH.items() if name != missing})
    assert ADAPTER.settings(reader)
    assert [fault.partition(":")[0] for fault in reader.faults] == [missing]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELEGRAM_BOT_TOKEN", "abc"),
        ("TELEGRAM_BOT_TOKEN", "x:abc"),
        ("TELEGRAM_BOT_TOKEN", "123:a/b"),
        ("TELEGRAM_WEBHOOK_SECRET", "pass word"),
        ("TELEGRAM_WEBHOOK_SECRET", "é"),
        ("TELEGRAM_WEBHOOK_SECRET", "x" * 257),
        ("TELEGRAM_API_URL", "localhost"),
    ],
)
def test_a_wrong_form_is_a_fault_that_names_the_variable_and_not_its_value(
    name: str, value: str
) -> None:
    reader = Reader({**BOTH, name: value})
    ADAPTER.settings(reader)
    assert len(reader.faults) == 1
    assert reader.faults[0].startswith(f"{name}: ")
    assert name == "TELEGRAM_API_URL" or value not in reader.faults[0]


def test_settings_do_not_show_their_secrets() -> None:
    assert TOKEN not in repr(TelegramSettings(TOKEN, SECRET))
    assert SECRET not in repr(TelegramSettings(TOKEN, SECRET))
