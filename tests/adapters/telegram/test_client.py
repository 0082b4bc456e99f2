"""Opening the bot, and setting it up."""

import json
import logging

import pytest
from msgspec.structs import replace

from adapters.platform import Shared
from adapters.settings import WrongSettings
from adapters.telegram.client import (
    GROUP_COMMANDS,
    PRIVATE_COMMANDS,
    UPDATES,
    make_bot,
    open_telegram,
    set_up,
)
from adapters.telegram.settings import TelegramSettings
from core.commands import COMMANDS
from tests.fakes.telegram import FakeTelegram

NO_PAUSES = (0.0, 0.0)


async def test_the_way_in_is_a_deep_link(settings: TelegramSettings, shared: Shared) -> None:
    async with open_telegram(settings, shared) as platform:
        assert platform.way.text == "Telegram: https://t.me/parlour_bot?start={code}"
        assert platform.way.short == "t.me/parlour_bot?start={code}"


async def test_a_start_is_patient_with_telegram(
    telegram: FakeTelegram, settings: TelegramSettings, shared: Shared
) -> None:
    telegram.trouble("getMe", times=2, status=502)
    async with open_telegram(settings, shared, NO_PAUSES) as platform:
        assert "parlour_bot" in platform.way.short


async def test_a_start_gives_up_in_the_end(
    telegram: FakeTelegram, settings: TelegramSettings, shared: Shared
) -> None:
    telegram.trouble("getMe", times=None, drop=True)
    with pytest.raises(ConnectionError, match="Telegram can't be reached"):
        async with open_telegram(settings, shared, NO_PAUSES):
            pass


async def test_a_token_that_telegram_does_not_know_stops_the_start_and_is_not_shown(
    settings: TelegramSettings, shared: Shared
) -> None:
    wrong = replace(settings, token="123:wrong")
    with pytest.raises(WrongSettings, match="TELEGRAM_BOT_TOKEN") as caught:
        async with open_telegram(wrong, shared, NO_PAUSES):
            pass
    assert "123:wrong" not in str(caught.value)
    assert caught.value.__suppress_context__


async def test_the_token_gets_into_no_log(
    telegram: FakeTelegram,
    settings: TelegramSettings,
    shared: Shared,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        async with open_telegram(settings, shared):
            pass
    assert telegram.token not in caplog.text


def test_without_another_address_the_bot_api_is_telegram_s_own() -> None:
    bot = make_bot(TelegramSettings("123:abc", "s3cret"))
    assert bot.base_url == "https://api.telegram.org/bot123:abc"


async def test_the_webhook_is_set_once_and_keeps_what_waits(
    telegram: FakeTelegram, settings: TelegramSettings
) -> None:
    await set_up(settings, "https://parlour.example/")
    call = next(one for one in telegram.calls if one.method == "setWebhook")
    assert call.params["url"] == "https://parlour.example/telegram/123"
    assert call.params["secret_token"] == "s3cret"
    assert json.loads(str(call.params["allowed_updates"])) == list(UPDATES)
    assert call.params["drop_pending_updates"] == "false"


async def test_every_command_that_is_offered_exists(
    telegram: FakeTelegram, settings: TelegramSettings
) -> None:
    await set_up(settings, "https://parlour.example")
    offered = {json.loads(scope)["type"]: found for (scope, _), found in telegram.commands.items()}
    assert sorted(offered) == ["all_group_chats", "all_private_chats"]
    assert {*PRIVATE_COMMANDS, *GROUP_COMMANDS} <= set(COMMANDS)
    assert [one["command"] for one in offered["all_group_chats"]] == list(GROUP_COMMANDS)


async def test_an_address_that_telegram_refuses_is_told_to_the_operator(
    settings: TelegramSettings,
) -> None:
    with pytest.raises(ConnectionError, match="https url must be provided"):
        await set_up(settings, "http://parlour.example")
