"""People at the end of their phones: they read what reaches them, and answer."""

import re
from abc import ABC, abstractmethod
from random import Random

from tests.fakes.telegram import FakeTelegram, User
from tests.fakes.twilio import FakeTwilio, Phone

PATIENCE_SECONDS = 60.0


class Player(ABC):
    """Somebody at the table. Deals are counted from 1; their words never come twice."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    @abstractmethod
    def lines(self) -> list[str]:
        """Every text that reached this player's own thread, whole, in order."""

    @abstractmethod
    async def word(self, deal: int) -> str:
        """Wait for the card of a deal; its secret word."""

    @abstractmethod
    async def asked_for_a_vote(self, deal: int) -> None:
        """Wait until the ballots of a deal are open."""

    @abstractmethod
    async def says(self, text: str) -> None:
        """Write to Parlour."""

    @abstractmethod
    async def names(self, whom: str, deal: int, dice: Random) -> None:
        """Vote."""


def distinct(pattern: str, lines: list[str]) -> list[str]:
    """What the pattern found in the lines, each once, in order."""
    return list(dict.fromkeys(found for line in lines for found in re.findall(pattern, line)))


class TelegramPlayer(Player):
    """Plays by buttons and words in a private chat."""

    def __init__(self, telegram: FakeTelegram, user: User) -> None:
        super().__init__(user.name)
        self.user, self._telegram = user, telegram

    @property
    def lines(self) -> list[str]:
        return [posted.text for posted in self._telegram.chat(self.user).messages]

    async def word(self, deal: int) -> str:
        def words() -> list[str]:
            return distinct(r"Your word is (\w+)", self.lines)

        await self._telegram.until(lambda: len(words()) >= deal, within=PATIENCE_SECONDS)
        return words()[deal - 1]

    async def asked_for_a_vote(self, deal: int) -> None:
        await self._telegram.until(
            lambda: any(f":vote/{deal}:" in data for data in self._data()), within=PATIENCE_SECONDS
        )

    async def says(self, text: str) -> None:
        await self.user.says(text)

    async def names(self, whom: str, deal: int, dice: Random) -> None:
        if dice.random() < 0.3:
            await self.user.says(whom)
            return
        posted, data = next(
            (posted, button.data)
            for posted in self._telegram.chat(self.user).messages
            for row in posted.buttons
            for button in row
            if f":vote/{deal}:" in button.data
            and re.sub(r"\W", "", button.label).lower().startswith(whom.lower())
        )
        await self.user.presses_data(posted, data)

    def _data(self) -> list[str]:
        messages = self._telegram.chat(self.user).messages
        return [b.data for posted in messages for row in posted.buttons for b in row]


class SmsPlayer(Player):
    """Plays by plain texts."""

    def __init__(self, name: str, twilio: FakeTwilio, phone: Phone) -> None:
        super().__init__(name)
        self.phone, self._twilio = phone, twilio

    @property
    def lines(self) -> list[str]:
        return [text.body for text in self.phone.inbox]

    async def word(self, deal: int) -> str:
        def words() -> list[str]:
            return distinct(r"Your word: (\w+)", self.lines)

        await self._twilio.until(lambda: len(words()) >= deal, within=PATIENCE_SECONDS)
        return words()[deal - 1]

    async def asked_for_a_vote(self, deal: int) -> None:
        await self._twilio.until(lambda: len(self._ballots()) >= deal, within=PATIENCE_SECONDS)

    async def says(self, text: str) -> None:
        reply = await self.phone.texts(text)
        assert reply.status == 200

    async def names(self, whom: str, deal: int, dice: Random) -> None:
        label = re.search(
            rf"^(\w+) {whom}\b", self._ballots()[deal - 1], re.IGNORECASE | re.MULTILINE
        )
        assert label is not None
        await self.says(dice.choice([label.group(1), whom, f"{whom.lower()}."]))

    def _ballots(self) -> list[str]:
        return list(dict.fromkeys(body for body in self.lines if "Who is the Weasel?" in body))
