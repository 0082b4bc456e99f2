"""The fake Telegram's world: its chats, its transcript, and groups with what happens to them."""

import asyncio
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tests.fakes.telegram_delivery import Bell, Delivery, Update
from tests.fakes.telegram_records import Callback, Chat, Posted, Said
from tests.fakes.telegram_schema import Json
from tests.fakes.telegram_text import bad_request

if TYPE_CHECKING:
    from tests.fakes.telegram_people import User

DAY_SECONDS = 86_400.0
FIRST_SUPERGROUP_ID = -1_002_300_000_001
ANONYMOUS_ADMIN: Json = {
    "id": 1_087_968_824,
    "is_bot": True,
    "first_name": "Group",
    "username": "GroupAnonymousBot",
}
ADMIN_RIGHTS = (
    "can_be_edited",
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)
_COMMAND = re.compile(r"/[A-Za-z0-9_]{1,32}(?:@(\w+))?(?=\s|$)")


class World:
    """Everything that exists on this Telegram; whoever acts, acts through it."""

    def __init__(
        self, bot: Json, clock: Callable[[], float], delivery: Delivery, bell: Bell
    ) -> None:
        """An empty world with one bot in it."""
        self.bot = bot
        self.clock = clock
        self.delivery = delivery
        self.bell = bell
        self.privacy = True
        self.flood_limits = False
        self.users: dict[int, User] = {}
        self.chats: dict[int, Chat] = {}
        self.callbacks: dict[str, Callback] = {}
        self.posts: list[Posted] = []
        self.lines: list[str] = []
        self.commands: dict[tuple[str, str], list[Json]] = {}
        self.violations: list[str] = []
        self._callback_ids = 4_382_000_000_000_001

    def find_chat(self, chat_id: object) -> Chat:
        """The chat of that id, or 400 "chat not found"."""
        if isinstance(chat_id, str) and re.fullmatch(r"-?\d+", chat_id):
            chat_id = int(chat_id)
        if not isinstance(chat_id, int) or chat_id not in self.chats:
            raise bad_request("chat not found")
        return self.chats[chat_id]

    def note(self, chat: Chat, line: str) -> None:
        """Add a line to the transcript."""
        self.lines.append(f"{chat.title} | {line}")
        self.bell.ring()

    def transcript(self, last: int | None = None) -> str:
        """All that was said and shown, oldest first; at most the last so many events."""
        return "\n".join(self.lines[-last:] if last else self.lines) or "(nothing was said yet)"

    def callback(self, user_id: int) -> Callback:
        """A press that can be answered from now on."""
        self._callback_ids += 7
        callback = Callback(str(self._callback_ids), user_id, self.clock())
        self.callbacks[callback.callback_id] = callback
        return callback

    async def deliver(
        self, kind: str, content: Json, queue: tuple[str, int], lasts: float = DAY_SECONDS
    ) -> str:
        """Send an update and wait for its fate; an AssertionError if nobody ever took it."""
        return await self.wait_for(self.delivery.accept(kind, content, queue, lasts))

    async def wait_for(self, update: Update) -> str:
        """The update's fate; an AssertionError if nobody ever took it."""
        patience = self.delivery.give_up_seconds + 1.0
        done, _ = await asyncio.wait([update.fate], timeout=patience)
        if not done or update.fate.result() == "given up":
            problems = {
                a.problem for a in self.delivery.attempts if a.update_id == update.update_id
            }
            raise AssertionError(
                f"update {update.update_id} ({update.kind}) was never taken: "
                f"{sorted(problems) or 'no webhook and no polling'}\n{self.transcript(40)}"
            )
        return update.fate.result()

    def member(self, user: Json, status: str) -> Json:
        """A ChatMember object."""
        member: Json = {"user": user, "status": status}
        if status == "administrator":
            member |= dict.fromkeys(ADMIN_RIGHTS, True)
        return member | {"until_date": 0} if status == "kicked" else member

    def bot_becomes(self, chat: Chat, by: Json, status: str) -> Update:
        """Change what the bot is in a chat; the `my_chat_member` update is on its way."""
        old, chat.bot_status = chat.bot_status, status
        self.note(chat, f"(the bot is now {status})")
        content: Json = {
            "chat": chat.as_json(),
            "from": by,
            "date": int(self.clock()),
            "old_chat_member": self.member(self.bot, old),
            "new_chat_member": self.member(self.bot, status),
        }
        return self.delivery.accept(
            "my_chat_member", content, ("membership", chat.chat_id), DAY_SECONDS
        )


class Group(Chat):
    """A group or supergroup and its members."""

    def __init__(
        self,
        world: World,
        chat_id: int,
        title: str,
        members: Iterable["User"],
        *,
        kind: str,
        is_forum: bool,
        bot: str,
    ) -> None:
        """`bot` is what the bot is in it: member, administrator, left or kicked."""
        first_id = 1000 * (len(world.chats) + 1)
        super().__init__(
            chat_id, kind, title, world.bot, first_id, is_forum=is_forum, bot_status=bot
        )
        self.world = world
        self.members = list(members)

    def hears(self, text: str, reply_to: Posted | Said | None) -> bool:
        """Privacy mode: commands for this bot and replies to it, unless it may hear all."""
        if self.bot_status not in ("member", "administrator"):
            return False
        if (
            self.bot_status == "administrator"
            or not self.world.privacy
            or isinstance(reply_to, Posted)
        ):
            return True
        command = _COMMAND.match(text)
        if command is None:
            return False
        if command[1] is None:
            return not self.other_bot_posted_last
        return command[1].casefold() == str(self.bot["username"]).casefold()

    def topic(self, name: str) -> int:
        """Open a forum topic; its thread id."""
        thread_id = self.new_id()
        self.topics[thread_id] = name
        return thread_id

    def other_bot_posts(self) -> None:
        """Another bot was the last to post: bare commands no longer reach this one."""
        self.other_bot_posted_last = True

    async def service(self, by: Json, extra: Json) -> None:
        """A service message; the bot hears it even in privacy mode, while it is in the group."""
        said = Said(self, self.new_id(), "", {"from": by, **extra})
        self.said[said.message_id] = said
        self.world.note(self, f"({', '.join(extra)})")
        if self.bot_status in ("member", "administrator"):
            content = said.content | {
                "message_id": said.message_id,
                "chat": self.as_json(),
                "date": int(self.world.clock()),
            }
            await self.world.deliver("message", content, ("chat", self.chat_id))

    async def bot_added(self, by: "User", *, status: str = "member") -> None:
        """Somebody adds the bot (`member`) or makes it an `administrator`."""
        arrived = self.bot_status in ("left", "kicked")
        await self.world.wait_for(self.world.bot_becomes(self, by.as_json(), status))
        if arrived:
            await self.service(by.as_json(), {"new_chat_members": [self.bot]})

    async def bot_kicked(self, by: "User") -> None:
        """Somebody removes the bot; everything it sends is a 403 from now on."""
        await self.world.wait_for(self.world.bot_becomes(self, by.as_json(), "kicked"))

    async def migrate(self) -> "Group":
        """Become a supergroup with a new id; returns it. Both chats get a service message."""
        new = self.becomes_supergroup()
        await self.service(self.members[0].as_json(), {"migrate_to_chat_id": new.chat_id})
        await new.service(ANONYMOUS_ADMIN, {"migrate_from_chat_id": self.chat_id})
        return new

    def becomes_supergroup(self) -> "Group":
        """Become a supergroup and tell nobody: the bot finds out when a message is refused."""
        world = self.world
        count = sum(chat.kind == "supergroup" for chat in world.chats.values())
        chat_id = FIRST_SUPERGROUP_ID - count
        bot, members = self.bot_status, self.members
        new = Group(world, chat_id, self.title, members, kind="supergroup", is_forum=False, bot=bot)
        world.chats[chat_id] = new
        self.migrated_to = chat_id
        return new


def summary(posted: Posted) -> str:
    """A message of the bot as one line of the transcript."""
    labels = "".join(f" [{label}]" for label in posted.labels)
    photo = "(photo) " if posted.photo else ""
    return f"{photo}{posted.text!r}{labels}"
