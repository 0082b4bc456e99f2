"""Text, entities and keyboards by the Bot API's rules: what it takes, and what it refuses.

Lengths and offsets are UTF-16 code units, as everywhere in the Bot API; the limits are those
of its page (https://core.telegram.org/bots/api). Every refusal is an `ApiError` of status 400.
"""

import html
import re
from itertools import accumulate
from urllib.parse import urlsplit

import msgspec

from tests.fakes.telegram_schema import ApiError, Json

TEXT_MAX = 4096
CAPTION_MAX = 1024
ALERT_MAX = 200
CALLBACK_DATA_MAX_BYTES = 64
BUTTONS_MAX = 100
BUTTONS_IN_A_ROW_MAX = 8
ENTITY_OF_TAG = {
    "b": "bold",
    "i": "italic",
    "u": "underline",
    "s": "strikethrough",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
    "tg-spoiler": "spoiler",
    "blockquote": "blockquote",
}
_PIECE = re.compile(
    r"<(/?)([A-Za-z][A-Za-z-]*)([^<>]*)>|&(?:lt|gt|amp|quot|#\d+|#x[0-9A-Fa-f]+);|[^<>&]+|."
)
_HREF = re.compile(r"""\s+href=(?:"([^"]*)"|'([^']*)')\s*""")
_COMMAND_OR_MENTION = re.compile(r"(?<!\S)(/[A-Za-z0-9_]{1,32}(?:@\w+)?|@\w{4,32})")


class Entity(msgspec.Struct, omit_defaults=True):
    """A MessageEntity; offset and length in UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str | None = None
    user: Json | None = None
    language: str | None = None
    custom_emoji_id: str | None = None


class InlineButton(msgspec.Struct):
    """The fields of an inline button that decide what a press does."""

    text: str
    callback_data: str | None = None
    url: str | None = None
    web_app: Json | None = None
    switch_inline_query: str | None = None
    switch_inline_query_current_chat: str | None = None
    copy_text: Json | None = None
    disabled: Json | None = None


def bad_request(what: str, parameters: Json | None = None) -> ApiError:
    """A 400 in the Bot API's wording."""
    return ApiError(400, f"Bad Request: {what}", parameters)


def units(text: str) -> int:
    """How many UTF-16 code units the text takes."""
    return len(text.encode("utf-16-le")) // 2


def formatted(
    text: str, parse_mode: str | None, entities: list[Entity]
) -> tuple[str, list[Entity]]:
    """The text as it will be seen and its entities, or an `ApiError`."""
    if parse_mode:
        if parse_mode.upper() != "HTML":
            raise bad_request("unsupported parse_mode")
        text, entities = from_html(text)
    _check_entities(text, entities)
    cut = units(text[: len(text) - len(text.lstrip())])
    text = text.strip()
    return text, _shifted(entities, cut, units(text))


def check_text(text: str) -> None:
    """Whether a message can say so: 1 to 4096 units."""
    if not text:
        raise bad_request("message text is empty")
    if units(text) > TEXT_MAX:
        raise bad_request("message is too long")


def check_caption(text: str) -> None:
    """Whether it can stand under a photo: at most 1024 units, or nothing."""
    if units(text) > CAPTION_MAX:
        raise bad_request("message caption is too long")


def from_html(source: str) -> tuple[str, list[Entity]]:
    """Telegram's HTML as plain text with entities; anything unbalanced or unescaped is a 400."""
    text = ""
    open_tags: list[tuple[str, Entity]] = []
    entities: list[Entity] = []
    for piece in _PIECE.finditer(source):
        closing, tag, attributes = piece[1], piece[2], piece[3]
        at = f"at byte offset {len(source[: piece.start()].encode())}"
        if tag is None:
            if piece[0] in "<>&":
                raise bad_request(f"can't parse entities: Unescaped {piece[0]!r} {at}")
            text += html.unescape(piece[0])
        elif not closing:
            entity = _opened(tag.lower(), attributes, units(text), at)
            open_tags.append((tag.lower(), entity))
            entities.append(entity)
        else:
            if not open_tags or open_tags[-1][0] != tag.lower():
                raise bad_request(
                    f"can't parse entities: Unmatched end tag {at}, found {piece[0]!r}"
                )
            entity = open_tags.pop()[1]
            entity.length = units(text) - entity.offset
    if open_tags:
        tag = open_tags[-1][0]
        raise bad_request(f"can't parse entities: Can't find end tag of start tag {tag!r}")
    return text, [entity for entity in entities if entity.length]


def _opened(tag: str, attributes: str, offset: int, at: str) -> Entity:
    kind = ENTITY_OF_TAG.get(tag)
    if kind is None:
        raise bad_request(f'can\'t parse entities: Unsupported start tag "{tag}" {at}')
    href = _HREF.fullmatch(attributes)
    if tag == "a" and href:
        return Entity(kind, offset, 0, url=html.unescape(href[1] or href[2] or ""))
    if attributes.strip() and (tag, attributes.strip()) != ("blockquote", "expandable"):
        raise bad_request(f'can\'t parse entities: Unexpected attributes of tag "{tag}" {at}')
    return Entity(kind, offset, 0)


def _check_entities(text: str, entities: list[Entity]) -> None:
    edges = set(accumulate(map(units, text), initial=0))
    for one in entities:
        if one.length <= 0 or one.offset not in edges or one.offset + one.length not in edges:
            raise bad_request(
                f"can't parse entities: {one.type} at UTF-16 offset {one.offset} is out of the text"
            )
        if (one.type == "text_link" and not one.url) or (
            one.type == "text_mention" and not one.user
        ):
            raise bad_request(f"can't parse entities: {one.type} has no target")


def _shifted(entities: list[Entity], cut: int, length: int) -> list[Entity]:
    """The entities after `cut` units went from the front, inside what is left."""
    kept: list[Entity] = []
    for one in entities:
        start, end = max(one.offset - cut, 0), min(one.offset + one.length - cut, length)
        if end > start:
            kept.append(msgspec.structs.replace(one, offset=start, length=end - start))
    return kept


def typed_entities(text: str) -> list[Json]:
    """The entities Telegram itself finds in what a person typed: commands and mentions."""
    return [
        {
            "type": "bot_command" if found[0].startswith("/") else "mention",
            "offset": units(text[: found.start()]),
            "length": units(found[0]),
        }
        for found in _COMMAND_OR_MENTION.finditer(text)
    ]


def inline_keyboard(markup: Json | None, *, private: bool) -> list[list[InlineButton]]:
    """The rows of an inline keyboard (none for other markups), or an `ApiError`."""
    rows = msgspec.convert((markup or {}).get("inline_keyboard", []), list[list[InlineButton]])
    if sum(map(len, rows)) > BUTTONS_MAX or any(len(row) > BUTTONS_IN_A_ROW_MAX for row in rows):
        raise bad_request("reply markup is too long")
    for row in rows:
        for button in row:
            _check_button(button, private=private)
    return rows


def _check_button(button: InlineButton, *, private: bool) -> None:
    if not button.text.strip():
        raise bad_request("can't parse inline keyboard button: button text must be non-empty")
    actions = msgspec.structs.astuple(button)[1:]
    if sum(action is not None for action in actions) != 1:
        raise bad_request(
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
        )
    if (
        button.callback_data is not None
        and not 1 <= len(button.callback_data.encode()) <= CALLBACK_DATA_MAX_BYTES
    ):
        raise bad_request("BUTTON_DATA_INVALID")
    if button.web_app is not None and not private:
        raise bad_request("BUTTON_TYPE_INVALID")
    if button.url is not None and not _is_link(button.url):
        raise bad_request(f"inline keyboard button URL '{button.url}' is invalid: Wrong HTTP URL")


def _is_link(url: str) -> bool:
    """Only web addresses with a dotted host, and Telegram's own scheme: never `sms:`."""
    parts = urlsplit(url)
    return parts.scheme == "tg" or (
        parts.scheme in ("http", "https") and "." in (parts.hostname or "")
    )
