"""Random legal play by the policy of the reference table, its figures beside ours.

`parlour bench smallseat`. The policy answers the real questions of the real rules; only which of
the offered cards is likelier is its own: every card counts alike, not every Animal.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from core.dice import Dice
from core.game import (
    Answered,
    Ask,
    Context,
    Given,
    Line,
    Refused,
    Say,
    Seat,
    TimeUp,
    Turn,
    Who,
)  # fmt: skip
from core.games.smallseat.animals import GIFTS, KINDS, can_act, partners, reachable, spare
from core.games.smallseat.choosing import OPEN
from core.games.smallseat.orders import DO, OVER
from core.games.smallseat.rules import asks, begin, play, turned_over, waits
from core.games.smallseat.state import (
    Acting,
    Calling,
    Card,
    Ended,
    Handling,
    Owing,
    Paused,
    Paying,
    Polling,
    State,
    Voting,
)
from core.games.smallseat.voting import choice, to_follow
from core.pace import Pace

T = TypeVar("T")

FOLLOWS, SWAPS, TURNS = 0.75, 0.4, 0.5
COLUMNS = ("rounds", "ties", "winning", "boss", "cannot", "teller", "some", "nobody", "several")
REFERENCE: Mapping[int, tuple[float, ...]] = {
    3: (12.6, 0.19, 2.14, 0.84, 0.31, 0.42, 0.18, 0.40, 0.24),
    4: (12.5, 0.24, 2.36, 0.68, 0.37, 0.32, 0.23, 0.44, 0.28),
    5: (12.0, 0.26, 2.62, 0.68, 0.44, 0.29, 0.28, 0.43, 0.27),
    6: (11.5, 0.31, 2.73, 0.64, 0.48, 0.24, 0.32, 0.45, 0.32),
    8: (12.8, 0.37, 2.80, 0.56, 0.57, 0.19, 0.35, 0.46, 0.31),
    10: (14.2, 0.43, 2.64, 0.43, 0.63, 0.15, 0.39, 0.46, 0.32),
    12: (14.7, 0.46, 2.59, 0.49, 0.67, 0.13, 0.39, 0.49, 0.33),
}
"""The rules' reference table: 3,000 games of so many players with as many Animals."""


class Figures(Struct):
    """What so many games came to."""

    games: int = 0
    rounds: int = 0
    ties: int = 0
    winning: int = 0
    boss: int = 0
    duties: int = 0
    cannot: int = 0
    teller: int = 0
    candidate: int = 0
    nobody: int = 0
    several: int = 0

    @property
    def row(self) -> tuple[float, ...]:
        """The columns of the reference table."""
        games, rounds = self.games, max(1, self.rounds)
        return (
            self.rounds / games, self.ties / rounds, self.winning / rounds, self.boss / rounds,
            self.cannot / max(1, self.duties), self.teller / games, self.candidate / games,
            self.nobody / games, self.several / games,
        )  # fmt: skip


class Chance:
    """Chances by the thousand, the same on every Python: `Dice` is for one at a time."""

    def __init__(self, seed: str) -> None:
        """The same seed gives the same chances."""
        self._seed, self._rolls = seed, 0

    def random(self) -> float:
        """Something from 0 up to 1."""
        self._rolls += 1
        roll = hashlib.sha256(f"{self._seed}/{self._rolls}".encode()).digest()
        return int.from_bytes(roll[:6]) / 2**48

    def below(self, count: int) -> int:
        """A number from 0 up to `count`."""
        return int(self.random() * count)

    def choice(self, items: Sequence[T]) -> T:
        """One of them."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """So many of them, in any order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(count)]


class Player:
    """The policy, for every seat of a game; it counts what the table counts."""

    def __init__(self, seed: str, figures: Figures) -> None:
        """One game by one seed."""
        self.chance, self.figures = Chance(seed), figures

    def answer(self, state: State, ask: Ask) -> Given:
        """What a seat answers: legal, and by chance."""
        seat, phase = ask.to, state.phase
        hand = state.hands.get(seat)
        match phase:
            case Calling():
                return self._one(state.animals)
            case Voting():
                return self._vote(state, seat)
            case Paying():
                assert hand  # noqa: S101  (dealt before)
                card = self.chance.choice(hand.cards)
                to = self.chance.choice([s for s in state.chairs if s != seat])
                return Given((*self._named(state, seat, [card]), to))
            case Handling():
                others = partners(state, seat)
                swaps = others and (not can_act(state, seat) or self.chance.random() < SWAPS)
                return self._one(others) if swaps else Given((DO,))
            case Acting(kind):
                return self._act(state, seat, kind)
            case Polling():
                return self._one((OVER, "on"))
            case Owing(kind, _, count):
                assert hand  # noqa: S101
                among = hand.secret if kind == "pig" else hand.cards
                cards = self.chance.sample(among, count if kind != "panda" else 1)
                return Given(self._named(state, seat, cards))
            case _:  # Keeping
                assert hand  # noqa: S101
                return Given(self._named(state, seat, [self.chance.choice(hand.cards)]))

    def turn(self, before: State, after: State) -> State:
        """A fair coin for each card that has just come to somebody."""
        for seat, cards in after.fresh.items():
            new = [card for card in cards if card not in before.fresh.get(seat, ())]
            after = turned_over(after, seat, [c for c in new if self.chance.random() < TURNS])
        return after

    def _vote(self, state: State, seat: Seat) -> Given:
        may = choice(state, seat)
        free, every = may.free, (*may.free, *may.dear)
        if may.dear and self.chance.random() >= FOLLOWS:
            free = every
        wanted = to_follow(state, seat)
        bound = seat in state.duties.koala and any(state.kind(c) == "koala" for c in every)
        if wanted and state.duties.rule != "cat" and not bound:
            self.figures.duties += 1
            self.figures.cannot += not any(state.kind(card) == wanted for card in every)
        return Given(self._named(state, seat, [self.chance.choice(free)]))

    def _act(self, state: State, seat: Seat, kind: str) -> Given:
        hand, others = state.hands[seat].cards, reachable(state, seat)
        match kind:
            case "rabbit":
                card = self.chance.choice(hand)
                return Given((self.chance.choice(others), state.kind(card)))
            case "pig":
                count = self.chance.below(1 + min(GIFTS, spare(state, seat)))
                cards = self.chance.sample(hand, count)
                gifts = [(card, self.chance.choice(others)) for card in cards]
                return Given(self._gifts(state, seat, gifts))
            case "panda":
                return self._one(state.animals)
            case "cat":
                return Given(self._named(state, seat, self.chance.sample(hand, GIFTS)))
            case _:
                return Given(self._named(state, seat, [self.chance.choice(hand)]))

    def _gifts(self, state: State, seat: Seat, gifts: list[tuple[Card, Seat]]) -> tuple[str, ...]:
        """Gifts as an answer: whoever gets most comes last, and gets the rest."""
        count = Counter(to for _, to in gifts)
        ranked = sorted(gifts, key=lambda gift: (count[gift[1]], gift[1]))
        cards = self._named(state, seat, [card for card, _ in ranked])
        return (*cards, *dict.fromkeys(to for _, to in ranked))

    def _named(self, state: State, seat: Seat, cards: Sequence[Card]) -> tuple[str, ...]:
        """Cards as options."""
        opened = state.hands[seat].open
        return tuple(state.kind(card) + (OPEN if card in opened else "") for card in cards)

    def _one(self, values: tuple[str, ...]) -> Given:
        return Given((self.chance.choice(values),))


def game(
    seed: str, players: int, figures: Figures, *, animals: int = 0,
    watch: Callable[[State], None] = lambda _: None,
) -> State:  # fmt: skip
    """Play a game to its end; `watch` sees every state."""
    player = Player(seed, figures)
    seats = tuple(f"s{at}" for at in range(1, players + 1))
    kinds = tuple(player.chance.sample(KINDS, animals or players))
    ctx = Context(0, Dice(seed, 0), Pace(), seats, seats, seats)
    state = begin(seats, player.chance.choice(seats), kinds, ctx).state
    watch(state)
    while not isinstance(state.phase, Ended):
        for event in _events(player, state):
            ctx = replace(ctx, dice=replace(ctx.dice, step=ctx.dice.step + 1))
            turn = _after(play(state, event, ctx))
            before, state = state, turn.state
            _count(before, turn.says, figures)
            state = player.turn(before, state)
            watch(state)
    _ended(state, state.phase, figures)
    return state


def _events(player: Player, state: State) -> Iterator[Answered | TimeUp]:
    asked = asks(state)
    yield from (Answered(ask.to, ask.id, player.answer(state, ask)) for ask in asked)
    if not isinstance(state.phase, Paused | Ended) and waits(state.phase):
        yield TimeUp()


def _count(before: State, says: Sequence[Say], figures: Figures) -> None:
    """Count a round, in the step in which its votes are told, in the order of the chairs."""
    told = [say.line.args["animal"] for say in says if say.line.key == "vote-was"]
    if not told:
        return
    voters = [say.line.args["who"] for say in says if say.line.key == "vote-was"]
    kinds = [one.key for one in told if isinstance(one, Line)]
    count = Counter(kinds)
    most = max(count.values())
    won = next(kind for kind in kinds if count[kind] == most)
    figures.rounds += 1
    figures.ties += sum(number == most for number in count.values()) > 1
    figures.winning += most
    figures.boss += (Who(before.boss), won) in zip(voters, kinds, strict=True)


def _ended(state: State, ended: Ended, figures: Figures) -> None:
    figures.games += 1
    figures.teller += ended.winners == (state.teller,)
    figures.candidate += bool(ended.winners) and ended.winners != (state.teller,)
    figures.nobody += not ended.winners
    figures.several += len(ended.most) > 1


def _after(turn: Turn[State] | Refused) -> Turn[State]:
    if isinstance(turn, Refused):
        raise TypeError(f"the policy was refused: {turn.line.key}")
    return turn


def smallseat(games: int, players: int, strength: str, seed: str) -> str:
    """Play Smallseat by chance with each number of players, beside reference figures.

    No bot plays: `players` and `strength` are other benches'. ValueError: no games.
    """
    del players, strength
    if games < 1:
        raise ValueError("at least one game must be played")
    head = f"{games} games each, random legal play: ours, and under it the reference"
    lines = [head, _line("N", COLUMNS)]
    for count, reference in REFERENCE.items():
        figures = Figures()
        for number in range(games):
            game(f"{seed}/{count}/{number}", count, figures)
        lines.append(_line(str(count), [f"{one:.2f}" for one in figures.row]))
        lines.append(_line("", [f"{one:.2f}" for one in reference]))
    return "\n".join(lines)


def _line(head: str, cells: Sequence[str]) -> str:
    return "".join([f"{head:>4}", *(f"{cell:>9}" for cell in cells)])


BENCHES: Mapping[str, Callable[[int, int, str, str], str]] = {"smallseat": smallseat}
