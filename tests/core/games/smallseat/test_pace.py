"""How long a game takes, and how many questions it asks, on a clock that jumps.

Eight people on Telegram answer in eight seconds, and let one question in ten go by. By mail they
answer once a round, each vote with what to do if it loses.
"""

from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from core import playing
from core.delivery import Letter
from core.engine import Arrived, Spoke, Woke, decide, open_room
from core.game import Ask, Pick, Who
from core.pace import MINUTE_MS, Pace
from core.room import Over, Playing, Room
from core.table import House, Speaker
from core.text import load

ANSWERS_AFTER_MS, LETS_GO_BY = 8_000, 0.1
NAMES = ("Ann", "Bo", "Dee", "Eve", "Flo", "Gus", "Ida", "Jo")


class Figures(Struct):
    """What one game came to: minutes, rounds, and questions put to each player on average."""

    minutes: float = 0
    rounds: int = 0
    prompts: float = 0


class Table:
    """A room of people who answer by what a bot would say, each after a while."""

    def __init__(self, seed: int, pace: Pace) -> None:
        self.dice, self.words, self.now_ms = Random(seed), load(), 0
        self.due: dict[tuple[str, str], int | None] = {}
        self.prompts = 0
        first, *others = (Speaker(name, f"own-{name}", name) for name in NAMES)
        self.room: Room = open_room(
            "r1", "KTRGW", "smallseat", str(seed), first, House(), self.words, now_ms=0
        ).room
        for other in others:
            self._happens(Arrived(other))
        self.room = replace(self.room, pace=pace, pace_fixed=True)
        self._happens(Spoke(first, "go"))

    def _happens(self, happening: Arrived | Spoke | Woke) -> None:
        decision = decide(self.room, happening, self.now_ms, House(), self.words)
        self.room = decision.room
        self.prompts += sum(map(is_question, decision.letters))
        for ask in playing.asks(self.room):
            if (ask.id, ask.to) not in self.due:
                late = self.dice.random() < LETS_GO_BY
                self.due[ask.id, ask.to] = None if late else self.now_ms + ANSWERS_AFTER_MS

    def plays(self) -> Figures:
        """Play to the end."""
        while not isinstance(self.room.stage, Over):
            open_now = {(ask.id, ask.to): ask for ask in playing.asks(self.room)}
            coming = [
                (at_ms, key)
                for key, at_ms in self.due.items()
                if at_ms is not None and key in open_now and open_now[key].answered is None
            ]
            at_ms, key = min(coming, default=(None, None))
            wakes_ms = playing.deadline_ms(self.room)
            assert wakes_ms is not None
            if at_ms is None or key is None or wakes_ms <= at_ms:
                self.now_ms = wakes_ms
                self._happens(Woke())
                continue
            self.now_ms = at_ms
            seated = self.room.seated(open_now[key].to)
            speaker = Speaker(seated.person, seated.address, seated.name)
            self._happens(Spoke(speaker, self._answer(open_now[key])))
        state = playing.state_of(self.room)
        return Figures(self.now_ms / MINUTE_MS, state.number, self.prompts / len(NAMES))

    def _answer(self, ask: Ask) -> str:
        assert isinstance(ask.answer, Pick)
        state, context = playing.state_of(self.room), playing.context(self.room, self.now_ms)
        given = playing.game_of(self.room).bot(state, ask, context)
        shown = (ask.answer.option(value) for value in given.picked)
        names = [
            self.room.names[one.shown.seat] if isinstance(one.shown, Who) else one.value
            for one in shown
            if one
        ]
        return f"{ask.verb} {', '.join(names) or 'none'}"


def is_question(letter: Letter) -> bool:
    return any("/" in button.data for button in letter.buttons)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_eight_on_telegram_takes_less_than_half_an_hour(seed: int) -> None:
    figures = Table(seed, Pace("live")).plays()
    assert figures.minutes < 30
    assert figures.prompts < 25


@pytest.mark.parametrize("seed", range(3))
def test_by_mail_a_round_needs_one_answer_of_each(seed: int) -> None:
    table = Table(seed, Pace("mail"))
    figures = table.plays()
    assert figures.prompts < figures.rounds + 2
    assert not isinstance(table.room.stage, Playing)
