"""Guests at a table of Smallseat: they read their own thread, and answer what they are asked there.

They know nothing of the server: what can be answered is what a message's buttons or lines say.
"""

import asyncio
import re
from abc import ABC, abstractmethod
from random import Random

from tests.fakes.telegram import FakeTelegram, Group, Posted, User
from tests.fakes.twilio import FakeTwilio, Phone

POLL_SECONDS = 0.03
KINDS = "Chick Hedgehog Koala Rabbit Squirrel Pig Panda Cat Otter Seal Dog Pony".split()
OVER = re.compile(r", the Teller, wins alone|\bwins!|[Nn]obody (here )?wins")


class Guest(ABC):
    """Somebody who answers until the game is over; every `lazy`th question only by the clock."""

    def __init__(self, name: str, dice: Random, lazy: int = 40) -> None:
        self.name, self.dice, self.lazy = name, dice, lazy
        self.asked = 0
        self.answered = 0

    @property
    @abstractmethod
    def lines(self) -> list[str]:
        """Every text that reached this guest's own thread, as it stands now."""

    @abstractmethod
    async def answers_what_is_new(self) -> None:
        """Answer the open question, if there is one that is new."""

    @property
    def over(self) -> bool:
        """Whether this guest has read how the game ended."""
        return any(OVER.search(line) for line in self.lines[-4:])

    async def plays(self) -> None:
        """Play to the end."""
        while not self.over:
            await self.answers_what_is_new()
            await asyncio.sleep(POLL_SECONDS)


class TelegramGuest(Guest):
    """Presses buttons in a private chat; `table` is where the room's lines are read."""

    def __init__(
        self, telegram: FakeTelegram, user: User, dice: Random, table: Group | None = None
    ) -> None:
        super().__init__(user.name, dice)
        self.user, self._telegram, self._table = user, telegram, table
        self._known: set[str] = set()

    @property
    def lines(self) -> list[str]:
        return [posted.text for posted in self._telegram.chat(self.user).messages]

    @property
    def over(self) -> bool:
        heard = self._telegram.chat(self._table).messages[-4:] if self._table else []
        return super().over or any(OVER.search(posted.text) for posted in heard)

    async def answers_what_is_new(self) -> None:
        for posted in reversed(self._telegram.chat(self.user).messages[-6:]):
            choices = [(b.data, b.label) for row in posted.buttons for b in row]
            ask = choices[0][0].split(":")[1] if choices else ""
            if not ask or "/" not in ask or ask.startswith("variant") or ask in self._known:
                continue
            self._known.add(ask)
            self.asked += 1
            if self.asked % self.lazy:
                await self._presses(posted, ask, choices)
            return

    async def _presses(self, posted: Posted, ask: str, choices: list[tuple[str, str]]) -> None:
        values = [data.split(":")[2] for data, _ in choices]
        seats = [one for one in values if re.fullmatch(r"s\d+", one)]
        cards = [one for one in values if one not in {*seats, "", "do", "yes", "no"}]
        verb = ask.partition("/")[0]
        if verb == "pay" or (verb == "choose" and seats):
            wanted = [self.dice.choice(cards), self.dice.choice(seats)]
            wanted += [""] if "" in values else []
        elif verb in {"choose", "give"}:
            wanted = self.dice.choices(cards, k=8)
        else:
            wanted = [self.dice.choice(values)]
        for value in wanted:
            data = next(data for data, _ in choices if data.endswith(f":{value}"))
            toast = await self.user.presses_data(posted, data)
            if toast is None or not toast.text.startswith(("So far", "That is enough")):
                self.answered += 1
                return


class SmsGuest(Guest):
    """Answers by text: a label where there are some, else names."""

    def __init__(self, name: str, twilio: FakeTwilio, phone: Phone, dice: Random) -> None:
        super().__init__(name, dice)
        self.phone, self._twilio = phone, twilio
        self._read = 0

    @property
    def lines(self) -> list[str]:
        return [text.body for text in self.phone.inbox]

    async def answers_what_is_new(self) -> None:
        new = self.lines[self._read :]
        self._read += len(new)
        for body in new:
            answer = self._answer_to(body)
            if answer:
                self.asked += 1
                if self.asked % self.lazy:
                    assert (await self.phone.texts(answer)).status == 200
                    self.answered += 1

    def _answer_to(self, body: str) -> str:
        if "?" not in body:
            return ""
        labels = re.findall(r"^(\d+|[A-Z]) \w", body, re.MULTILINE)
        if labels:
            return self.dice.choice(labels)
        listed = [
            re.sub(r"^\d+ ", "", one) for one in body.rsplit("\n", maxsplit=1)[-1].split(", ")
        ]
        cards = [one for one in listed if one.split()[-1] in KINDS or one.endswith(" open")]
        others = [one for one in listed if one not in cards]
        if not cards:
            return ""
        if others:
            return f"{self.dice.choice(cards)} {self.dice.choice(others)}"
        count = re.search(r"turn (\d|one)|(\d) secret|(three) cards", body)
        few = 3 if count and count[0].startswith("three") else int((count and count[1]) or 1)
        return ", ".join(self.dice.sample(cards, min(few, len(cards))))
