"""Text messages by Twilio."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from starlette.routing import BaseRoute

from adapters.platform import Adapter, Platform, Shared
from adapters.sms.client import SmsMessenger, connected
from adapters.sms.invites import SmsPhones
from adapters.sms.settings import SmsSettings, read_settings
from adapters.sms.webhook import Webhook
from core.ports import Messenger, Phones
from core.service import Service
from core.table import Way

SETTLED_AFTER = 1.5
"""So many times as long as a request may take: by then it has arrived, or never will."""


class Sms:
    """The platform while it is open."""

    def __init__(self, ours: SmsSettings, shared: Shared, messenger: Messenger) -> None:
        """The way in names our own number, which everybody may know."""
        self._settings, self._shared, self.messenger = ours, shared, messenger
        self.phones: Phones | None = SmsPhones(ours, shared, lambda: round(time.time() * 1_000))
        self.way = Way(
            text=f"SMS: text JOIN {{code}} to {ours.number}\n"
            f"sms:{ours.number}?&body=JOIN%20{{code}}",
            short="Friends text JOIN {code} to this number.",
        )

    def routes(self, service: Service) -> Sequence[BaseRoute]:
        """Where Twilio posts to."""
        return Webhook(self._settings, self._shared, service).routes()


@asynccontextmanager
async def opened(ours: SmsSettings, shared: Shared) -> AsyncGenerator[Platform]:
    """SMS, for as long as the context is entered."""
    async with connected(ours) as client:
        request_ms = 1_000 * ours.timeout_seconds
        settle_ms, late_ms = SETTLED_AFTER * request_ms, (SETTLED_AFTER - 1) * request_ms
        yield Sms(ours, shared, SmsMessenger(ours, shared, client, settle_ms, late_ms))


ADAPTER = Adapter("sms", read_settings, opened)
