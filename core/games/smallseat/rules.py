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
    Event,
    Given,
    Joined,
    Left,
    Line,
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
    room,
    tell,
)
from core.games.smallseat import animals
from core.games.smallseat.animals import ACTIONS, Effect
from core.games.smallseat.choosing import (
    card_options,
    cards_in,
    kind_options,
    seat_options,
    seats_in,
)
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
    Owing,
    Paused,
    Paying,
    Phase,
    Polling,
    State,
    Voters,
    Voting,
    discarded,
    given_to,
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

CALL_SECONDS, VOTE_SECONDS, DECISION_SECONDS = 60, 45, 20
CAP = 2
"""The game ends after so many rounds for each card of the deck (S-24)."""
MISSED_VOTES = 2
DO = "do"


# --- the call and the deal -----------------------------------------------------------------------


def begin(
    seats: tuple[Seat, ...], teller: Seat, kinds: tuple[Kind, ...], ctx: Context
) -> Turn[State]:
    """Seat everybody clockwise from the Teller, who calls before the deal (S-04, S-31)."""
    at = seats.index(teller)
    state = State(kinds, teller, (*seats[at:], *seats[:at]), Paused(ctx.now_ms, ctx.now_ms))
    said = (room("teller-is", who=Who(teller)),)
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
    said = (room("call-is", who=Who(state.teller), animal=Line(f"animal-{call}")),)
    return _next_round(replace(state, call=call, hands=hands), ctx, said)


# --- a round: votes ------------------------------------------------------------------------------


def _next_round(state: State, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    """What this round made comes into force, for one round; or the game is over (S-23, S-24)."""
    if not any(len(state.hands[seat].cards) >= FEWEST_TO_VOTE for seat in state.candidates):
        return _end(state, {}, said)
    if state.number >= CAP * state.deck:
        crowded = [s for s in state.candidates if len(state.hands[s].cards) >= FEWEST_TO_VOTE]
        said = (*said, room("cap-reached"))
        return _open(state, ctx, said, tuple(crowded), Keeping, VOTE_SECONDS)
    if not ctx.seats:
        until_ms = ctx.now_ms + ctx.pace.idle_ms
        return Turn(
            replace(state, phase=Paused(ctx.now_ms, until_ms)), (*said, room("nobody-here"))
        )
    state = replace(
        state, number=state.number + 1, duties=state.next_duties,
        next_duties=Duties(), prickly=(), votes={}, losing=(), chair=0,
        won=(), payers=(), ponies_ran=False, fresh={},
    )  # fmt: skip
    return _vote(state, ctx, (*said, room("smallseat-round", number=state.number)))


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
            return _open(state, ctx, said, voters, partial(Voting, who), VOTE_SECONDS)
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
    animal = Line(f"animal-{state.kind(card)}")
    return state, (room("votes-openly", who=Who(seat), animal=animal),) if is_open else ()


def _reveal(state: State, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    rows = tuple(
        room("vote-was", who=Who(seat), animal=Line(f"animal-{state.kind(state.votes[seat])}"))
        for seat in state.chairs
        if seat in state.votes
    )
    said = (*said, *rows)
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
        paid.append((seat, to, card))
    for seat, to, card in paid:
        was_open = card in state.hands[seat].open
        state = given_to(taken_from(state, seat, [card]), to, [card])
        what = animals.listed(state, [card])
        said = (*said, room("paid", who=Who(seat), to=Who(to)))
        is_open = was_open or card in state.hands[to].open
        said = (
            *said,
            room("paid-openly", card=what)
            if is_open
            else tell(to, "you-got", who=Who(seat), card=what),
        )
    return _tally(state, ctx, said)


def _tally(state: State, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    """The winning cards go to the Teller, in secret, before anything else (S-12, S-15)."""
    kind = winner(state)
    won = tuple(card for card in state.votes.values() if state.kind(card) == kind)
    losing = tuple(seat for seat in state.votes if state.votes[seat] not in won)
    hand = state.hands[state.teller].plus(won, is_open=False)
    state = replace(
        state.with_hand(state.teller, hand), won=won, losing=losing, history=(*state.history, kind)
    )
    won_with = room("round-won", animal=Line(f"animal-{kind}"), count=len(won))
    return _handle(state, ctx, (*said, won_with))


# --- a round: the losing cards -------------------------------------------------------------------


def _handle(state: State, ctx: Context, said: tuple[Say, ...]) -> Turn[State]:
    """From chair to chair, round and round, until no losing card is left (S-13)."""
    while state.losing:
        seat = state.chairs[state.chair % len(state.chairs)]
        if seat not in state.losing:
            state = replace(state, chair=state.chair + 1)
        elif seat not in ctx.seats or not (
            animals.can_act(state, seat) or animals.partners(state, seat)
        ):
            state, said = _put_away(state, seat), (*said, room("card-lost", who=Who(seat)))
        else:
            return _open(state, ctx, said, (seat,), Handling)
    return _next_round(state, ctx, said)


def _put_away(state: State, seat: Seat, *, kept: bool = False) -> State:
    """A losing card is handled: it goes to the Teller, open, unless it was kept."""
    if not kept:
        state = discarded(state, [state.votes[seat]])
    losing = tuple(other for other in state.losing if other != seat)
    return replace(state, losing=losing, chair=state.chair + 1)


def _decide(state: State, seat: Seat, picked: str, ctx: Context) -> Turn[State]:
    """Do what the card says, or swap places with somebody (S-14)."""
    kind = state.kind(state.votes[seat])
    if picked == DO:
        return _take_effect(seat, kind, ACTIONS[kind](state, seat, ctx.dice), ctx)
    swapped = replace(state, chairs=animals.swap(state.chairs, seat, picked))
    said = room("swapped", who=Who(seat), other=Who(picked))
    return _handle(_put_away(swapped, seat), ctx, (said,))


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
        case "poll":
            return _open(state, ctx, said, effect.others, partial(Polling, seat))
        case "give" | "return" | "flip":
            owing = partial(Owing, kind, seat, effect.count)
            return _open(state, ctx, said, effect.others, owing)


# --- the end -------------------------------------------------------------------------------------


def _end(state: State, kept: dict[Seat, Card], said: tuple[Say, ...]) -> Turn[State]:
    """Count the Teller's secret cards (S-20)."""
    finals = {seat: kept.get(seat, state.hands[seat].cards[0]) for seat in state.candidates}
    count = Counter(state.kind(card) for card in state.hands[state.teller].secret)
    top = max(count.values(), default=0)
    most = tuple(kind for kind in state.animals if top and count[kind] == top)
    if state.call in most:
        winners: tuple[Seat, ...] = (state.teller,)
    else:
        winners = tuple(seat for seat in state.candidates if state.kind(finals[seat]) in most)
    state = replace(state, phase=Ended(winners, finals, most))
    return Turn(state, (*said, *(Say(line) for line in recap(state))))


# --- questions, answers and time -----------------------------------------------------------------


def _open(
    state: State, ctx: Context, said: tuple[Say, ...], voters: tuple[Seat, ...],
    phase: Callable[[Ballot], Phase], seconds: int = DECISION_SECONDS,
) -> Turn[State]:  # fmt: skip
    """Ask `voters`; where nobody of them is here, they are answered for at once."""
    ballot = Ballot.open(ctx, seconds, voters)
    state = replace(state, phase=phase(ballot), asked=state.asked + 1)
    if not set(voters) & set(ctx.seats):
        closed = _close(state, ctx)
        return replace(closed, says=(*said, *closed.says))
    return Turn(state, said)


def play(state: State, event: Event, ctx: Context) -> Turn[State] | Refused:
    """The state after an event, and what is said about it."""
    phase = state.phase
    match event:
        case Joined() if isinstance(phase, Paused) and ctx.seats:
            return _next_round(state, ctx, ())
        case _ if isinstance(phase, Ended):
            return Turn(state)
        case TimeUp():
            return _close(state, ctx)
        case _ if isinstance(phase, Paused):
            return Turn(state)
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
    in_secret = isinstance(phase, Paying | Keeping) or (
        isinstance(phase, Voting) and phase.who == "rest"
    )
    return in_secret or len(phase.ballot.voters) > 1


def _wrong(state: State, seat: Seat, given: Given) -> Refused | None:
    match state.phase:
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
            return _decide(state, seat, given.picked[0], ctx) if given else _lost(state, seat, ctx)
        case Acting(kind, ballot):
            (seat,) = ballot.voters
            given = ballot.cast.get(seat)
            if given is None or (kind == "pig" and not given.picked):
                return _lost(state, seat, ctx)
            return _take_effect(seat, kind, animals.chosen(state, seat, kind, given), ctx)
        case Polling(seat, ballot):
            agree = all(given.picked == ("yes",) for given in ballot.cast.values())
            agree = agree and len(ballot.cast) == len(ballot.voters)
            return _take_effect(seat, "koala", animals.polled(state, seat, all_agree=agree), ctx)
        case Owing(kind, seat, count, ballot):
            parts = {
                other: ballot.cast.get(other) or _part(state, other, kind, count, ctx)
                for other in ballot.voters
            }
            return _take_effect(seat, kind, animals.settled(state, seat, kind, parts), ctx)
        case Keeping(ballot):
            kept = {
                seat: cards_in(state, seat, ballot.cast[seat])[0]
                if seat in ballot.cast
                else ctx.dice.one_of(state.hands[seat].cards, f"keep/{seat}")
                for seat in ballot.voters
            }
            return _end(state, kept, ())
        case Paused() | Ended():
            return Turn(replace(state, phase=Ended()), (room("smallseat-broken-off"),))


def _lost(state: State, seat: Seat, ctx: Context) -> Turn[State]:
    said = room("card-lost", who=Who(seat))
    return _handle(_put_away(state, seat), ctx, (said,))


def _part(state: State, seat: Seat, kind: Kind, count: int, ctx: Context) -> Given:
    """Somebody's part of an action, by chance."""
    pick = animals.owed(state, seat, kind, count)
    values = [option.value for option in pick.options for _ in range(option.times)]
    return Given(tuple(ctx.dice.order(values, f"owed/{seat}")[: pick.at_least]))


def _counted(state: State, ballot: Ballot, ctx: Context, *, is_open: bool) -> Turn[State]:
    """Votes are in, or their time is up."""
    said: tuple[Say, ...] = ()
    missed = dict(state.missed)
    cast: list[tuple[Seat, Card]] = []
    for seat in ballot.voters:
        given = ballot.cast.get(seat)
        card = cards_in(state, seat, given)[0] if given else _by_chance(state, seat, ctx)
        there = seat in ctx.seats  # who is away misses nothing
        missed[seat] = missed.get(seat, 0) + 1 if there and not given else 0
        cast.append((seat, card))
    for seat, card in cast:
        state, more = _cast(state, seat, card, is_open=is_open)
        said = (*said, *more)
    out = tuple(s for s in ballot.voters if missed[s] >= MISSED_VOTES and s in ctx.seats)
    after = _vote(replace(state, missed=missed), replace(ctx, seats=ctx.without(out)), said)
    return replace(after, sits_out=(*out, *after.sits_out))


# --- what is read off the state ------------------------------------------------------------------


def asks(state: State) -> tuple[Ask, ...]:
    """At most one open question a seat."""
    phase = state.phase
    if isinstance(phase, Paused | Ended):
        return ()
    verb = {
        Calling: "call", Voting: "vote", Paying: "pay", Handling: "swap", Acting: "choose",
        Polling: "agree", Owing: "give", Keeping: "keep",
    }[type(phase)]  # fmt: skip
    asked = phase.ballot.asks(
        f"{verb}/{state.asked}", _question(state), lambda seat: _answers(state, seat)
    )
    is_open = isinstance(phase, Calling) or (isinstance(phase, Voting) and phase.who != "rest")
    return tuple(replace(ask, public=True) for ask in asked) if is_open else asked


def _question(state: State) -> Line:
    match state.phase:
        case Acting(kind):
            return Line(f"ask-{kind}")
        case Owing(kind, seat, count):
            return Line(f"ask-owed-{kind}", {"who": Who(seat), "count": count})
        case Polling(seat):
            return Line("ask-poll", {"who": Who(seat)})
        case Handling(ballot):
            return Line(f"ask-lost-{state.kind(state.votes[ballot.voters[0]])}")
        case other:
            return Line(f"ask-{type(other).__name__.lower()}")


def _answers(state: State, seat: Seat) -> Pick:
    match state.phase:
        case Calling():
            return Pick(kind_options(state.animals))
        case Voting():
            may = choice(state, seat)
            return Pick(card_options(state, seat, (*may.free, *may.dear), costs=may.dear))
        case Paying():
            others = seat_options(s for s in state.chairs if s != seat)
            return Pick((*card_options(state, seat, state.hands[seat].cards), *others), 2, 2)
        case Handling():
            do = (Option(DO, Line("do-it")),) if animals.can_act(state, seat) else ()
            return Pick((*do, *seat_options(animals.partners(state, seat))))
        case Acting(kind):
            return animals.options(state, seat, kind)
        case Polling():
            return Pick((Option("yes", Line("yes")), Option("no", Line("no"))))
        case Owing(kind, _, count):
            return animals.owed(state, seat, kind, count)
        case _:
            return Pick(card_options(state, seat, state.hands[seat].cards))


def deadline(state: State) -> Deadline | None:
    """When the phase closes by itself."""
    match state.phase:
        case Paused(since_ms, until_ms):
            return Deadline(until_ms, until_ms - since_ms)
        case Ended():
            return None
        case phase:
            return phase.ballot.deadline


def recap(state: State) -> tuple[Line, ...]:
    """How the game ended, or how far it is."""
    if not isinstance(state.phase, Ended):
        return (Line("smallseat-round", {"number": state.number}),)
    ended = state.phase
    finals = tuple(
        Line("final-was", {"who": Who(s), "animal": Line(f"animal-{state.kind(card)}")})
        for s, card in ended.finals.items()
    )
    if not ended.winners:
        return (*finals, Line("nobody-won"))
    if ended.winners == (state.teller,):
        return (*finals, Line("teller-won", {"who": Who(state.teller)}))
    return (*finals, *(Line("candidate-won", {"who": Who(seat)}) for seat in ended.winners))


def result(state: State) -> Result | None:
    """Who won, once it is over: one point for a win."""
    if not isinstance(state.phase, Ended):
        return None
    return Result({s: int(s in state.phase.winners) for s in state.chairs}, state.phase.winners)


def turned_over(state: State, seat: Seat, cards: Iterable[Card]) -> State:
    """The state after a player turned cards over that have just come to them (S-21)."""
    may = state.fresh.get(seat, ())
    return state.with_hand(seat, state.hands[seat].turned(card for card in cards if card in may))


__all__ = ["asks", "begin", "deadline", "play", "recap", "result", "turned_over"]
