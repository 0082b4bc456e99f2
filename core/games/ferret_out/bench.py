"""Does it play? Whole games of equal bots through the real rules, counted.

Of five, Ferrets should find the Weasel with 60–85 % of their ballots, the Weasel should get the
word in 25–50 % of the rounds, and both should come to about the same points a round. Where they
don't, the words or the bots are mended, never the scoring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from core.dice import Dice
from core.game import Answered, Context, Refused, Seat, TimeUp, Turn
from core.games.ferret_out import bots
from core.games.ferret_out.bots import Strength
from core.games.ferret_out.pouches import house
from core.games.ferret_out.rules import GAME, seen
from core.games.ferret_out.state import State
from core.pace import Pace

WITH_THE_WORD = 3
"""A Weasel's points from here on say that it guessed the word (1 for itself, 2 for the word)."""


class Balance(Struct, frozen=True):
    """What came out of so many games: counts, and what they make in hundredths and in points."""

    players: int
    strength: Strength
    games: int = 0
    rounds: int = 0
    ballots: int = 0
    found: int = 0
    suspected: int = 0
    words: int = 0
    ferret_points: int = 0
    weasel_points: int = 0

    @property
    def found_percent(self) -> float:
        """In how many of their ballots Ferrets name the Weasel."""
        return 100 * self.found / self.ballots

    @property
    def suspected_percent(self) -> float:
        """In how many rounds the Weasel names itself."""
        return 100 * self.suspected / self.rounds

    @property
    def word_percent(self) -> float:
        """In how many rounds the Weasel gets the Ferrets' word."""
        return 100 * self.words / self.rounds

    @property
    def ferret_mean(self) -> float:
        """A Ferret's points a round."""
        return self.ferret_points / self.ballots

    @property
    def weasel_mean(self) -> float:
        """The Weasel's points a round."""
        return self.weasel_points / self.rounds

    def __str__(self) -> str:
        head = f"{self.games} games of {self.players} {self.strength} bots, {self.rounds} rounds"
        rows = [
            ("Ferrets name the Weasel", f"{self.found_percent:.1f} %"),
            ("The Weasel names itself", f"{self.suspected_percent:.1f} %"),
            ("The Weasel gets the word", f"{self.word_percent:.1f} %"),
            ("Points of a Ferret a round", f"{self.ferret_mean:.2f}"),
            ("Points of the Weasel a round", f"{self.weasel_mean:.2f}"),
            ("Difference", f"{self.ferret_mean - self.weasel_mean:+.2f}"),
        ]
        return "\n".join([head, *(f"  {what:<30}{value:>8}" for what, value in rows)])


def balance(
    games: int = 2_000, players: int = 5, strength: Strength = "fair", seed: str = "bench"
) -> Balance:
    """Play base games of bots of one strength, and count the points.

    `games` of them with `players` each. The same seed counts the same.

    ValueError: a strength that no bot has.
    """
    if strength not in get_args(Strength):
        raise ValueError(f"no bot is {strength!r}: {', '.join(get_args(Strength))}")
    counted = Balance(players, strength)
    for game in range(games):
        counted = replace(counted, games=game + 1)
        for studied, gained in _rounds(f"{seed}/{game}", players, strength):
            counted = _count(counted, studied, gained)
    return counted


BENCHES: Mapping[str, Callable[..., object]] = {"balance": balance}
"""What `parlour bench NAME` finds here; what it returns is printed."""


def _count(so_far: Balance, studied: State, gained: Mapping[Seat, int]) -> Balance:
    """What a round adds: the state in which its ballots were cast, and what each seat scored."""
    deal, (weasel,) = studied.deal, studied.deal.weasels
    named = {ask.to: ask.answered.picked[0] for ask in GAME.asks(studied) if ask.answered}
    return replace(
        so_far,
        rounds=so_far.rounds + 1,
        ballots=so_far.ballots + len(deal.ferrets),
        found=so_far.found + sum(named[seat] == weasel for seat in deal.ferrets),
        suspected=so_far.suspected + (named[weasel] == weasel),
        words=so_far.words + (gained[weasel] >= WITH_THE_WORD),
        ferret_points=so_far.ferret_points + sum(gained[seat] for seat in deal.ferrets),
        weasel_points=so_far.weasel_points + gained[weasel],
    )


def _rounds(
    seed: str, players: int, strength: Strength
) -> Iterator[tuple[State, Mapping[Seat, int]]]:
    """A game, round by round: as it stood when the ballots were in, and what each seat scored."""
    seats = tuple(f"s{at}" for at in range(1, players + 1))
    ctx = Context(0, Dice(seed, 0), Pace(), seats, seats, seats)
    state = GAME.start(ctx).state
    while deadline := GAME.deadline(state):
        ask = next((ask for ask in GAME.asks(state) if ask.answered is None), None)
        ctx = _later(ctx, ctx.now_ms if ask else deadline.at_ms)
        if ask:
            bot = replace(seen(state, ask.to), strength=strength)
            given = bots.answer(ask, bot, ctx.dice, house())
            state = _after(GAME.play(state, Answered(ask.to, ask.id, given), ctx))
            continue
        closed, state = state, _after(GAME.play(state, TimeUp(), ctx))
        if state.played > closed.played:
            yield closed, state.history[-1]


def _later(ctx: Context, now_ms: int) -> Context:
    return replace(ctx, now_ms=now_ms, dice=replace(ctx.dice, step=ctx.dice.step + 1))


def _after(turn: Turn[State] | Refused) -> State:
    if isinstance(turn, Refused):
        raise TypeError(f"a bot was refused: {turn.line.key}")
    return turn.state
