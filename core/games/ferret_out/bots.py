"""Bots that play by what their seat may know: their own card, the clues, the names.

Theory of operation. What a bot knows of the world are the pack's associations: what each word
makes people think of. A clue fits a word if it is one of these; a vague clue of the family fits
each of its words a little; of any other clue a bot makes nothing. Each way the cards may lie (who
the Weasels are, what the other word is) counts for as much as the clues fit the words that those
who gave them would have. The bot names whoever is the Weasel in most of that, be it itself, and
guesses the word that is the other one in most of that.

What keeps it human: only some words and associations come to its mind, others each time. There the
strengths differ, and in how telling their own clues are; `bench.py` shows what comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import prod
from typing import Literal, TypeAlias

from msgspec import Struct

from core.dice import Dice
from core.game import Ask, Given, Pick, Seat
from core.games.ferret_out.matching import key, on_card
from core.games.ferret_out.points import NOBODY
from core.games.ferret_out.pouches import Family, Pack

Strength: TypeAlias = Literal["easy", "fair", "sharp"]

UNFIT = 0.1
"""How likely a clue is given to a word that it doesn't fit, against one that it fits."""

VAGUE = 0.5
"""The same of a clue that fits the whole family a little."""


class Mind(Struct, frozen=True):
    """So many other `words` come to it, and so many associations of its own (`recalls`).

    `draws` weighs the clues it gives, from vague to telling.
    """

    words: int
    recalls: int
    draws: tuple[int, ...]


MINDS: Mapping[Strength, Mind] = {
    "easy": Mind(8, 7, (1, 1, 1, 1, 1, 1, 1, 1)),
    "fair": Mind(10, 7, (1, 1, 1, 1, 2, 2, 2, 2)),
    "sharp": Mind(13, 8, (3, 3, 3, 3, 2, 2, 2, 2)),
}


class Seen(Struct, frozen=True):
    """What the bot's seat knows: its word and that word's family, who plays, and the clues.

    `clues` are those that are public: none of them is given again. `card` are the six words of its
    own card, `weasels` the numbers of Weasels that there may be. A bot without a `strength` has
    one of its own, for as long as its room lasts.
    """

    word: str
    position: int
    players: tuple[Seat, ...]
    clues: Mapping[Seat, str]
    card: tuple[str, ...] = ()
    weasels: tuple[int, ...] = (1,)
    strength: Strength | None = None


class Lie(Struct, frozen=True):
    """One way the cards may lie, and how well it goes with the clues (1: as if all were alike)."""

    weasels: tuple[Seat, ...]
    other_word: str
    weight: float


def answer(ask: Ask, seen: Seen, dice: Dice, pack: Pack) -> Given:
    """A legal answer to the ask."""
    bot = Bot(ask.to, seen, dice, pack)
    match ask.answer:
        case Pick() as pick if ask.verb == "number":
            return Given((bot.order([option.value for option in pick.options], "number")[0],))
        case Pick() as pick:
            return bot.ballot(pick)
        case _:
            return Given(words=bot.clue())


class Bot(Struct, frozen=True):
    """A seat with an open ask, and what it sees."""

    seat: Seat
    seen: Seen
    dice: Dice
    pack: Pack

    @property
    def mind(self) -> Mind:
        """How it thinks; without a strength given, by dice that are the same in every step."""
        own = Dice(self.dice.seed, 0).one_of(list(MINDS), f"strength/{self.seat}")
        return MINDS[self.seen.strength or own]

    @property
    def family(self) -> Family:
        """The words that everybody's may be."""
        return self.pack.families[self.seen.position]

    def order(self, items: Sequence[str], label: str) -> list[str]:
        """`items`, in an order by this bot's dice."""
        return self.dice.order(items, f"{label}/{self.seat}")

    def clue(self) -> str:
        """An association of its word; one of the others' word too, if it takes itself for Weasel.

        Where none is left, a vague one, or another word of the family; never one that was given,
        nor a word of its own card (F-04).
        """
        family, seen = self.family, self.seen
        mine = family.associations.get(seen.word, ())
        draws = zip(mine, self.mind.draws, strict=False)
        tickets = [clue for clue, count in draws for _ in range(count)]
        lies = tuple(self.lies()) if seen.clues else ()
        theirs: Sequence[str] = ()
        if lies and self.likeliest(seen.players, lies) == self.seat:
            theirs = family.associations.get(self.likeliest_word(self.seat, lies), ())
        both = [clue for clue in tickets if clue in theirs]
        choices = (both, tickets, family.clues, family.words)
        drawn = (clue for clues in choices for clue in self.order(clues, "clue"))
        given = {key(clue) for clue in seen.clues.values()}
        free = (clue for clue in drawn if key(clue) not in given)
        return next(clue for clue in free if on_card(clue, seen.card, self.pack) is None)

    def ballot(self, pick: Pick) -> Given:
        """Whoever is likeliest to be a Weasel, with the word that is likeliest then."""
        lies = tuple(self.lies())
        named = self.likeliest([option.value for option in pick.options], lies)
        option = pick.option(named)
        asked = option is not None and option.word is not None
        return Given((named,), self.likeliest_word(named, lies) if asked else "")

    def likeliest(self, names: Sequence[str], lies: Sequence[Lie]) -> str:
        """The name that is right in most of how the cards may lie; NOBODY's is no Weasel at all."""
        weights: dict[str, float] = dict.fromkeys(self.order(names, "name"), 0)
        for lie in lies:
            for name in lie.weasels or (NOBODY,):
                if name in weights:
                    weights[name] += lie.weight
        return max(weights, key=lambda name: weights[name])

    def likeliest_word(self, named: str, lies: Sequence[Lie]) -> str:
        """The other side's word, if who is named is a Weasel, and this bot is one only as such."""
        weights: dict[str, float] = {}
        for lie in lies:
            if named in lie.weasels and (self.seat in lie.weasels) == (self.seat == named):
                weights[lie.other_word] = weights.get(lie.other_word, 0) + lie.weight
        return max(weights, key=lambda word: weights[word], default="")

    def lies(self) -> Iterator[Lie]:
        """All the ways the cards may lie. Each is as likely to be dealt as any other.

        That holds in every variant: with one card left out of N+1, no Weasel is as likely as any
        one player; with two Weasels' cards among them, one Weasel as likely as any one pair.
        """
        mind = self._comes_to_mind()
        others = [word for word in mind if word != self.seen.word]
        heard = {seat: clue for seat, clue in self.seen.clues.items() if seat != self.seat}
        odds = {seat: self._odds(clue, mind) for seat, clue in heard.items()}
        for count in self.seen.weasels:
            for weasels in combinations(self.seen.players, count):
                i_am = self.seat in weasels
                across = [odds[seat] for seat in odds if (seat in weasels) != i_am]
                for word in others:
                    yield Lie(weasels, word, prod(each[word] for each in across))

    def _comes_to_mind(self) -> dict[str, Sequence[str]]:
        """Some words of the family, its own among them, and what they make it think of."""
        associations, mine = self.family.associations, self.seen.word
        words = self.order(self.family.words, "words")
        others = [word for word in words if word != mine][: self.mind.words]
        recalled = self.order(associations.get(mine, ()), "mine")
        mind: dict[str, Sequence[str]] = {word: associations.get(word, ()) for word in others}
        return {**mind, mine: recalled[: self.mind.recalls]}

    def _odds(self, clue: str, mind: Mapping[str, Sequence[str]]) -> dict[str, float]:
        """How much better a clue fits each word that came to mind than the bot's own."""
        said = key(clue)
        spelt = {said, f"{said}s", said.removesuffix("s")}
        unfit = UNFIT if spelt.isdisjoint(self.family.clues) else VAGUE
        fits = {word: unfit if spelt.isdisjoint(known) else 1.0 for word, known in mind.items()}
        return {word: fit / fits[self.seen.word] for word, fit in fits.items()}
