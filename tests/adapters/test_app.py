"""The composition root: what is found, what is served, and real processes that start and stop."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

import adapters
from adapters import app
from adapters.platform import Adapter
from adapters.redis_store import embedded
from adapters.redis_store.client import connect
from adapters.settings import Reader, WrongSettings
from tests.e2e.server import ServerProcess, free_port
from tests.fakes.telegram import FakeTelegram
from tests.fakes.twilio import FakeTwilio
from tests.servers import redis_url, server_urls

__all__ = ["redis_url", "server_urls"]

ROOT = Path(__file__).parents[2]
SECRET = "5e" * 32
TOKEN, ACCOUNT, NUMBER = "123456:stand-in", "AC" + "0" * 32, "+12025550100"
STOPS_SECONDS = 5
PIGEON = """
from adapters.platform import Adapter
ADAPTER = Adapter("pigeon", lambda reader: None, None)
"""


def twilio_settings(twilio: FakeTwilio) -> dict[str, str]:
    return {
        "PUBLIC_URL": "https://parlour.example",
        "TWILIO_ACCOUNT_SID": ACCOUNT,
        "TWILIO_AUTH_TOKEN": "auth-token",
        "TWILIO_NUMBER": NUMBER,
        "SMS_SEGMENTS_PER_SECOND": "1000",
        "TWILIO_API_URL": twilio.base_url,
    }


@asynccontextmanager
async def the_world() -> AsyncGenerator[tuple[FakeTelegram, dict[str, str]]]:
    """Both platforms' stand-ins, and the settings that lead to them."""
    async with (
        FakeTelegram(token=TOKEN) as telegram,
        FakeTwilio(account_sid=ACCOUNT, auth_token="auth-token", number=NUMBER) as twilio,
    ):
        yield (
            telegram,
            {
                "PARLOUR_SECRET": SECRET,
                "TELEGRAM_BOT_TOKEN": TOKEN,
                "TELEGRAM_WEBHOOK_SECRET": "webhook-secret",
                "TELEGRAM_API_URL": telegram.base_url,
                **twilio_settings(twilio),
            },
        )


@asynccontextmanager
async def parlour(
    command: str, settings: Mapping[str, str]
) -> AsyncGenerator[asyncio.subprocess.Process]:
    """The command in a process of its own, with these settings only."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "import sys; from adapters.cli import main; sys.exit(main())",
        command, env={"PATH": os.environ["PATH"], **settings}, cwd=ROOT,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def ended(command: str, settings: Mapping[str, str]) -> tuple[int | None, str]:
    """The exit code and standard error of a command that ends by itself."""
    async with parlour(command, settings) as process, asyncio.timeout(20):
        _, said = await process.communicate()
    return process.returncode, said.decode()


# --- what is found -------------------------------------------------------------------------------


def test_platforms_are_found_without_a_list() -> None:
    found = app.find_adapters()
    assert set(found) >= {"telegram", "sms"}
    assert all(isinstance(one, Adapter) and one.name == name for name, one in found.items())


def test_a_new_folder_is_a_new_platform_and_a_folder_without_an_adapter_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, source in (
        ("pigeon", PIGEON),
        ("coop", "BIRDS = 7\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(source)
    monkeypatch.setattr(adapters, "__path__", [*adapters.__path__, str(tmp_path)])
    try:
        found = app.find_adapters()
    finally:
        for name in ("adapters.pigeon", "adapters.coop"):
            del sys.modules[name]
    assert set(found) == {"pigeon", "sms", "telegram"}


# --- settings ------------------------------------------------------------------------------------


def test_that_no_platform_is_set_up_is_named_together_with_the_rest() -> None:
    with pytest.raises(WrongSettings) as caught:
        app.configured({"PORT": "http"})
    named = [line.partition(":")[0] for line in str(caught.value).splitlines()]
    assert named == ["PARLOUR_SECRET", "PORT", "platforms"]
    said = str(caught.value)
    assert "telegram takes TELEGRAM_BOT_TOKEN, TELEGRAM_WEBHOOK_SECRET" in said
    assert "sms takes TWILIO_ACCOUNT_SID, TWILIO_NUMBER, PUBLIC_URL, TWILIO_AUTH_TOKEN" in said


def test_a_platform_half_set_up_is_a_fault_and_not_the_lack_of_one() -> None:
    with pytest.raises(WrongSettings) as caught:
        app.configured({"PARLOUR_SECRET": SECRET, "TELEGRAM_BOT_TOKEN": "hunter2"})
    said = str(caught.value)
    assert "TELEGRAM_BOT_TOKEN: " in said
    assert "TELEGRAM_WEBHOOK_SECRET: is missing" in said
    assert "platforms" not in said
    assert "hunter2" not in said


def test_one_platform_will_do() -> None:
    settings, chosen = app.configured({
        "PARLOUR_SECRET": SECRET, "TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_WEBHOOK_SECRET": "s",
    })  # fmt: skip
    assert settings.redis_url == ""
    assert list(chosen) == ["telegram"]


def test_a_reader_for_every_platform_misses_what_each_needs() -> None:
    reader = Reader({}, every_platform=True)
    for adapter in app.find_adapters().values():
        adapter.settings(reader)
    assert {"TELEGRAM_BOT_TOKEN", "TWILIO_ACCOUNT_SID", "PUBLIC_URL"} <= set(reader.faulty)


# --- health --------------------------------------------------------------------------------------


async def test_health_is_200_with_the_store_and_503_without_it() -> None:
    with TemporaryDirectory(prefix="parlour-") as folder:
        url = embedded.url(embedded.ensure(Path(folder)))
        try:
            async with the_world() as (_, environ):
                settings, chosen = app.configured({**environ, "REDIS_URL": url})
                async with app.opened(settings, chosen) as opened:
                    inside = httpx.ASGITransport(app.web(opened))
                    async with httpx.AsyncClient(transport=inside, base_url="http://p") as client:
                        assert (await client.get("/health")).status_code == 200
                        embedded.stop(Path(folder))
                        away = await client.get("/health")
                        assert (away.status_code, away.text) == (503, "the store is away\n")
                        embedded.ensure(Path(folder))
                        assert (await client.get("/health")).status_code == 200
        finally:
            embedded.stop(Path(folder))


# --- processes -----------------------------------------------------------------------------------


async def test_serve_answers_and_stops_at_a_sigterm(redis_url: str, tmp_path: Path) -> None:
    async with the_world() as (telegram, environ):
        server = ServerProcess({**environ, "REDIS_URL": redis_url}, tmp_path / "log")
        async with server:
            telegram.deliver_to(f"{server.url}/telegram/123456", "webhook-secret")
            ann = telegram.user("Ann")
            await ann.says("/start")
            await telegram.until(lambda: bool(telegram.chat(ann).messages), within=10)
            assert server._process is not None
            async with asyncio.timeout(STOPS_SECONDS):
                await server.stop()
        assert server._process.returncode == 0
        log = (tmp_path / "log").read_text()
        assert "Parlour is open: sms, telegram" in log
        assert "Traceback" not in log
        assert "stand-in" not in log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_work_sends_what_waits_and_stops_at_a_signal(
    redis_url: str, number: signal.Signals
) -> None:
    async with connect(redis_url) as store:
        await store.run(("FLUSHALL",))
    async with the_world() as (telegram, environ):
        environ["REDIS_URL"] = redis_url
        settings, chosen = app.configured(environ)
        ann = telegram.user("Ann")
        async with app.opened(settings, chosen) as opened:  # a server that dies before it sends
            site = httpx.ASGITransport(app.web(opened))
            async with httpx.AsyncClient(transport=site, base_url="http://p") as client:
                update: dict[str, object] = {
                    "update_id": 1,
                    "message": {
                        "message_id": 1, "date": 1_700_000_000, "text": "/start",
                        "chat": {"id": ann.user_id, "type": "private", "first_name": "Ann"},
                        "from": {"id": ann.user_id, "is_bot": False, "first_name": "Ann"},
                    },
                }  # fmt: skip
                secret = {"X-Telegram-Bot-Api-Secret-Token": "webhook-secret"}
                heard = await client.post("/telegram/123456", json=update, headers=secret)
                assert heard.status_code == 200
        telegram.chat(ann).refusal = None  # as after her /start
        async with parlour("work", environ) as process:
            await telegram.until(
                lambda: any("NEW" in one.text for one in telegram.chat(ann).messages), within=20
            )
            process.send_signal(number)
            async with asyncio.timeout(STOPS_SECONDS):
                _, log = await process.communicate()
        assert process.returncode == 0, log
        assert b"Traceback" not in log


@pytest.mark.parametrize("command", ["serve", "work", "doctor"])
async def test_without_settings_every_command_names_them_all_and_stops(command: str) -> None:
    code, said = await ended(command, {"PORT": "x"})
    assert code == 1
    for name in ("PARLOUR_SECRET", "PORT", "TELEGRAM_BOT_TOKEN", "TWILIO_ACCOUNT_SID"):
        assert name in said
    assert "Traceback" not in said


async def test_serve_without_a_store_says_so_in_a_line() -> None:
    async with the_world() as (_, environ):
        gone = {**environ, "REDIS_URL": f"redis://:hunter2@127.0.0.1:{free_port()}/0"}
        code, said = await ended("serve", gone)
    assert code == 1
    assert "The store can't be used" in said
    assert "hunter2" not in said
    assert "Traceback" not in said


async def test_serve_at_a_port_that_is_taken_says_so_and_stops(redis_url: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        async with the_world() as (_, environ):
            settings = {**environ, "REDIS_URL": redis_url, "HOST": "127.0.0.1", "PORT": port}
            code, said = await ended("serve", settings)
    assert code == 1
    assert "address already in use" in said
    assert f"HOST, PORT: nobody can listen at 127.0.0.1, {port}" in said
    assert "Traceback" not in said
