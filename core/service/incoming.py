"""What an adapter hands in, and what it is told when that was not accepted."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from core.ports import MARK_MS


class Busy(Exception):
    """Too much happened at once; the platform should deliver again."""


class Incoming(Struct, frozen=True):
    """What somebody did, as an adapter read it.

    `event` is the platform's own id for it, `<platform>:<bot>:<id>`, the same at every redelivery.
    `address` is the opaque id of the speaker's own thread; `place` of the public place it was said
    in ("" for their own thread). `open`: their own thread is known to take messages.

    Kinds: `text`, typed words; `press`, a button's data in `text`; `opened`, they opened their own
    thread; `gone`, they closed it to us; `reachable`, they allow messages again, and say no more.
    """

    event: str
    kind: Literal["text", "press", "opened", "gone", "reachable"]
    address: str
    text: str = ""
    name: str = ""
    place: str = ""
    texting: bool = False
    open: bool = False
    mark_ms: int = MARK_MS
