"""People with phones: what they write and press goes through their platform."""

from abc import ABC, abstractmethod

from tests.fakes.telegram import Group, User
from tests.fakes.twilio import Phone

SEEN = 8
"""A button further up than so many messages is not looked for."""


class Player(ABC):
    """Somebody with a phone, which Parlour calls `address`; `quiet` is the ask they leave alone."""

    def __init__(self, address: str, name: str) -> None:
        self.address, self.name = address, name
        self.asked = self.quiet = ""

    @abstractmethod
    async def says(self, text: str) -> None:
        """Write to Parlour; over once it was taken."""

    async def presses(self, data: str) -> bool:
        """Press a button that has this data, if it was ever shown; whether it was."""
        del data
        return False

    async def joins(self, code: str) -> None:
        """Sit down."""
        await self.says(f"JOIN {code} {self.name}")


class TelegramPlayer(Player):
    """Plays by buttons and words in a private chat; `group` is where they sit down, if anywhere."""

    def __init__(self, address: str, user: User, group: Group | None = None) -> None:
        super().__init__(address, user.name)
        self.user, self.group = user, group

    async def says(self, text: str) -> None:
        await self.user.says(text)

    async def joins(self, code: str) -> None:
        if self.group is None:
            await self.user.says(f"/start {code}")
        else:
            await self.user.says("/join", to=self.group)

    async def presses(self, data: str) -> bool:
        for posted in reversed(self.user.thread.messages[-SEEN:]):
            if any(button.data == data for row in posted.buttons for button in row):
                await self.user.presses_data(posted, data)
                return True
        return False


class SmsPlayer(Player):
    """Plays by plain texts."""

    def __init__(self, address: str, name: str, phone: Phone) -> None:
        super().__init__(address, name)
        self.phone = phone

    async def says(self, text: str) -> None:
        await self.phone.texts(text)
