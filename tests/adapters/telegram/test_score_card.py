"""A letter with a score card: a picture where one is taken, and always its text."""

import logging

import pytest

from adapters.telegram import card, ring
from adapters.telegram.chats import Chats
from adapters.telegram.client import Telegram
from adapters.telegram.render import render
from core.delivery import Button, Letter
from core.game import Place, Ring, Score, ScoreCard
from core.ports import Fate, Gone, Later, Sent, Unknown
from core.text import mark
from tests.fakes.telegram import FakeTelegram, User

NAMES = {"s1": "Ann", "s2": "Bo"}
CARD = ScoreCard(
    f"{mark('s1')} wins the game with 5 points!",
    ("1", "2"),
    "Total",
    (Score("s1", (2, 3), 5), Score("s2", (None, 1), 1)),
    ("s1",),
)
TEXT = f"{mark('s1')} wins the game with 5 points!\n{mark('s1')}: 5\n{mark('s2')}: 1"
SHOWN = "\u2068Ann\u2069 wins the game with 5 points!\n\u2068Ann\u2069: 5\n\u2068Bo\u2069: 1"
LONG = "\n".join([TEXT, "a" * 1_000])
AGAIN = (Button("Again", "r1:again/1:yes"),)


async def send(
    platform: Telegram,
    to: str,
    text: str = TEXT,
    buttons: tuple[Button, ...] = (),
    *,
    secret: bool = False,
) -> Fate:
    letter = Letter(to, text, "", names=NAMES, buttons=buttons, secret=secret, score_card=CARD)
    return await platform.messenger.send(letter, "r:r1.1.0", "")


async def test_a_score_card_comes_as_a_picture_with_its_text_under_it(
    platform: Telegram, telegram: FakeTelegram, place: str
) -> None:
    fate = await send(platform, place, buttons=AGAIN)
    [posted] = telegram.posts
    assert fate == Sent(str(posted.message_id))
    assert posted.photo == card.picture(CARD, NAMES)
    assert posted.text == SHOWN
    assert posted.labels == ["Again"]
    assert not posted.protected


async def test_who_sits_where_comes_as_a_picture_too(
    platform: Telegram, telegram: FakeTelegram, place: str
) -> None:
    table = Ring("Round 2", (Place("s1", ("Boss",)), Place("s2", (), ("3 cards",)), Place("s3")))
    names = {**NAMES, "s3": "Cy"}
    letter = Letter(place, TEXT, "", names=names, ring=table)
    await platform.messenger.send(letter, "r:r1.1.0", "")
    assert telegram.posts[0].photo == ring.picture(table, names)
    assert telegram.posts[0].text == SHOWN


async def test_a_secret_letter_s_picture_can_not_be_forwarded(
    platform: Telegram, telegram: FakeTelegram, anns: str
) -> None:
    await send(platform, anns, secret=True)
    assert telegram.posts[0].photo
    assert telegram.posts[0].protected


async def test_a_text_too_long_for_a_caption_follows_its_picture(
    platform: Telegram, telegram: FakeTelegram, place: str
) -> None:
    fate = await send(platform, place, LONG, AGAIN)
    shown, told = telegram.posts
    assert shown.photo
    assert shown.text == "\u2068Ann\u2069 wins the game with 5 points!"
    assert (told.photo, told.text.splitlines()[-1]) == (None, "a" * 1_000)
    assert (shown.labels, told.labels) == ([], ["Again"])
    assert fate == Sent(str(told.message_id))


def test_a_caption_of_1024_units_still_fits() -> None:
    fits = Letter("a", "🦊" * 512, "", score_card=CARD, names=NAMES)
    [page] = render(fits, b"png")
    assert page.picture == b"png"
    assert len(render(Letter("a", "🦊" * 512 + "x", "", score_card=CARD, names=NAMES), b"png")) == 2


def test_a_letter_that_says_nothing_shows_nothing() -> None:
    assert render(Letter("a", " ", "", score_card=CARD, names=NAMES), b"png") == ()


async def test_a_card_that_can_not_be_drawn_leaves_its_text(
    platform: Telegram,
    telegram: FakeTelegram,
    place: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(*_: object) -> bytes:
        raise OSError("a font of Ann is missing")

    monkeypatch.setattr(card, "picture", broken)
    with caplog.at_level(logging.WARNING, "parlour.telegram"):
        await send(platform, place)
    assert (telegram.posts[0].photo, telegram.posts[0].text) == (None, SHOWN)
    assert caplog.messages == ["a picture could not be drawn: OSError"]


@pytest.mark.parametrize("text", [TEXT, LONG])
async def test_where_no_pictures_are_taken_the_text_goes_alone(
    platform: Telegram, telegram: FakeTelegram, place: str, text: str
) -> None:
    said = "Bad Request: not enough rights to send photos to the chat"
    telegram.trouble("sendPhoto", status=400, description=said)
    fate = await send(platform, place, text)
    [posted] = telegram.posts
    assert fate == Sent(str(posted.message_id))
    assert posted.photo is None
    assert posted.text.startswith(SHOWN)


async def test_a_picture_follows_its_group_and_leaves_a_closed_topic(
    platform: Telegram, telegram: FakeTelegram, chats: Chats, ann: User
) -> None:
    old = telegram.group("Pals", [ann], kind="group")
    address = await chats.place(str(old.chat_id))
    new = old.becomes_supergroup()
    assert isinstance(await send(platform, address), Sent)
    forum = telegram.group("Forum", [ann], forum=True)
    telegram.trouble("sendPhoto", status=400, description="Bad Request: TOPIC_CLOSED")
    in_topic = await chats.place(f"{forum.chat_id}/{forum.topic('Games')}")
    assert isinstance(await send(platform, in_topic), Sent)
    assert [(one.chat, one.thread_id, bool(one.photo)) for one in telegram.posts] == [
        (new, None, True),
        (forum, None, True),
    ]


async def test_a_closed_topic_of_a_group_that_takes_no_pictures_gets_the_text(
    platform: Telegram, telegram: FakeTelegram, chats: Chats, ann: User
) -> None:
    forum = telegram.group("Forum", [ann], forum=True)
    address = await chats.place(f"{forum.chat_id}/{forum.topic('Games')}")
    telegram.trouble("sendPhoto", status=400, description="Bad Request: TOPIC_CLOSED")
    telegram.trouble("sendPhoto", status=400, description="Bad Request: IMAGE_PROCESS_FAILED")
    telegram.trouble("sendMessage", status=400, description="Bad Request: TOPIC_CLOSED")
    assert isinstance(await send(platform, address), Sent)
    assert [(one.photo, one.text) for one in telegram.posts] == [(None, SHOWN)]


async def test_a_picture_ends_as_a_message_would(
    platform: Telegram, telegram: FakeTelegram, ann: User, anns: str
) -> None:
    telegram.trouble("sendPhoto", status=429, parameters={"retry_after": 17})
    assert await send(platform, anns) == Later(17_000)
    telegram.trouble("sendPhoto", status=502)
    assert await send(platform, anns) == Unknown()
    telegram.trouble("sendPhoto", drop=True)
    assert await send(platform, anns) == Unknown()
    telegram.trouble("sendPhoto", status=400, description="Bad Request: chat not found")
    assert await send(platform, anns) == Gone()
    ann.thread.refusal = (403, "Forbidden: bot was blocked by the user")
    assert await send(platform, anns) == Gone()
    assert telegram.posts == []


async def test_the_largest_card_is_a_photo_telegram_takes(
    platform: Telegram, telegram: FakeTelegram, anns: str
) -> None:
    names = {f"s{seat}": f"👑 محمد 田中 {seat}" for seat in range(1, 8)}
    scores = tuple(Score(seat, (4,) * 40, 160) for seat in names)
    largest = ScoreCard("x" * 200, tuple(map(str, range(40))), "Total", scores, tuple(names))
    letter = Letter(anns, "It is over.", "", names=names, score_card=largest)
    assert isinstance(await platform.messenger.send(letter, "r:r1.1.0", ""), Sent)
    photo = telegram.posts[0].photo
    assert photo is not None
    assert len(photo) < 500_000
