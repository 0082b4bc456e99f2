"""The environment: all faults at once, and nobody's secret among them."""

import base64
import traceback
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.settings import Reader, Settings, WrongSettings, data_folder, read_settings

SECRET = "5e" * 32


def faults(environ: Mapping[str, str]) -> str:
    """What is said about an environment that won't do."""
    reader = Reader(environ)
    read_settings(reader)
    with pytest.raises(WrongSettings) as caught:
        reader.finish()
    return "".join(traceback.format_exception(caught.value))


def settings(**environ: str) -> Settings:
    reader = Reader({"PARLOUR_SECRET": SECRET, **environ})
    found = read_settings(reader)
    reader.finish()
    return found


def test_the_secret_alone_will_do() -> None:
    everywhere = "0.0.0.0"  # noqa: S104  (what a container needs)
    assert settings() == Settings("", bytes.fromhex(SECRET), everywhere, 8080, 1_000, 45_000)


def test_everything_can_be_set() -> None:
    found = settings(
        REDIS_URL="rediss://:pass@example.org:6380/2", HOST="::1", PORT="443",
        PARLOUR_PACE_SCALE="0.1", PARLOUR_LEASE_SECONDS="2.5",
    )  # fmt: skip
    assert found.redis_url == "rediss://:pass@example.org:6380/2"
    assert (found.host, found.port, found.second_ms, found.lease_ms) == ("::1", 443, 100, 2_500)


def test_all_faults_are_named_at_once() -> None:
    said = faults({
        "PORT": "http", "REDIS_URL": "http://example.org", "PARLOUR_PACE_SCALE": "0",
        "PARLOUR_LEASE_SECONDS": "long",
    })  # fmt: skip
    for name in (
        "PARLOUR_SECRET", "PORT", "REDIS_URL", "PARLOUR_PACE_SCALE", "PARLOUR_LEASE_SECONDS",
    ):  # fmt: skip
        assert f"\n{name}: " in said or f"WrongSettings: {name}: " in said
    assert "PARLOUR_SECRET: is missing" in said


def test_an_empty_value_is_a_missing_one() -> None:
    assert "PARLOUR_SECRET: is missing" in faults({"PARLOUR_SECRET": " "})
    assert settings(PORT="", REDIS_URL=" ").port == 8080


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "0"), ("PORT", "65536"), ("PORT", "80.5"), ("PORT", "-1"), ("PORT", "8_0"),
        ("PORT", "hunter2"),
        ("PARLOUR_PACE_SCALE", "nan"), ("PARLOUR_PACE_SCALE", "inf"), ("PARLOUR_PACE_SCALE", "-1"),
        ("PARLOUR_LEASE_SECONDS", "hunter2"),
        ("REDIS_URL", "hunter2"), ("REDIS_URL", "redis://"), ("REDIS_URL", "redis://h:hunter2"),
        ("REDIS_URL", "redis://h:0/0"), ("REDIS_URL", "unix://"), ("REDIS_URL", "redis://a b"),
        ("REDIS_URL", "redis://hunter2\u2100@h"), ("REDIS_URL", "redis://[hunter2"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_but_not_repeated(name: str, value: str) -> None:
    said = faults({"PARLOUR_SECRET": SECRET, name: value})
    assert f"{name}: " in said
    assert "hunter2" not in said
    assert repr(value) not in said


@given(st.text(st.characters(codec="utf-8", categories=("L", "N")), min_size=6, max_size=60))
def test_no_secret_that_is_wrong_is_ever_shown(value: str) -> None:
    wrong = f"?{value}"  # a value may be a word that the faults say anyway, a "?" is in none
    assert wrong not in faults({"PARLOUR_SECRET": wrong, "PORT": wrong})


@pytest.mark.parametrize(
    "value", ["5e" * 32, "5E" * 40, base64.b64encode(bytes(range(32))).decode()]
)
def test_a_secret_is_hexadecimal_or_base64(value: str) -> None:
    assert len(settings(PARLOUR_SECRET=value).secret) >= 32


@pytest.mark.parametrize(
    "value",
    [
        "5e" * 31,  # as base64 it would be 46 bytes
        "5e" * 31 + "5",
        base64.b64encode(bytes(31)).decode(),
        "correct horse battery staple correct horse battery staple",
        "é" * 64,
    ],
)
def test_a_short_or_misspelt_secret_is_refused(value: str) -> None:
    assert "PARLOUR_SECRET: needs at least 32 bytes" in faults({"PARLOUR_SECRET": value})


def test_a_web_address_loses_its_fragment_and_its_slash() -> None:
    reader = Reader({"PUBLIC_URL": "https://parlour.example/a/#rc=5"})
    assert reader.url("PUBLIC_URL", "where") == "https://parlour.example/a"
    assert reader.faults == []


@pytest.mark.parametrize("value", ["parlour.example", "ftp://parlour.example", "https://", "x:80"])
def test_a_web_address_is_http_or_https(value: str) -> None:
    reader = Reader({"PUBLIC_URL": value})
    reader.url("PUBLIC_URL", "where players find it")
    assert reader.faults == [
        "PUBLIC_URL: is no address that begins with http:// or https:// (where players find it)"
    ]


def test_a_variable_is_named_once_however_often_it_is_read() -> None:
    reader = Reader({})
    reader.text("A", "this")
    reader.text("A", "that")
    reader.fault("A", "looks odd")
    assert reader.faults == ["A: is missing: this"]
    assert reader.faulty == ("A",)


def test_the_shortest_second_is_a_millisecond() -> None:
    assert settings(PARLOUR_PACE_SCALE="0.0000001").second_ms == 1


def test_settings_do_not_show_their_secrets() -> None:
    shown = repr(settings(REDIS_URL="redis://:hunter2@h"))
    assert shown == "Settings(0.0.0.0:8080)"


def test_the_games_of_a_user_are_where_xdg_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert data_folder({"XDG_DATA_HOME": "/data"}) == Path("/data/parlour")
    assert data_folder({"XDG_DATA_HOME": ""}) == Path("/home/ann/.local/share/parlour")
