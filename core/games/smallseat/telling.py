"""What Smallseat tells: questions, hands, who sits where, how it ended; all of it read off a state.

What all may know (S-27): who sits where, how many cards everybody holds, those that lie open, and
how many votes every Animal has won.
"""

from __future__ import annotations

from collections import Counter

from core.game import Card, Each, Line, Lines, Place, Ring, Say, Scene, Seat, Who, aside
from core.games.smallseat import animals
from core.games.smallseat.animals import KINDS, counted, listed
from core.games.smallseat.choosing import named
from core.games.smallseat.state import (
    Acting,
    Asking,
    Calling,
    Ended,
    Handling,
    Keeping,
    Kind,
    Ordering,
    Owing,
    Paused,
    Paying,
    Polling,
    State,
    Voting,
)
from core.games.smallseat.voting import boss_votes_first, choice, to_follow

_ALSO = {"panda": ("red panda",)}
CARDS = tuple(
    Card((kind, *_ALSO.get(kind, ())), named(kind), Line(f"about-{kind}")) for kind in KINDS
)


# --- questions -----------------------------------------------------------------------------------


def question(state: State, phase: Asking, seat: Seat) -> Line:
    """What a seat is asked."""
    match phase:
        case Calling():
            return Line("ask-calling")
        case Voting():
            vote = _vote_of(state, seat)
            return Line("ask-by-mail", {"ask": vote}) if state.by_mail else vote
        case Paying():
            return Line("ask-paying", {"hand": hand(state, seat)})
        case Handling(first=first):
            return _lost(state, seat, first=first)
        case Ordering():
            return Line("ask-order", {"animal": named(state.kind(state.votes[seat]))})
        case Acting("panda"):
            return Line("ask-panda")
        case Acting(kind):
            return Line(f"ask-{kind}", {"hand": hand(state, seat)})
        case Polling(other, ballot):
            alone = ballot.voters == (other,)
            return Line("ask-poll-alone") if alone else Line("ask-poll", {"who": Who(other)})
        case Owing("panda", other):
            return Line("ask-owed-panda", {"who": Who(other), "hand": hand(state, seat)})
        case Owing(kind, other, count):
            args = {"who": Who(other), "count": count, "hand": hand(state, seat)}
            return Line(f"ask-owed-{kind}", args)
        case Keeping():
            return Line("ask-keeping")


def _vote_of(state: State, seat: Seat) -> Line:
    """Which card to vote with, and what binds the vote."""
    held = hand(state, seat)
    if seat == state.teller and not state.by_mail:
        held = Line("hand-is-offered", {"hand": held})  # by text the options say it all
    may, wanted = choice(state, seat), to_follow(state, seat)
    kinds = {state.kind(card) for card in may.free}
    if seat in state.duties.koala and kinds == {"koala"}:
        return Line("ask-vote-koala", {"hand": held})
    if state.duties.rule == "cat":
        return Line("ask-vote-cat", {"hand": held})
    if wanted is None:
        first = isinstance(state.phase, Voting) and state.phase.who == "boss"
        return Line("ask-vote-boss" if first else "ask-vote-card", {"hand": held})
    if wanted not in kinds:
        return Line("ask-vote-freely", {"hand": held, "animal": named(wanted)})
    key = "ask-follow-or-pay" if may.dear else "ask-follow"
    return Line(key, {"hand": held, "animal": named(wanted)})


def _lost(state: State, seat: Seat, *, first: bool) -> Line:
    kind = state.kind(state.votes[seat])
    if not animals.can_act(state, seat):
        return Line("ask-lost-swap", {"animal": named(kind)})
    if first:
        return Line("ask-lost-first", {"animal": named(kind), "effect": Line(f"effect-{kind}")})
    return Line("ask-lost", {"animal": named(kind)})


# --- hands ---------------------------------------------------------------------------------------


def hand(state: State, seat: Seat) -> Line:
    """A hand by kind and facing: `3 Rabbit, 2 Pig; open: Otter`."""
    held = state.hands[seat]
    secret, shown = listed(state, held.secret), listed(state, held.open)
    if not held.cards:
        return Line("hand-empty")
    if not held.open:
        return Line("hand-secret", {"secret": secret})
    if not held.secret:
        return Line("hand-open", {"open": shown})
    return Line("hand-both", {"secret": secret, "open": shown})


def look(state: State, seat: Seat) -> tuple[Line, ...]:
    """What a seat holds, and what it can still do with it."""
    if seat not in state.hands:
        return ()
    lines = [Line("look-hand", {"hand": hand(state, seat)})]
    asked = isinstance(state.phase, Handling) and seat in state.phase.ballot.voters
    if seat in state.losing and not asked:
        lines.append(Line("look-lost", {"animal": named(state.kind(state.votes[seat]))}))
    if state.fresh.get(seat):
        lines.append(Line("look-fresh", {"cards": listed(state, state.fresh[seat])}))
    return tuple(lines)


# --- the table -----------------------------------------------------------------------------------


def recap(state: State) -> tuple[Line, ...]:
    """Who sits where and what lies open, and the votes that won; or how the game ended."""
    if isinstance(state.phase, Ended):
        return ended(state, state.phase)
    if not state.hands:
        return (Line("teller-calls", {"who": Who(state.teller)}),)
    head = Line("round-is", {"number": state.number})
    return (head, *(_place(state, seat) for seat in state.chairs), *_below(state))


def _below(state: State) -> tuple[Line, ...]:
    """What was called, and what has won."""
    called = Line("was-called", {"who": Who(state.teller), "animal": named(state.call)})
    won = (Line("votes-won", {"animals": counted(state.tally)}),) if state.tally else ()
    return (called, *won)


def _place(state: State, seat: Seat) -> Line:
    held = state.hands[seat]
    role = "boss" * (seat == state.boss) + "teller" * (seat == state.teller)
    args = {"who": Who(seat), "role": role or "candidate", "count": len(held.cards)}
    if not held.open:
        return Line("place-is", args)
    return Line("place-is-open", {**args, "open": listed(state, held.open)})


def ring(state: State) -> Ring[Line] | None:
    """The same, for platforms that draw it."""
    if not state.hands:
        return None
    over = state.phase if isinstance(state.phase, Ended) else None
    title = Line("smallseat-over") if over else Line("round-is", {"number": state.number})
    places = tuple(_drawn(state, seat, over) for seat in state.chairs)
    return Ring(title, places, _below(state))


def _drawn(state: State, seat: Seat, over: Ended | None) -> Place[Line]:
    labels = [Line("label-boss")] if seat == state.boss else []
    labels += [Line("label-teller")] if seat == state.teller else []
    labels += [Line("label-winner")] if over and seat in over.winners else []
    if over and seat in over.finals:
        kind = state.kind(over.finals[seat])
        return Place(seat, tuple(labels), (Line("kept", {"animal": named(kind)}),))
    held = state.hands[seat]
    notes = [Line("cards-held", {"count": len(held.cards)})]
    notes += [Line("open-are", {"open": listed(state, held.open)})] if held.open else []
    return Place(seat, tuple(labels), tuple(notes))


def scene(state: State) -> Scene | None:
    """The message that everybody sees grow: one for the votes of a round, one for what follows."""
    votes, lost = f"votes/{state.game}.{state.number}", f"lost/{state.game}.{state.number}"
    match state.phase:
        case Calling():
            return Scene(f"call/{state.game}", Line("status-calls", {"who": Who(state.teller)}))
        case Voting("rest", ballot):
            return Scene(votes, Line("status-votes", {"count": len(ballot.waiting)}))
        case Voting(_, ballot):
            key = "status-votes-next" if state.votes else "status-votes-first"
            return Scene(votes, Line(key, {"who": Who(ballot.voters[0])}))
        case Handling(ballot):
            seat = ballot.voters[0]
            animal = named(state.kind(state.votes[seat]))
            return Scene(lost, Line("status-decides", {"who": Who(seat), "animal": animal}))
        case Acting(kind, ballot):
            args = {"who": Who(ballot.voters[0]), "animal": named(kind)}
            return Scene(lost, Line("status-chooses", args))
        case Paying(ballot) | Ordering(ballot) | Polling(ballot=ballot) | Owing(ballot=ballot):
            name = type(state.phase).__name__.lower()
            return Scene(lost, Line(f"status-{name}", {"who": Each(ballot.voters)}))
        case Keeping(ballot):
            return Scene(f"keep/{state.game}", Line("status-keeping", {"who": Each(ballot.voters)}))
        case Paused() | Ended():
            return None


# --- a round -------------------------------------------------------------------------------------


def of_the_leader(state: State) -> tuple[Say, ...]:
    """Whom nobody follows: a Teller without a card (S-05), and what has become of a Chick."""
    if boss_votes_first(state):
        return ()
    if not state.hands[state.teller].cards:
        return (aside("teller-has-no-card", who=Who(state.teller)),)
    if state.duties.rule != "chick":
        return ()
    boss = Who(state.boss)
    return (aside("nobody-follows" if state.boss == state.teller else "boss-cant-vote", boss=boss),)


def votes(state: State) -> tuple[Say, ...]:
    """Who voted what, clockwise from the Smallseat."""
    return tuple(
        aside("vote-was", who=Who(seat), animal=named(state.kind(state.votes[seat])))
        for seat in state.chairs
        if seat in state.votes
    )


def won(state: State, kind: Kind, count: int) -> Say:
    """Which Animal won, and why, if others had as many votes."""
    cast = Counter(state.kind(card) for card in state.votes.values())
    tied = sum(number == count for number in cast.values()) > 1
    return aside("round-won-by-seat" if tied else "round-won", animal=named(kind), count=count)


# --- the end, and the rules ----------------------------------------------------------------------


def ended(state: State, over: Ended) -> tuple[Line, ...]:
    """What everybody kept, what the Teller held, and who won (S-20)."""
    if not over.finals:
        return (Line("smallseat-broken-off"),)
    finals = tuple(
        Line("final-was", {"who": Who(seat), "animal": named(state.kind(card))})
        for seat, card in over.finals.items()
    )
    secret = state.hands[state.teller].secret
    if not secret:
        return (*finals, Line("teller-held-nothing"), Line("nobody-won"))
    held = Line("teller-held", {"cards": listed(state, secret)})
    most = Line("most-was", {"animals": Lines(tuple(named(kind) for kind in over.most))})
    return (*finals, held, most, *_winners(state, over))


def _winners(state: State, over: Ended) -> tuple[Line, ...]:
    if not over.winners:
        return (Line("nobody-won"),)
    if over.winners == (state.teller,):
        left = bool(over.absent)
        return (Line("teller-won-absent" if left else "teller-won", {"who": Who(state.teller)}),)
    return tuple(
        Line("candidate-won-absent" if seat in over.absent else "candidate-won", {"who": Who(seat)})
        for seat in over.winners
    )


def rules(_: tuple[str, ...], state: State | None) -> tuple[Line, ...]:
    """How it is played: the first line in one text, the others where there is room for them."""
    more = ("deal", "votes", "lost", "end", "cards")
    lines = [Line("rules-smallseat"), *(Line(f"rules-smallseat-{one}") for one in more)]
    if state is not None:
        kinds = Lines(tuple(named(kind) for kind in state.animals))
        lines += [Line("rules-animals", {"animals": kinds})]
        lines += [Line("rules-by-mail")] if state.by_mail else []
    return tuple(lines)
