"""The command: what it says of itself, what it refuses, and how it fails."""

import asyncio
import json
import logging
import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest

from adapters import app, cli
from adapters.app import stores
from adapters.redis_store.client import WrongShards
from adapters.sms.allowance import is_off
from adapters.sms.bill import Bill
from tests.e2e.server import free_port
from tests.fakes.telegram import FakeTelegram
from tests.servers import redis_url, server_urls

__all__ = ["redis_url", "server_urls"]

SECRET = "5e" * 32
TOKEN = "123456:stand-in"


@pytest.fixture
def environ(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The only environment there is; empty."""
    only: dict[str, str] = {}
    monkeypatch.setattr(os, "environ", only)
    return only


@pytest.fixture(autouse=True)
def log_level() -> Generator[None]:
    """Commands set what is logged for their whole process, which here goes on."""
    before = logging.getLogger().level
    yield
    logging.getLogger().setLevel(before)


def run(*argv: str) -> int:
    """The exit code of a command; argparse's too."""
    try:
        return cli.main(argv)
    except SystemExit as left:
        return int(left.code or 0)


def parlour(environ: Mapping[str, str], *argv: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, for what has a loop of its own."""
    program = "import sys; from adapters.cli import main; sys.exit(main())"
    return subprocess.run(  # noqa: S603  (our own words, no shell)
        [sys.executable, "-c", program, *argv],
        env={"PATH": os.environ["PATH"], **environ},
        cwd=Path(__file__).parents[2],
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip


def telegram_settings(url: str, store: str) -> dict[str, str]:
    return {
        "REDIS_URL": store, "PARLOUR_SECRET": SECRET, "PUBLIC_URL": "https://parlour.example",
        "TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_WEBHOOK_SECRET": "s", "TELEGRAM_API_URL": url,
    }  # fmt: skip


# --- help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        ((), ["play in this terminal", "serve the webhooks", "doctor", "for telegram"]),
        (("play",), ["--players N", "(5)", "(ferret-out)", "Ctrl-C", "REDIS_URL", "XDG_DATA_HOME"]),
        (("serve",), ["webhooks", "SIGTERM", "deploy/env.example"]),
        (("work",), ["Wake rooms", "deploy/env.example"]),
        (("doctor",), ["store", "platforms", "exit code 1", "deploy/env.example"]),
        (("telegram",), ["setup", "tell telegram"]),
        (("telegram", "setup"), ["PUBLIC_URL"]),
    ],
)
def test_help_tells_what_a_command_does(
    argv: tuple[str, ...], told: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*argv, "--help") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert all(one in said for one in told), said


def test_a_platform_with_nothing_to_set_up_has_no_command() -> None:
    assert app.find_adapters()["sms"].set_up is None
    assert run("sms", "setup") == 2


# --- play ----------------------------------------------------------------------------------------


def auto(capsys: pytest.CaptureFixture[str], *argv: str) -> list[str]:
    assert run("play", "--auto", "--game", "ferret-out", *argv) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("players", ["3", "4", "5", "6", "7"])
def test_a_seed_plays_the_same_game_again(players: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = auto(capsys, "--players", players, "--seed", "7")
    assert game == auto(capsys, "--players", players, "--seed", "7")
    assert game != auto(capsys, "--players", players, "--seed", "8")
    assert game[0] == "Round 1 of 8."
    scores = [line.rpartition(": ") for line in game[-int(players) :]]
    assert all(name and points.split()[0].isdigit() for name, _, points in scores)


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("--players", "2"), "takes 3 to 7 players"),
        (("--players", "8", "--auto"), "takes 3 to 7 players"),
        (("--players", "many"), "invalid int value: 'many'"),
        (("--game", "chess"), "choose from 'ferret-out'"),
        (("--seat", "ann"), "--seat ann: give a name and who plays it, like ann=me"),
        (("--seat", "ann=you"), "like ann=me"),
        (("--seat", "=me"), "like ann=me"),
        (("--seat", "stop=me"), "like ann=me"),
        (("--seat", "ann=me", "--seat", "Ann=bot"), "somebody is called that already"),
        (
            ("--players", "3", *(f"--seat={name}=bot" for name in ("al", "bo", "cy"))),
            "4 seats, yours included, are more than the 3 of --players",
        ),
        (("--variant", "duel"), "--players 5: so it takes 2 players"),
        (("--variant", "duel", "--variant", "paranoia"), "Duel has Paranoia in it already"),
        (("--variant", "chess"), "There are: point-of-order, weasel-brained,"),
        (("--rounds", "99"), "rounds-99: I don't know that one."),
    ],
)
def test_a_table_that_wont_do_is_refused_in_a_line(
    argv: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("play", *argv) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    ("name", "value"), [("REDIS_URL", "hunter2"), ("PARLOUR_PACE_SCALE", "hunter2")]
)
def test_play_names_its_wrong_settings(
    environ: dict[str, str], name: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    environ[name] = value
    assert run("play") == 1
    said = capsys.readouterr().err
    assert f"{name}: " in said
    assert value not in said


def test_play_without_its_redis_says_so(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    environ["REDIS_URL"] = f"redis://:hunter2@127.0.0.1:{free_port()}/0"
    assert run("play", "--seat", "ann=me") == 1
    said = capsys.readouterr().err
    assert "The store can't be used (ConnectionError)" in said
    assert "hunter2" not in said


def test_whoever_reads_only_the_beginning_of_a_game_sees_no_error() -> None:
    probe = "import sys; from adapters.cli import main; sys.exit(main(['play', '--auto']))"
    shell = f'"{sys.executable}" -c "{probe}" | head -1'
    done = subprocess.run(  # noqa: S602  (a pipe is the point)
        shell, shell=True, cwd=Path(__file__).parents[2], capture_output=True, text=True,
        timeout=30, check=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("Round 1 of 8.\n", "")


# --- doctor, and setting up ----------------------------------------------------------------------


async def test_doctor_says_that_all_is_well(redis_url: str) -> None:
    async with FakeTelegram(token=TOKEN) as telegram:
        done = await to_thread(telegram_settings(telegram.base_url, redis_url), "doctor")
    assert done.returncode == 0, done.stderr
    settings, store, platform = done.stdout.splitlines()
    assert settings == "settings: complete"
    assert store.startswith("store: well, rooms that wait for something: ")
    assert platform == "telegram: set up"
    assert done.stderr == ""


def test_doctor_says_that_redis_is_away() -> None:
    gone = f"redis://:hunter2@127.0.0.1:{free_port()}/0"
    done = parlour(telegram_settings("http://127.0.0.1:1/bot", gone), "doctor")
    assert done.returncode == 1
    assert done.stdout == "settings: complete\n"
    (line,) = done.stderr.splitlines()
    assert line.startswith("The store can't be used (ConnectionError): does REDIS_URL lead")


def test_doctor_says_that_a_platform_is_away(
    redis_url: str, environ: dict[str, str], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("adapters.telegram.client.open_telegram.__wrapped__.__defaults__", ((),))
    environ |= telegram_settings(f"http://127.0.0.1:{free_port()}/bot", redis_url)
    assert run("doctor") == 1
    said = capsys.readouterr()
    assert said.err == "telegram: Telegram can't be reached: NetworkError\n"
    assert "telegram" not in said.out


async def test_doctor_says_that_a_platform_refuses_us(redis_url: str) -> None:
    async with FakeTelegram(token=TOKEN) as telegram:
        settings = telegram_settings(telegram.base_url, redis_url)
        settings["TELEGRAM_BOT_TOKEN"] = "123456:hunter2"
        done = await to_thread(settings, "doctor")
    assert done.returncode == 1
    assert done.stderr == ("telegram: TELEGRAM_BOT_TOKEN: Telegram does not know this token\n")


async def test_setup_tells_telegram_where_to_deliver() -> None:
    async with FakeTelegram(token=TOKEN) as telegram:
        settings = telegram_settings(telegram.base_url, "")
        del settings["PARLOUR_SECRET"]
        done = await to_thread(settings, "telegram", "setup")
        assert (done.returncode, done.stderr) == (0, "")
        assert any(call.method == "setWebhook" for call in telegram.calls)


def test_setup_names_the_settings_it_lacks(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    environ["PUBLIC_URL"] = "hunter2"
    assert run("telegram", "setup") == 1
    first, *lines = capsys.readouterr().err.splitlines()
    assert first == "These settings are missing or wrong:"
    assert [line.partition(":")[0] for line in lines] == [
        "TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET", "PUBLIC_URL",
    ]  # fmt: skip
    assert not any("hunter2" in line for line in lines)


def test_setup_says_that_telegram_is_away(
    environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    environ |= telegram_settings(f"http://127.0.0.1:{free_port()}/bot", "")
    assert run("telegram", "setup") == 1
    assert capsys.readouterr().err == "Telegram can't be reached: NetworkError\n"


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error", [WrongShards("This store has 4 shards."), ConnectionError("Nobody is there.")]
)
def test_what_an_operator_can_mend_is_said_in_a_line(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> int:
        raise error

    monkeypatch.setattr(cli, "_run", fail)
    assert run("serve") == 1
    assert capsys.readouterr().err == f"{error}\n"


@pytest.mark.parametrize("error", [ZeroDivisionError(), ConnectionResetError(), OSError()])
def test_an_unknown_error_keeps_its_traceback(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> int:
        raise error

    monkeypatch.setattr(cli, "_run", fail)
    with pytest.raises(type(error)):
        run("work")


def test_a_command_that_is_interrupted_exits_as_shells_expect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(**_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run", interrupt)
    assert run("serve") == 130


async def to_thread(environ: Mapping[str, str], *argv: str) -> subprocess.CompletedProcess[str]:
    """The command, while this loop serves what it calls."""
    return await asyncio.to_thread(parlour, environ, *argv)


def test_variants_and_endings_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    game = auto(
        capsys, "--players", "5", "--seed", "7", "--variant", "team-weasel", "--rounds", "2"
    )
    assert game[:2] == ["Played with: Team Weasel.", "Round 1 of 2."]
    assert auto(capsys, "--players", "5", "--seed", "7", "--to", "4")[0] == "Round 1, to 4 points."


# --- texts off and on ----------------------------------------------------------------------------


async def test_all_texts_are_switched_off_and_on_again(redis_url: str) -> None:
    environ = {"REDIS_URL": redis_url}
    for command, off in (("off", True), ("off", True), ("on", False), ("on", False)):
        done = await asyncio.to_thread(parlour, environ, "sms", command)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("Texts are off" if off else "Texts are sent again")
        async with stores(redis_url) as store:
            assert await is_off(store.directory) is off


# --- what a room has cost -------------------------------------------------------------------------


async def test_what_the_texts_of_a_room_have_cost_is_told(redis_url: str) -> None:
    environ = {"REDIS_URL": redis_url}
    async with stores(redis_url) as store:
        await store.directory.put("code:KTRGW", "abc123", instead_of=None, keep_ms=60_000)
        bill = Bill(store.counters)
        for text_id, segments in (("r:abc123.1.0:0", 1), ("r:abc123.1.1:0", 2)) * 2:
            await bill.add("abc123", text_id, segments)
        await bill.add("other", "r:other.1.0:0", 3)
        await bill.add("", "p:x.1.0:0", 1)
    told = {"room": "KTRGW", "texts": 2, "segments": 3, "cost": None, "currency": "USD"}
    done = await asyncio.to_thread(parlour, environ, "room", "ktrgw", "cost")
    assert (json.loads(done.stdout), done.stderr) == (told, "")
    priced = environ | {"SMS_SEGMENT_PRICE": "0.00795", "SMS_CURRENCY": "EUR"}
    done = await asyncio.to_thread(parlour, priced, "room", "KTRGW", "cost")
    assert json.loads(done.stdout) == told | {"cost": "0.0239", "currency": "EUR"}


async def test_an_unknown_room_and_an_odd_price_are_named(redis_url: str) -> None:
    environ = {"REDIS_URL": redis_url}
    done = await asyncio.to_thread(parlour, environ, "room", "BCDFG", "cost")
    assert (done.returncode, done.stderr) == (1, "No room has the code BCDFG.\n")
    odd = environ | {"SMS_SEGMENT_PRICE": "cheap"}
    done = await asyncio.to_thread(parlour, odd, "room", "BCDFG", "cost")
    assert done.returncode != 0
    assert "SMS_SEGMENT_PRICE" in done.stderr
