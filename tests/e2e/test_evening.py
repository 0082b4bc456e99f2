"""One whole evening of Ferret Out: Telegram and SMS in one room, the server killed nine times.

Five people: Ann and Bo in a Telegram group, Cy in a Telegram private chat, Dee and Eve by SMS. The
real client libraries talk to strict stand-ins over real HTTP; the room is kept by a real server;
every webhook is delivered twice. The points are reckoned here a second time, by hand.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from adapters.redis_store.client import Server
from tests.e2e.players import PATIENCE_SECONDS, Player, SmsPlayer, TelegramPlayer
from tests.e2e.server import ServerProcess
from tests.fakes.telegram import FakeTelegram, Group
from tests.fakes.twilio import FakeTwilio

TOKEN, SECRET = "123456:stand-in", "webhook-secret"
ACCOUNT, AUTH, NUMBER = "AC" + "0" * 32, "auth-token", "+12025550100"
IN_FLIGHT_SECONDS = 2.5
ROUNDS = 8


class World(NamedTuple):
    """Everything around Parlour, and Parlour."""

    telegram: FakeTelegram
    twilio: FakeTwilio
    server: ServerProcess
    store: Server


@asynccontextmanager
async def the_world(
    redis_url: str, folder: Path, *, pace_scale: str = "0.1"
) -> AsyncGenerator[World]:
    """The stand-ins, an empty store, and a server that knows them."""
    store = Server(redis_url)
    await store.run(("FLUSHALL",))
    async with (
        FakeTelegram(token=TOKEN, bot_username="parlour_bot") as telegram,
        FakeTwilio(account_sid=ACCOUNT, auth_token=AUTH, number=NUMBER) as twilio,
        ServerProcess(
            {
                "REDIS_URL": redis_url,
                "PARLOUR_SECRET": "5e" * 32,
                "PARLOUR_PACE_SCALE": pace_scale,
                "PARLOUR_LEASE_SECONDS": "3",
                "PUBLIC_URL": "https://parlour.example",
                "TELEGRAM_BOT_TOKEN": TOKEN,
                "TELEGRAM_WEBHOOK_SECRET": SECRET,
                "TELEGRAM_API_URL": telegram.base_url,
                "TWILIO_ACCOUNT_SID": ACCOUNT,
                "TWILIO_AUTH_TOKEN": AUTH,
                "TWILIO_NUMBER": NUMBER,
                "SMS_SEGMENTS_PER_SECOND": "1000",
                "TWILIO_API_URL": twilio.base_url,
                "TWILIO_TIMEOUT_SECONDS": "1",
            },
            folder / "server.log",
        ) as server,
    ):
        telegram.deliver_to(f"{server.url}/telegram/123456", SECRET, times=2)
        twilio.deliver_to("https://parlour.example/sms", times=2, send_to=f"{server.url}/sms")
        try:
            yield World(telegram, twilio, server, store)
        finally:
            await store.close()


class Evening:
    """Five people around one table, and what they did."""

    def __init__(self, world: World, dice: Random) -> None:
        self.world, self.dice = world, dice
        telegram, twilio = world.telegram, world.twilio
        self.ann, self.bo, self.cy = (telegram.user(name) for name in ("Ann", "Bo", "Cy"))
        self.group: Group = telegram.group("Pals", members=[self.ann, self.bo])
        self.dee = SmsPlayer("Dee", twilio, twilio.phone("+12025550142"))
        self.eve = SmsPlayer("Eve", twilio, twilio.phone("+12025550143"))
        on_telegram = [TelegramPlayer(telegram, user) for user in (self.ann, self.bo, self.cy)]
        self.players: list[Player] = [*on_telegram, self.dee, self.eve]
        self.points: Counter[str] = Counter()
        self.words: dict[str, list[str]] = {player.name: [] for player in self.players}

    @property
    def public(self) -> list[str]:
        """Every text of the group, whole, in order."""
        return [posted.text for posted in self.world.telegram.chat(self.group).messages]

    async def gather(self) -> None:
        """Open the room in the group, and let everybody in."""
        await asyncio.gather(self.ann.says("/start"), self.bo.says("/start"))
        await self.ann.says("/new", to=self.group)
        code = await self.until_public(r"Its code is (\w+)")
        await self.bo.says("/join", to=self.group)
        await self.cy.says(f"/start {code}")
        await self.dee.says(f"JOIN {code} Dee")
        await self.eve.says(f"join {code.lower()} eve.")
        for name in ("Bo", "Cy", "Dee", "eve"):
            await self.until_public(rf"({name})\W* is here")
        await self.ann.says("/go", to=self.group)

    async def play(self) -> int:
        """Play to the end; the number of rounds it took."""
        deal = 0
        while not self.over:
            deal += 1
            await self.round(deal)
        return deal

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return any("wins the game" in text or "share the win" in text for text in self.public)

    async def round(self, deal: int) -> None:
        """One round: everybody clues, everybody votes, all at once."""
        cards = await asyncio.gather(*(player.word(deal) for player in self.players))
        words = dict(zip((player.name for player in self.players), cards, strict=True))
        for name, word in words.items():
            self.words[name].append(word)
        common = Counter(cards).most_common(1)[0][0]
        weasel = next(name for name, word in words.items() if word != common)
        await asyncio.gather(*(self.clue(player, deal) for player in self.players))
        await asyncio.gather(*(player.asked_for_a_vote(deal) for player in self.players))
        votes = await asyncio.gather(*(self.vote(one, deal, common) for one in self.players))
        ballots = {one.name: vote for one, vote in zip(self.players, votes, strict=True)}
        self.points.update(reckoned(ballots, weasel, common))
        await self.world.telegram.until(
            lambda: len(set(self.found(r"(\w+)\W* was the Weasel, with (\w+)"))) >= deal,
            within=PATIENCE_SECONDS,
        )

    async def clue(self, player: Player, deal: int) -> None:
        """A clue that is nobody's word."""
        await asyncio.sleep(self.dice.random() * 0.2)
        nonsense = f"zq{player.name}{'abcdefghijklmnopqrst'[deal]}".lower()
        await player.says(self.dice.choice([nonsense, f"{nonsense.title()}.", f"clue {nonsense}"]))

    async def vote(self, player: Player, deal: int, common: str) -> tuple[str, str]:
        """Whom the player named, and the word that went with it."""
        await asyncio.sleep(self.dice.random() * 0.2)
        whom = self.dice.choice([one.name for one in self.players])
        if whom != player.name:
            await player.names(whom, deal, self.dice)
            return whom, ""
        guess = self.dice.choice(["", common.lower(), f"the {common.lower()}!", "nonsense"])
        if guess and self.dice.random() < 0.5:
            await player.names(whom, deal, self.dice)
            await player.says(guess)
        elif guess:
            await player.says(f"me: {guess}")
        else:
            await player.names(whom, deal, self.dice)
        return whom, guess

    async def until_public(self, pattern: str) -> str:
        """Wait for something in the group."""
        await self.world.telegram.until(lambda: bool(self.found(pattern)), within=PATIENCE_SECONDS)
        return self.found(pattern)[0]

    def found(self, pattern: str) -> list[str]:
        """What the pattern finds in the group."""
        texts = [re.sub("[\u2066-\u2069]", "", text) for text in self.public]
        return [found for text in texts for found in re.findall(pattern, text)]


def reckoned(ballots: Mapping[str, tuple[str, str]], weasel: str, common: str) -> dict[str, int]:
    """The points of a round, by hand from the rulebook's two lists."""
    points = dict.fromkeys(ballots, 0)
    ferrets = [name for name in ballots if name != weasel]
    right = [name for name in ferrets if ballots[name][0] == weasel]
    named_itself = ballots[weasel][0] == weasel
    guessed_it = named_itself and re.sub(r"\W|^the ", "", ballots[weasel][1]) == common.lower()
    for ferret in ferrets:
        if ferret in right:
            points[ferret] += 1
        if len(right) == len(ferrets):
            points[ferret] += 1
        if not guessed_it:
            points[ferret] += 1
    if len(right) < len(ferrets):
        points[weasel] += 1
    if named_itself:
        points[weasel] += 1
    if guessed_it:
        points[weasel] += 2
    return points


async def kill_nine_times(evening: Evening, dice: Random) -> None:
    """Nine kills over eight rounds: inside a commit, inside a send, and whenever."""
    ways = [killed_in_a_commit, killed_in_a_telegram_send, killed_in_a_text, killed_whenever] * 2
    ways.append(killed_whenever)
    dice.shuffle(ways)
    moments = sorted(dice.sample(range(2 * ROUNDS), len(ways)))
    for way, moment in zip(ways, moments, strict=True):
        deal, voting = moment // 2 + 1, moment % 2
        for player in evening.players[:1]:
            await player.word(deal)
            if voting:
                await player.asked_for_a_vote(deal)
        await way(evening.world, dice)
        await evening.world.server.start()


async def killed_in_a_commit(world: World, dice: Random) -> None:
    """Writes are held up for a moment, so that a commit is under way when the server dies."""
    await world.store.run(("CLIENT", "PAUSE", 600, "WRITE"))
    await asyncio.sleep(0.1 + dice.random() * 0.4)
    await world.server.kill()


async def killed_in_a_telegram_send(world: World, dice: Random) -> None:
    """A message is out, its answer is not back yet."""
    before = len(world.telegram.posts)
    trouble = world.telegram.trouble("sendMessage", after_the_effect=True, delay_seconds=1.0)
    await world.telegram.until(lambda: len(world.telegram.posts) > before, within=PATIENCE_SECONDS)
    await asyncio.sleep(dice.random() * 0.3)
    await world.server.kill()
    trouble.ends()


async def killed_in_a_text(world: World, dice: Random) -> None:
    """A text is out, its answer is not back yet."""
    before, hold = len(world.twilio.texts), asyncio.Event()
    world.twilio.trouble(status=201, after=True, hold=hold)
    await world.twilio.until(lambda: len(world.twilio.texts) > before, within=PATIENCE_SECONDS)
    await asyncio.sleep(dice.random() * 0.3)
    await world.server.kill()
    hold.set()


async def killed_whenever(world: World, dice: Random) -> None:
    """At a moment like any other."""
    await asyncio.sleep(dice.random())
    await world.server.kill()


@pytest.mark.parametrize("seed", [2026])
async def test_an_evening_survives_nine_kills(seed: int, redis_url: str, tmp_path: Path) -> None:
    dice = Random(seed)
    async with the_world(redis_url, tmp_path) as world:
        evening = Evening(world, dice)
        await evening.gather()
        killing = asyncio.create_task(kill_nine_times(evening, Random(seed + 1)))
        rounds = await evening.play()
        await killing
        await world.telegram.quiet(1.0, within=30)
        await world.twilio.quiet(1.0, within=30)
        kills = world.server.kills

        assert rounds >= ROUNDS
        assert len(kills) == 9
        check_the_points(evening)
        check_doubles(evening, kills)
        check_secrets(evening)
        assert world.twilio.violations == []
        log = world.server.log.read_text()
        for number in (evening.dee.phone.number, evening.eve.phone.number):
            assert number not in log
            assert all(number not in post.text for post in world.telegram.posts)
        assert "Traceback" not in log


def check_the_points(evening: Evening) -> None:
    """What the group was told in the end, and each phone, is what was reckoned here."""
    final = next(
        text
        for text in reversed(evening.public)
        if "wins the game" in text or "share the win" in text
    )
    final = re.sub("[\u2066-\u2069]", "", final)
    told = {
        name.title(): int(n) for name, n in re.findall(r"^(\w+): (\d+) \(", final, re.MULTILINE)
    }
    assert told == dict(evening.points)


def check_doubles(evening: Evening, kills: Sequence[float]) -> None:
    """A Telegram message came twice only if it was in flight at a kill; a text never."""
    # The status callback names the letter: the same words may be said again in another round.
    sent = [(text.status_callback, text.body) for text in evening.world.twilio.texts]
    assert [text for text, count in Counter(sent).items() if count > 1] == []
    twice = 0
    for chat in {posted.chat_id for posted in evening.world.telegram.posts}:
        posts = [post for post in evening.world.telegram.posts if post.chat_id == chat]
        # Letters to one chat go out in order, so that a second copy comes right after the first.
        for first, second in pairwise(posts):
            if (first.sent_text, first.buttons) != (second.sent_text, second.buttons):
                continue
            twice += 1
            in_flight = [at for at in kills if 0 <= at - first.at <= IN_FLIGHT_SECONDS]
            assert in_flight, f"doubled without a kill: {first.text}"
    assert twice <= 3 * len(kills)


def check_secrets(evening: Evening) -> None:
    """Until a round's words are told, nobody has heard another's."""
    for player in evening.players:
        check_thread(player.lines, evening.words, player.name)
    check_thread(evening.public, evening.words, "")


def check_thread(texts: Sequence[str], words: Mapping[str, Sequence[str]], whose: str) -> None:
    """In one thread, in order: no word before its round's result but one's own."""
    revealed = 0
    rounds = len(next(iter(words.values())))
    for text in texts:
        if re.search(r"was the Weasel|^Weasel: ", text):
            shown = {w for each in words.values() for w in each[revealed : revealed + 1]}
            while not any(re.search(rf"\b{w}\b", text) for w in shown) and revealed < rounds:
                revealed += 1
                shown = {w for each in words.values() for w in each[revealed : revealed + 1]}
            revealed += 1
        for other, theirs in words.items():
            for at in range(revealed, rounds):
                secret = theirs[at]
                mine = whose and words[whose][at] == secret
                assert mine or not re.search(rf"\b{secret}\b", text), (whose, other, secret, text)
