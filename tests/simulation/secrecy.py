"""What a seat may not know, looked for in everything that leaves for it; and twins at every answer.

A word on a card is a secret of the seats that hold it until the game has told it. Words that the
catalogue itself says, and words that somebody at the table has typed, prove nothing and are let go.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources
from itertools import islice

from core import playing
from core.delivery import Letter
from core.engine import Decision, Pressed, Spoke, Woke
from core.game import Pick, Seat
from core.room import Playing, Room
from tests.plays import on_card
from tests.simulation.invariants import REGRET_SECONDS
from tests.simulation.platforms import flat
from tests.simulation.steps import Step
from tests.worlds import answers, holding, secrets_of

Words = frozenset[str]

NOTHING: Words = frozenset()
TWINS = 11
"""How many twins of a step are looked at, at most, before one is chosen."""


@cache
def common_words() -> str:
    """All that the catalogue says, small."""
    root = resources.files("core")
    folders = [root, *root.joinpath("games").iterdir()]
    files = [one for each in folders if each.is_dir() for one in each.iterdir()]
    return "\n".join(
        one.read_text("utf-8") for one in files if one.name.endswith(".ftl")
    ).casefold()


@lru_cache(4096)
def is_common(word: str) -> bool:
    """Whether a word is found in what the catalogue says, or is hardly a word."""
    return len(word) < 3 or any_of(frozenset({word}), common_words()) != ""


@lru_cache(1024)
def _pattern(words: Words) -> re.Pattern[str]:
    listed = "|".join(re.escape(word) for word in sorted(words))
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)")


def any_of(words: Words, text: str) -> str:
    """The first of `words` that a text has, or an empty string."""
    found = _pattern(words).search(text.casefold()) if words else None
    return found.group() if found else ""


def cards(room: Room) -> dict[Seat, Words]:
    """The secret words of every seat that holds a card."""
    if not isinstance(room.stage, Playing):
        return {}
    held = {one.seat: on_card(room, one.seat) for one in room.seats}
    return {seat: frozenset(w for w in words if not is_common(w)) for seat, words in held.items()}


class Secrets:
    """The secrets of one room as it goes on."""

    def __init__(self) -> None:
        self.cards: dict[Seat, Words] = {}
        self._known: dict[Seat, Words] = {}
        self._told: Words = NOTHING
        self._typed = ""

    def follow(self, step: Step) -> None:
        """Take a step: who holds what now, and what everybody may know."""
        settled, _ = playing.advance(step.before, step.now_ms)
        self._learn(cards(settled))  # somebody may have held a card for a moment within the step
        self._typed += "".join(f"\n{name.casefold()}" for name in step.after.names.values())
        if isinstance(step.happening, Spoke):
            self._typed += f"\n{step.happening.text.casefold()}"
        self._typed += "".join(f"\n{words.casefold()}" for words in _written(step.after))
        if told(step.before, step.after):
            self._told = self._told.union(*self.cards.values())
        self.cards = cards(step.after)
        self._learn(self.cards)

    def _learn(self, held: Mapping[Seat, Words]) -> None:
        for seat, words in held.items():
            self._known[seat] = self._known.get(seat, NOTHING) | words

    def kept_from(self, seats: Collection[Seat]) -> Words:
        """The words that may not reach whoever sits on `seats`."""
        known = self._told.union(*(self._known.get(seat, NOTHING) for seat in seats))
        words = NOTHING.union(*self.cards.values()) - known
        return frozenset(word for word in words if word not in self._typed)


def _written(room: Room) -> Iterator[str]:
    """What bots have written, and what the public questions quote."""
    bots = {one.seat for one in room.seats if one.bot}
    for ask in playing.asks(room):
        if ask.to in bots and ask.answered:
            yield ask.answered.words
        if bots and ask.public:
            yield flat(dict(ask.line.args))
        if bots and isinstance(ask.answer, Pick):
            yield from (option.note for option in ask.answer.options)


def told(before: Room, after: Room) -> bool:
    """Whether the secrets of a room have been told, or are void, a step later."""
    states = playing.state_of(before), playing.state_of(after)
    if states[0] is None or states[1] is None or not isinstance(before.stage, Playing):
        return False
    return secrets_of(playing.game_of(before)).told(*states)


def seats_at(room: Room, address: str) -> tuple[Seat, ...]:
    """Whoever reads what goes to an address, those who left included."""
    return tuple(one.seat for one in room.seats if one.address == address)


def all_of(letter: Letter) -> str:
    """Every text in a letter, in all its forms."""
    return flat((letter.text, letter.short, letter.buttons, letter.score_card, letter.ring))


# --- twins ---------------------------------------------------------------------------------------


def nothing_depends_on_what_a_seat_may_not_know(step: Step) -> str | None:
    """Whoever answers sees the same where the others hold other cards."""
    room, seat = step.before, step.actor
    if not seat or not isinstance(room.stage, Playing) or any(one.bot for one in room.seats):
        return None
    twins = secrets_of(playing.game_of(room)).twins(playing.state_of(room), seat)
    few: list[object] = list(islice(twins, TWINS))
    if not few:
        return None
    twin = holding(room, few[step.revision % len(few)])
    if answers(twin).get(seat) != answers(room).get(seat):
        return f"the question to {seat} tells of another's card"
    other = step.decide(twin, step.happening, step.now_ms)
    if told(room, step.after) or told(twin, other.room):
        return None
    if seen(step.decided, room, seat) == seen(other, room, seat):
        return None
    return f"{seat} would see something else if others held other cards"


def seen(decision: Decision, room: Room, seat: Seat) -> object:
    """All that a decision shows to a seat."""
    mine = {room.place, room.seated(seat).address}
    return [one for one in decision.letters if one.to in mine], decision.toast, decision.wake_ms


# --- the order of answers ------------------------------------------------------------------------


class Arrivals:
    """Who answered the open question how, in the order in which they did."""

    def __init__(self) -> None:
        self._opened: tuple[Room, int] | None = None
        self._answers: dict[Seat, Spoke | Pressed] = {}

    def follow(self, step: Step) -> str | None:
        """Take a step. What is wrong, if it closes a question and tells who answered first."""
        asked, asks = {ask.id for ask in playing.asks(step.before)}, playing.asks(step.after)
        if asks and asked != {ask.id for ask in asks}:
            wrong = self._compare(step)
            secret = len(asks) > 1 and not any(ask.public for ask in asks)
            self._opened = (step.after, step.now_ms) if secret else None
            self._answers = {}
            return wrong
        if step.before.seats != step.after.seats or not asks:
            self._opened = None
        elif step.actor and isinstance(step.happening, Spoke | Pressed):
            before, after = answers(step.before), answers(step.after)
            if before.get(step.actor) != after.get(step.actor):
                self._answers.pop(step.actor, None)
                self._answers[step.actor] = step.happening
        return None

    def _compare(self, step: Step) -> str | None:
        if self._opened is None or len(self._answers) < 2:
            return None
        room, now_ms = self._opened
        if not REGRET_SECONDS[room.pace.name]:
            return None
        seats = list(self._answers)
        one, other = (self._closing(step, room, now_ms, order) for order in (seats, seats[::-1]))
        return None if one == other else "what is told depends on who answered first"

    def _closing(self, step: Step, room: Room, now_ms: int, seats: Collection[Seat]) -> object:
        for seat in seats:
            room = step.decide(room, self._answers[seat], now_ms).room
        due_ms = playing.deadline_ms(room)
        return step.decide(room, Woke(), due_ms or now_ms).letters
