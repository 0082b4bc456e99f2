"""What a platform is to the rest of Parlour: settings, a way in, a way out, and web routes.

A platform is one folder in `adapters/` whose package has an `ADAPTER`. `adapters.app` finds it by a
scan, opens it when its settings are there, and edits nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Generic, Protocol, TypeVar

from msgspec import Struct
from starlette.requests import Request
from starlette.routing import BaseRoute

from adapters.settings import Reader
from adapters.vault import AddressBook
from core.ports import Counters, Directory, Messenger, Phones
from core.service import Service
from core.table import Way

S = TypeVar("S")


async def body_of(request: Request, most_bytes: int) -> bytes | None:
    """A request's body, or None when it is longer: nothing that a platform sends is."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most_bytes:
            return None
    return bytes(body)


class Shared(Struct, frozen=True):
    """What all processes share, as a platform needs it."""

    book: AddressBook
    directory: Directory
    counters: Counters


class Platform(Protocol):
    """An opened platform. One of phones knows phone numbers, by which friends are invited."""

    way: Way
    messenger: Messenger
    phones: Phones | None

    def routes(self, service: Service) -> Sequence[BaseRoute]:
        """The routes of its webhooks, which hand what they hear to `service`."""
        ...


class Adapter(Struct, Generic[S], frozen=True):
    """How a platform is found and opened.

    `settings` reads its part of the environment: None when the operator doesn't use it, faults go
    to the reader. `open` gives the platform for as long as the context is entered. `set_up` tells
    the platform, once per deployment, under which public address it finds us.
    """

    name: str
    settings: Callable[[Reader], S | None]
    open: Callable[[S, Shared], AbstractAsyncContextManager[Platform]]
    set_up: Callable[[S, str], Coroutine[None, None, None]] | None = None
