"""What a whole game costs a table of text messages, at its longest: `python -m tests.sms_budget`.

Seven people with the longest names play with the longest clues, over many seeds; everything that
is sent is counted in septets and segments, by the moment at which it is sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adapters.sms.render import bodies
from adapters.sms.segments import count
from core import playing
from core.engine import Arrived, Decision, Happening, Spoke, Unreached, Woke, decide, open_room
from core.game import AnyGame, Pick
from core.games import find_games
from core.room import Over, Room
from core.table import House, Speaker, Way
from core.text import load

NAMES = tuple(f"Maximiliana Rosalie {n}" for n in range(1, 10))
LONGEST = "m" * 24
GUESS = "m" * 40
HOUSE = House(
    (
        Way("", "Text JOIN {code} to +12025550100"),
        Way("", "https://t.me/parlourbot?start=j{code}"),
    )
)
ASKED = ("/who", "/look", "/scores", "?", "/kick x", "/finish", "name", "zzz zzz", "stop", "2")
MOST_STEPS = 400


class Sent(Struct, frozen=True):
    """One text: the moment it was sent at, and what it says."""

    moment: str
    body: str

    @property
    def units(self) -> int:
        """Its length in septets (or UTF-16 units)."""
        return sum(count(self.body).parts)

    @property
    def segments(self) -> int:
        """What is paid for."""
        return count(self.body).segments


class Evening:
    """A table of people who all play by text message."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.sent: list[Sent] = []
        self.now_ms = 1_800_000_000_000
        self.people = [
            Speaker(f"p{n}", f"own{n}", name, texting=True)
            for n, name in enumerate(NAMES[: game.seats(options)[1]])
        ]
        opened = open_room(
            "r1", "KTRGW", game.name, str(seed), self.people[0], HOUSE, load(),
            now_ms=self.now_ms, options=options,
        )  # fmt: skip
        self.room: Room = opened.room
        self._record("open", opened)
        for speaker in self.people[1:]:
            self.happen("join", Arrived(speaker))
        self._ask_about("in the lobby")
        self.happen("start", Spoke(self.people[0], "go"))

    def happen(self, moment: str, happening: Happening) -> None:
        """Let something happen, and keep what is sent."""
        decision = decide(self.room, happening, self.now_ms, HOUSE, load())
        self.room = decision.room
        self._record(moment, decision)

    def play(self) -> None:
        """Play to the end: everybody answers as long as they can, and asks everything."""
        for step in range(MOST_STEPS):
            if isinstance(self.room.stage, Over):
                break
            ask = next((a for a in playing.asks(self.room) if a.answered is None), None)
            if ask is None:
                closing = next((one.verb for one in playing.asks(self.room)), "pause")
                self.now_ms = playing.deadline_ms(self.room) or self.now_ms
                self.happen(f"{closing} closes", Woke())
                continue
            if step % 17 == 0:
                self._ask_about(f"while the {ask.verb} is open")
            speaker = self.people[int(ask.to[1:]) - 1]
            if not isinstance(ask.answer, Pick):
                self.happen(f"{ask.verb} given", Spoke(speaker, f"{ask.verb} {LONGEST}"))
            elif ask.answer.word_for:
                self.happen(f"{ask.verb} given", Spoke(speaker, f"me {GUESS}"))
            else:
                self.happen(f"{ask.verb} given", Spoke(speaker, ask.answer.options[0].value))
        self._ask_about("when it is over")

    def end_early(self) -> None:
        """Everybody is lost, one by one."""
        for n in range(len(self.people), 2, -1):
            self.happen("somebody is lost", Unreached(f"s{n}"))
        self._ask_about("while it waits")
        while not isinstance(self.room.stage, Over):
            self.now_ms = playing.deadline_ms(self.room) or self.now_ms
            self.happen("time alone", Woke())

    def _ask_about(self, when: str) -> None:
        for text in ASKED:
            self.happen(f"{text} {when}", Spoke(self.people[1], text))

    def _record(self, moment: str, decision: Decision) -> None:
        for letter in decision.letters:
            self.sent += [Sent(moment, body) for body in bodies(letter)]


def evenings(game: AnyGame, seeds: range) -> Iterator[Sent]:
    """All that is sent in many evenings."""
    for seed in seeds:
        whole = Evening(game, seed)
        whole.play()
        lost = Evening(game, seed)
        lost.end_early()
        yield from (*whole.sent, *lost.sent)


def worst(sent: Iterator[Sent]) -> dict[str, Sent]:
    """The longest text of every moment."""
    longest: dict[str, Sent] = {}
    for one in sent:
        if one.moment not in longest or one.units > longest[one.moment].units:
            longest[one.moment] = one
    return longest


def table(game: AnyGame, seeds: range = range(40)) -> str:
    """The table, longest first."""
    rows = sorted(worst(evenings(game, seeds)).values(), key=lambda one: -one.units)
    shown = [f"{one.units:5} {one.segments:3}  {one.moment}" for one in rows]
    return "\n".join((f"{game.name}\nunits seg  moment", *shown))


if __name__ == "__main__":
    for each in find_games().values():
        print(table(each))  # noqa: T201  (it is what it is for)
