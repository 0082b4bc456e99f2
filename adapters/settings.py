"""Environment -> frozen settings. All that is missing or wrong is named at once, and stops it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

T = TypeVar("T")

SECRET_BYTES = 32
LAST_PORT = 65_535
MOST = 1_000_000
WEB, REDIS = ("http", "https"), ("redis", "rediss", "unix")


class WrongSettings(Exception):
    """The environment won't do; the message has one line for each variable."""


class Form(Struct, Generic[T], frozen=True):
    """What a value must look like: `parse` raises ValueError unless it does.

    Only `wrong` is ever said about a wrong value: it may be a secret, typed in the wrong place.
    `harmless` stands in for it until `Reader.finish` raises.
    """

    parse: Callable[[str], T]
    wrong: str
    harmless: T


class Reader:
    """Reads variables and keeps count of the faults; `finish` raises them all together."""

    def __init__(self, environ: Mapping[str, str], *, every_platform: bool = False) -> None:
        """Read from `environ`, where an empty value is no value.

        `every_platform`: each is meant to be in use, and what it lacks is a fault.
        """
        self._environ = {name: value.strip() for name, value in environ.items() if value.strip()}
        self._every_platform = every_platform
        self._faults: dict[str, str] = {}

    @property
    def faults(self) -> list[str]:
        """A line for each variable that is missing or wrong, its name first, its value nowhere."""
        return [f"{name}: {why}" for name, why in self._faults.items()]

    @property
    def faulty(self) -> tuple[str, ...]:
        """The names of the variables that are missing or wrong."""
        return tuple(self._faults)

    def given(self, *names: str) -> bool:
        """Whether any of these variables is set."""
        return self._every_platform or any(name in self._environ for name in names)

    def text(self, name: str, meaning: str, default: str | None = None) -> str:
        """A variable that must be set unless it has a default."""
        return self._read(name, meaning, default, _TEXT)

    def number(self, name: str, meaning: str, default: float | None = None) -> float:
        """A number above 0, and not astronomical."""
        return self._read(name, meaning, default, _POSITIVE)

    def port(self, name: str, meaning: str, default: int | None = None) -> int:
        """A port of this machine."""
        return self._read(name, meaning, default, _PORT)

    def url(
        self,
        name: str,
        meaning: str,
        default: str | None = None,
        schemes: Collection[str] = WEB,
    ) -> str:
        """An address that begins with one of `schemes`, without a slash at its end."""
        wrong = f"is no address that begins with {' or '.join(f'{one}://' for one in schemes)}"
        form = Form(lambda raw: _url(raw, schemes), wrong, "http://localhost")
        return self._read(name, meaning, default, form)

    def secret(self, name: str, meaning: str) -> bytes:
        """At least 32 bytes, in hexadecimal or base64."""
        return self._read(name, meaning, None, _SECRET)

    def fault(self, name: str, why: str) -> None:
        """Note that a variable is wrong. The first fault of each is told."""
        self._faults.setdefault(name, why)

    def finish(self) -> None:
        """Raise WrongSettings if anything was missing or wrong."""
        if self._faults:
            raise WrongSettings("\n".join(self.faults))

    def _read(self, name: str, meaning: str, default: T | None, form: Form[T]) -> T:
        raw = self._environ.get(name)
        if raw is None:
            if default is not None:
                return default
            self.fault(name, f"is missing: {meaning}")
            return form.harmless
        try:
            return form.parse(raw)
        except ValueError:
            self.fault(name, f"{form.wrong} ({meaning})")
            return form.harmless


def _checked(value: T, good: bool) -> T:  # noqa: FBT001  (said of the value before it)
    if not good:
        raise ValueError
    return value


def _positive(raw: str) -> float:
    number = float(raw)
    return _checked(number, 0 < number <= MOST)


def _port(raw: str) -> int:
    return _checked(int(raw), raw.isdecimal() and 0 < int(raw) <= LAST_PORT)


def _url(raw: str, schemes: Collection[str]) -> str:
    parts = urlsplit(raw)
    port = parts.port  # raises ValueError when it is none
    somewhere = parts.path if parts.scheme == "unix" else parts.hostname
    good = parts.scheme in schemes and bool(somewhere) and port != 0 and not re.search(r"\s", raw)
    return _checked(raw.partition("#")[0].rstrip("/"), good)


def _secret(raw: str) -> bytes:
    # What could be hexadecimal is: read as base64, half of the bytes would be enough.
    hexadecimal = re.fullmatch(r"[0-9A-Fa-f]+", raw)
    found = bytes.fromhex(raw) if hexadecimal else base64.b64decode(raw, validate=True)
    return _checked(found, len(found) >= SECRET_BYTES)


_TEXT = Form(str, "", "-")
_POSITIVE = Form(_positive, f"is no number above 0, up to {MOST}", 1.0)
_PORT = Form(_port, f"is no whole number from 1 to {LAST_PORT}", 1)
_SECRET = Form(
    _secret, f"needs at least {SECRET_BYTES} bytes in hexadecimal or base64", bytes(SECRET_BYTES)
)


def data_folder(environ: Mapping[str, str]) -> Path:
    """Where the embedded server keeps the games of this user (XDG base directories)."""
    home = environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "parlour"


class Settings(Struct, frozen=True):
    """What every process of Parlour needs, whatever the platforms.

    `redis_url` is empty where the embedded server is meant. `second_ms` is how long a second of the
    tables lasts. `lease_ms` is how long a letter is left to the process that is sending it, before
    another tries: longer than any send takes.
    """

    redis_url: str
    secret: bytes
    host: str
    port: int
    second_ms: int
    lease_ms: int

    def __repr__(self) -> str:
        """Without the secrets: a repr ends up in a log."""
        return f"Settings({self.host}:{self.port})"


def read_settings(reader: Reader) -> Settings:
    """The settings that are not a platform's. Faults go to the reader."""
    return Settings(
        redis_url=read_redis_url(reader),
        secret=reader.secret("PARLOUR_SECRET", "the key that addresses are sealed with"),
        host=reader.text("HOST", "where to listen", "0.0.0.0"),  # noqa: S104  (a container's only door)
        port=reader.port("PORT", "the port to listen on", 8080),
        second_ms=read_second_ms(reader),
        lease_ms=round(1_000 * reader.number("PARLOUR_LEASE_SECONDS", "longer than any send", 45)),
    )


def read_redis_url(reader: Reader) -> str:
    """Where the store is; empty where the embedded server is meant."""
    return reader.url("REDIS_URL", "where Redis is, redis://host:port/0", "", REDIS)


def read_second_ms(reader: Reader) -> int:
    """How long a second of the tables lasts."""
    scale = reader.number("PARLOUR_PACE_SCALE", "every waiting time is multiplied by it", 1)
    return max(1, round(1_000 * scale))
