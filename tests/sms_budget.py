"""What a whole game costs a table of text messages: `python -m tests.sms_budget [VARIANT …]`.

As many as can play, over many seeds, the longest names giving the longest clues and guesses (or
short ones, to compare). Everything that is sent is counted in septets and segments, by the moment
at which it is sent; then the segments of the game itself are shared out by round and player.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from adapters.sms.render import bodies
from adapters.sms.segments import count
from core import playing
from core.engine import Arrived, Decision, Happening, Spoke, Unreached, Woke, decide, open_room
from core.game import AnyGame, Ask, Pick
from core.games import find_games
from core.room import Over, Room
from core.table import House, Speaker, Way
from core.text import load
from tests.plays import Options, secrets

NAMES = tuple(f"Maximiliana Rosalie {n}" for n in range(1, 10))
SHORT_NAMES = tuple("Ann Bo Cy Dee Eve Fay Gil Hew Ian".split())
CLUES = tuple(letter * 24 for letter in "bcdfghjkl")
SHORT_CLUES = tuple("big old funny soft quick warm loud tall odd".split())
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
    """One text: to whom, the moment it was sent at, and what it says."""

    to: str
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
    """A table of people who all play by text message, at length or in `short` words."""

    def __init__(
        self, game: AnyGame, seed: int, options: Options = (), *, short: bool = False
    ) -> None:
        self.sent: list[Sent] = []
        self.clues = SHORT_CLUES if short else CLUES
        names = SHORT_NAMES if short else NAMES
        self.now_ms = 1_800_000_000_000
        self.people = [
            Speaker(f"p{n}", f"own{n}", name, texting=True)
            for n, name in enumerate(names[: game.seats(options)[1]])
        ]
        opened = open_room(
            "r1", "KTRGW", game.name, str(seed), self.people[0], HOUSE, load(),
            now_ms=self.now_ms, options=options,
        )  # fmt: skip
        self.room: Room = opened.room
        self._record("open", opened)
        for speaker in self.people[1:]:
            self.happen("join", Arrived(speaker))
        if not short:
            self._ask_about("in the lobby")
        self.before = len(self.sent)
        self.happen("start", Spoke(self.people[0], "go"))

    def happen(self, moment: str, happening: Happening) -> None:
        """Let something happen, and keep what is sent."""
        decision = decide(self.room, happening, self.now_ms, HOUSE, load())
        self.room = decision.room
        self._record(moment, decision)

    def play(self, *, asking: bool = True) -> None:
        """Play to the end: everybody answers at length, and asks everything there is."""
        for step in range(MOST_STEPS):
            if isinstance(self.room.stage, Over):
                break
            ask = next((a for a in playing.asks(self.room) if a.answered is None), None)
            if ask is None:
                closing = next((one.verb for one in playing.asks(self.room)), "pause")
                self.now_ms = playing.deadline_ms(self.room) or self.now_ms
                self.happen(f"{closing} closes", Woke())
                continue
            if asking and step % 17 == 0:
                self._ask_about(f"while the {ask.verb} is open")
            speaker = self.people[int(ask.to[1:]) - 1]
            self.happen(f"{ask.verb} given", Spoke(speaker, self._answer(ask, step)))
        if asking:
            self._ask_about("when it is over")

    def _answer(self, ask: Ask, step: int) -> str:
        """The own clue, or a name with a word from a card where one goes with it, or with none."""
        at = int(ask.to[1:]) - 1
        if not isinstance(ask.answer, Pick):
            return f"{ask.verb} {self.clues[at]}"
        ways = [option for option in ask.answer.options if option.word]
        if not ways:
            return ask.answer.options[0].value
        named = ways[step % len(ways)].value
        words = secrets(self.room)
        guess = words[step % len(words)] if step % 3 else GUESS
        return f"{ask.verb} {self.room.names[named]} {guess}"

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
            self.sent += [Sent(letter.to, moment, body) for body in bodies(letter)]


def evenings(game: AnyGame, seeds: range, options: Options = ()) -> Iterator[Sent]:
    """All that is sent in many evenings."""
    for seed in seeds:
        whole = Evening(game, seed, options)
        whole.play()
        lost = Evening(game, seed, options)
        lost.end_early()
        yield from (*whole.sent, *lost.sent)


def worst(sent: Iterator[Sent]) -> dict[str, Sent]:
    """The longest text of every moment."""
    longest: dict[str, Sent] = {}
    for one in sent:
        if one.moment not in longest or one.units > longest[one.moment].units:
            longest[one.moment] = one
    return longest


class Bill(Struct, frozen=True):
    """What a game costs, in segments of text: the whole, by round and player, the dearest seat."""

    segments: int
    rounds: int
    players: int
    dearest: int
    texts: int

    def __str__(self) -> str:
        each = self.segments / self.rounds / self.players
        most = self.dearest / self.rounds
        texts = self.texts / self.rounds / self.players
        return f"a round: {each:.2f} segments a player, {most:.2f} at most, in {texts:.2f} texts"


def bill(game: AnyGame, seeds: range, options: Options = (), *, short: bool = False) -> Bill:
    """What is sent from the start to the end of a game in which nobody asks for anything."""
    by_seat: defaultdict[str, int] = defaultdict(int)
    segments = rounds = texts = dearest = 0
    players = game.seats(options)[1]
    for seed in seeds:
        evening = Evening(game, seed, options, short=short)
        evening.play(asking=False)
        card = game.score_card(playing.state_of(evening.room))
        rounds += len(card.rounds) if card else 1
        by_seat.clear()
        for sent in evening.sent[evening.before :]:
            by_seat[sent.to] += sent.segments
            texts += 1
        segments += sum(by_seat.values())
        dearest += max(by_seat.values())
    return Bill(segments, rounds, players, dearest, texts)


def table(game: AnyGame, seeds: range = range(40), options: Options = ()) -> str:
    """The table, longest first, and the bills."""
    rows = sorted(worst(evenings(game, seeds, options)).values(), key=lambda one: -one.units)
    shown = [f"{one.units:5} {one.segments:3}  {one.moment}" for one in rows]
    bills = (
        f"{'short' if short else 'long '} words, {bill(game, seeds, options, short=short)}"
        for short in (False, True)
    )
    return "\n".join((" ".join((game.name, *options)), "units seg  moment", *shown, *bills))


if __name__ == "__main__":
    for each in find_games().values():
        print(table(each, options=tuple(sys.argv[1:])))  # noqa: T201  (it is what it is for)
