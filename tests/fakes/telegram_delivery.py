"""How updates leave Telegram: one queue a chat or a person, webhooks with retries, polling.

Theory of operation. Every update sits in the queue of its chat (messages, membership) or of
its person (callback queries). A queue has one update in flight; queues do not wait for each
other. Any 2xx settles an update; everything else is tried again after a short growing pause,
so that a server which was killed and started again finds its updates waiting.
"""

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx
import msgspec

from tests.fakes.telegram_schema import ApiError, Json

FIRST_PAUSE_SECONDS = 0.02
LONGEST_PAUSE_SECONDS = 1.0
REPLY_WITHIN_SECONDS = 60.0
LONGEST_POLL_SECONDS = 50.0
ONLY_WHEN_ASKED_FOR = {"chat_member", "message_reaction", "message_reaction_count"}
SECRET_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,256}")


class Bell:
    """Wakes everyone who waits, each time it rings."""

    def __init__(self) -> None:
        """Nobody waits yet."""
        self._waiting: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        """Wake whoever waits now."""
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)

    async def next(self, within_seconds: float) -> bool:
        """Whether the bell rang before so many seconds were over."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.add(waiter)
        try:
            await asyncio.wait([waiter], timeout=max(within_seconds, 0.0))
            return waiter.done()
        finally:
            self._waiting.discard(waiter)
            waiter.cancel()


@dataclass(eq=False)
class Update:
    """One update; `fate` becomes "delivered", "expired", "dropped" or "given up"."""

    update_id: int
    kind: str
    body: Json
    queue: tuple[str, int]
    expires_at: float
    fate: asyncio.Future[str] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def settle(self, fate: str) -> None:
        """The first fate stays."""
        if not self.fate.done():
            self.fate.set_result(fate)


@dataclass(frozen=True)
class Attempt:
    """One webhook request: the HTTP status, or none when there was no answer."""

    update_id: int
    status: int | None
    problem: str
    at: float


@dataclass(frozen=True)
class Webhook:
    """What setWebhook or `deliver_to` asked for."""

    url: str
    secret_token: str | None = None
    max_connections: int = 40


class Delivery:
    """Updates on their way to the bot, by webhook or by polling."""

    def __init__(
        self, clock: Callable[[], float], bell: Bell, obey: Callable[[Json], Awaitable[None]]
    ) -> None:
        """`clock` in epoch seconds; `obey` runs a method that came in a webhook's reply."""
        self.webhook: Webhook | None = None
        self.allowed_updates: tuple[str, ...] = ()
        self.address: str | None = None
        self.times = 1
        self.give_up_seconds = 300.0
        self.updates: list[Update] = []
        self.attempts: list[Attempt] = []
        self._clock = clock
        self._bell = bell
        self._obey = obey
        self._next_id = 870_000_001
        self._queues: dict[tuple[str, int], deque[Update]] = {}
        self._carriers: set[asyncio.Task[None]] = set()
        self._hooked = asyncio.Event()
        self._polls = 0
        self._closing = False
        self._http = httpx.AsyncClient(trust_env=False, timeout=REPLY_WITHIN_SECONDS)

    @property
    def pending(self) -> list[Update]:
        """The updates nobody has taken yet, oldest first."""
        return [update for update in self.updates if not update.fate.done()]

    def set_webhook(self, webhook: Webhook | None) -> None:
        """Where updates go from now on; none is polling."""
        self.webhook = webhook
        (self._hooked.set if webhook else self._hooked.clear)()
        self._bell.ring()

    def drop_pending(self) -> None:
        """What `drop_pending_updates` does: players' answers are gone."""
        for update in self.pending:
            update.settle("dropped")

    def accept(
        self, kind: str, content: Json, queue: tuple[str, int], lasts_seconds: float
    ) -> Update:
        """Take an update in; if the bot did not ask for its kind it is dropped at once."""
        body: Json = {"update_id": self._next_id, kind: content}
        update = Update(self._next_id, kind, body, queue, self._clock() + lasts_seconds)
        self._next_id += 1
        self.updates.append(update)
        wanted = (
            kind in self.allowed_updates
            if self.allowed_updates
            else kind not in ONLY_WHEN_ASKED_FOR
        )
        if wanted:
            self._enqueue(update)
        else:
            update.settle("dropped")
        self._bell.ring()
        return update

    def again(self, update: Update) -> Update:
        """Send an old update once more, late, under its old id."""
        copy = Update(
            update.update_id, update.kind, update.body, update.queue, self._clock() + 60.0
        )
        self._enqueue(copy)
        return copy

    def _enqueue(self, update: Update) -> None:
        waiting = self._queues.setdefault(update.queue, deque())
        waiting.append(update)
        if len(waiting) == 1:
            carrier = asyncio.create_task(self._drain(update.queue))
            self._carriers.add(carrier)
            carrier.add_done_callback(self._carriers.discard)

    async def _drain(self, queue: tuple[str, int]) -> None:
        waiting = self._queues[queue]
        while waiting:
            await self._carry(waiting[0])
            waiting.popleft()
        del self._queues[queue]

    async def _carry(self, update: Update) -> None:
        seconds = asyncio.get_running_loop().time
        ends, pause, taken = seconds() + self.give_up_seconds, FIRST_PAUSE_SECONDS, 0
        while not update.fate.done():
            if self._clock() >= update.expires_at:
                update.settle("expired")
            elif seconds() > ends:
                update.settle("given up")
            elif self.webhook is None:
                await self._hook_or_fate(update)
            elif await self._attempt(update, self.webhook):
                taken, pause = taken + 1, FIRST_PAUSE_SECONDS
                if taken >= self.times:
                    update.settle("delivered")
            else:
                await asyncio.sleep(pause)
                pause = min(pause * 1.5, LONGEST_PAUSE_SECONDS)
        self._bell.ring()

    async def _hook_or_fate(self, update: Update) -> None:
        hooked = asyncio.create_task(self._hooked.wait())
        try:
            await asyncio.wait([hooked, update.fate], return_when=asyncio.FIRST_COMPLETED)
        finally:
            hooked.cancel()
            with suppress(asyncio.CancelledError):
                await hooked

    async def _attempt(self, update: Update, webhook: Webhook) -> bool:
        headers = {"content-type": "application/json"}
        if webhook.secret_token:
            headers["X-Telegram-Bot-Api-Secret-Token"] = webhook.secret_token
        url = self.address or webhook.url
        try:
            if urlsplit(url).hostname not in ("127.0.0.1", "localhost", "::1"):
                # A test must never reach out: a public URL just never answers.
                raise httpx.ConnectError("Connection timed out")
            reply = await self._http.post(
                url, content=msgspec.json.encode(update.body), headers=headers
            )
        except httpx.HTTPError as error:
            self._note(update, None, f"{type(error).__name__}: {error}")
            return False
        if not reply.is_success:
            self._note(
                update, reply.status_code, f"Wrong response from the webhook: {reply.status_code}"
            )
            return False
        self._note(update, reply.status_code, "")
        await self._obey_reply(reply)
        return True

    def _note(self, update: Update, status: int | None, problem: str) -> None:
        self.attempts.append(Attempt(update.update_id, status, problem, self._clock()))
        self._bell.ring()

    async def _obey_reply(self, reply: httpx.Response) -> None:
        """A 2xx with JSON may name a method to run; its result stays unknown to the bot."""
        with suppress(msgspec.MsgspecError):
            command = msgspec.json.decode(reply.content, type=dict[str, object])
            if "method" in command:
                await self._obey(command)

    async def poll(self, offset: int, limit: int, timeout_seconds: float) -> list[Json]:
        """What getUpdates gives: confirms what is below `offset`, waits if nothing is there."""
        self._polls += 1
        mine = self._polls
        self._bell.ring()
        for update in self.pending if offset >= 0 else self.pending[:offset]:
            if offset < 0 or update.update_id < offset:
                update.settle("delivered")
            elif self._clock() >= update.expires_at:
                update.settle("expired")
        seconds = asyncio.get_running_loop().time
        ends = seconds() + min(timeout_seconds, LONGEST_POLL_SECONDS)
        while True:
            if self.webhook is not None:
                raise ApiError(
                    409,
                    "Conflict: can't use getUpdates method while webhook is active; "
                    "use deleteWebhook to delete the webhook first",
                )
            if mine != self._polls:
                raise ApiError(
                    409,
                    "Conflict: terminated by other getUpdates request; "
                    "make sure that only one bot instance is running",
                )
            batch = [update.body for update in self.pending[:limit]]
            if batch or self._closing or seconds() >= ends:
                return batch
            await self._bell.next(ends - seconds())

    def hang_up(self) -> None:
        """Let every long poll end now."""
        self._closing = True
        self._bell.ring()

    async def close(self) -> None:
        """Stop carrying; what was not taken stays pending."""
        self.hang_up()
        carriers = list(self._carriers)
        for carrier in carriers:
            carrier.cancel()
        await asyncio.gather(*carriers, return_exceptions=True)
        await self._http.aclose()
