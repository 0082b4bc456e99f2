"""What binds every text: consent, countries, budgets, the pair of numbers, the switch."""

import logging
import time

import msgspec
import pytest
from msgspec.structs import replace

from adapters.platform import Shared
from adapters.sms.allowance import PAIR_TEXTS, Allowance, is_off, switch_off, switch_on
from adapters.sms.consent import IDLE_MS, Consent, Consents
from core.delivery import Letter
from core.ports import Dropped, Fate, Gone, Later
from tests.adapters.sms.ours import BO, SETTINGS, a_letter, a_shared

NOW_MS = round(time.time() * 1_000)
DAY_MS = 86_400_000


class Desk:
    """Asks whether texts may go."""

    def __init__(self, **limits: int) -> None:
        self.now_ms, self._texts = NOW_MS, 0
        self.shared: Shared = a_shared(lambda: self.now_ms)
        self._allowance = Allowance(replace(SETTINGS, **limits), self.shared)

    async def letter(self, number: str = BO, room: str = "abc123") -> Letter:
        return replace(await a_letter(self.shared.book, "Hello.", number), room=room)

    async def asks(
        self, letter: Letter, number: str = BO, segments: int = 1, text_id: str = ""
    ) -> Fate | None:
        self._texts += 1
        text_id = text_id or f"r:abc123.{self._texts}.0:0"
        return await self._allowance.refusal(letter, text_id, number, segments, self.now_ms)


async def test_whoever_has_texted_us_is_answered() -> None:
    desk = Desk()
    assert await desk.asks(await desk.letter()) is None


async def test_whoever_never_texted_us_is_not_texted() -> None:
    desk = Desk()
    assert await desk.asks(Letter("sms:x:stranger", "", "Hello.")) == Gone()


async def test_consent_ends_after_thirty_idle_days() -> None:
    desk = Desk()
    letter = await desk.letter()
    desk.now_ms += IDLE_MS - 60_000
    assert await desk.asks(letter) is None
    desk.now_ms += 10 * 60_000
    assert await desk.asks(letter) == Gone()


async def test_each_text_of_theirs_makes_consent_last_and_keeps_its_proof() -> None:
    shared = a_shared(lambda: NOW_MS)
    consents = Consents(shared.directory)
    await consents.invite("sms:x:bo", "ann", "abc123")
    await consents.invite("sms:x:bo", "ann", "def456")
    await consents.heard("sms:x:bo", "JOIN KTRGW Bo, 2125550143", NOW_MS)
    await consents.heard("sms:x:bo", "soon", NOW_MS + 1)
    for later_ms in (20 * DAY_MS, 40 * DAY_MS):
        await consents.heard("sms:x:bo", "paper", NOW_MS + later_ms)
        assert await consents.holds("sms:x:bo", NOW_MS + later_ms + 29 * DAY_MS)
    kept = await shared.directory.get("consent:sms:x:bo")
    assert kept is not None
    first = Consent(NOW_MS, "JOIN KTRGW Bo, (number)", NOW_MS + 40 * DAY_MS, "ann def456")
    assert kept == msgspec.json.encode(first).decode()


async def test_an_invitation_is_consent_enough_for_itself() -> None:
    desk = Desk()
    await Consents(desk.shared.directory).invite("sms:x:bo", "ann", "abc123")
    assert await desk.asks(Letter("sms:x:bo", "", "Hello.")) is None


@pytest.mark.parametrize(
    ("number", "country"),
    [
        ("+12425550123", "the Bahamas"), ("+18765550123", "Jamaica"), ("+16045550123", "Canada"),
        ("+447400123456", "Great Britain"), ("+79123456789", "Russia"), ("+999", "nowhere"),
    ],
)  # fmt: skip
async def test_a_country_that_is_not_named_is_not_texted(number: str, country: str) -> None:
    desk = Desk()
    assert await desk.asks(await desk.letter(), number) == Gone(), country


@pytest.mark.parametrize("name", ["day_segments", "country_segments", "room_segments"])
async def test_a_budget_is_never_overspent(name: str, caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(**{name: 5})
    letter = await desk.letter()
    assert [await desk.asks(letter, segments=2) for _ in range(3)] == [None, None, Gone()]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert BO not in caplog.text
    desk.now_ms += DAY_MS + DAY_MS // 24
    assert await desk.asks(letter, segments=2) is None


async def test_a_budget_of_rooms_binds_each_by_itself() -> None:
    desk = Desk(room_segments=1)
    assert await desk.asks(await desk.letter(room="one")) is None
    assert await desk.asks(await desk.letter(room="one")) == Gone()
    assert await desk.asks(await desk.letter(room="two")) is None
    assert await desk.asks(await desk.letter(room="")) is None


async def test_a_text_that_is_tried_again_is_counted_once() -> None:
    desk = Desk(room_segments=1)
    letter = await desk.letter()
    assert [await desk.asks(letter, text_id="r:abc123.1.0:0") for _ in range(3)] == [None] * 3


async def test_nobody_gets_so_many_texts_at_once_that_twilio_fails_them() -> None:
    desk = Desk()
    letter = await desk.letter()
    got = [await desk.asks(letter) for _ in range(PAIR_TEXTS + 1)]
    assert got.count(None) == PAIR_TEXTS < 30
    assert isinstance(got[-1], Later)
    desk.now_ms += 32_000
    assert await desk.asks(letter) is None


async def test_a_switch_stops_every_text_until_it_is_turned_again() -> None:
    desk = Desk()
    letter = await desk.letter()
    await switch_off(desk.shared.directory)
    assert await is_off(desk.shared.directory)
    assert await desk.asks(letter) == Dropped("texts are switched off")
    await switch_on(desk.shared.directory)
    assert not await is_off(desk.shared.directory)
    assert await desk.asks(letter) is None
