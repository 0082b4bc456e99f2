"""Bots that play by what their seat may know: its own hand, and what all can see.

Theory of operation. `seen` is the only reader of the state: it takes what the seat may know out of
it, and whatever a bot decides, it decides by that. The Teller knows their own secret cards; a
Candidate reckons how many of each Animal they are, by how many votes it won with, if a round that
it won comes to mind. All Candidates reckon alike, so they come to back the same Animal against the
called one: whoever keeps a card of it wins with the others.

Every choice is by worth, the dice decide between equals. What the called Animal would win by, a
Candidate would rather give away: paying the Teller for it costs less than following does, because
what the Teller is given lies open and doesn't count. What keeps a bot human is that some answers
are by chance, and that not every round comes to its mind. There the strengths differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from core.dice import Dice
from core.game import Ask, Context, Given, Pick, Seat
from core.games.smallseat.choosing import OPEN, card_options
from core.games.smallseat.orders import DO, OVER
from core.games.smallseat.state import (
    COPIES,
    Acting,
    Calling,
    Hand,
    Handling,
    Keeping,
    Kind,
    Ordering,
    Owing,
    Paying,
    Phase,
    Polling,
    State,
    Voting,
)
from core.games.smallseat.voting import choice, to_follow

Strength: TypeAlias = Literal["easy", "fair", "sharp"]
STRENGTHS: tuple[Strength, ...] = ("easy", "fair", "sharp")

Value: TypeAlias = str
"""What an option is picked by: an Animal on a secret or an open card, a seat, `do`."""

Worth: TypeAlias = Callable[[Value], float]

NEVER = 100.0
"""More than any other worth."""


class Mind(Struct, frozen=True):
    """Of ten answers so many are `lapses`, by chance. So many rounds come to mind (`recalls`).

    Of ten times that it should join the called Animal it `refuses` so often, and pays.
    """

    lapses: int
    recalls: int
    refuses: int


MINDS: Mapping[Strength, Mind] = {
    "easy": Mind(7, 1, 0),
    "fair": Mind(2, 4, 4),
    "sharp": Mind(0, 1_000, 10),
}

SILENCED: tuple[Kind, ...] = ("pony", "chick", "cat", "otter")
"""Whom a cunning Teller calls: cards that win do nothing, and these could do the Teller harm."""

CHOICELESS: tuple[Kind, ...] = ("chick", "hedgehog", "koala", "otter", "dog", "pony")
"""What can be ordered by mail with one word."""

TELLERS_GAIN: Mapping[Kind, float] = {
    "seal": 9, "pig": 9, "squirrel": 5, "panda": 4, "pony": 3, "otter": 0, "chick": -1, "cat": -1,
}  # fmt: skip
CANDIDATES_GAIN: Mapping[Kind, float] = {
    "pig": 9, "chick": 6, "pony": 5, "cat": 4, "koala": 0, "panda": -1, "seal": -5,
}  # fmt: skip
"""What doing what a card says is worth; 1 where it says nothing here."""


class Seen(Struct, frozen=True):
    """What a seat knows.

    `hand` are its cards, `tally` how many of each Animal the Teller holds in secret, `out` how many
    others may hold beside those. `dear` are Animals that cost a card as a vote, `led` is the one to
    join, `won` the Animal that won this round, `lost` the one on the seat's own vote.
    """

    seat: Seat
    teller: Seat
    chairs: tuple[Seat, ...]
    animals: tuple[Kind, ...]
    call: Kind
    hand: Counter[Kind]
    tally: Mapping[Kind, float]
    out: Mapping[Kind, float]
    dear: frozenset[Kind] = frozenset()
    led: Kind = ""
    won: Kind = ""
    lost: Kind = ""

    @property
    def is_teller(self) -> bool:
        """The seat is the Teller's."""
        return self.seat == self.teller

    @property
    def rivals(self) -> tuple[Kind, ...]:
        """The Animals that were not called; first those of which the Teller holds most."""
        others = (kind for kind in self.animals if kind != self.call)
        return tuple(sorted(others, key=lambda kind: -self.tally[kind]))

    @property
    def goal(self) -> Kind:
        """The Animal a Candidate would best end with, of those in hand."""
        return next((kind for kind in self.rivals if self.hand[kind]), self.call)


def answer(state: State, ask: Ask, ctx: Context) -> Given:
    """A legal answer to the ask, by what its seat may know."""
    mind = MINDS[strength(ask.to, ctx)]
    assert isinstance(ask.answer, Pick)  # noqa: S101  (Smallseat has nothing to write)
    bot = Bot(seen(state, ask.to, mind.recalls), ask.answer, ctx.dice, mind)
    match state.phase:
        case Voting() as voting if state.by_mail:
            may = choice(state, ask.to)
            cards = Pick(card_options(state, ask.to, (*may.free, *may.dear)))
            (vote,) = replace(bot, pick=cards).picks(voting)
            return Given((vote, bot.order(_kind(vote))))
        case Ordering():
            return Given((bot.order(bot.seen.lost),))
        case phase:
            return Given(bot.picks(phase))


def strength(seat: Seat, ctx: Context) -> Strength:
    """What the host chose for all; else the bot's own, by dice that are the same in every step."""
    chosen: list[Strength] = [one for one in STRENGTHS if one in ctx.chosen]
    if chosen:
        return chosen[0]
    return Dice(ctx.dice.seed, 0).one_of(STRENGTHS, f"strength/{seat}")


def seen(state: State, seat: Seat, recalls: int) -> Seen:
    """What a seat knows of the state, with so many rounds in mind.

    While votes come in, those of the Boss and the Teller are open; what the Otter chose for
    somebody by chance is in the state already, and is not.
    """
    hands = {other: state.hands.get(other, Hand()) for other in state.chairs}
    voting = isinstance(state.phase, Voting)
    shown = state.votes
    if voting:
        shown = {other: shown[other] for other in shown if other in (seat, state.teller)}
    votes = {other: state.kind(card) for other, card in shown.items()}
    mine = Counter(state.kind(card) for card in hands[seat].cards)
    in_sight = mine + Counter(votes[other] for other in (state.losing if state.won else votes))
    for other in state.chairs:
        if other != seat:
            in_sight.update(state.kind(card) for card in hands[other].open)
    if seat == state.teller:
        tally = Counter[Kind](state.kind(card) for card in hands[seat].secret)
        out = {kind: COPIES - in_sight[kind] for kind in state.animals}
    else:
        tally = _reckoned(state, recalls, in_sight)
        out = {kind: COPIES - in_sight[kind] - tally[kind] for kind in state.animals}
    return Seen(
        seat, state.teller, state.chairs, state.animals, state.call, mine, tally, out,
        dear=frozenset(map(state.kind, choice(state, seat).dear)) if voting else frozenset(),
        led=(to_follow(state, seat) if voting else None) or "",
        won=state.history[-1] if state.won else "",
        lost=votes.get(seat, ""),
    )  # fmt: skip


def _reckoned(state: State, recalls: int, in_sight: Mapping[Kind, int]) -> Counter[Kind]:
    """How many secret cards of each Animal the Teller may hold: those that won and are not seen."""
    return Counter(
        {
            kind: min(state.tally.get(kind, 0), COPIES - in_sight.get(kind, 0))
            for kind in state.history[-recalls:]
        }
    )


class Bot(Struct, frozen=True):
    """A seat with an open ask."""

    seen: Seen
    pick: Pick
    dice: Dice
    mind: Mind

    def picks(self, phase: Phase) -> tuple[Value, ...]:
        """What it picks. By chance it picks nothing that costs a card."""
        lapses = self.of_ten(self.mind.lapses, "lapse")
        match phase:
            case Acting("pig"):
                return () if lapses else self.gifts()
            case Paying() | Acting("rabbit"):
                return self.one_of_each(by_chance if lapses else self.to_part_with)
            case _:
                worth = self.thrift if lapses else self.worth(phase)
                return self.ranked(worth)[: self.pick.at_least]

    def worth(self, phase: Phase) -> Worth:
        """How much everything that can be picked now is worth."""
        teller = self.seen.is_teller
        match phase:
            case Calling():
                return self.to_call
            case Voting():
                return self.to_vote_as_teller if teller else self.to_vote
            case Handling():
                return self.to_handle
            case Polling():
                return self.to_agree
            case Acting("panda"):
                return self.to_name
            case Acting("seal") | Owing("seal"):
                return self.to_turn if teller else self.to_hide
            case Keeping():
                return self.to_keep
            case _:
                return self.to_part_with

    def order(self, lost: Kind) -> Value:
        """By mail, what to do if this Animal loses: what needs no choice, or a swap."""
        bot = replace(self, seen=replace(self.seen, lost=lost))
        able = {*self.seen.chairs, *((DO,) if lost in CHOICELESS else ())} - {self.seen.seat}
        pick = Pick(tuple(one for one in self.pick.options if one.value in able))
        return replace(bot, pick=pick).ranked(bot.to_handle)[0]

    # --- picking -------------------------------------------------------------------------------

    def of_ten(self, times: int, label: str) -> bool:
        """So often in ten."""
        return self.dice.one_of(range(10), f"{label}/{self.seen.seat}") < times

    def ranked(self, worth: Worth) -> tuple[Value, ...]:
        """The options as often as they can be picked, those of most worth first."""
        values = [one.value for one in self.pick.options for _ in range(one.times)]
        shuffled = self.dice.order(values, f"pick/{self.seen.seat}")
        return tuple(sorted(shuffled, key=worth, reverse=True))

    def one_of_each(self, worth: Worth) -> tuple[Value, Value]:
        """One card, or Animal, and one player."""
        ranked, chairs = self.ranked(worth), self.seen.chairs
        what = next(value for value in ranked if value not in chairs)
        return what, next(value for value in ranked if value in chairs)

    def gifts(self) -> tuple[Value, ...]:
        """The Teller gives away what would beat the called Animal; others give the Teller that."""
        seen, ranked = self.seen, self.ranked(self.to_part_with)
        wanted = seen.rivals if seen.is_teller else (seen.call, f"{seen.call}{OPEN}")
        cards = [value for value in ranked if value in wanted][: self.pick.at_most // 2]
        to = next(value for value in ranked if value in seen.chairs)
        if not cards or (to != seen.teller and not seen.is_teller):
            return ()
        return (*cards, to)

    # --- what is worth how much ----------------------------------------------------------------

    def thrift(self, value: Value) -> float:
        """All alike, but for what costs a card."""
        return -float(_kind(value) in self.seen.dear)

    def to_call(self, value: Value) -> float:
        """An Animal that had better be silent."""
        return -SILENCED.index(value) if value in SILENCED else -NEVER

    def to_vote_as_teller(self, value: Value) -> float:
        """The called Animal, open cards first, secret ones only where somebody may join them.

        Else one that few hold: it wins little, and nobody has to follow, so that some may play the
        called one.
        """
        seen, kind = self.seen, _kind(value)
        if kind != seen.call:
            return -seen.out[kind] - seen.tally[kind] / 2
        if value == kind:
            return NEVER / 2 if seen.out[kind] else -NEVER
        return NEVER

    def to_vote(self, value: Value) -> float:
        """What others are likely to back too, and not the last card to end with."""
        seen, kind = self.seen, _kind(value)
        cost = NEVER if kind in seen.dear and not self.refuses else 0
        if kind == seen.call:
            return -NEVER / 4 - cost
        if kind == seen.goal and seen.hand[kind] == 1:
            return -NEVER / 2 - cost
        return seen.hand[kind] - seen.rivals.index(kind) - cost

    @property
    def refuses(self) -> bool:
        """It would rather pay than join the called Animal's votes."""
        seen = self.seen
        return seen.led == seen.call and self.of_ten(self.mind.refuses, "refuse")

    def to_handle(self, value: Value) -> float:
        """Do it, or come closer to the Smallseat, best instead of the Teller."""
        seen = self.seen
        if value == DO:
            return self.gain
        chair = seen.chairs.index(value)
        if chair > seen.chairs.index(seen.seat):
            return 0
        if value == seen.teller:
            return 7
        return 3 if chair == 0 else 1

    @property
    def gain(self) -> float:
        """What doing what the lost card says is worth. The Pony takes back what won."""
        seen = self.seen
        if seen.lost == "pony" and (seen.won == seen.call) == seen.is_teller:
            return -1
        return (TELLERS_GAIN if seen.is_teller else CANDIDATES_GAIN).get(seen.lost, 1)

    def to_agree(self, value: Value) -> float:
        """The Teller ends rounds; to whom must play a Koala next, following costs nothing."""
        return float((value == OVER) == self.seen.is_teller)

    def to_name(self, value: Value) -> float:
        """An Animal that few others hold."""
        return -self.seen.out[value]

    def to_turn(self, value: Value) -> float:
        """Of the Teller: the called Animal's to be secret, whatever comes close to it open."""
        seen, kind = self.seen, _kind(value)
        if kind == seen.call:
            return -NEVER if value == kind else NEVER
        return seen.tally[kind] if value == kind else -seen.tally[kind] - 1

    def to_hide(self, value: Value) -> float:
        """A card of the Animal to end with, if there is one more, and never of the called one."""
        seen, kind = self.seen, _kind(value)
        return (kind == seen.goal and seen.hand[kind] > 1) - (kind == seen.call)

    def to_keep(self, value: Value) -> float:
        """What the bot would end with."""
        return float(_kind(value) == self.seen.goal)

    def to_part_with(self, value: Value) -> float:
        """What it misses least; and to whom it goes, best to the Teller.

        The Teller's are secret cards that may beat the called Animal, a Candidate's the called one,
        and then what nobody backs.
        """
        seen, kind = self.seen, _kind(value)
        if value in seen.chairs:
            return float(value == seen.teller)
        if seen.is_teller:
            secret = value == kind
            return (-NEVER if secret else -10) if kind == seen.call else secret * seen.tally[kind]
        if kind == seen.call:
            return NEVER
        return -NEVER if kind == seen.goal and seen.hand[kind] == 1 else -seen.tally[kind]


def by_chance(_: Value) -> float:
    """All alike."""
    return 0


def _kind(value: Value) -> Kind:
    return value.removesuffix(OPEN)
