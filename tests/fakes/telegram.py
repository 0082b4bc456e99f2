"""A strict stand-in for the Telegram Bot API over real HTTP, for python-telegram-bot and webhooks.

    async with FakeTelegram() as telegram:
        bot = Bot(telegram.token, base_url=telegram.base_url)
        telegram.deliver_to("http://127.0.0.1:8000/telegram", "secret")
        ann, bo = telegram.user("Ann"), telegram.user("Bo")
        group = telegram.group("Pals", members=[ann, bo])
        await ann.says("/start KTRGW")
        toast = await ann.presses(group, "Join")

It refuses what the Bot API refuses, in its words. What a bot sends that Bot API 10.3 does not
know is kept in `violations`, and leaving the `async with` then raises an AssertionError.
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from tests.fakes.telegram_delivery import Attempt, Bell, Delivery, Update, Webhook
from tests.fakes.telegram_methods import BotApi
from tests.fakes.telegram_people import User
from tests.fakes.telegram_records import Button, Call, Chat, Edit, Posted, Said, Toast
from tests.fakes.telegram_schema import ApiError, Json
from tests.fakes.telegram_server import Cut, Server, json_reply, read_params
from tests.fakes.telegram_world import FIRST_SUPERGROUP_ID, Group, World

__all__ = [
    "Attempt",
    "Button",
    "Call",
    "Chat",
    "Edit",
    "FakeTelegram",
    "Group",
    "Posted",
    "Said",
    "Toast",
    "Trouble",
    "User",
]

FIRST_USER_ID = 2**51 + 1001  # ids go up to 52 bits: whoever keeps them in 32 finds out here
FIRST_GROUP_ID = -4_000_000_001


@dataclass(eq=False)
class Trouble:
    """A fault that hits the next `left` calls of a method (none: all, until `ends`)."""

    method: str
    left: int | None
    chat_id: int | None
    error: ApiError | None
    after_the_effect: bool
    delay_seconds: float
    drop: bool

    def ends(self) -> None:
        """No further call is hit."""
        self.left = 0

    def hits(self, call: Call) -> bool:
        """Whether it is this call's turn; counts it."""
        if self.left == 0 or call.method != self.method:
            return False
        if self.chat_id is not None and str(call.chat_id) != str(self.chat_id):
            return False
        if self.left is not None:
            self.left -= 1
        return True


class FakeTelegram:
    """One bot's Telegram on 127.0.0.1, for as long as the `async with` lasts."""

    def __init__(
        self,
        token: str = "123:abc",  # noqa: S107 the token of a bot that does not exist
        bot_username: str = "parlour_bot",
        *,
        privacy: bool = True,
        flood_limits: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`clock` in epoch seconds; `flood_limits` switches on the 20 a minute of a group."""
        self.token = token
        self.calls: list[Call] = []
        self._bell = Bell()
        self._called = Bell()
        self._running = 0
        self._troubles: list[Trouble] = []
        self._closing = asyncio.Event()
        bot: Json = {
            "id": int(token.split(":", maxsplit=1)[0]),
            "is_bot": True,
            "first_name": "Parlour",
            "username": bot_username,
        }
        self._delivery = Delivery(clock, self._bell, self._obey)
        self.world = World(bot, clock, self._delivery, self._bell)
        self.world.privacy = privacy
        self.world.flood_limits = flood_limits
        self._api = BotApi(self.world)

    async def __aenter__(self) -> Self:
        """Listen."""
        # The protocol is named, because asyncio sets TCP_NODELAY only on sockets that name it.
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.bind(("127.0.0.1", 0))
        app = Starlette(
            routes=[Route("/bot{token}/{method}", self._endpoint, methods=["GET", "POST"])]
        )
        self._server = Server(app)
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        await self._server.listening.wait()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop; an AssertionError if the bot broke the schema and nothing else went wrong."""
        self._closing.set()
        await self._delivery.close()
        self._server.stop()
        await self._serving
        if error is None and self.violations:
            raise AssertionError("the bot broke the Bot API:\n" + "\n".join(self.violations))

    # Who is there

    def user(
        self, name: str, *, username: str | None = None, language_code: str | None = "en"
    ) -> User:
        """Somebody new, who has not written to the bot yet."""
        user = User(
            self.world, FIRST_USER_ID + len(self.world.users), name, username, language_code
        )
        self.world.users[user.user_id] = user
        self.world.chats[user.user_id] = user.thread
        return user

    def group(
        self,
        title: str,
        members: Iterable[User] = (),
        *,
        kind: str = "supergroup",
        forum: bool = False,
        bot: str = "member",
    ) -> Group:
        """A new `supergroup` or `group`; `bot` is what the bot is in it, `left` if not there."""
        first = FIRST_SUPERGROUP_ID if kind == "supergroup" else FIRST_GROUP_ID
        count = sum(chat.kind == kind for chat in self.world.chats.values())
        group = Group(self.world, first - count, title, members, kind=kind, is_forum=forum, bot=bot)
        self.world.chats[group.chat_id] = group
        return group

    def chat(self, who: User | Chat) -> Chat:
        """The private thread of a person, or the group itself."""
        return who.thread if isinstance(who, User) else who

    # What the bot did

    @property
    def base_url(self) -> str:
        """What python-telegram-bot takes as `base_url`."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/bot"

    @property
    def posts(self) -> list[Posted]:
        """Every message of the bot in order, over all chats."""
        return self.world.posts

    @property
    def violations(self) -> list[str]:
        """What the bot sent that Bot API 10.3 does not know; clear it if that was the point."""
        return self.world.violations

    @property
    def commands(self) -> dict[tuple[str, str], list[Json]]:
        """What setMyCommands set, by (scope as JSON, language code)."""
        return self.world.commands

    @property
    def updates(self) -> list[Update]:
        """Every update in order, with its fate."""
        return self._delivery.updates

    @property
    def attempts(self) -> list[Attempt]:
        """Every webhook request in order."""
        return self._delivery.attempts

    def transcript(self, last: int | None = None) -> str:
        """Everything that was said and shown, one event a line."""
        return self.world.transcript(last)

    # How updates go out, and what goes wrong

    def deliver_to(
        self,
        webhook_url: str,
        secret_token: str | None = None,
        *,
        times: int = 1,
        give_up_seconds: float = 300.0,
    ) -> None:
        """Send updates there, whatever public URL setWebhook names.

        Each is sent `times` times, the next after the one before got its 2xx; anything else is
        tried again for `give_up_seconds`.
        """
        self._delivery.address = webhook_url
        self._delivery.times = times
        self._delivery.give_up_seconds = give_up_seconds
        self._delivery.set_webhook(Webhook(webhook_url, secret_token))

    async def redeliver(self, update: Update) -> None:
        """Send an old update once more under its old id, and wait until it is taken."""
        await self.world.wait_for(self._delivery.again(update))

    def trouble(  # noqa: PLR0913 one keyword for each thing that can go wrong
        self,
        method: str,
        *,
        times: int | None = 1,
        chat: User | Chat | None = None,
        status: int | None = None,
        description: str = "",
        parameters: Json | None = None,
        after_the_effect: bool = False,
        delay_seconds: float = 0.0,
        drop: bool = False,
    ) -> Trouble:
        """Make the next calls of a method fail, late, or unanswered.

        `status` is refused with, `drop` cuts the connection; both before the effect, or after.
        """
        error = (
            None
            if status is None
            else ApiError(status, description or "Internal Server Error", parameters)
        )
        chat_id = None if chat is None else self.chat(chat).chat_id
        trouble = Trouble(method, times, chat_id, error, after_the_effect, delay_seconds, drop)
        self._troubles.append(trouble)
        return trouble

    # Waiting

    async def until(self, predicate: Callable[[], bool], within: float = 10.0) -> None:
        """Wait until it is so; an AssertionError with the transcript after `within` seconds."""
        seconds = asyncio.get_running_loop().time
        ends = seconds() + within
        while not predicate():
            if seconds() >= ends:
                raise AssertionError(f"not within {within} s:\n{self.transcript(40)}")
            # Most predicates turn true with a call; those about something else are asked again.
            await self._bell.next(min(ends - seconds(), 0.05))

    async def quiet(self, for_seconds: float = 0.2, within: float = 10.0) -> None:
        """Wait until no call came and none ran for so long; an AssertionError after `within`."""
        seconds = asyncio.get_running_loop().time
        ends = seconds() + within
        while await self._called.next(for_seconds) or self._running:
            if seconds() >= ends:
                raise AssertionError(f"not quiet within {within} s:\n{self.transcript(40)}")

    # The server

    async def _obey(self, command: Json) -> None:
        """Run a method that came in a webhook's reply."""
        method = str(command.pop("method"))
        call = Call(method, command, self.world.clock())
        self.calls.append(call)
        with contextlib.suppress(ApiError):
            await self._run(call)

    async def _endpoint(self, request: Request) -> Response:
        if request.path_params["token"] != self.token:
            return json_reply(401, ApiError(401, "Unauthorized").as_json())
        try:
            params = await read_params(request)
        except ClientDisconnect:
            return Cut()  # whoever called died in the middle of it
        call = Call(str(request.path_params["method"]), params, self.world.clock())
        self.calls.append(call)
        polling = call.method == "getUpdates"
        self._running += not polling
        if not polling:
            self._called.ring()
        try:
            return await self._answer(call)
        finally:
            self._running -= not polling
            if not polling:
                self._called.ring()
            self._bell.ring()

    async def _answer(self, call: Call) -> Response:
        trouble = next((one for one in self._troubles if one.hits(call)), None)
        fails = trouble is not None and (trouble.drop or trouble.error is not None)
        try:
            if trouble is None or not fails or trouble.after_the_effect:
                result = await self._run(call)
            else:
                result = None
            if trouble is not None:
                await self._delay(trouble.delay_seconds)
                if trouble.drop:
                    call.status = None
                    return Cut()
                if trouble.error:
                    raise trouble.error
        except ApiError as error:
            call.status, call.description = error.status, error.description
            return json_reply(error.status, error.as_json())
        return json_reply(200, {"ok": True, "result": result})

    async def _run(self, call: Call) -> object:
        try:
            result = await self._api.run(call.method, call.params)
        except ApiError as error:
            call.status, call.description = error.status, error.description
            raise
        call.status = 200
        return result

    async def _delay(self, delay_seconds: float) -> None:
        if delay_seconds:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), delay_seconds)
