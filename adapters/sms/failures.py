"""What a text that failed leads to, whether its create was refused or a callback says so."""

from __future__ import annotations

import logging
import time

from adapters.platform import Shared
from adapters.sms import pauses
from adapters.sms.allowance import switch_off
from adapters.sms.codes import ALARMS, PAUSES_MS, Deed, deed_of, words_for
from adapters.sms.pauses import Pauses

log = logging.getLogger("parlour")


class Failures:
    """Does what `adapters.sms.codes` says, as far as it is not about one letter."""

    def __init__(self, shared: Shared) -> None:
        """What waits, and who has stopped us, is known to all processes."""
        self._book, self._directory = shared.book, shared.directory
        self._pauses = Pauses(shared.directory)

    async def heed(
        self, text_id: str, code: int, address: str, number: str, *, status: int = 0
    ) -> Deed:
        """A text to `number`, whose opaque address is `address`, has failed with `code`.

        `status` is the HTTP status, if it was refused. Doing this twice does no harm.
        """
        deed = deed_of(code, status)
        level = logging.ERROR if deed in ALARMS else logging.WARNING
        log.log(level, "text %s failed, %s: twilio %s, %s", text_id, deed, code, words_for(code))
        match deed:
            case "stop":
                await self._book.suppress(address)
            case "halt":
                await switch_off(self._directory)
            case "busy" | "full" | "day":
                await self._pause(pauses.ALL, deed)
            case "crowded":
                await self._pause(pauses.to(address), deed)
            case "prefix":
                await self._pause(pauses.prefix(self._book, number), deed)
            case _:
                pass
        return deed

    async def _pause(self, what: str, deed: Deed) -> None:
        await self._pauses.pause(what, PAUSES_MS[deed], round(time.time() * 1_000))
