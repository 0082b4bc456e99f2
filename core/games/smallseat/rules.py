"""Smallseat, top to bottom in playing order.

The Teller calls an Animal, and all cards are dealt to the others, the Candidates. Each round all
vote with a card: first the Teller, and who can joins that vote, or pays for not doing so. The
Animal with most votes wins, and its cards go to the Teller, in secret. Whoever lost does what their
card says or swaps places. When every Candidate has one card left, the Animals of which the Teller
holds most in secret win: the Teller alone if theirs is one of them, else whoever kept such a card.

S-01 … S-31 and the Animals' names are the rows of DECISIONS.md. What a seat may know: its own
hand, what is open, the votes once all are in, and who sits where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

from msgspec.structs import replace

from core.ballot import Ballot
from core.game import (
    Answered,
    Ask,
    Context,
    Deadline,
    Each,
    Event,
    Game,
    Given,
    Joined,
    Left,
    Line,
    Lines,
    Option,
    Pick,
    Refused,
    Result,
    Say,
    Seat,
    TimeUp,
    Turn,
    Undeliverable,
    Who,
    aside,
    aside_to,
    opening,
    room,
)
from core.games.smallseat import animals, bots, orders, telling, variants
from core.games.smallseat.animals import ACTIONS, Effect
from core.games.smallseat.choosing import (
    card_options,
    cards_in,
    kind_options,
    named,
    seat_options,
    seats_in,
)
from core.games.smallseat.orders import DO, OVER, SWAP
from core.games.smallseat.state import (
    Acting,
    Asking,
    Calling,
    Card,
    Duties,
    Ended,
    Hand,
    Handling,
    Keeping,
    Kind,
    Ordering,
    Owing,
    Paused,
    Paying,
    Phase,
    Polling,
    State,
    Voters,
    Voting,
    discarded,
    taken_from,
)
from core.games.smallseat.voting import (
    FEWEST_TO_VOTE,
    boss_votes_first,
    can_vote,
    choice,
    votable,
    winner,
)

CALL_SECONDS, DECISION_SECONDS = 60, 20
FEWEST_SECONDS, SECONDS_A_CARD, MOST_SECONDS = 20, 4, 60
"""A vote takes the longer the more cards there are to choose from."""
TURN = "turn"
"""The verb for turning over cards that have just come."""
CAP = 2
"""The game ends after so many rounds for each card of the deck (S-24)."""
MISSED_VOTES = 2


# --- the call and the deal -----------------------------------------------------------------------


def start(ctx: Context) -> Turn[State]:
    """Take the Animals and the Teller the host chose, or by chance."""
    kinds = variants.animals(ctx.chosen, len(ctx.seats), ctx.dice)
    teller = variants.teller(ctx.chosen, ctx.seats, ctx.dice)
    begun = begin(ctx.seats, teller, kinds, ctx, ctx.last)
    names = Lines(tuple(named(kind) for kind in kinds))
    return replace(begun, says=(aside("played-with-animals", animals=names), *begun.says))


def begin(
    seats: tuple[Seat, ...], teller: Seat, kinds: tuple[Kind, ...], ctx: Context,
    last: State | None = None,
) -> Turn[State]:  # fmt: skip
    """Seat everybody clockwise from the Teller, who calls before the deal (S-04, S-31)."""
    at = seats.index(teller)
    state = State(kinds, teller, (*seats[at:], *seats[:at]), Paused(ctx.now_ms, ctx.now_ms))
    if last:
        state = replace(state, asked=last.asked, game=last.game + 1)
    said = (aside("teller-is", who=Who(teller)),)
    return _open(state, ctx, said, (teller,), Calling, CALL_SECONDS)


def _deal(state: State, call: Kind, ctx: Context) -> Turn[State]:
    """All cards to the Candidates, evenly; what is left goes to the Teller in secret (S-03)."""
    deck = ctx.dice.order(range(state.deck), "deal")
    each = len(deck) // len(state.candidates)
    hands = {
        seat: Hand(tuple(sorted(deck[at * each : (at + 1) * each])))
        for at, seat in enumerate(state.candidates)
    }
    left = deck[each * len(state.candidates) :]
    hands[state.teller] = Hand(tuple(sorted(left)))
    said = (aside("call-is", who=Who(state.teller), animal=named(call)),)
    return _next_round(replace(state, call=call, hands=hands), ctx, said)


# --- a round: votes ------------------------------------------------------------------------------


def _next_round(state: State, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    """What this round made comes into force, for one round; or the game is over (S-23, S-24)."""
    if not any(len(state.hands[seat].cards) >= FEWEST_TO_VOTE for seat in state.candidates):
        return _end(state, {}, ctx, said)
    if state.number >= CAP * state.deck:
        crowded = [s for s in state.candidates if len(state.hands[s].cards) >= FEWEST_TO_VOTE]
        said = (*said, room("cap-reached"))
        return _open(state, ctx, said, tuple(crowded), Keeping, MOST_SECONDS)
    if not ctx.seats:
        until_ms = ctx.now_ms + ctx.pace.idle_ms
        return Turn(
            replace(state, phase=Paused(ctx.now_ms, until_ms)), (*said, room("nobody-here"))
        )
    state = replace(
        state, number=state.number + 1, duties=state.next_duties,
        next_duties=Duties(), prickly=(), votes={}, losing=(), chair=0,
        won=(), payers=(), ponies_ran=False, fresh={}, orders={},
        by_mail=ctx.pace.name == "mail",
    )  # fmt: skip
    here = opening("smallseat-round", number=state.number, seats=Each(state.chairs))
    return _vote(state, ctx, (*said, here, *telling.of_the_leader(state)))


def _vote(state: State, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    """Ask whoever votes next: under a Chick the Boss, then the Teller, then the rest at once."""
    groups: tuple[tuple[Voters, tuple[Seat, ...]], ...] = (
        ("boss", (state.boss,) if boss_votes_first(state) else ()),
        ("teller", (state.teller,)),
        ("rest", state.candidates),
    )
    for who, seats in groups:
        voters = tuple(s for s in seats if s not in state.votes and can_vote(state, s))
        for seat in voters:
            if seat in state.duties.at_random or (who != "rest" and seat not in ctx.seats):
                card = _by_chance(state, seat, ctx)
                state, more = _cast(state, seat, card, is_open=who != "rest")
                said = (*said, *more)
        voters = tuple(seat for seat in voters if seat not in state.votes)
        if voters:
            cards = max(len(votable(state, seat)) for seat in voters)
            seconds = min(MOST_SECONDS, FEWEST_SECONDS + SECONDS_A_CARD * cards)
            return _open(state, ctx, said, voters, partial(Voting, who), seconds)
    return _reveal(state, ctx, said)


def _by_chance(state: State, seat: Seat, ctx: Context) -> Card:
    """A vote nobody gave: by the Otter any card, else one that costs nothing (S-28)."""
    may = choice(state, seat)
    cards = votable(state, seat) if may.at_random else may.free
    return ctx.dice.one_of(cards, f"vote/{seat}")


def _cast(state: State, seat: Seat, card: Card, *, is_open: bool) -> tuple[State, tuple[Say, ...]]:
    """Put a vote in. Whoever could have followed and did not will pay (S-10)."""
    dear = card in choice(state, seat).dear
    payers = (*state.payers, seat) if dear else state.payers
    votes = {**state.votes, seat: card}
    state = replace(taken_from(state, seat, [card]), votes=votes, payers=payers)
    animal = named(state.kind(card))
    return state, (aside("votes-openly", who=Who(seat), animal=animal),) if is_open else ()


def _reveal(state: State, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    said = (*said, opening("votes-are-in", count=len(state.votes)), *telling.votes(state))
    if state.payers:
        payers = tuple(seat for seat in state.chairs if seat in state.payers)
        return _open(state, ctx, said, payers, Paying)
    return _tally(state, ctx, said)


def _pay(state: State, phase: Paying, ctx: Context) -> Turn[State]:
    """Payments are chosen at the same time, and made clockwise from the Smallseat (S-10f)."""
    said: tuple[Say, ...] = ()
    paid: list[tuple[Seat, Seat, Card]] = []
    for seat in phase.ballot.voters:
        given = phase.ballot.cast.get(seat)
        if given:
            (card,), (to,) = cards_in(state, seat, given), seats_in(state, given)
        else:
            card = ctx.dice.one_of(state.hands[seat].cards, f"pay/{seat}")
            to = ctx.dice.one_of([s for s in state.chairs if s != seat], f"to/{seat}")
            said = (*said, *_by_the_clock(state, seat, [card], ctx))
        paid.append((seat, to, card))
    for seat, to, card in paid:
        state, told = animals.handed_over(state, seat, to, [card])
        said = (*said, aside("paid", who=Who(seat), to=Who(to)), *told)
    return _tally(state, ctx, said)


def _tally(state: State, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    """The winning cards go to the Teller, in secret, before anything else (S-12, S-15)."""
    kind = winner(state)
    won = tuple(card for card in state.votes.values() if state.kind(card) == kind)
    losing = tuple(seat for seat in state.votes if state.votes[seat] not in won)
    hand = state.hands[state.teller].plus(won, is_open=False)
    state = replace(
        state.with_hand(state.teller, hand), won=won, losing=losing,
        history=(*state.history, kind),
        tally={**state.tally, kind: state.tally.get(kind, 0) + len(won)},
    )  # fmt: skip
    said = (*said, telling.won(state, kind, len(won)))
    return _collect(state, ctx, said) if state.by_mail else _handle(state, ctx, said)


# --- a round: the losing cards -------------------------------------------------------------------


def _collect(state: State, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    """By mail all who lost are asked at once, unless their votes came with orders."""
    losers = tuple(seat for seat in state.chairs if seat in state.losing)
    if all(seat in state.orders or seat not in ctx.seats for seat in losers):
        return _handle(state, ctx, said)
    ballot = Ballot.open(ctx, DECISION_SECONDS, losers)
    for seat in losers:
        if seat in state.orders:
            ballot = ballot.answer(seat, Given(state.orders[seat]), ctx)
    return Turn(replace(state, phase=Ordering(ballot), asked=state.asked + 1), said)


def _handle(state: State, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    """From chair to chair, round and round, until no losing card is left (S-13)."""
    while state.losing:
        seat = state.chairs[state.chair % len(state.chairs)]
        if seat not in state.losing:
            state = replace(state, chair=state.chair + 1)
        elif not _can_handle(state, seat, ctx):
            state, said = _put_away(state, seat), (*said, aside("card-lost", who=Who(seat)))
        elif state.by_mail:
            handled = _decide(state, seat, state.orders[seat], ctx)
            return replace(handled, says=(*said, *handled.says))
        else:
            return _offer_choice(state, seat, ctx, said)
    return _next_round(state, ctx, said)


def _can_handle(state: State, seat: Seat, ctx: Context) -> bool:
    """Whether there is somebody who can choose, and something to choose (S-16, S-28)."""
    if state.by_mail:
        return seat in state.orders and not orders.is_void(state, seat, state.orders[seat])
    possible = animals.can_act(state, seat) or animals.partners(state, seat)
    return seat in ctx.seats and bool(possible)


def _offer_choice(state: State, seat: Seat, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    """The first time an Animal's choice is offered, its effect comes along."""
    kind, known = state.kind(state.votes[seat]), state.taught.get(seat, ())
    first = kind not in known
    if first:
        state = replace(state, taught={**state.taught, seat: (*known, kind)})
    return _open(state, ctx, said, (seat,), partial(Handling, first=first))


def _put_away(state: State, seat: Seat, *, kept: bool = False) -> State:
    """A losing card is handled: it goes to the Teller, open, unless it was kept."""
    if not kept:
        state = discarded(state, [state.votes[seat]])
    losing = tuple(other for other in state.losing if other != seat)
    return replace(state, losing=losing, chair=state.chair + 1)


def _decide(state: State, seat: Seat, order: tuple[str, ...], ctx: Context) -> Turn[State]:
    """Do what the card says, or swap places with somebody (S-14)."""
    kind = state.kind(state.votes[seat])
    picked = order[0]
    if picked == DO:
        effect = ACTIONS[kind](state, seat, ctx.dice)
        if effect.next == "ask" and state.by_mail:
            return _act(state, seat, kind, orders.chosen_by(kind, order), ctx)
        return _take_effect(seat, kind, effect, ctx)
    swapped = replace(state, chairs=animals.swap(state.chairs, seat, picked))
    said = aside("swapped", who=Who(seat), other=Who(picked))
    return _handle(_put_away(swapped, seat), ctx, (said,))


def _act(state: State, seat: Seat, kind: Kind, given: Given, ctx: Context) -> Turn[State]:
    """Do what the card says with what was chosen. A Pig that gives nothing is put away."""
    if not given.picked:
        return _lost(state, seat, ctx)
    return _take_effect(seat, kind, animals.chosen(state, seat, kind, given), ctx)


def _take_effect(seat: Seat, kind: Kind, effect: Effect, ctx: Context) -> Turn[State]:
    """Go on after an action, or ask for what it needs."""
    state, said = effect.state, effect.says
    match effect.next:
        case "done":
            return _handle(_put_away(state, seat, kept=effect.kept), ctx, said)
        case "round-ends":
            state = discarded(state, [state.votes[other] for other in state.losing])
            return _next_round(replace(state, losing=()), ctx, said)
        case "ask":
            return _open(state, ctx, said, (seat,), partial(Acting, kind))
        case "poll" if state.by_mail:
            agree = all(state.orders.get(s, ("",))[0] == DO for s in effect.others)
            ended = _polled(state, seat, ctx, agree=agree)
            return replace(ended, says=(*said, *ended.says))
        case "poll":
            return _open(state, ctx, said, effect.others, partial(Polling, seat))
        case "give" | "return" | "flip":
            owing = partial(Owing, kind, seat, effect.count)
            return _open(state, ctx, said, effect.others, owing)


# --- the end -------------------------------------------------------------------------------------


def _end(state: State, kept: dict[Seat, Card], ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    """Count the Teller's secret cards (S-20)."""
    finals = {seat: kept.get(seat, state.hands[seat].cards[0]) for seat in state.candidates}
    count = Counter(state.kind(card) for card in state.hands[state.teller].secret)
    top = max(count.values(), default=0)
    most = tuple(kind for kind in state.animals if top and count[kind] == top)
    if state.call in most:
        winners: tuple[Seat, ...] = (state.teller,)
    else:
        winners = tuple(seat for seat in state.candidates if state.kind(finals[seat]) in most)
    over = Ended(winners, finals, most, tuple(s for s in winners if s not in ctx.seats))
    lines = (Say(line) for line in telling.ended(state, over))
    return Turn(replace(state, phase=over), (*said, opening("smallseat-ends"), *lines))


# --- questions, answers and time -----------------------------------------------------------------


def _open(
    state: State, ctx: Context, said: tuple[Say, ...], voters: tuple[Seat, ...],
    phase: Callable[[Ballot], Phase], seconds: int = DECISION_SECONDS,
) -> Turn[State]:  # fmt: skip
    """Ask `voters`; where nobody of them is here, they are answered for at once.

    By mail nobody is asked for what they owe: it is given by chance. The votes of a round in which
    everybody is away are closed by the clock, so that a step is never more than a round.
    """
    ballot = Ballot.open(ctx, seconds, voters)
    state = replace(state, phase=phase(ballot), asked=state.asked + 1)
    owed = state.by_mail and isinstance(state.phase, Paying | Owing)
    secret_votes = isinstance(state.phase, Voting) and state.phase.who == "rest"
    if owed or not (secret_votes or set(voters) & set(ctx.seats)):
        closed = _close(state, ctx)
        return replace(closed, says=(*said, *closed.says))
    return Turn(state, said)


def play(state: State, event: Event, ctx: Context) -> Turn[State] | Refused:
    """The state after an event, and what is said about it."""
    phase = state.phase
    # Whoever else is in the room looks on.
    ctx = replace(ctx, seats=tuple(seat for seat in ctx.seats if seat in state.chairs))
    match event:
        case Joined() if isinstance(phase, Paused) and ctx.seats:
            return _next_round(state, ctx, ())
        case _ if isinstance(phase, Ended):
            return Turn(state)
        case TimeUp():
            return _close(state, ctx)
        case _ if isinstance(phase, Paused):
            return Turn(state)
        case Answered(seat, ask, given) if ask.startswith(TURN):
            return _turn(state, seat, given)
        case Answered(seat, given=given):
            return _wrong(state, seat, given) or _answered(state, phase, seat, given, ctx)
        case Left(seat) | Undeliverable(seat) if seat in phase.ballot.waiting:
            excused = replace(state, phase=replace(phase, ballot=phase.ballot.excuse(seat, ctx)))
            return _close(excused, ctx) if len(phase.ballot.voters) == 1 else Turn(excused)
        case Joined(seat) if seat in phase.ballot.voters:
            return Turn(replace(state, phase=replace(phase, ballot=phase.ballot.recall(seat))))
        case _:
            return Turn(state)


def _answered(state: State, phase: Asking, seat: Seat, given: Given, ctx: Context) -> Turn[State]:
    """Put an answer in. One that is alone counts at once: the next is waiting for it."""
    ballot = phase.ballot.answer(seat, given, ctx)
    answered = replace(state, phase=replace(phase, ballot=ballot))
    return Turn(answered) if waits(phase) else _close(answered, ctx)


def waits(phase: Asking) -> bool:
    """Whether an answer can still be changed until the time for regrets is over."""
    in_secret = isinstance(phase, Paying | Keeping | Ordering) or (
        isinstance(phase, Voting) and phase.who == "rest"
    )
    return in_secret or len(phase.ballot.voters) > 1


def _wrong(state: State, seat: Seat, given: Given) -> Refused | None:
    match state.phase:
        case Voting() if state.by_mail:
            return orders.wrong_vote(state, seat, given)
        case Ordering():
            return orders.wrong(state, seat, given.picked)
        case Acting(kind):
            return animals.wrong(state, seat, kind, given)
        case Paying() if len(seats_in(state, given)) != 1:
            return Refused(Line("pay-one-of-each"))
        case _:
            return None


def _close(state: State, ctx: Context) -> Turn[State]:
    """What comes of the open questions, whoever has not answered (S-28)."""
    match state.phase:
        case Calling(ballot):
            given = ballot.cast.get(state.teller)
            call = given.picked[0] if given else ctx.dice.one_of(state.animals, "call")
            return _deal(state, call, ctx)
        case Voting(who, ballot):
            return _counted(state, ballot, ctx, is_open=who != "rest")
        case Paying() as phase:
            return _pay(state, phase, ctx)
        case Handling(ballot):
            (seat,) = ballot.voters
            given = ballot.cast.get(seat)
            return _decide(state, seat, given.picked, ctx) if given else _lost(state, seat, ctx)
        case Ordering(ballot):
            given_orders = {seat: orders.plain(given.picked) for seat, given in ballot.answers}
            return _handle(replace(state, orders=given_orders), ctx, ())
        case Acting(kind, ballot):
            (seat,) = ballot.voters
            return _act(state, seat, kind, ballot.cast.get(seat, Given()), ctx)
        case Polling(seat, ballot):
            agree = all(ballot.cast.get(s) == Given((OVER,)) for s in ballot.voters)
            return _polled(state, seat, ctx, agree=agree)
        case Owing(kind, seat, count, ballot):
            parts = {
                other: ballot.cast.get(other) or _part(state, other, kind, count, ctx)
                for other in ballot.voters
            }
            effect = animals.settled(state, seat, kind, parts)
            chosen = (
                say
                for other in ballot.voters
                if other not in ballot.cast
                for say in _by_the_clock(state, other, cards_in(state, other, parts[other]), ctx)
            )
            effect = replace(effect, says=(*chosen, *effect.says))
            return _take_effect(seat, kind, effect, ctx)
        case Keeping(ballot):
            kept = {
                seat: cards_in(state, seat, ballot.cast[seat])[0]
                if seat in ballot.cast
                else ctx.dice.one_of(state.hands[seat].cards, f"keep/{seat}")
                for seat in ballot.voters
            }
            return _end(state, kept, ctx, ())
        case Paused() | Ended():
            return Turn(replace(state, phase=Ended()), (room("smallseat-broken-off"),))


def _by_the_clock(state: State, seat: Seat, cards: Iterable[Card], ctx: Context) -> tuple[Say, ...]:
    """Whoever did not answer is told what chance chose for them."""
    if seat not in ctx.seats:
        return ()
    return (aside_to(seat, "by-chance", cards=animals.listed(state, cards)),)


def _polled(state: State, seat: Seat, ctx: Context, *, agree: bool) -> Turn[State]:
    return _take_effect(seat, "koala", animals.polled(state, seat, all_agree=agree), ctx)


def _lost(state: State, seat: Seat, ctx: Context) -> Turn[State]:
    said = aside("card-lost", who=Who(seat))
    return _handle(_put_away(state, seat), ctx, (said,))


def _part(state: State, seat: Seat, kind: Kind, count: int, ctx: Context) -> Given:
    """Somebody's part of an action, by chance."""
    pick = animals.owed(state, seat, kind, count)
    values = [one.value for one in pick.options for _ in range(one.times)]
    return Given(tuple(ctx.dice.order(values, f"owed/{seat}")[: pick.at_least]))


def _counted(state: State, ballot: Ballot, ctx: Context, *, is_open: bool) -> Turn[State]:
    """Votes are in, or their time is up."""
    said: tuple[Say, ...] = ()
    missed = dict(state.missed)
    cast: list[tuple[Seat, Card]] = []
    for seat in ballot.voters:
        given = ballot.cast.get(seat)
        card, order = orders.split(state, seat, given) if given else (None, ())
        if card is None:
            card = _by_chance(state, seat, ctx)
            said = (*said, *_by_the_clock(state, seat, [card], ctx))
        if order:
            state = replace(state, orders={**state.orders, seat: order})
        there = seat in ctx.seats  # who is away misses nothing
        missed[seat] = missed.get(seat, 0) + 1 if there and not given else 0
        cast.append((seat, card))
    for seat, card in cast:
        state, more = _cast(state, seat, card, is_open=is_open)
        said = (*said, *more)
    out = tuple(s for s in ballot.voters if missed[s] >= MISSED_VOTES and s in ctx.seats)
    after = _vote(replace(state, missed=missed), replace(ctx, seats=ctx.without(out)), said)
    return replace(after, sits_out=(*out, *after.sits_out))


def _turn(state: State, seat: Seat, given: Given) -> Turn[State] | Refused:
    """Turn over cards that have just come (S-21), unless an answer that is in names them."""
    phase = state.phase
    answering = isinstance(phase, Paying | Owing | Ordering | Keeping)
    if answering and seat in phase.ballot.voters:
        return Refused(Line("turn-later"))
    cards = cards_in(state, seat, given, among=state.fresh.get(seat, ()))
    if len(cards) != len(given.picked):
        return Refused(Line("turn-what-came"))
    said = animals.turned_over_says(state, seat, cards)
    return Turn(turned_over(state, seat, cards), said)


def turned_over(state: State, seat: Seat, cards: Iterable[Card]) -> State:
    """The state after a player turned cards over that have just come to them (S-21)."""
    may = state.fresh.get(seat, ())
    return state.with_hand(seat, state.hands[seat].turned(card for card in cards if card in may))


# --- what is read off the state ------------------------------------------------------------------


def asks(state: State) -> tuple[Ask, ...]:
    """At most one open question a seat."""
    phase = state.phase
    if isinstance(phase, Paused | Ended):
        return ()
    verb = {
        Calling: "call", Voting: "vote", Paying: "pay", Handling: "swap", Ordering: "order",
        Acting: "choose", Polling: "agree", Owing: "give", Keeping: "keep",
    }[type(phase)]  # fmt: skip
    first = isinstance(phase, Voting) and phase.who != "rest" and not state.by_mail
    return tuple(
        Ask(
            f"{verb}/{state.asked}",
            seat,
            telling.question(state, phase, seat),
            _answers(state, seat),
            phase.ballot.cast.get(seat),
            public=first or isinstance(phase, Calling),
        )
        for seat in phase.ballot.voters
    )


def _answers(state: State, seat: Seat) -> Pick:
    match state.phase:
        case Calling():
            return Pick(kind_options(state.animals))
        case Voting() if state.by_mail:
            return orders.vote_options(state, seat)
        case Voting():
            may = choice(state, seat)
            return Pick(card_options(state, seat, (*may.free, *may.dear), costs=may.dear))
        case Paying():
            others = seat_options(s for s in state.chairs if s != seat)
            return Pick((*card_options(state, seat, state.hands[seat].cards), *others), 2, 2)
        case Handling():
            do = (Option(DO, Line("do-it")),) if animals.can_act(state, seat) else ()
            return Pick((*do, *seat_options(animals.partners(state, seat))))
        case Ordering():
            return orders.order_options(state, seat)
        case Acting(kind):
            return animals.options(state, seat, kind)
        case Polling():
            return Pick((Option(OVER, Line("poll-over")), Option("on", Line("poll-on"))))
        case Owing(kind, _, count):
            return animals.owed(state, seat, kind, count)
        case _:
            return Pick(card_options(state, seat, state.hands[seat].cards))


def offer(state: State, seat: Seat) -> Ask | None:
    """Cards that have just come can be turned over; others are refused, with the reason."""
    hand = state.hands.get(seat, Hand()).cards
    if not hand:
        return None
    options = card_options(state, seat, hand, len(hand))
    line = Line("ask-turn" if state.fresh.get(seat) else "turn-nothing")
    return Ask(f"{TURN}/{state.asked}", seat, line, Pick(options, 1, len(hand) + 1))


def deadline(state: State) -> Deadline | None:
    """When the phase closes by itself."""
    match state.phase:
        case Paused(since_ms, until_ms):
            return Deadline(until_ms, until_ms - since_ms)
        case Ended():
            return None
        case phase:
            return phase.ballot.deadline


def result(state: State) -> Result | None:
    """Who won, once it is over: one point for a win."""
    if not isinstance(state.phase, Ended):
        return None
    return Result({s: int(s in state.phase.winners) for s in state.chairs}, state.phase.winners)


GAME = Game(
    name="smallseat",
    state_type=State,
    menu=variants.menu,
    choose=variants.choose,
    seats=variants.seats,
    rules=telling.rules,
    start=start,
    play=play,
    asks=asks,
    deadline=deadline,
    look=telling.look,
    recap=telling.recap,
    result=result,
    bot=bots.answer,
    offer=offer,
    cards=telling.CARDS,
    words=(DO, SWAP, OVER, "on"),
    dealt=lambda state: state.chairs,
    scene=telling.scene,
    ring=telling.ring,
)
