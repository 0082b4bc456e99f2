"""Ferret Out, base game, top to bottom in playing order.

Everybody is dealt a card of six words; the same number is everybody's secret word. All cards but
one are alike: whoever has the other one is the Weasel, and nobody knows who that is, the Weasel
included. Everybody gives a one-word clue, then names the Weasel in secret; who names themself may
add a guess at the Ferrets' word. The letters F-01 … F-25 are the rows of the rules page.

What a seat may know: its own card, the clues once all are in, the ballots once all are in. So a
refusal looks at the sender's own card and nothing else (F-04).
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
    Write,
    room,
    tell,
)
from core.games.ferret_out import bots
from core.games.ferret_out.matching import names_word, on_card
from core.games.ferret_out.pouches import POUCHES, house
from core.games.ferret_out.variants import OPTIONS, Variant, chosen

FEWEST, MOST = 3, 7
NUMBER_SECONDS, CLUE_SECONDS, BALLOT_SECONDS = 30, 120, 90
FACES, SLOTS = 4, 6
MISSED_ROUNDS = 2


class Deal(Struct, frozen=True):
    """One round's cards. `number` counts the deals, the void ones included; `slot` is the die's.

    `players` were dealt a word and have not left; `pouches` are the Ferrets' and the Weasel's.
    """

    number: int
    players: tuple[Seat, ...]
    weasel: Seat
    cfo: Seat
    pouches: tuple[int, int]
    face: int
    slot: int = 0


class Choosing(Struct, frozen=True, tag="choosing"):
    """The CFO picks a number (F-19)."""

    ballot: Ballot


class Clueing(Struct, frozen=True, tag="clueing"):
    """Everybody writes a clue (F-04 … F-08)."""

    ballot: Ballot


class Studying(Struct, frozen=True, tag="studying"):
    """The clues are known; everybody names the Weasel (F-09 … F-12, F-20)."""

    clues: Mapping[Seat, str]
    ballot: Ballot


class Paused(Struct, frozen=True, tag="paused"):
    """Too few are left; waits for a replacement, then ends with the scores so far (F-24)."""

    since_ms: int
    until_ms: int


class Ended(Struct, frozen=True, tag="ended"):
    """It is over; nobody won if it was broken off without a point."""

    winners: tuple[Seat, ...]


Phase: TypeAlias = Choosing | Clueing | Studying | Paused | Ended


class State(Struct, frozen=True):
    """A game. `positions` is the game's one shuffle of the 24 positions of every pouch (§2.1).

    `played` rounds are the ones that counted; `missed` counts the rounds in a row in which a seat
    gave neither clue nor ballot (F-18).
    """

    variant: Variant
    positions: tuple[int, ...]
    played: int
    used: tuple[int, ...]
    scores: Mapping[Seat, int]
    missed: Mapping[Seat, int]
    deal: Deal
    phase: Phase


# --- dealing -----------------------------------------------------------------------------------


def start(ctx: Context) -> Turn[State]:
    """Shuffle, appoint a random first CFO, and deal the first round."""
    positions = tuple(ctx.dice.order(range(FACES * SLOTS), "positions"))
    before_first = ctx.dice.one_of(ctx.seats, "cfo")
    nothing = Deal(0, (), "", before_first, (0, 0), FACES - 1)
    scores = dict.fromkeys(ctx.seats, 0)
    phase = Paused(ctx.now_ms, ctx.now_ms)
    return _deal(State(chosen(ctx.chosen), positions, 0, (), scores, {}, nothing, phase), ctx)


def _deal(state: State, ctx: Context) -> Turn[State]:
    players = ctx.seats
    if len(players) < FEWEST:
        return _pause(state, ctx, room("paused", least=FEWEST))
    state = _next_face(state, ctx)
    last = state.deal
    deal = replace(
        last,
        number=last.number + 1,
        players=players,
        weasel=ctx.dice.one_of(players, "weasel"),
        cfo=_next_cfo(last.cfo, ctx),
        slot=0,
    )
    scores = {**state.scores, **{seat: state.scores.get(seat, 0) for seat in players}}
    state = replace(state, deal=deal, scores=scores)
    said = (_announced(state),)
    if _cfo_picks(state, ctx):
        return _let_pick(state, ctx, said)
    return _peek(state, ctx, _rolled(ctx), said)


def _let_pick(state: State, ctx: Context, said: tuple[Say, ...] = ()) -> Turn[State]:
    """Ask the CFO for a number."""
    cfo = state.deal.cfo
    ballot = Ballot.open(ctx, NUMBER_SECONDS, (cfo,))
    return Turn(replace(state, phase=Choosing(ballot)), (*said, room("cfo-picks", who=Who(cfo))))


def _next_face(state: State, ctx: Context) -> State:
    """A pair of pouches for four rounds, then two new ones; none again before all were used."""
    last = state.deal
    if last.face < FACES - 1:
        return replace(state, deal=replace(last, face=last.face + 1))
    count = POUCHES
    fresh = [pouch for pouch in range(count) if pouch not in state.used]
    fresh = fresh if len(fresh) > 1 else list(range(count))
    ferrets, weasels = ctx.dice.order(fresh, "pouches")[:2]
    used = (*state.used, ferrets, weasels) if len(fresh) < count else (ferrets, weasels)
    return replace(state, used=used, deal=replace(last, face=0, pouches=(ferrets, weasels)))


def _next_cfo(last: Seat, ctx: Context) -> Seat:
    """Clockwise among those who play (F-19); the very first is whoever `start` picked."""
    at = ctx.table.index(last)
    clockwise = (*ctx.table[at + 1 :], *ctx.table[: at + 1])
    return next(seat for seat in clockwise if seat in ctx.seats)


def _announced(state: State) -> Say:
    now, rounds = state.played + 1, state.variant.rounds
    if now > rounds:
        return room("extra-round-began", number=now - rounds)
    return room("round-began", number=now, rounds=rounds)


def _cfo_picks(state: State, ctx: Context) -> bool:
    return not ctx.texting if state.variant.number == "auto" else state.variant.number == "pick"


def _rolled(ctx: Context) -> int:
    return ctx.dice.one_of(range(1, SLOTS + 1), "die")


def _peek(state: State, ctx: Context, slot: int, said: tuple[Say, ...] = ()) -> Turn[State]:
    """Everybody has a word now, and is asked for a clue."""
    deal = replace(state.deal, slot=slot)
    ballot = Ballot.open(ctx, CLUE_SECONDS, deal.players)
    state = replace(state, deal=deal, phase=Clueing(ballot))
    cards = tuple(Say(line, seat) for seat in deal.players for line in look(state, seat))
    return Turn(state, (*said, room("number-is", number=slot), *cards))


# --- playing -----------------------------------------------------------------------------------


def play(  # noqa: C901, PLR0911  (a table: what each phase makes of each event)
    state: State, event: Event, ctx: Context
) -> Turn[State] | Refused:
    """The state after an event, and what is said about it."""
    match state.phase, event:
        case ((Choosing() | Clueing() | Studying()), Left(seat)) if seat in state.deal.players:
            return _withdraw(state, seat, ctx)
        case Choosing(ballot), Answered(given=given):
            return _peek(state, ctx, int(given.picked[0]))
        case Choosing(), TimeUp() | Undeliverable(state.deal.cfo):
            return _peek(state, ctx, _rolled(ctx))
        case Clueing(), Answered(seat, given=given) if word := _banned(state, seat, given):
            return Refused(Line("clue-is-on-your-card", {"word": word.upper()}))
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
            return _deal(back, ctx) if len(ctx.seats) >= FEWEST else Turn(back)
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


def _banned(state: State, seat: Seat, given: Given) -> str | None:
    """The word of the sender's own six that the clue is a form of (F-04)."""
    return on_card(given.words, _face(state, seat), house())


def _withdraw(state: State, seat: Seat, ctx: Context) -> Turn[State]:
    """Somebody left. Without the Weasel, or with one Ferret, the round is void (F-17)."""
    rest = tuple(s for s in state.deal.players if s != seat)
    if seat == state.deal.weasel or len(rest) < FEWEST:
        redealt = _deal(state, ctx)
        return replace(redealt, says=(room("round-is-void"), *redealt.says))
    state = replace(state, deal=replace(state.deal, players=rest))
    match state.phase:
        case Choosing() if seat == state.deal.cfo:
            state = replace(state, deal=replace(state.deal, cfo=_next_cfo(seat, ctx)))
            return _let_pick(state, ctx)
        case (Clueing(ballot=ballot) | Studying(ballot=ballot)) as phase:
            return Turn(_balloted(state, phase, ballot.strike(seat, ctx)))
        case _:
            return Turn(state)


def _reveal(state: State, ballot: Ballot, ctx: Context) -> Turn[State]:
    """All clues at once, in seat order, with names (F-07, F-08)."""
    clues = {seat: given.words for seat, given in ballot.answers}
    said = tuple(
        room("clue-was", who=Who(seat), clue=clues[seat]) if seat in clues
        else room("no-clue-from", who=Who(seat))
        for seat in state.deal.players
    )  # fmt: skip
    votes = Ballot.open(ctx, BALLOT_SECONDS, state.deal.players)
    return Turn(replace(state, phase=Studying(clues, votes)), (room("clues-are-in"), *said))


# --- scoring -----------------------------------------------------------------------------------


def points(
    ferrets: tuple[Seat, ...], weasel: Seat, named: Mapping[Seat, Seat], *, hit: bool
) -> dict[Seat, int]:
    """The round's points (§2.2, normative). `hit`: the Weasel named itself and guessed the word."""
    correct = {seat: named.get(seat) == weasel for seat in ferrets}
    all_correct = all(correct.values())
    scored = {seat: int(right) + all_correct + (not hit) for seat, right in correct.items()}
    scored[weasel] = (not all_correct) + (named.get(weasel) == weasel) + 2 * hit
    return scored


def _score(state: State, clues: Mapping[Seat, str], ballot: Ballot, ctx: Context) -> Turn[State]:
    deal = state.deal
    if not clues and not ballot.cast:
        return _pause_for_all(state, ctx)
    named = {seat: given.picked[0] for seat, given in ballot.answers}
    guess = ballot.cast[deal.weasel].words if named.get(deal.weasel) == deal.weasel else ""
    hit = bool(guess) and names_word(guess, word_of(state, _some_ferret(deal)), house())
    ferrets = tuple(seat for seat in deal.players if seat != deal.weasel)
    scored = points(ferrets, deal.weasel, named, hit=hit)
    scores = {seat: total + scored.get(seat, 0) for seat, total in state.scores.items()}
    silent = [seat for seat in deal.players if seat not in clues and seat not in ballot.cast]
    missed = {seat: state.missed.get(seat, 0) + 1 for seat in silent}
    state = replace(state, scores=scores, missed=missed, played=state.played + 1)
    said = (*_told(state, guess, hit=hit), *_tally(state, named, scored))
    out = tuple(seat for seat, count in missed.items() if count >= MISSED_ROUNDS)
    out = tuple(seat for seat in out if seat in ctx.seats)
    after = _next(state, replace(ctx, seats=ctx.without(out)))
    return Turn(after.state, (*said, *after.says), out)


def _told(state: State, guess: str, *, hit: bool) -> Iterator[Say]:
    deal = state.deal
    words = {"ferrets": word_of(state, _some_ferret(deal)), "weasels": word_of(state, deal.weasel)}
    yield room("weasel-was", who=Who(deal.weasel), **{k: w.upper() for k, w in words.items()})
    if guess:
        yield room("guess-was", who=Who(deal.weasel), word=guess, hit="yes" if hit else "no")


def _tally(state: State, named: Mapping[Seat, Seat], scored: Mapping[Seat, int]) -> Iterator[Say]:
    leader, best = _leaders(state)[0], state.scores[_leaders(state)[0]]
    for seat in state.deal.players:
        row: dict[str, Arg] = {"who": Who(seat), "gained": scored[seat]}
        row["total"] = state.scores[seat]
        if seat not in named:
            yield room("no-ballot-from", **row)
        elif named[seat] == seat:
            yield room("named-themself", **row)
        else:
            yield room("ballot-was", named=Who(named[seat]), **row)
    for seat in state.deal.players:
        gained, total = scored[seat], state.scores[seat]
        args = {"gained": gained, "total": total, "best": best}
        yield tell(seat, "your-points-were", leader=Who(leader), **args)


def _leaders(state: State) -> tuple[Seat, ...]:
    """Those with the most points, of all who played this round: a leaver's points win nothing."""
    best = max(state.scores[seat] for seat in state.deal.players)
    return tuple(seat for seat in state.deal.players if state.scores[seat] == best)


def _next(state: State, ctx: Context) -> Turn[State]:
    """The next round, an extra one for a tie, or the end (F-21, F-22)."""
    leaders = _leaders(state)
    extra = state.played - state.variant.rounds
    if extra >= 0 and (len(leaders) == 1 or extra >= state.variant.extra_rounds):
        return _end(state, leaders)
    return _deal(state, ctx)


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
        case Studying(clues, ballot):
            pick = Pick(
                tuple(Option(seat, Who(seat), clues.get(seat, "")) for seat in state.deal.players),
                word_for="self",
                word_line=Line("ask-word"),
            )
            return ballot.asks(f"vote/{number}", Line("ask-vote"), lambda _: pick)
        case Paused() | Ended():
            return ()


def deadline(state: State) -> Deadline | None:
    """When the phase closes by itself."""
    match state.phase:
        case Choosing(ballot) | Clueing(ballot) | Studying(ballot=ballot):
            return ballot.deadline
        case Paused(since_ms, until_ms):
            return Deadline(until_ms, until_ms - since_ms)
        case Ended():
            return None


def look(state: State, seat: Seat) -> tuple[Line, ...]:
    """A seat's own card: its word, and the other five of its face (F-03). Never its role."""
    deal = state.deal
    if seat not in deal.players or not deal.slot or not isinstance(state.phase, Clueing | Studying):
        return ()
    word = word_of(state, seat)
    others = ", ".join(other for other in _face(state, seat) if other != word)
    return (Line("your-card", {"word": word.upper(), "others": others}),)


def recap(state: State) -> tuple[Line, ...]:
    """How far the game is, and the points: who won, then the others, best first."""
    won = state.phase.winners if isinstance(state.phase, Ended) else ()
    rows = sorted(state.scores.items(), key=lambda row: (row[0] not in won, -row[1]))
    scores = tuple(Line("score-is", {"who": Who(seat), "total": total}) for seat, total in rows)
    match state.phase:
        case Ended(winners):
            head = _ended(winners, state.scores)
        case Paused():
            head = Line("rounds-played", {"played": state.played, "rounds": state.variant.rounds})
        case _:
            head = _announced(state).line
    return (head, *scores)


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
    return _face(state, seat)[state.deal.slot - 1]


def _face(state: State, seat: Seat) -> tuple[str, ...]:
    """The six words a seat sees on its card."""
    deal = state.deal
    pouch = deal.pouches[seat == deal.weasel]
    first = deal.face * SLOTS
    return house().face(pouch, state.positions[first : first + SLOTS])


def _some_ferret(deal: Deal) -> Seat:
    return next(seat for seat in deal.players if seat != deal.weasel)


def bot(state: State, ask: Ask, ctx: Context) -> Given:
    """What a bot answers, by what its seat may know."""
    deal = state.deal
    position = state.positions[deal.face * SLOTS + deal.slot - 1] if deal.slot else 0
    clues: Mapping[Seat, str] = state.phase.clues if isinstance(state.phase, Studying) else {}
    word = word_of(state, ask.to) if deal.slot else ""
    return bots.answer(ask, bots.Seen(word, position, deal.players, clues), ctx.dice, house())


GAME = Game(
    name="ferret-out",
    state_type=State,
    seats=(FEWEST, MOST),
    options=OPTIONS,
    start=start,
    play=play,
    asks=asks,
    deadline=deadline,
    look=look,
    recap=recap,
    result=result,
    bot=bot,
)
