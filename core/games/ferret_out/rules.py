"""Ferret Out with its variants, top to bottom in playing order.

Everybody is dealt a card of six words; the same number is everybody's secret word. All cards but
one are alike: whoever has the other one is the Weasel, and nobody knows who that is, the Weasel
included. Everybody gives a one-word clue, then names the Weasel in secret; who names themself may
add a guess at the Ferrets' word. The letters F-01 … F-25 are the rows of the rules page, §2.3 is
where it tells of the variants.

What a seat may know: its own card, the clues once all are in (in Point-of-Order, once given), the
ballots once all are in. So a refusal looks at the sender's own card, and at what is public, and at
nothing else (F-04).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from core.ballot import Ballot
from core.game import (
    Answered,
    Arg,
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
    Score,
    ScoreCard,
    Seat,
    TimeUp,
    Turn,
    Undeliverable,
    Who,
    Write,
    room,
    tell,
)
from core.games.ferret_out import bots, variants
from core.games.ferret_out.matching import key, names_word, on_card
from core.games.ferret_out.points import NOBODY, WORTH, gains
from core.games.ferret_out.pouches import POUCHES, house
from core.games.ferret_out.variants import Variant

NUMBER_SECONDS, CLUE_SECONDS, TURN_SECONDS, BALLOT_SECONDS = 30, 120, 45, 90
FACES, SLOTS = 4, 6
MISSED_ROUNDS = 2


class Deal(Struct, frozen=True):
    """One round's cards. `number` counts the deals, the void ones included; `slot` is the die's.

    `players` were dealt a word and have not left; `weasels` are those of them with a card of the
    second of the `pouches`: one, and in variants none or two.
    """

    number: int
    players: tuple[Seat, ...]
    weasels: tuple[Seat, ...]
    cfo: Seat
    pouches: tuple[int, int]
    face: int
    slot: int = 0

    @property
    def ferrets(self) -> tuple[Seat, ...]:
        """The others."""
        return tuple(seat for seat in self.players if seat not in self.weasels)


class Choosing(Struct, frozen=True, tag="choosing"):
    """The CFO picks a number (F-19)."""

    ballot: Ballot


class Clueing(Struct, frozen=True, tag="clueing"):
    """Everybody writes a clue (F-04 … F-08)."""

    ballot: Ballot


class Ordering(Struct, frozen=True, tag="ordering"):
    """Point-of-Order: one after the other gives a clue, public at once. `rest` come after."""

    clues: Mapping[Seat, str]
    ballot: Ballot
    rest: tuple[Seat, ...]


class Studying(Struct, frozen=True, tag="studying"):
    """The clues are known; everybody names the Weasel (F-09 … F-12, F-20)."""

    clues: Mapping[Seat, str]
    ballot: Ballot


class Paused(Struct, frozen=True, tag="paused"):
    """Too few are left; waits for a replacement, then ends with the scores so far (F-24)."""

    since_ms: int
    until_ms: int


class Ended(Struct, frozen=True, tag="ended"):
    """It is over; nobody won if it was broken off."""

    winners: tuple[Seat, ...]


Phase: TypeAlias = Choosing | Clueing | Ordering | Studying | Paused | Ended


class State(Struct, frozen=True):
    """A game. `positions` is the game's one shuffle of the 24 positions of every pouch (§2.1).

    `history` has the points of each round that counted; `missed` counts the rounds in a row in
    which a seat gave neither clue nor ballot (F-18); `used` are the pouches that have been dealt.
    """

    variant: Variant
    positions: tuple[int, ...]
    history: tuple[Mapping[Seat, int], ...]
    used: tuple[int, ...]
    scores: Mapping[Seat, int]
    missed: Mapping[Seat, int]
    deal: Deal
    phase: Phase

    @property
    def played(self) -> int:
        """How many rounds counted."""
        return len(self.history)


# --- dealing -----------------------------------------------------------------------------------


def start(ctx: Context) -> Turn[State]:
    """Shuffle, appoint a random first CFO, and deal the first round.

    After another game of the same people, pouches go on where that one stopped.
    """
    last: State | None = ctx.last
    variant = variants.chosen(ctx.chosen)
    positions = tuple(ctx.dice.order(range(FACES * SLOTS), "positions"))
    before_first = ctx.dice.one_of(ctx.seats, "cfo")
    number, used = (last.deal.number, last.used) if last else (0, ())
    nothing = Deal(number, (), (), before_first, (0, 0), FACES - 1)
    phase = Paused(ctx.now_ms, ctx.now_ms)
    dealt = _deal(State(variant, positions, (), used, {}, {}, nothing, phase), ctx)
    names = Lines(tuple(variants.called(name) for name in variant.names))
    played_so = (room("played-with", variants=names),) if variant.names else ()
    return replace(dealt, says=(*played_so, *dealt.says))


def _deal(state: State, ctx: Context) -> Turn[State]:
    players, said = ctx.seats, ()
    if len(players) < _fewest(state):
        return _pause(state, ctx, room("paused", least=_fewest(state)))
    if len(players) < state.variant.fewest:
        state = replace(state, variant=replace(state.variant, team_weasel=False))
        said = (room("variant-dropped", name=Line("name-team-weasel")),)
    state = _next_face(state, ctx)
    last = state.deal
    deal = replace(
        last,
        number=last.number + 1,
        players=players,
        weasels=_weasels(state.variant, ctx),
        cfo=_next_cfo(last.cfo, ctx),
        slot=0,
    )
    scores = {**state.scores, **{seat: state.scores.get(seat, 0) for seat in players}}
    state = replace(state, deal=deal, scores=scores)
    said = (*said, _announced(state))
    if _cfo_picks(state, ctx):
        return _let_pick(state, ctx, said)
    return _peek(state, ctx, _rolled(ctx), said)


def _fewest(state: State) -> int:
    """How few can go on (F-24): a game that needs more drops what it needs them for."""
    return variants.DUEL if state.variant.duel else variants.FEWEST


def _weasels(variant: Variant, ctx: Context) -> tuple[Seat, ...]:
    """Who holds a card of the second pouch, by chance (F-02). A spare sleeve has no seat (§2.3)."""
    sleeves = (*ctx.seats, *("",) * variant.spare_cards)
    dealt = ctx.dice.order(sleeves, "weasel")[: variant.weasel_cards]
    return tuple(seat for seat in ctx.seats if seat in dealt)


def _next_face(state: State, ctx: Context) -> State:
    """A pair of pouches for four rounds, then two new ones; none again before all were used."""
    last = state.deal
    if last.face < FACES - 1:
        return replace(state, deal=replace(last, face=last.face + 1))
    fresh = [pouch for pouch in range(POUCHES) if pouch not in state.used]
    used = state.used if len(fresh) > 1 else ()
    pair = ctx.dice.order(fresh if used else range(POUCHES), "pouches")[:2]
    deal = replace(last, face=0, pouches=(pair[0], pair[1]))
    return replace(state, used=(*used, *pair), deal=deal)


def _next_cfo(last: Seat, ctx: Context) -> Seat:
    """Clockwise among those who play (F-19); the very first is whoever `start` picked."""
    _, *others = _round_from(last, ctx)
    return next(seat for seat in (*others, last) if seat in ctx.seats)


def _round_from(first: Seat, ctx: Context) -> tuple[Seat, ...]:
    """The whole table, clockwise."""
    at = ctx.table.index(first)
    return (*ctx.table[at:], *ctx.table[:at])


def _cfo_picks(state: State, ctx: Context) -> bool:
    return not ctx.texting if state.variant.number == "auto" else state.variant.number == "pick"


def _rolled(ctx: Context) -> int:
    return ctx.dice.one_of(range(1, SLOTS + 1), "die")


def _let_pick(state: State, ctx: Context, said: tuple[Say, ...] = ()) -> Turn[State]:
    """Ask the CFO for a number."""
    cfo = state.deal.cfo
    ballot = Ballot.open(ctx, NUMBER_SECONDS, (cfo,))
    return Turn(replace(state, phase=Choosing(ballot)), (*said, room("cfo-picks", who=Who(cfo))))


def _peek(state: State, ctx: Context, slot: int, said: tuple[Say, ...] = ()) -> Turn[State]:
    """Everybody has a word now, and is asked for a clue."""
    deal = replace(state.deal, slot=slot)
    ballot = Ballot.open(ctx, CLUE_SECONDS, deal.players)
    state = replace(state, deal=deal, phase=Clueing(ballot))
    cards = tuple(Say(line, seat) for seat in deal.players for line in look(state, seat))
    if not state.variant.point_of_order:
        return Turn(state, (*said, room("number-is", number=slot), *cards))
    order = tuple(seat for seat in _round_from(deal.cfo, ctx) if seat in deal.players)
    said = (*said, room("number-is-in-order", number=slot), *cards)
    return _next_turn(state, {}, order, ctx, said)


# --- playing -----------------------------------------------------------------------------------


def play(  # noqa: C901, PLR0911, PLR0912  (a table: what each phase makes of each event)
    state: State, event: Event, ctx: Context
) -> Turn[State] | Refused:
    """The state after an event, and what is said about it."""
    match state.phase, event:
        case ((Choosing() | Clueing() | Ordering() | Studying()), Left(seat)) if (
            seat in state.deal.players
        ):
            return _withdraw(state, seat, ctx)
        case Choosing(), Answered(given=given):
            return _peek(state, ctx, int(given.picked[0]))
        case Choosing(), TimeUp() | Undeliverable(state.deal.cfo):
            return _peek(state, ctx, _rolled(ctx))
        case ((Clueing() | Ordering()), Answered(seat, given=given)) if no := _banned(
            state, seat, given
        ):
            return Refused(no)
        case Ordering(clues, _, rest), Answered(seat, given=given):
            said = (room("clue-was", who=Who(seat), clue=given.words),)
            return _next_turn(state, {**clues, seat: given.words}, rest, ctx, said)
        case Ordering(clues, ballot, rest), TimeUp():
            said = tuple(room("no-clue-from", who=Who(seat)) for seat in ballot.voters)
            return _next_turn(state, clues, rest, ctx, said)
        case Ordering(clues, ballot, rest), Undeliverable(seat) if seat in ballot.voters:
            return _next_turn(state, clues, rest, ctx, (room("no-clue-from", who=Who(seat)),))
        case (Clueing(ballot=ballot) | Studying(ballot=ballot)) as phase, Answered(
            seat, given=given
        ):
            return Turn(_balloted(state, phase, ballot.answer(seat, given, ctx)))
        case (Clueing(ballot=ballot) | Studying(ballot=ballot)) as phase, Undeliverable(seat):
            return Turn(_balloted(state, phase, ballot.excuse(seat, ctx)))
        case (Clueing(ballot=ballot) | Studying(ballot=ballot)) as phase, Joined(seat):
            return Turn(_balloted(_expected(state, seat), phase, ballot.recall(seat)))
        case Clueing(ballot), TimeUp():
            return _reveal(state, ballot, ctx)
        case Studying(clues, ballot), TimeUp():
            return _score(state, clues, ballot, ctx)
        case Paused(), Joined(seat):
            back = _expected(state, seat)
            return _deal(back, ctx) if len(ctx.seats) >= _fewest(back) else Turn(back)
        case Paused(), Left() if state.variant.duel:
            return _end(state, ())
        case Paused(), TimeUp():
            return _end(state, ())
        case _, Joined(seat):
            return Turn(_expected(state, seat))
        case _:
            return Turn(state)


def _balloted(state: State, phase: Clueing | Studying, ballot: Ballot) -> State:
    return replace(state, phase=replace(phase, ballot=ballot))


def _expected(state: State, seat: Seat) -> State:
    return replace(state, missed={s: n for s, n in state.missed.items() if s != seat})


def _banned(state: State, seat: Seat, given: Given) -> Line | None:
    """Why the clue can't be given: it is on the sender's own card (F-04), or was said (§2.3)."""
    word = on_card(given.words, _face(state, seat), house())
    if word:
        return Line("clue-is-on-your-card", {"word": word.upper()})
    said = state.phase.clues.values() if isinstance(state.phase, Ordering) else ()
    if any(_same(clue, given.words) for clue in said):
        return Line("clue-was-given", {"word": given.words.upper()})
    return None


def _same(one: str, other: str) -> bool:
    """Whether two clues are one: by their keys, or as two forms of a word."""
    keys = {key(one), key(other)}
    return len(keys) == 1 or any(keys <= house().forms(word) for word in house().words)


def _withdraw(state: State, seat: Seat, ctx: Context) -> Turn[State]:
    """Somebody left. Without a Weasel, or with too few Ferrets, the round is void (F-17).

    Too few is counted as if all Weasels were here: else a round that goes on would tell of them.
    """
    rest = tuple(s for s in state.deal.players if s != seat)
    if state.variant.duel:
        return _end(state, ())
    if seat in state.deal.weasels or len(rest) < 2 + state.variant.weasel_cards:
        redealt = _deal(state, ctx)
        return replace(redealt, says=(room("round-is-void"), *redealt.says))
    state = replace(state, deal=replace(state.deal, players=rest))
    match state.phase:
        case Choosing() if seat == state.deal.cfo:
            # Whoever sat down since has no card to pick from.
            dealt = replace(ctx, seats=tuple(s for s in rest if s in ctx.seats) or rest)
            state = replace(state, deal=replace(state.deal, cfo=_next_cfo(seat, dealt)))
            return _let_pick(state, ctx)
        case Ordering(clues, ballot, order):
            order = tuple(s for s in order if s != seat)
            if seat in ballot.voters:
                return _next_turn(state, clues, order, ctx, ())
            return Turn(replace(state, phase=Ordering(clues, ballot, order)))
        case (Clueing(ballot=ballot) | Studying(ballot=ballot)) as phase:
            return Turn(_balloted(state, phase, ballot.strike(seat, ctx)))
        case _:
            return Turn(state)


def _next_turn(
    state: State,
    clues: Mapping[Seat, str],
    rest: tuple[Seat, ...],
    ctx: Context,
    said: tuple[Say, ...],
) -> Turn[State]:
    """Point-of-Order: the next one's turn; whoever is away has missed theirs."""
    for at, seat in enumerate(rest):
        if seat in ctx.seats:
            ballot = Ballot.open(ctx, TURN_SECONDS, (seat,))
            phase = Ordering(clues, ballot, rest[at + 1 :])
            return Turn(replace(state, phase=phase), (*said, room("turn-is", who=Who(seat))))
        said = (*said, room("no-clue-from", who=Who(seat)))
    return _study(state, clues, ctx, said)


def _reveal(state: State, ballot: Ballot, ctx: Context) -> Turn[State]:
    """All clues at once, in seat order, with names (F-07, F-08)."""
    clues = {seat: given.words for seat, given in ballot.answers}
    rows = tuple(
        room("clue-was", who=Who(seat), clue=clues[seat])
        if seat in clues
        else room("no-clue-from", who=Who(seat))
        for seat in state.deal.players
    )
    return _study(state, clues, ctx, (room("clues-are-in"), *rows))


def _study(
    state: State, clues: Mapping[Seat, str], ctx: Context, said: tuple[Say, ...]
) -> Turn[State]:
    votes = Ballot.open(ctx, BALLOT_SECONDS, state.deal.players)
    return Turn(replace(state, phase=Studying(clues, votes)), said)


# --- scoring -----------------------------------------------------------------------------------


def _score(state: State, clues: Mapping[Seat, str], ballot: Ballot, ctx: Context) -> Turn[State]:
    deal = state.deal
    if not clues and not ballot.cast:
        return _pause_for_all(state, ctx)
    named = {seat: given.picked[0] for seat, given in ballot.answers}
    hits = _hits(state, ballot)
    scored = gains(deal.ferrets, deal.weasels, named, hits)
    gained = {seat: sum(WORTH[way] for way in scored[seat]) for seat in deal.players}
    silent = [seat for seat in deal.players if seat not in clues and seat not in ballot.cast]
    missed = {seat: state.missed.get(seat, 0) + 1 for seat in silent}
    state = replace(
        state,
        scores={seat: total + gained.get(seat, 0) for seat, total in state.scores.items()},
        missed=missed,
        history=(*state.history, gained),
    )
    said = (*_told(state, ballot, hits), *_tally(state, named, scored))
    out = tuple(seat for seat, count in missed.items() if count >= MISSED_ROUNDS)
    out = tuple(seat for seat in out if seat in ctx.seats)
    after = _next(state, replace(ctx, seats=ctx.without(out)))
    return Turn(after.state, (*said, *after.says), out)


def _hits(state: State, ballot: Ballot) -> tuple[Seat, ...]:
    """Whose word was right for the side they declared, and are on (F-10, Weasel-Brained)."""
    found: list[Seat] = []
    for seat, given in ballot.answers:
        weasel, named_self = seat in state.deal.weasels, given.picked[0] == seat
        theirs = word_at(state, 0 if weasel else 1)
        declared = named_self if weasel else not named_self and bool(state.deal.weasels)
        if given.words and declared and names_word(given.words, theirs, house()):
            found.append(seat)
    return tuple(found)


def _told(state: State, ballot: Ballot, hits: tuple[Seat, ...]) -> Iterator[Say]:
    """Who was what, with which words; and the guesses that counted."""
    weasels, ferret_word, other_word = state.deal.weasels, word_at(state, 0), word_at(state, 1)
    words: dict[str, Arg] = {"ferrets": ferret_word.upper(), "weasels": other_word.upper()}
    if not weasels:
        yield room("no-weasel-was", **words)
    elif len(weasels) == 1:
        yield room("weasel-was", who=Who(weasels[0]), **words)
    else:
        yield room("weasels-were", who=Each(weasels), **words)
    for seat, given in ballot.answers:
        weasel, named_self = seat in weasels, given.picked[0] == seat
        if given.words and weasels and weasel == named_self:
            side = "guess-was" if weasel else "their-guess-was"
            hit = "yes" if seat in hits else "no"
            yield room(side, who=Who(seat), word=given.words, hit=hit)


def _tally(
    state: State, named: Mapping[Seat, str], scored: Mapping[Seat, tuple[str, ...]]
) -> Iterator[Say]:
    """Each one's ballot, and how their points came about."""
    leader = _leaders(state)[0]
    rows: dict[Seat, dict[str, Arg]] = {
        seat: {
            "gained": state.history[-1][seat],
            "ways": len(scored[seat]),
            "why": Lines(tuple(Line(f"scored-{way}") for way in scored[seat])),
            "total": state.scores[seat],
        }
        for seat in state.deal.players
    }
    for seat, row in rows.items():
        if seat not in named:
            yield room("no-ballot-from", who=Who(seat), **row)
        elif named[seat] == seat:
            yield room("named-themself", who=Who(seat), **row)
        else:
            yield room("ballot-was", who=Who(seat), named=_shown(named[seat]), **row)
    for seat, row in rows.items():
        best = state.scores[leader]
        yield tell(seat, "your-points-were", leader=Who(leader), best=best, **row)


def _leaders(state: State) -> tuple[Seat, ...]:
    """Those with the most points, of all who played this round: a leaver's points win nothing."""
    best = max(state.scores[seat] for seat in state.deal.players)
    return tuple(seat for seat in state.deal.players if state.scores[seat] == best)


def _next(state: State, ctx: Context) -> Turn[State]:
    """The next round, an extra one for a tie, or the end (F-21, F-22)."""
    leaders, extra = _leaders(state), _extra_rounds(state)
    if extra is not None and (len(leaders) == 1 or extra >= state.variant.extra_rounds):
        return _end(state, leaders)
    return _deal(state, ctx)


def _extra_rounds(state: State) -> int | None:
    """How many rounds have been played since the game was due to end; None while it isn't."""
    variant, totals = state.variant, dict.fromkeys(state.scores, 0)
    if not variant.to_points:
        return state.played - variant.rounds if state.played >= variant.rounds else None
    for at, gained in enumerate(state.history, 1):
        totals = {seat: total + gained.get(seat, 0) for seat, total in totals.items()}
        if max(totals.values()) >= variant.to_points:
            return state.played - at
    return None


# --- pausing and ending ------------------------------------------------------------------------


def _pause(state: State, ctx: Context, say: Say) -> Turn[State]:
    phase = Paused(ctx.now_ms, ctx.now_ms + ctx.pace.idle_ms)
    return Turn(replace(state, phase=phase), (say,))


def _pause_for_all(state: State, ctx: Context) -> Turn[State]:
    """Nobody was there: no round, no points; whoever comes back is dealt in again."""
    silent = tuple(seat for seat in state.deal.players if seat in ctx.seats)
    return replace(_pause(state, ctx, room("paused-for-all")), sits_out=silent)


def _end(state: State, winners: tuple[Seat, ...]) -> Turn[State]:
    standing = tuple(Say(line) for line in recap(replace(state, phase=Ended(winners))))
    return Turn(replace(state, phase=Ended(winners)), standing)


# --- what is read off the state ----------------------------------------------------------------


def asks(state: State) -> tuple[Ask, ...]:
    """At most one open question a seat; its number is the deal's (stale answers: SMS trap 7)."""
    number = state.deal.number
    match state.phase:
        case Choosing(ballot):
            face = enumerate(_face(state, state.deal.cfo), 1)
            line = Line("ask-number", {"words": ", ".join(f"{n} {word}" for n, word in face)})
            numbers = Pick(tuple(Option(str(n), n) for n in range(1, SLOTS + 1)))
            return ballot.asks(f"number/{number}", line, lambda _: numbers)
        case Clueing(ballot):
            return ballot.asks(f"clue/{number}", Line("ask-clue"), lambda _: Write())
        case Ordering(clues, ballot):
            said = {"given": len(clues), "clues": ", ".join(clues.values())}
            line = Line("ask-clue-in-order", said)
            turns = ballot.asks(f"clue/{number}", line, lambda _: Write())
            return tuple(replace(ask, public=True) for ask in turns)
        case Studying(clues, ballot):
            return ballot.asks(
                f"vote/{number}", _ask_vote(state), lambda seat: _votes(state, clues, seat)
            )
        case Paused() | Ended():
            return ()


def _ask_vote(state: State) -> Line:
    variant = state.variant
    return Line(
        "ask-vote",
        {
            "weasels": variant.weasels,
            "brained": "yes" if variant.weasel_brained else "no",
        },
    )


def _votes(state: State, clues: Mapping[Seat, str], me: Seat) -> Pick:
    """Everybody who was dealt a word, oneself included (F-09), and NOBODY where that may be."""
    others = Line("ask-their-word") if state.variant.weasel_brained else None
    options = [
        Option(seat, Who(seat), clues.get(seat, ""), Line("ask-word") if seat == me else others)
        for seat in state.deal.players
    ]
    if state.variant.weasels == "maybe-one":
        options.append(Option(NOBODY, Line("nobody")))
    return Pick(tuple(options))


def deadline(state: State) -> Deadline | None:
    """When the phase closes by itself."""
    match state.phase:
        case Choosing(ballot) | Clueing(ballot) | Ordering(ballot=ballot) | Studying(ballot=ballot):
            return ballot.deadline
        case Paused(since_ms, until_ms):
            return Deadline(until_ms, until_ms - since_ms)
        case Ended():
            return None


def look(state: State, seat: Seat) -> tuple[Line, ...]:
    """A seat's own card: its word, and the other five of its face (F-03). Never its role."""
    deal = state.deal
    if seat not in deal.players or not isinstance(state.phase, Clueing | Ordering | Studying):
        return ()
    word = word_of(state, seat)
    others = ", ".join(other for other in _face(state, seat) if other != word)
    return (Line("your-card", {"word": word.upper(), "others": others}),)


def recap(state: State) -> tuple[Line, ...]:
    """How far the game is, and the points: who won, then the others, best first."""
    match state.phase:
        case Ended(winners):
            return (_ended(winners, state.scores), *_final_scores(state))
        case Paused():
            head = Line("rounds-played", {"played": state.played})
        case _:
            head = _announced(state).line
    scores = _ranked(state)
    return (head, *(Line("score-is", {"who": Who(seat), "total": n}) for seat, n in scores))


def _final_scores(state: State) -> Iterator[Line]:
    """The score card in text: a row a player, the rounds' points in it."""
    for score in _rows(state):
        rounds = " ".join("-" if gained is None else str(gained) for gained in score.gained)
        args: dict[str, Arg] = {"who": Who(score.seat), "total": score.total}
        yield (
            Line("final-score-is", {**args, "rounds": rounds}) if rounds else Line("score-is", args)
        )


def _announced(state: State) -> Say:
    now, extra = state.played + 1, _extra_rounds(state)
    if extra is not None:
        return room("extra-round-began", number=extra + 1)
    if state.variant.to_points:
        return room("round-to-points-began", number=now, points=state.variant.to_points)
    return room("round-began", number=now, rounds=state.variant.rounds)


def _ranked(state: State) -> list[tuple[Seat, int]]:
    won = state.phase.winners if isinstance(state.phase, Ended) else ()
    return sorted(state.scores.items(), key=lambda row: (row[0] not in won, -row[1]))


def score_card(state: State) -> ScoreCard[Line] | None:
    """The points of every round as a table; there is none before a round has counted."""
    if not state.history:
        return None
    ending = (f"to-{state.variant.to_points}",) if state.variant.to_points else ()
    played = tuple(variants.called(name) for name in (*state.variant.names, *ending))
    return ScoreCard(
        title=recap(state)[0],
        rounds=tuple(str(number) for number in range(1, state.played + 1)),
        total=Line("score-card-total"),
        scores=_rows(state),
        winners=state.phase.winners if isinstance(state.phase, Ended) else (),
        notes=(Line("score-card-game", {"count": len(played), "played": Lines(played)}),),
    )


def _rows(state: State) -> tuple[Score, ...]:
    return tuple(
        Score(seat, tuple(gained.get(seat) for gained in state.history), total)
        for seat, total in _ranked(state)
    )


def _ended(winners: tuple[Seat, ...], scores: Mapping[Seat, int]) -> Line:
    if not winners:
        return Line("ended-early")
    total = scores[winners[0]]
    if len(winners) == 1:
        return Line("winner-is", {"who": Who(winners[0]), "total": total})
    return Line("winners-are", {"who": Each(winners), "total": total})


def result(state: State) -> Result | None:
    """The points and the winners, once it is over."""
    return Result(state.scores, state.phase.winners) if isinstance(state.phase, Ended) else None


def word_of(state: State, seat: Seat) -> str:
    """The secret word a seat was dealt."""
    return word_at(state, int(seat in state.deal.weasels))


def word_at(state: State, side: int) -> str:
    """The secret word of the Ferrets' pouch (0), or of the Weasel's (1)."""
    return _six(state, side)[state.deal.slot - 1]


def _face(state: State, seat: Seat) -> tuple[str, ...]:
    """The six words a seat sees on its card."""
    return _six(state, int(seat in state.deal.weasels))


def _six(state: State, side: int) -> tuple[str, ...]:
    first = state.deal.face * SLOTS
    return house().face(state.deal.pouches[side], state.positions[first : first + SLOTS])


def _shown(named: str) -> Arg:
    return Line("nobody") if named == NOBODY else Who(named)


def seen(state: State, seat: Seat) -> bots.Seen:
    """What a seat may know, for its bot."""
    deal, most = state.deal, state.variant.weasel_cards
    return bots.Seen(
        word=word_of(state, seat) if deal.slot else "",
        position=state.positions[deal.face * SLOTS + deal.slot - 1] if deal.slot else 0,
        players=deal.players,
        clues=state.phase.clues if isinstance(state.phase, Ordering | Studying) else {},
        card=_face(state, seat),
        weasels=tuple(range(most - state.variant.spare_cards, most + 1)),
    )


def bot(state: State, ask: Ask, ctx: Context) -> Given:
    """What a bot answers, by what its seat may know."""
    return bots.answer(ask, seen(state, ask.to), ctx.dice, house())


GAME = Game(
    name="ferret-out",
    state_type=State,
    menu=variants.menu,
    choose=variants.choose,
    seats=variants.seats,
    rules=variants.rules,
    start=start,
    play=play,
    asks=asks,
    deadline=deadline,
    look=look,
    recap=recap,
    result=result,
    score_card=score_card,
    bot=bot,
)
