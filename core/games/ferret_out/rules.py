"""Ferret Out with its variants, top to bottom in playing order.

Everybody is dealt a card of six words; the same number is everybody's secret word. All cards but
one are alike: whoever has the other one is the Weasel, and nobody knows who that is, the Weasel
included. Everybody gives a one-word clue, then names the Weasel in secret; who names themself may
add a guess at the Ferrets' word. F-01 … F-25 are the rows of DECISIONS.md, which tells of the
variants too.

What a seat may know: its own card, the clues once all are in (in Point-of-Order, once given), the
ballots once all are in. So a refusal looks at the sender's own card, and at what is public, and at
nothing else (F-04).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from core.ballot import Ballot
from core.game import (
    Answered,
    Ask,
    Context,
    Deadline,
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
    Write,
    room,
)
from core.games.ferret_out import bots, variants
from core.games.ferret_out.matching import key, names_word, on_card
from core.games.ferret_out.points import WORTH, gains
from core.games.ferret_out.pouches import POUCHES, Pack
from core.games.ferret_out.state import (
    SLOTS,
    Choosing,
    Clueing,
    Deal,
    Ended,
    Ordering,
    Paused,
    State,
    Studying,
    face,
    pack_of,
    word_at,
    word_of,
)
from core.games.ferret_out.telling import (
    announced,
    ask_vote,
    extra_rounds,
    leaders,
    look,
    recap,
    score_card,
    tally,
    told,
    votes,
)
from core.games.ferret_out.variants import Variant

NUMBER_SECONDS, CLUE_SECONDS, TURN_SECONDS, BALLOT_SECONDS = 30, 120, 45, 90
FACES = 4
MISSED_ROUNDS = 2


# --- dealing -----------------------------------------------------------------------------------


def start(ctx: Context) -> Turn[State]:
    """Shuffle, appoint a random first CFO, and deal the first round.

    After another game of the same people, pouches go on where that one stopped.
    """
    last: State | None = ctx.last
    variant = variants.chosen(ctx.chosen)
    positions = tuple(ctx.dice.order(range(FACES * SLOTS), "positions"))
    before_first = ctx.dice.one_of(ctx.seats, "cfo")
    number = last.deal.number if last else 0
    used = last.used if last and last.variant.pack == variant.pack else ()
    nothing = Deal(number, (), (), before_first, (0, 0), FACES - 1)
    phase = Paused(ctx.now_ms, ctx.now_ms)
    dealt = _deal(State(variant, positions, (), used, {}, {}, nothing, phase), ctx)
    on = tuple(variants.called(name) for name in variant.chosen)
    played_so = (room("played-with", variants=Lines(on)),) if on else ()
    return replace(dealt, says=(*played_so, *dealt.says))


def _deal(state: State, ctx: Context) -> Turn[State]:
    players, said = ctx.seats, ()
    if len(players) < _fewest(state):
        too_few = room("paused", least=_fewest(state)) if players else room("paused-while-away")
        return _pause(state, ctx, too_few)
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
    said = (*said, announced(state))
    if _cfo_picks(state, ctx):
        return _let_pick(state, ctx, said)
    return _peek(state, ctx, _rolled(ctx), said)


def _fewest(state: State) -> int:
    """How few can go on (F-24): a game that needs more drops what it needs them for."""
    return variants.DUEL if state.variant.duel else variants.FEWEST


def _weasels(variant: Variant, ctx: Context) -> tuple[Seat, ...]:
    """Who holds a card of the second pouch, by chance (F-02). A spare sleeve has no seat."""
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
    """Why the clue can't be given: it is on the sender's own card (F-04), or was said."""
    pack = pack_of(state)
    word = on_card(given.words, face(state, seat), pack)
    if word:
        return Line("clue-is-on-your-card", {"word": word.upper()})
    said = state.phase.clues.values() if isinstance(state.phase, Ordering) else ()
    if any(_same(clue, given.words, pack) for clue in said):
        return Line("clue-was-given", {"word": given.words.upper()})
    return None


def _same(one: str, other: str, pack: Pack) -> bool:
    """Whether two clues are one: by their keys, or as two forms of a word."""
    keys = {key(one), key(other)}
    return len(keys) == 1 or any(keys <= pack.forms(word) for word in pack.words)


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
    said = (*told(state, ballot, hits), *tally(state, named, scored))
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
        if given.words and declared and names_word(given.words, theirs, pack_of(state)):
            found.append(seat)
    return tuple(found)


def _next(state: State, ctx: Context) -> Turn[State]:
    """The next round, an extra one for a tie, or the end (F-21, F-22)."""
    ahead, extra = leaders(state), extra_rounds(state)
    if extra is not None and (len(ahead) == 1 or extra >= state.variant.extra_rounds):
        return _end(state, ahead)
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
    """At most one open question a seat. Its number is the deal's: a late answer is known by it."""
    number = state.deal.number
    match state.phase:
        case Choosing(ballot):
            words = enumerate(face(state, state.deal.cfo), 1)
            line = Line("ask-number", {"words": ", ".join(f"{n} {word}" for n, word in words)})
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
                f"vote/{number}", ask_vote(state), lambda seat: votes(state, clues, seat)
            )
        case Paused() | Ended():
            return ()


def deadline(state: State) -> Deadline | None:
    """When the phase closes by itself."""
    match state.phase:
        case Choosing(ballot) | Clueing(ballot) | Ordering(ballot=ballot) | Studying(ballot=ballot):
            return ballot.deadline
        case Paused(since_ms, until_ms):
            return Deadline(until_ms, until_ms - since_ms)
        case Ended():
            return None


def result(state: State) -> Result | None:
    """The points and the winners, once it is over."""
    return Result(state.scores, state.phase.winners) if isinstance(state.phase, Ended) else None


def how_to_play(options: tuple[str, ...], state: State | None) -> tuple[Line, ...]:
    """The rules now in force: a variant may have been dropped since the start (F-24)."""
    return variants.rules(state.variant if state else variants.chosen(options))


def seen(state: State, seat: Seat) -> bots.Seen:
    """What a seat may know, for its bot."""
    deal, most = state.deal, state.variant.weasel_cards
    return bots.Seen(
        word=word_of(state, seat) if deal.slot else "",
        position=state.positions[deal.face * SLOTS + deal.slot - 1] if deal.slot else 0,
        players=deal.players,
        clues=state.phase.clues if isinstance(state.phase, Ordering | Studying) else {},
        card=face(state, seat),
        weasels=tuple(range(most - state.variant.spare_cards, most + 1)),
    )


def bot(state: State, ask: Ask, ctx: Context) -> Given:
    """What a bot answers, by what its seat may know."""
    return bots.answer(ask, seen(state, ask.to), ctx.dice, pack_of(state))


GAME = Game(
    name="ferret-out",
    state_type=State,
    menu=variants.menu,
    choose=variants.choose,
    seats=variants.seats,
    rules=how_to_play,
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
