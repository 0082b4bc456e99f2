"""Text messages by Twilio."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from starlette.routing import BaseRoute

from adapters.platform import Adapter, Platform, Shared
from adapters.sms.client import SmsMessenger, connected
from adapters.sms.settings import SmsSettings, read_settings
from adapters.sms.webhook import Webhook
from adapters.vault import AddressBook
from core.ports import Messenger
from core.service import Service
from core.table import Way

SETTLED_AFTER = 1.5
"""So many times as long as a request may take: by then it has arrived, or never will."""


class Sms:
    """The platform while it is open."""

    def __init__(self, ours: SmsSettings, book: AddressBook, messenger: Messenger) -> None:
        """The way in names our own number, which everybody may know."""
        self._settings, self._book, self.messenger = ours, book, messenger
        self.way = Way(
            text=f"SMS: text JOIN {{code}} to {ours.number}\n"
            f"sms:{ours.number}?&body=JOIN%20{{code}}",
            short="Friends text JOIN {code} to this number.",
        )

    def routes(self, service: Service) -> Sequence[BaseRoute]:
        """Where Twilio posts to."""
        return Webhook(self._settings, self._book, service).routes()


@asynccontextmanager
async def opened(ours: SmsSettings, shared: Shared) -> AsyncGenerator[Platform]:
    """SMS, for as long as the context is entered."""
    book = shared.book
    async with connected(ours) as client:
        request_ms = 1_000 * ours.timeout_seconds
        settle_ms, late_ms = SETTLED_AFTER * request_ms, (SETTLED_AFTER - 1) * request_ms
        yield Sms(ours, book, SmsMessenger(ours, book, client, settle_ms, late_ms))


ADAPTER = Adapter("sms", read_settings, opened)
