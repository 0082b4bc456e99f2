"""What the texts of a room have cost so far: counted once each, when Twilio has taken it."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import msgspec
from msgspec import Struct

from adapters.sms.settings import Price
from core.ports import ROOM_MS, Counters, Limit

_NO_END = 10**9
_CENT = Decimal("0.0001")


class Cost(Struct, frozen=True):
    """What `parlour room CODE cost` tells; `cost` is None where no price is set."""

    room: str
    texts: int
    segments: int
    cost: str | None
    currency: str


class Bill:
    """The bills of all rooms, kept as long as rooms are."""

    def __init__(self, counters: Counters) -> None:
        """Counted in `counters`, which count a text once however often it is told."""
        self._counters = counters

    async def add(self, room: str, text_id: str, segments: int) -> None:
        """A text of a room was taken."""
        if room:
            await self._counters.take(f"bill:{text_id}", _limits(room, segments))

    async def cost(self, room: str, code: str, price: Price) -> Cost:
        """What a room's texts cost at so much a segment."""
        texts, segments = [await self._counters.used(one) for one in _limits(room, 1)]
        exact = Decimal(str(price.segment)) * segments
        paid = str(exact.quantize(_CENT, ROUND_HALF_UP)) if price.segment else None
        return Cost(code, texts, segments, paid, price.currency)


def shown(cost: Cost) -> str:
    """The cost as a line of JSON."""
    return msgspec.json.encode(cost).decode()


def _limits(room: str, segments: int) -> tuple[Limit, Limit]:
    return (
        Limit(f"bill:texts:{room}", _NO_END, ROOM_MS),
        Limit(f"bill:segments:{room}", _NO_END, ROOM_MS, segments),
    )
