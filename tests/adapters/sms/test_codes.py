"""Every code that Twilio may fail a text with, where a create is refused and where it is told."""

import itertools
import logging
import time

import pytest
from msgspec import Struct

from adapters.sms import pauses
from adapters.sms.allowance import is_off, switch_on
from adapters.sms.codes import TABLE
from adapters.sms.kept import Kept
from adapters.sms.pauses import Pauses
from core.ports import Dropped, Fate, Gone, Later
from tests.adapters.sms.ours import ACCOUNT, BO, LETTER_ID, NUMBER, SETTINGS, TOKEN, a_letter
from tests.adapters.sms.test_client import a_messenger
from tests.adapters.sms.test_webhook import Post, address
from tests.fakes.twilio import FakeTwilio

MINUTE_MS, DAY_MS = 60_000, 86_400_000
TEXT_ID = f"{LETTER_ID}:0"


class Follows(Struct, frozen=True):
    """What follows from some codes. `waits` is what is paused, and for how long."""

    codes: str
    fate: type[Fate] = Dropped
    lost: bool = False
    stopped: bool = False
    again: bool = False
    alarm: bool = False
    off: bool = False
    waits: tuple[str, int] = ("", 0)


FOLLOWS = (
    Follows("21211 21408 21612 21614 30005 30006 63003", Gone, lost=True),
    Follows("21610 30004 63014", Gone, lost=True, stopped=True),
    Follows("30003 30008 30046 30410 30500", again=True),
    Follows("429 20429", Later, again=True, waits=("all", 5_000)),
    Follows("21611 30001", Later, again=True, waits=("all", MINUTE_MS)),
    Follows("14107 30022 63017 63018", Later, again=True, waits=("to", MINUTE_MS)),
    Follows("30450 30453 30454", waits=("prefix", 30 * MINUTE_MS)),
    Follows("30023 63038", alarm=True, waits=("all", DAY_MS)),
    Follows("30002", alarm=True, off=True),
    Follows(
        "20003 21212 21606 21608 21609 21659 21660 30024 30032 30034 30035 63007",
        alarm=True,
    ),
    Follows("21266 21602 21603 21604 21617 21619", alarm=True),
    Follows("30007", alarm=True),
    Follows("30036 30039 63016 12345"),
)
CASES = [(int(code), one) for one in FOLLOWS for code in one.codes.split()]


def test_every_code_of_the_table_is_tried_here() -> None:
    known = set(itertools.chain.from_iterable(TABLE.values()))
    assert {code for code, _ in CASES} == known | {12345}
    assert len(known) == sum(len(codes) for codes in TABLE.values())


async def seen(post: Post, caplog: pytest.LogCaptureFixture, case: Follows) -> None:
    """What follows on either way."""
    directory, now_ms = post.shared.directory, round(time.time() * 1_000)
    alarms = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert bool(alarms) is case.alarm
    assert BO not in caplog.text
    assert await post.suppressed() is case.stopped
    assert await is_off(directory) is case.off
    waiting = {
        "all": pauses.ALL,
        "to": pauses.to(await address(post.book)),
        "prefix": pauses.prefix(post.book, BO),
    }
    left = {name: await Pauses(directory).left_ms(one, now_ms) for name, one in waiting.items()}
    what, pause_ms = case.waits
    for name, left_ms in left.items():
        assert pause_ms - 10_000 < left_ms <= pause_ms if name == what else left_ms == 0


@pytest.mark.parametrize(("code", "case"), CASES)
async def test_what_follows_from_a_create_that_is_refused(
    code: int, case: Follows, caplog: pytest.LogCaptureFixture
) -> None:
    post = Post()
    async with FakeTwilio(account_sid=ACCOUNT, auth_token=TOKEN, number=NUMBER) as twilio:
        twilio.trouble(status=429 if code in {429, 20429} else 400, code=code, message=BO)
        async with a_messenger(twilio.base_url, post.shared) as sms:
            letter = await a_letter(post.book, "Your clue?")
            fate = await sms.send(letter, LETTER_ID, "")
            assert isinstance(fate, case.fate)
            await seen(post, caplog, case)
            if case.waits[0] in {"all", "to"}:
                # No process sends anything meanwhile.
                fate = await sms.send(letter, "r:abc123.8.0", "")
                assert isinstance(fate, Dropped if case.alarm else Later)
                assert len(twilio.calls) == 1


@pytest.mark.parametrize(("code", "case"), CASES)
async def test_what_follows_from_a_text_that_was_accepted_and_failed(
    code: int, case: Follows, caplog: pytest.LogCaptureFixture
) -> None:
    post = Post()
    letter = await a_letter(post.book, "Your clue?")
    await Kept(post.shared).keep(letter, TEXT_ID, "Your clue?", MINUTE_MS)
    for _ in range(2):
        assert (await post.tells("failed", str(code))).status_code == 204
    await seen(post, caplog, case)
    event = f"{SETTINGS.bot}:SM{'0' * 32}:failed"
    assert post.service.lost == ([("abc123", "s2", event)] if case.lost else [])
    assert [one.short for one, _ in post.service.again] == ["Your clue?"] * case.again
    assert len([one for one in caplog.records if one.name == "parlour"]) == 1


async def test_what_all_texts_waited_for_is_over_when_the_operator_switches_them_on() -> None:
    post = Post()
    await post.tells("failed", "63038")
    await post.tells("failed", "30002", path="/sms/status/r%3Aabc123.8.0%3A0/abc123/s2")
    await switch_on(post.shared.directory)
    async with FakeTwilio(account_sid=ACCOUNT, auth_token=TOKEN, number=NUMBER) as twilio:
        async with a_messenger(twilio.base_url, post.shared) as sms:
            await sms.send(await a_letter(post.book, "Your clue?"), LETTER_ID, "")
        assert len(twilio.texts) == 1


async def test_a_longer_pause_is_not_cut_short() -> None:
    post = Post()
    waiting = Pauses(post.shared.directory)
    await waiting.pause(pauses.ALL, DAY_MS, 0)
    await waiting.pause(pauses.ALL, MINUTE_MS, 0)
    assert await waiting.left_ms(pauses.ALL, 0) == DAY_MS
