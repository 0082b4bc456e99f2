"""Ferret Out with a leak built in: the twins must catch each, in as many plays as they are given.

A leak is one function of the rules, replaced by one that knows a little too much.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import pytest
from hypothesis import Phase, given, settings
from msgspec.structs import replace

from core import playing
from core.game import AnyGame, Context, Deadline, Given, Line, Say, Seat, Turn, tell
from core.games.ferret_out import GAME, rules
from core.games.ferret_out.matching import on_card
from core.games.ferret_out.pouches import house
from core.games.ferret_out.state import Clueing, Ordering, State
from core.room import Room
from tests.worlds import WORLDS, World, compare, evening

Leak: TypeAlias = tuple[str, Callable[..., object]]

BANNED, STUDY, DEADLINE, VOTES = rules._banned, rules._study, rules.deadline, rules.votes


def anothers_card(state: State, seat: Seat, given: Given) -> Line | None:
    """Refuses what is on anybody's card: so it is known to be."""
    cards = (rules.face(state, other) for other in state.deal.players)
    word = next((word for card in cards if (word := on_card(given.words, card, house()))), None)
    own = BANNED(state, seat, given)
    return own or (Line("clue-is-on-your-card", {"word": word.upper()}) if word else None)


def a_word_given_away(state: State, seat: Seat, given: Given) -> Line | None:
    """Says of a Weasel's clue that it was given, if it is the Ferrets' word."""
    ferrets = rules.word_at(state, 0)
    if on_card(given.words, (ferrets,), house()) and seat in state.deal.weasels:
        return Line("clue-was-given", {"word": given.words.upper()})
    return BANNED(state, seat, given)


def one_more_message(
    state: State, clues: Mapping[Seat, str], ctx: Context, said: tuple[Say, ...]
) -> Turn[State]:
    """Asks a Weasel for its clue once more than the others, when all are in."""
    turn = STUDY(state, clues, ctx, said)
    extra = tuple(tell(seat, "ask-clue") for seat in state.deal.weasels)
    return replace(turn, says=(*turn.says, *extra))


def a_little_more_time(state: State) -> Deadline | None:
    """Waits a second longer for each Weasel in the round's first half of seats."""
    wait = DEADLINE(state)
    early = sum(seat in state.deal.weasels for seat in ("s1", "s2", "s3"))
    if wait is None or not isinstance(state.phase, Clueing | Ordering):
        return wait
    return Deadline(wait.at_ms + 1_000 * early, wait.length_ms)


def weasels_first(state: State, clues: Mapping[Seat, str], me: Seat) -> object:
    """Lists the Weasels before the others."""
    pick = VOTES(state, clues, me)
    ranked = sorted(pick.options, key=lambda option: option.value not in state.deal.weasels)
    return replace(pick, options=tuple(ranked))


LEAKS: dict[str, Leak] = {
    "a refusal for a word on another's card": ("_banned", anothers_card),
    "a refusal for the Ferrets' word": ("_banned", a_word_given_away),
    "one more message to a Weasel": ("_study", one_more_message),
    "a later deadline": ("deadline", a_little_more_time),
    "the order of the names": ("votes", weasels_first),
}


def leaking(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """The game, built with a leak."""
    name, leaky = leak
    monkeypatch.setattr(rules, name, leaky)
    game = replace(GAME, deadline=rules.deadline)

    def game_of(_: Room) -> AnyGame:
        return game

    monkeypatch.setattr(playing, "game_of", game_of)
    return game


@pytest.mark.parametrize("options", [(), ("point-of-order",), ("team-weasel",)], ids="+".join)
@pytest.mark.parametrize("leak", LEAKS.values(), ids=list(LEAKS))
def test_the_twins_catch_a_leak(
    leak: Leak, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = leaking(leak, monkeypatch)

    @settings(max_examples=100, database=None, phases=[Phase.generate], derandomize=True)
    @given(world=WORLDS)
    def played(world: World) -> None:
        compare(game, options, world)

    with pytest.raises(AssertionError):
        played()


@pytest.mark.parametrize("leak", LEAKS.values(), ids=list(LEAKS))
def test_an_evening_among_twins_catches_a_leak(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    game = leaking(leak, monkeypatch)
    with pytest.raises(AssertionError):
        sum(evening(game, (), seed) for seed in range(20))
