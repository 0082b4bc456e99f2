"""What is said about a game of Ferret Out: cards, questions, reveals, points, ends.

Only read off the state; nothing here changes one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.ballot import Ballot
from core.game import (
    Arg,
    Each,
    Line,
    Lines,
    Option,
    Pick,
    Say,
    Score,
    ScoreCard,
    Seat,
    Who,
    room,
    tell,
)
from core.games.ferret_out import variants
from core.games.ferret_out.points import NOBODY
from core.games.ferret_out.state import (
    Clueing,
    Ended,
    Ordering,
    Paused,
    State,
    Studying,
    face,
    word_at,
    word_of,
)


def look(state: State, seat: Seat) -> tuple[Line, ...]:
    """A seat's own card: its word, and the other five of its face (F-03). Never its role."""
    deal = state.deal
    if seat not in deal.players or not isinstance(state.phase, Clueing | Ordering | Studying):
        return ()
    word = word_of(state, seat)
    others = ", ".join(other for other in face(state, seat) if other != word)
    return (Line("your-card", {"word": word.upper(), "others": others}),)


def ask_vote(state: State) -> Line:
    """The question for the Weasel, by the rules in force."""
    variant = state.variant
    return Line(
        "ask-vote",
        {
            "weasels": variant.weasels,
            "brained": "yes" if variant.weasel_brained else "no",
        },
    )


def votes(state: State, clues: Mapping[Seat, str], me: Seat) -> Pick:
    """Everybody who was dealt a word, oneself included (F-09), and NOBODY where that may be."""
    others = Line("ask-their-word") if state.variant.weasel_brained else None
    options = [
        Option(seat, Who(seat), clues.get(seat, ""), Line("ask-word") if seat == me else others)
        for seat in state.deal.players
    ]
    if state.variant.weasels == "maybe-one":
        options.append(Option(NOBODY, Line("nobody")))
    return Pick(tuple(options))


def told(state: State, ballot: Ballot, hits: tuple[Seat, ...]) -> Iterator[Say]:
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


def tally(
    state: State, named: Mapping[Seat, str], scored: Mapping[Seat, tuple[str, ...]]
) -> Iterator[Say]:
    """Each one's ballot, and how their points came about."""
    leader = leaders(state)[0]
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


def leaders(state: State) -> tuple[Seat, ...]:
    """Those with the most points, of all who played this round: a leaver's points win nothing."""
    best = max(state.scores[seat] for seat in state.deal.players)
    return tuple(seat for seat in state.deal.players if state.scores[seat] == best)


def announced(state: State) -> Say:
    """Which round begins."""
    now, extra = state.played + 1, extra_rounds(state)
    if extra is not None:
        return room("extra-round-began", number=extra + 1)
    if state.variant.to_points:
        return room("round-to-points-began", number=now, points=state.variant.to_points)
    return room("round-began", number=now, rounds=state.variant.rounds)


def extra_rounds(state: State) -> int | None:
    """How many rounds have been played since the game was due to end; None while it isn't."""
    variant, totals = state.variant, dict.fromkeys(state.scores, 0)
    if not variant.to_points:
        return state.played - variant.rounds if state.played >= variant.rounds else None
    for at, gained in enumerate(state.history, 1):
        totals = {seat: total + gained.get(seat, 0) for seat, total in totals.items()}
        if max(totals.values()) >= variant.to_points:
            return state.played - at
    return None


def recap(state: State) -> tuple[Line, ...]:
    """How far the game is, and the points: who won, then the others, best first."""
    match state.phase:
        case Ended(winners):
            return (_ended(winners, state.scores), *_final_scores(state))
        case Paused():
            head = Line("rounds-played", {"played": state.played})
        case _:
            head = announced(state).line
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


def _shown(named: str) -> Arg:
    return Line("nobody") if named == NOBODY else Who(named)
