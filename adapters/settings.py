"""Environment -> frozen settings. All that is missing or wrong is named at once, and stops it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

T = TypeVar("T")

SECRET_BYTES = 32


class WrongSettings(Exception):
    """The environment won't do; the message has one line for each variable."""


class Reader:
    """Reads variables and keeps count of the faults; `finish` raises them all together."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """Read from `environ`, where an empty value is no value."""
        self._environ = {name: value.strip() for name, value in environ.items() if value.strip()}
        self.faults: list[str] = []

    def given(self, *names: str) -> bool:
        """Whether any of these variables is set."""
        return any(name in self._environ for name in names)

    def text(self, name: str, meaning: str, default: str | None = None) -> str:
        """A variable that must be set unless it has a default."""
        return self._read(name, meaning, default, str)

    def number(self, name: str, meaning: str, default: float | None = None) -> float:
        """A number greater than zero."""
        return self._read(name, meaning, default, _positive)

    def url(self, name: str, meaning: str, default: str | None = None) -> str:
        """An http or https address, without a slash at its end."""
        return self._read(name, meaning, default, _url)

    def secret(self, name: str, meaning: str) -> bytes:
        """At least 32 bytes, in hexadecimal or base64."""
        return self._read(name, meaning, None, _secret)

    def fault(self, name: str, why: str) -> None:
        """Note that a variable is wrong."""
        self.faults.append(f"{name}: {why}")

    def finish(self) -> None:
        """Raise WrongSettings if anything was missing or wrong."""
        if self.faults:
            raise WrongSettings("\n".join(self.faults))

    def _read(self, name: str, meaning: str, default: T | None, parse: Callable[[str], T]) -> T:
        raw = self._environ.get(name)
        if raw is None:
            if default is not None:
                return default
            self.fault(name, f"is missing: {meaning}")
            return parse(_HARMLESS[parse])
        try:
            return parse(raw)
        except ValueError as why:
            self.fault(name, f"{why} ({meaning})")
            return parse(_HARMLESS[parse])


def _positive(raw: str) -> float:
    number = float(raw)
    if number <= 0:
        message = "must be greater than 0"
        raise ValueError(message)
    return number


def _url(raw: str) -> str:
    parts = urlsplit(raw)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        message = "is not an http(s) address"
        raise ValueError(message)
    return raw.partition("#")[0].rstrip("/")


def _secret(raw: str) -> bytes:
    for decode in (bytes.fromhex, _base64):
        try:
            found = decode(raw)
        except (ValueError, binascii.Error):
            continue
        if len(found) >= SECRET_BYTES:
            return found
    message = f"needs at least {SECRET_BYTES} bytes in hexadecimal or base64"
    raise ValueError(message)


def _base64(raw: str) -> bytes:
    return base64.b64decode(raw, validate=True)


# What stands in for a faulty value until `finish` raises.
_HARMLESS: dict[Callable[[str], object], str] = {
    str: "-",
    _positive: "1",
    _url: "http://localhost",
    _secret: "00" * SECRET_BYTES,
}


def data_folder(environ: Mapping[str, str]) -> Path:
    """Where the embedded server keeps the games of this user (XDG base directories)."""
    home = environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "parlour"


class Settings(Struct, frozen=True):
    """What every process of Parlour needs, whatever the platforms.

    `redis_url` is empty where the embedded server is meant. `lease_ms` is how long a letter is left
    to the process that is sending it, before another tries: longer than any send takes.
    """

    redis_url: str
    secret: bytes
    port: int
    pace_scale: float
    lease_ms: int


def read_settings(reader: Reader) -> Settings:
    """The settings that are not a platform's. Faults go to the reader."""
    return Settings(
        redis_url=reader.text("REDIS_URL", "where Redis is, redis://host:port/0", ""),
        secret=reader.secret("PARLOUR_SECRET", "the key that addresses are sealed with"),
        port=int(reader.number("PORT", "the port to listen on", 8080)),
        pace_scale=reader.number("PARLOUR_PACE_SCALE", "every waiting time is multiplied by it", 1),
        lease_ms=round(1_000 * reader.number("PARLOUR_LEASE_SECONDS", "longer than any send", 20)),
    )
