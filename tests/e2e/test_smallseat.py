"""A whole game of Smallseat for five: a Telegram group, a private chat and SMS, and three kills."""

import asyncio
import re
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from adapters.sms.segments import count
from tests.e2e.guests import OVER, Guest, SmsGuest, TelegramGuest
from tests.e2e.players import PATIENCE_SECONDS
from tests.e2e.test_evening import (
    World,
    killed_in_a_commit,
    killed_in_a_telegram_send,
    killed_in_a_text,
    the_world,
)


@pytest.mark.long
@pytest.mark.parametrize("seed", [5])
async def test_a_game_of_five_survives_three_kills(
    seed: int, redis_url: str, tmp_path: Path
) -> None:
    dice = Random(seed)
    async with the_world(redis_url, tmp_path, pace_scale="0.03") as world:
        telegram, twilio = world.telegram, world.twilio
        ann, bo, cy = (telegram.user(name) for name in ("Ann", "Bo", "Cy"))
        group = telegram.group("Pals", members=[ann, bo])
        texting = [
            SmsGuest("Dee", twilio, twilio.phone("+12025550142"), Random(4)),
            SmsGuest("Eve", twilio, twilio.phone("+12025550143"), Random(5)),
        ]
        guests: list[Guest] = [
            TelegramGuest(telegram, ann, Random(1), group),
            TelegramGuest(telegram, bo, Random(2), group),
            TelegramGuest(telegram, cy, Random(3)),
            *texting,
        ]

        def found(pattern: str) -> list[str]:
            texts = [
                re.sub("[\u2066-\u2069]", "", one.text) for one in telegram.chat(group).messages
            ]
            return [hit for text in texts for hit in re.findall(pattern, text)]

        async def until(pattern: str) -> str:
            await telegram.until(lambda: bool(found(pattern)), within=PATIENCE_SECONDS)
            return found(pattern)[0]

        await asyncio.gather(ann.says("/start"), bo.says("/start"))
        await ann.says("/new smallseat", to=group)
        code = await until(r"Its code is (\w+)")
        await bo.says("/join", to=group)
        await cy.says(f"/start {code}")
        for guest in texting:
            await guest.phone.texts(f"JOIN {code} {guest.name}")
        for name in ("Bo", "Cy", "Dee", "Eve"):
            await until(rf"({name}) is here")
        began = monotonic()
        texts_before = {guest.name: len(guest.lines) for guest in guests}
        group_before = len(telegram.chat(group).messages)
        await ann.says("/go", to=group)
        playing = [asyncio.create_task(guest.plays()) for guest in guests]
        for at, way in enumerate((killed_in_a_commit, killed_in_a_text, killed_in_a_telegram_send)):
            await until(rf"Round ({3 * at + 2})\.")
            await way(world, dice)
            await world.server.start()
        async with asyncio.timeout(240):
            await asyncio.gather(*playing)
        await telegram.quiet(1.0, within=30)
        await twilio.quiet(1.0, within=30)

        rounds = max(int(number) for number in found(r"Round (\d+)\."))
        assert len(world.server.kills) == 3
        assert all(OVER.search("\n".join(guest.lines[-3:])) for guest in guests[2:])
        check_privacy(world, guests, [one.text for one in telegram.chat(group).messages])
        sent = [(text.status_callback, text.body) for text in twilio.texts]
        assert [text for text, count in Counter(sent).items() if count > 1] == []
        assert world.twilio.violations == []
        board = telegram.chat(group).messages[group_before:]
        edits = sum(len(one.edits) for one in board)
        assert len(board) <= 3 * rounds + 6, "two scenes a round, and the start and the end"
        assert all(guest.answered > rounds for guest in guests)
        for guest in texting:
            bodies = guest.lines[texts_before[guest.name] :]
            segments = sum(count(body).segments for body in bodies)
            assert max(count(body).segments for body in bodies) <= 3
            figures = f"{len(bodies) / rounds:.1f} texts, {segments / rounds:.1f} segments a round"
            print(f"{guest.name}: {figures}")  # noqa: T201
        minutes = (monotonic() - began) / 60 / 0.03
        print(f"{rounds} rounds; the group: {len(board)} messages and {edits} edits")  # noqa: T201
        print(f"{len(board) / minutes:.2f} new messages a minute of {minutes:.0f}")  # noqa: T201


def check_privacy(world: World, guests: list[Guest], public: list[str]) -> None:
    """Hands are told to whoever holds them; numbers are nowhere."""
    assert not any("Your hand" in text or "gave you" in text for text in public)
    log = world.server.log.read_text()
    for guest in guests:
        if isinstance(guest, SmsGuest):
            assert guest.phone.number not in log
            assert all(guest.phone.number not in post.text for post in world.telegram.posts)
    assert "Traceback" not in log
