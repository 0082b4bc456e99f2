"""The twelve Animals: what each does when its card lost and its player does what it says.

An action is one function. It gives an `Effect`: the state after it, what is said, and what must be
chosen before it is done. `chosen` ends an action for whose choices its player was asked, `settled`
one in which others had a part. The card itself is still in play meanwhile; whoever calls discards
it afterwards, unless the action put something else in its place (Squirrel).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.dice import Dice
from core.game import Given, Line, Lines, Pick, Refused, Say, Seat, Who, aside, aside_to, tell
from core.games.smallseat.choosing import (
    card_options,
    cards_in,
    kind_options,
    named,
    seat_options,
    seats_in,
)
from core.games.smallseat.state import Card, Kind, State, discarded, given_to, taken_from

KINDS = (
    "chick", "hedgehog", "koala", "rabbit", "squirrel", "pig",
    "panda", "cat", "otter", "seal", "dog", "pony",
)  # fmt: skip
TIERS: Mapping[str, tuple[Kind, ...]] = {
    "first": ("hedgehog", "rabbit", "pig", "dog"),
    "medium": ("chick", "squirrel", "seal", "pony"),
    "advanced": ("koala", "panda", "cat", "otter"),
}
GIFTS, REVEALED, FLIPS = 3, 3, 3

Next = Literal["done", "ask", "poll", "give", "return", "flip", "round-ends"]


class Effect(Struct, frozen=True):
    """What came of an action. `next` is what happens then.

    `ask`: its player chooses; `poll`: all who voted Koala; `give`: `others` give a card;
    `return`: the Teller gives `count` secret cards back; `flip`: the Teller turns `count` over.
    `kept`: the lost card is in a hand again, not to be discarded.
    """

    state: State
    says: tuple[Say, ...] = ()
    next: Next = "done"
    others: tuple[Seat, ...] = ()
    count: int = 0
    kept: bool = False


def partners(state: State, seat: Seat) -> tuple[Seat, ...]:
    """With whom a player may swap places (S-14)."""
    return tuple(
        other
        for other in state.chairs
        if other != seat and other not in state.prickly and not state.is_immune(other)
    )


def reachable(state: State, seat: Seat) -> tuple[Seat, ...]:
    """To whom a player may do something (S-18)."""
    return tuple(s for s in state.chairs if s != seat and not state.is_immune(s))


def spare(state: State, seat: Seat) -> int:
    """How many cards a player can part with: a Candidate keeps the last one (S-19)."""
    return len(state.hands[seat].cards) - (seat != state.teller)


def can_act(state: State, seat: Seat) -> bool:
    """Whether the action on a player's lost card can be done at all (S-16)."""
    match state.kind(state.votes[seat]):
        case "rabbit":
            return bool(state.hands[seat].cards and reachable(state, seat))
        case "seal":
            return spare(state, seat) > 0
        case _:
            return True


# --- the actions -------------------------------------------------------------------------------


def chick(state: State, seat: Seat, _: Dice) -> Effect:
    """Next round the Boss votes first, and all follow the Boss."""
    duties = replace(state.next_duties, rule="chick")
    return Effect(replace(state, next_duties=duties), (aside("chick-did", who=Who(seat)),))


def hedgehog(state: State, seat: Seat, _: Dice) -> Effect:
    """Nobody swaps places with this player for the rest of the round."""
    prickly = (*state.prickly, seat)
    return Effect(replace(state, prickly=prickly), (aside("hedgehog-did", who=Who(seat)),))


def koala(state: State, seat: Seat, _: Dice) -> Effect:
    """All who voted Koala are asked whether the round shall end."""
    voters = tuple(s for s in state.chairs if _voted(state, s, "koala"))
    if state.by_mail or voters == (seat,):
        return Effect(state, (), "poll", voters)
    return Effect(state, (aside("koala-polls", who=Who(seat)),), "poll", voters)


def rabbit(state: State, _: Seat, __: Dice) -> Effect:
    """Show somebody an Animal; they tell how many of it they hold."""
    return Effect(state, next="ask")


def squirrel(state: State, seat: Seat, _: Dice) -> Effect:
    """Take the card back and give up another one for it."""
    return Effect(state, next="ask") if state.hands[seat].cards else _nothing(state, seat)


def pig(state: State, seat: Seat, _: Dice) -> Effect:
    """Give cards away; the Teller gives as many secret ones back."""
    able = spare(state, seat) > 0 and reachable(state, seat)
    return Effect(state, next="ask") if able else _nothing(state, seat)


def panda(state: State, _: Seat, __: Dice) -> Effect:
    """Name an Animal: whoever does not hold it gives a card."""
    return Effect(state, next="ask")


def cat(state: State, seat: Seat, _: Dice) -> Effect:
    """Show three cards; next round everybody votes what they hold most of."""
    if len(state.hands[seat].cards) <= REVEALED:
        return _purred(state, seat, state.hands[seat].cards)
    return Effect(state, next="ask")


def otter(state: State, seat: Seat, _: Dice) -> Effect:
    """Take the Smallseat and end the round; in the next, Otter voters vote by chance."""
    boss = state.boss
    if boss != seat and (boss in state.prickly or state.is_immune(boss)):
        return Effect(state, (aside("otter-failed", who=Who(seat), boss=Who(boss)),))
    voters = tuple(s for s in state.chairs if _voted(state, s, "otter"))
    duties = replace(state.next_duties, at_random=voters)
    swapped = replace(state, chairs=swap(state.chairs, seat, boss), next_duties=duties)
    said = aside("otter-stayed" if boss == seat else "otter-did", who=Who(seat))
    return Effect(swapped, (said,), "round-ends")


def seal(state: State, seat: Seat, _: Dice) -> Effect:
    """Put a card into the Teller's hand; the Teller turns three over."""
    if state.is_immune(state.teller) and seat != state.teller:
        return Effect(state, (aside("seal-failed", who=Who(seat)),))
    return Effect(state, next="ask")


def dog(state: State, seat: Seat, _: Dice) -> Effect:
    """Show the whole hand, and be immune for this round and the next."""
    immune = {**state.immune, seat: state.number + 1}
    shown = aside("dog-did", who=Who(seat), cards=listed(state, state.hands[seat].cards))
    return Effect(replace(state, immune=immune), (shown,))


def pony(state: State, seat: Seat, dice: Dice) -> Effect:
    """The winning cards go to the Boss, one of them by chance to this player."""
    boss, teller = state.boss, state.teller
    cards = [card for card in state.hands[teller].cards if card in state.won]
    if state.is_immune(boss) and boss != seat:
        return Effect(state, (aside("pony-barred", who=Who(seat), boss=Who(boss)),))
    if state.ponies_ran or not cards:
        return Effect(state, (aside("pony-failed", who=Who(seat)),))
    state = replace(state, ponies_ran=True)
    if boss != teller:
        state = given_to(taken_from(state, teller, cards), boss, cards)
    if boss == seat:
        return Effect(state, (aside("pony-kept", who=Who(seat), count=len(cards)),))
    mine = dice.one_of(sorted(cards), "pony")
    state = given_to(taken_from(state, boss, [mine]), seat, [mine])
    if boss == teller or len(cards) == 1:
        return Effect(state, (aside("pony-got-one", who=Who(seat)),))
    said = aside("pony-did", who=Who(seat), boss=Who(boss), count=len(cards) - 1)
    return Effect(state, (said,))


# --- what their players choose -----------------------------------------------------------------


def options(state: State, seat: Seat, kind: Kind) -> Pick:
    """What a player chooses from, to do what their card says."""
    hand = state.hands[seat].cards
    match kind:
        case "rabbit":
            held = tuple(a for a in state.animals if state.holds(seat, a))
            return Pick((*seat_options(reachable(state, seat)), *kind_options(held)), 2, 2)
        case "pig":
            most = min(GIFTS, spare(state, seat))
            cards = card_options(state, seat, hand, most)
            return Pick((*cards, *seat_options(reachable(state, seat))), 0, 2 * most)
        case "panda":
            return Pick(kind_options(state.animals))
        case "cat":
            count = min(REVEALED, len(hand))
            return Pick(card_options(state, seat, hand, count), count, count)
        case _:  # squirrel, seal
            return Pick(card_options(state, seat, hand))


def needs_choice(state: State, seat: Seat, kind: Kind) -> bool:
    """Whether a player has to choose something, to do what their card says."""
    return ACTIONS[kind](state, seat, Dice("", 0)).next == "ask"


def wrong(state: State, seat: Seat, kind: Kind, given: Given) -> Refused | None:
    """Why an answer that is legal in form will not do."""
    cards, seats = cards_in(state, seat, given), seats_in(state, given)
    if kind == "rabbit" and len(seats) != 1:
        return Refused(Line("rabbit-needs-one-of-each"))
    if kind == "pig" and (len(seats) > len(cards) or bool(cards) != bool(seats)):
        return Refused(Line("pig-needs-both"))
    if kind == "pig" and len(cards) > min(GIFTS, spare(state, seat)):
        return Refused(Line("pig-gives-too-much", {"most": min(GIFTS, spare(state, seat))}))
    return None


def chosen(state: State, seat: Seat, kind: Kind, given: Given) -> Effect:
    """What a player's choices make of their action."""
    cards, seats = cards_in(state, seat, given), seats_in(state, given)
    teller = state.teller
    match kind:
        case "rabbit":
            animal = next(value for value in given.picked if value in state.animals)
            return Effect(state, tuple(_shows(state, seat, seats[0], animal)))
        case "squirrel":
            (card,) = cards
            mine = state.votes[seat]
            state = given_to(taken_from(state, seat, [card]), seat, [mine])
            said = aside("squirrel-did", who=Who(seat), card=listed(state, [card]))
            return Effect(discarded(state, [card]), (said,), kept=True)
        case "pig":
            return _gives(state, seat, cards, seats)
        case "panda":
            return _asks_all(state, seat, given.picked[0])
        case "cat":
            return _purred(state, seat, cards)
        case _:  # seal
            moved = taken_from(state, seat, cards)
            moved = moved.with_hand(teller, moved.hands[teller].plus(cards, is_open=False))
            count = min(FLIPS, len(moved.hands[teller].cards))
            said = [aside("seal-did", who=Who(seat))]
            if seat != teller:
                said.append(aside_to(teller, "you-got", who=Who(seat), cards=listed(state, cards)))
            return Effect(moved, tuple(said), "flip", (teller,), count)


def _shows(state: State, seat: Seat, to: Seat, animal: Kind) -> tuple[Say, ...]:
    line, count = named(animal), state.holds(to, animal)
    return (
        aside("rabbit-did", who=Who(seat), to=Who(to)),
        aside_to(to, "rabbit-shows", who=Who(seat), animal=line, count=count),
        tell(seat, "rabbit-learns", to=Who(to), animal=line, count=count),
    )


def _gives(state: State, seat: Seat, cards: tuple[Card, ...], to: tuple[Seat, ...]) -> Effect:
    """The first card goes to the first player, and so on; the last player gets all the rest."""
    says: list[Say] = []
    for at, card in enumerate(cards):
        other = to[min(at, len(to) - 1)]
        says.append(aside("pig-gave", who=Who(seat), to=Who(other)))
        state, told = handed_over(state, seat, other, [card])
        says += told
    teller = state.teller
    count = min(len(cards), len(state.hands[teller].secret))
    if not count or seat == teller or state.is_immune(teller):
        return Effect(state, tuple(says))
    return Effect(state, tuple(says), "return", (teller,), count)


def _asks_all(state: State, seat: Seat, animal: Kind) -> Effect:
    others = tuple(
        other
        for other in reachable(state, seat)
        if not state.holds(other, animal) and spare(state, other) > 0
    )
    said = aside("panda-did", who=Who(seat), animal=named(animal))
    if not others:
        return Effect(state, (said, aside("panda-got-nothing")))
    return Effect(state, (said,), "give", others)


def _purred(state: State, seat: Seat, cards: tuple[Card, ...]) -> Effect:
    duties = replace(state.next_duties, rule="cat")
    said = aside("cat-did", who=Who(seat), cards=listed(state, cards))
    return Effect(replace(state, next_duties=duties), (said,))


# --- what others do ----------------------------------------------------------------------------


def owed(state: State, seat: Seat, kind: Kind, count: int) -> Pick:
    """What somebody else chooses from, for their part of an action."""
    hand = state.hands[seat]
    match kind:
        case "panda":
            return Pick(card_options(state, seat, hand.cards))
        case "pig":
            return Pick(card_options(state, seat, hand.secret, count), count, count)
        case _:  # seal
            return Pick(card_options(state, seat, hand.cards, count), count, count)


def settled(state: State, seat: Seat, kind: Kind, parts: Mapping[Seat, Given]) -> Effect:
    """What the others' parts make of an action."""
    says: list[Say] = []
    picked = {other: cards_in(state, other, given) for other, given in parts.items()}
    for other, cards in picked.items():
        if kind == "seal":
            says += turned_over_says(state, other, cards)
            state = state.with_hand(other, state.hands[other].turned(cards))
            continue
        if kind == "panda":
            state = given_to(taken_from(state, other, cards), seat, cards)
            says.append(aside("panda-got", who=Who(other), to=Who(seat), card=listed(state, cards)))
        else:
            says.append(aside("pig-got", who=Who(seat), count=len(cards)))
            state, told = handed_over(state, other, seat, cards)
            says += told
    return Effect(state, tuple(says))


def turned_over_says(state: State, seat: Seat, cards: Iterable[Card]) -> tuple[Say, ...]:
    """Which cards are turned to be seen by all, and which to be hidden."""
    moved, lying = tuple(cards), state.hands[seat].open
    up = listed(state, [card for card in moved if card not in lying])
    down = listed(state, [card for card in moved if card in lying])
    shows = (aside("turned-up", who=Who(seat), cards=up),) if up.lines else ()
    hides = (aside("turned-down", who=Who(seat), cards=down),) if down.lines else ()
    return (*shows, *hides)


def handed_over(
    state: State, seat: Seat, to: Seat, cards: Iterable[Card]
) -> tuple[State, tuple[Say, ...]]:
    """Cards given by one player to another, and who learns which: both, or all if one is open.

    A card is seen by all if it was open, or comes to lie open (S-10d).
    """
    moved = tuple(cards)
    was_open = any(card in state.hands[seat].open for card in moved)
    state = given_to(taken_from(state, seat, moved), to, moved)
    what = listed(state, moved)
    if was_open or any(card in state.hands[to].open for card in moved):
        return state, (aside("got-openly", cards=what),)
    return state, (aside_to(to, "you-got", who=Who(seat), cards=what),)


def polled(state: State, seat: Seat, *, all_agree: bool) -> Effect:
    """What the Koalas' poll comes to (only its result is told)."""
    if all_agree:
        return Effect(state, (aside("koala-ends-it"),), "round-ends")
    duties = replace(state.next_duties, koala=(*state.next_duties.koala, seat))
    return Effect(replace(state, next_duties=duties), (aside("koala-goes-on", who=Who(seat)),))


def swap(chairs: tuple[Seat, ...], one: Seat, other: Seat) -> tuple[Seat, ...]:
    """The chairs with two players in each other's place."""
    places = {one: other, other: one}
    return tuple(places.get(seat, seat) for seat in chairs)


def listed(state: State, cards: Iterable[Card]) -> Lines:
    """Cards by the names of their Animals: `3 Rabbit, Pig`."""
    return counted(Counter(state.kind(card) for card in cards))


def counted(kinds: Mapping[Kind, int]) -> Lines:
    """So many of each Animal, in the order of the Animals."""
    return Lines(
        tuple(
            Line("so-many", {"count": kinds[kind], "animal": named(kind)})
            for kind in KINDS
            if kinds.get(kind)
        )
    )


def _nothing(state: State, seat: Seat) -> Effect:
    return Effect(state, (aside("card-lost", who=Who(seat)),))


def _voted(state: State, seat: Seat, kind: Kind) -> bool:
    return seat in state.votes and state.kind(state.votes[seat]) == kind


ACTIONS: Mapping[Kind, Callable[[State, Seat, Dice], Effect]] = {
    "chick": chick, "hedgehog": hedgehog, "koala": koala, "rabbit": rabbit,
    "squirrel": squirrel, "pig": pig, "panda": panda, "cat": cat,
    "otter": otter, "seal": seal, "dog": dog, "pony": pony,
}  # fmt: skip
