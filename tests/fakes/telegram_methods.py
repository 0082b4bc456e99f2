"""All methods of the Bot API that the fake knows, found by name; each refuses or has its result."""

import re
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import msgspec

from tests.fakes.telegram_delivery import SECRET_TOKEN, Webhook
from tests.fakes.telegram_messages import MessageMethods
from tests.fakes.telegram_schema import ApiError, Json, bot_api
from tests.fakes.telegram_text import bad_request
from tests.fakes.telegram_world import Group, World

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")


class _Hook(msgspec.Struct):
    url: str = ""
    secret_token: str | None = None
    max_connections: int = 40
    allowed_updates: tuple[str, ...] | None = None
    drop_pending_updates: bool = False


class _Poll(msgspec.Struct):
    offset: int = 0
    limit: int = 100
    timeout: float = 0
    allowed_updates: tuple[str, ...] | None = None


class _Command(msgspec.Struct):
    command: str
    description: str


class BotApi:
    """The methods this fake knows; all others are 404, as an unknown method is."""

    def __init__(self, world: World) -> None:
        """The methods act on this world."""
        self.world = world
        messages = MessageMethods(world)
        self._methods: dict[str, Callable[[Json], Awaitable[object]]] = {
            "getMe": self._get_me,
            "sendMessage": messages.send_message,
            "sendPhoto": messages.send_photo,
            "editMessageText": messages.edit_message_text,
            "editMessageReplyMarkup": messages.edit_message_reply_markup,
            "deleteMessage": messages.delete_message,
            "answerCallbackQuery": messages.answer_callback_query,
            "setWebhook": self._set_webhook,
            "deleteWebhook": self._delete_webhook,
            "getWebhookInfo": self._get_webhook_info,
            "setMyCommands": self._set_my_commands,
            "getUpdates": self._get_updates,
            "getChat": self._get_chat,
            "getChatMember": self._get_chat_member,
            "leaveChat": self._leave_chat,
        }

    async def run(self, method: str, sent: Json) -> object:
        """The `result` of one call; an `ApiError` otherwise. Breaches of the schema are noted."""
        if method not in self._methods:
            known = (
                "is not modelled by this fake" if method in bot_api().methods else "does not exist"
            )
            self.world.violations.append(f"the method {method} {known}")
            raise ApiError(404, "Not Found")
        params, complaints = bot_api().read(method, sent)
        self.world.violations += complaints
        if "chat_id" not in params and any(f.name == "chat_id" for f in bot_api().methods[method]):
            raise bad_request("chat_id is empty")
        try:
            return await self._methods[method](params)
        except msgspec.ValidationError as error:
            raise bad_request(f"{method}: {error}") from error

    async def _get_me(self, _: Json) -> object:
        rights: Json = {
            "can_join_groups": True,
            "can_read_all_group_messages": not self.world.privacy,
        }
        return self.world.bot | rights | {"supports_inline_queries": False}

    async def _set_webhook(self, params: Json) -> object:
        hook = msgspec.convert(params, _Hook)
        if not hook.url:
            return await self._delete_webhook(params)
        link = urlsplit(hook.url)
        if link.scheme != "https" and link.hostname not in ("127.0.0.1", "localhost", "::1"):
            raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
        if hook.secret_token is not None and not SECRET_TOKEN.fullmatch(hook.secret_token):
            raise bad_request("secret token contains unallowed characters")
        if not 1 <= hook.max_connections <= 100:
            raise bad_request("max_connections must be between 1 and 100")
        self._settle_updates(hook.allowed_updates, drop=hook.drop_pending_updates)
        self.world.delivery.set_webhook(Webhook(hook.url, hook.secret_token, hook.max_connections))
        return True

    async def _delete_webhook(self, params: Json) -> object:
        self._settle_updates(None, drop=msgspec.convert(params, _Hook).drop_pending_updates)
        self.world.delivery.set_webhook(None)
        return True

    def _settle_updates(self, allowed: tuple[str, ...] | None, *, drop: bool) -> None:
        """`allowed_updates` sticks until it is given again; an empty list is the default set."""
        if allowed is not None:
            kinds = {field.name for field in bot_api().objects["Update"]}
            unknown = sorted(set(allowed) - kinds)
            self.world.violations += [f"allowed_updates: there is no {kind!r}" for kind in unknown]
            self.world.delivery.allowed_updates = allowed
        if drop:
            self.world.delivery.drop_pending()

    async def _get_webhook_info(self, _: Json) -> object:
        delivery = self.world.delivery
        info: Json = {
            "url": delivery.webhook.url if delivery.webhook else "",
            "has_custom_certificate": False,
            "pending_update_count": len(delivery.pending),
            "max_connections": delivery.webhook.max_connections if delivery.webhook else 40,
        }
        if delivery.allowed_updates:
            info["allowed_updates"] = list(delivery.allowed_updates)
        for attempt in delivery.attempts:
            if attempt.problem:
                info |= {"last_error_date": int(attempt.at), "last_error_message": attempt.problem}
        return info

    async def _set_my_commands(self, params: Json) -> object:
        commands = msgspec.convert(params.get("commands"), list[_Command])
        if len(commands) > 100:
            raise bad_request("BOT_COMMANDS_TOO_MUCH")
        for one in commands:
            if not _COMMAND.fullmatch(one.command):
                raise bad_request("BOT_COMMAND_INVALID")
            if not 1 <= len(one.description) <= 256:
                raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
        scope = msgspec.json.encode(
            params.get("scope", {"type": "default"}), order="sorted"
        ).decode()
        key = (scope, str(params.get("language_code", "")))
        self.world.commands[key] = msgspec.convert(params["commands"], list[Json])
        return True

    async def _get_updates(self, params: Json) -> object:
        poll = msgspec.convert(params, _Poll)
        if poll.allowed_updates is not None and self.world.delivery.webhook is None:
            self._settle_updates(poll.allowed_updates, drop=False)
        return await self.world.delivery.poll(
            poll.offset, min(max(poll.limit, 1), 100), poll.timeout
        )

    async def _get_chat(self, params: Json) -> object:
        chat = self.world.find_chat(params["chat_id"])
        if not chat.private:
            chat.check_access()
        gifts = (
            "unlimited_gifts",
            "limited_gifts",
            "unique_gifts",
            "premium_subscription",
            "gifts_from_channels",
        )
        extra: Json = {
            "accent_color_id": 0,
            "max_reaction_count": 11,
            "accepted_gift_types": dict.fromkeys(gifts, False),
        }
        return chat.as_json() | extra

    async def _get_chat_member(self, params: Json) -> object:
        chat = self.world.find_chat(params["chat_id"])
        chat.check_access()
        user_id = msgspec.convert(params.get("user_id"), int)
        if user_id == self.world.bot["id"]:
            return self.world.member(self.world.bot, chat.bot_status)
        user = self.world.users.get(user_id)
        if user is None:
            raise bad_request("user not found")
        inside = user.thread is chat or (isinstance(chat, Group) and user in chat.members)
        return self.world.member(user.as_json(), "member" if inside else "left")

    async def _leave_chat(self, params: Json) -> object:
        chat = self.world.find_chat(params["chat_id"])
        if chat.private:
            raise bad_request("chat member status can't be changed in private chats")
        chat.check_access()
        self.world.bot_becomes(chat, self.world.bot, "left")
        return True
