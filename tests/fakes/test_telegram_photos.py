"""The fake Bot API takes the photos that the real one takes, seen through python-telegram-bot."""

from io import BytesIO

import pytest
from PIL import Image
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity
from telegram.error import BadRequest, Forbidden, RetryAfter

from tests.fakes.telegram import FakeTelegram, User

AGAIN = InlineKeyboardMarkup([[InlineKeyboardButton("Again", callback_data="r:again")]])


def png(width: int = 40, height: int = 30) -> bytes:
    stored = BytesIO()
    # Noise, so that its bytes hold line ends and whatever else a form could trip over.
    Image.effect_noise((width, height), 90).save(stored, "PNG")
    return stored.getvalue()


@pytest.fixture(autouse=True)
def timedeltas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


async def test_a_photo_arrives_byte_for_byte_with_its_caption_and_buttons(
    bot: Bot, telegram: FakeTelegram, ann: User
) -> None:
    sent = png(300, 200)
    message = await bot.send_photo(
        ann.user_id, sent, " It is over. ", reply_markup=AGAIN, protect_content=True
    )
    posted = telegram.posts[0]
    assert (posted.photo, posted.text, posted.labels) == (sent, "It is over.", ["Again"])
    assert posted.protected
    assert (message.caption, message.text) == ("It is over.", None)
    assert [(size.width, size.height) for size in message.photo] == [(300, 200)]
    assert "(photo) 'It is over.' [Again]" in telegram.transcript()


async def test_a_photo_needs_no_caption(bot: Bot, telegram: FakeTelegram, ann: User) -> None:
    message = await bot.send_photo(ann.user_id, png())
    assert message.caption is None
    assert telegram.posts[0].text == ""


async def test_a_caption_takes_1024_units(bot: Bot, ann: User) -> None:
    assert await bot.send_photo(ann.user_id, png(), "🦊" * 512)
    with pytest.raises(BadRequest, match="caption is too long"):
        await bot.send_photo(ann.user_id, png(), "🦊" * 512 + "x")


async def test_a_captions_entities_are_its_own(bot: Bot, ann: User) -> None:
    bold = [MessageEntity("bold", 0, 3)]
    message = await bot.send_photo(ann.user_id, png(), "Ann wins", caption_entities=bold)
    assert [entity.type for entity in message.caption_entities] == ["bold"]
    with pytest.raises(BadRequest, match="out of the text"):
        await bot.send_photo(ann.user_id, png(), "An", caption_entities=bold)


@pytest.mark.parametrize(
    ("photo", "said"),
    [
        (b"", "non-empty"),
        (b"GIF89a", "IMAGE_PROCESS_FAILED"),
        (png()[:-1], "IMAGE_PROCESS_FAILED"),
        (png()[:60] + b"\x00" + png()[61:], "IMAGE_PROCESS_FAILED"),
        (png(9_000, 1_001), "PHOTO_INVALID_DIMENSIONS"),
        (png(210, 10), "PHOTO_INVALID_DIMENSIONS"),
        (png() + b"\x00" * (10 * 1024 * 1024), "file is too big"),
        ("AgACAgQAAxkBAAI", "wrong remote file identifier"),
    ],
)
async def test_what_is_no_photo_is_refused(
    bot: Bot, ann: User, photo: bytes | str, said: str
) -> None:
    with pytest.raises(BadRequest, match=f"(?i){said}"):
        await bot.send_photo(ann.user_id, photo)


async def test_a_photo_has_no_text_to_edit(bot: Bot, ann: User) -> None:
    message = await bot.send_photo(ann.user_id, png(), "It is over.")
    with pytest.raises(BadRequest, match="no text in the message to edit"):
        await bot.edit_message_text("Again!", ann.user_id, message.message_id)


async def test_a_photos_buttons_can_be_taken_away(
    bot: Bot, telegram: FakeTelegram, ann: User
) -> None:
    await bot.send_photo(ann.user_id, png(), reply_markup=AGAIN)
    await bot.edit_message_reply_markup(ann.user_id, telegram.posts[0].message_id)
    assert telegram.posts[0].labels == []


async def test_an_unknown_parameter_is_a_violation(
    bot: Bot, telegram: FakeTelegram, ann: User
) -> None:
    await bot.send_photo(ann.user_id, png(), api_kwargs={"text": "hello"})
    assert telegram.violations == ["sendPhoto has no parameter 'text'"]
    telegram.violations.clear()


async def test_a_photo_counts_as_a_message_of_its_chat(
    bot: Bot, telegram: FakeTelegram, ann: User
) -> None:
    group = telegram.group("Pals", [ann])
    telegram.world.flood_limits = True
    for _ in range(20):
        await bot.send_photo(group.chat_id, png())
    with pytest.raises(RetryAfter):
        await bot.send_photo(group.chat_id, png())
    group.bot_status = "kicked"
    with pytest.raises(Forbidden):
        await bot.send_photo(group.chat_id, png())
