"""Smallseat with a leak built in: the twins must catch each. And secrets that twins can't show."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from core.game import AnyGame, Ask, Deadline, Line, Option, Pick, Scene, Seat, Undeliverable
from core.games.smallseat import GAME, rules, telling, twins
from core.games.smallseat.state import Hand, Polling, State, Voting
from tests.core.games.smallseat.test_rules import Table, X, Y, Z, dealt
from tests.tables import PLACE
from tests.tables import Table as GroupTable
from tests.worlds import evening

LOOK, DEADLINE, ASKS, SCENE, RECAP = (
    telling.look, rules.deadline, rules.asks, telling.scene, telling.recap,
)  # fmt: skip


def holding(state: State, seat: Seat) -> int:
    """A number that hangs on a secret card of the seat."""
    hand = state.hands.get(seat, Hand())
    return sum(state.animals.index(state.kind(card)) for card in hand.secret)


def next_hand(state: State, seat: Seat) -> tuple[Line, ...]:
    """Shows a neighbour's hand beside one's own."""
    lines = LOOK(state, seat)
    if not lines:
        return lines
    at = state.chairs.index(seat)
    other = state.chairs[(at + 1) % len(state.chairs)]
    return (*lines, Line("look-hand", {"hand": telling.hand(state, other)}))


def a_little_more_time(state: State) -> Deadline | None:
    """Waits longer for whoever has more to think about."""
    wait = DEADLINE(state)
    if wait is None or not isinstance(state.phase, Voting):
        return wait
    more = sum(place * holding(state, seat) for place, seat in enumerate(state.chairs))
    return Deadline(wait.at_ms + more, wait.length_ms)


def best_first(state: State) -> tuple[Ask, ...]:
    """Lists whoever holds the called Animal before the others."""
    asked = ASKS(state)
    return tuple(
        replace(ask, answer=replace(ask.answer, options=ranked(state, ask.answer)))
        if isinstance(ask.answer, Pick)
        else ask
        for ask in asked
    )


def ranked(state: State, pick: Pick) -> tuple[Option, ...]:
    def worth(value: str) -> int:
        return -holding(state, value) if value in state.chairs else 0

    return tuple(sorted(pick.options, key=lambda one: worth(one.value)))


def who_can_follow(state: State) -> Scene | None:
    """Says on the board how much somebody holds."""
    scene = SCENE(state)
    if scene is None or not state.hands:
        return scene
    most = max(state.chairs, key=lambda seat: (holding(state, seat), seat))
    return replace(scene, name=f"{scene.name}-{most}")


def all_hands(state: State) -> tuple[Line, ...]:
    """Tells the table what somebody holds most of."""
    most = max(state.chairs, key=lambda seat: (holding(state, seat), seat))
    return (*RECAP(state), Line("final-was", {"who": most, "animal": most}))


LEAKS: dict[str, Callable[[], AnyGame]] = {
    "a neighbour's hand": lambda: replace(GAME, look=next_hand),
    "a later deadline": lambda: replace(GAME, deadline=a_little_more_time),
    "the order of the players": lambda: replace(GAME, asks=best_first),
    "the board": lambda: replace(GAME, scene=who_can_follow),
    "the scores": lambda: replace(GAME, recap=all_hands),
}


@pytest.mark.long
@pytest.mark.parametrize("leak", LEAKS.values(), ids=list(LEAKS))
def test_a_leak_is_caught(leak: Callable[[], AnyGame], monkeypatch: pytest.MonkeyPatch) -> None:
    game = leak()
    monkeypatch.setattr("core.playing.find_games", lambda: {"smallseat": game})
    with pytest.raises(AssertionError):
        sum(evening(game, (), seed) for seed in range(8))


def test_of_a_poll_only_the_result_is_told() -> None:
    told: set[str] = set()
    for answers in (("on", "over", "over"), ("over", "on", "over"), ("on", "on", "on")):
        table = asked_by_a_koala(*answers)
        table.said.clear()
        table.closes()
        told.add(repr([(say.line, say.to) for say in table.said]))
    assert len(told) == 1


def test_a_poll_says_nothing_when_somebody_can_not_be_reached() -> None:
    table = asked_by_a_koala("over")
    table.said.clear()
    table.feed(Undeliverable("s3"))
    assert isinstance(table.state.phase, Polling)
    assert not table.said


def test_only_the_two_know_what_was_paid() -> None:
    table = dealt({"s1": [X] * 4, "s2": [X, Y, Y], "s3": [X, Z, Z], "s4": [X, Z, Z]})
    table.says("s1", X)
    table.says("s2", Y)
    table.says("s3", X)
    table.says("s4", X)
    table.closes()
    table.said.clear()
    table.says("s2", Y, "s3")
    table.closes()
    named = [say for say in table.said if f"animal-{Y}" in repr(say) and "wins" not in say.line.key]
    assert {say.to for say in named} == {"s3"}
    assert next(say.line.key for say in table.said if say.to is None) == "paid"


def asked_by_a_koala(*answers: str) -> Table:
    """A poll of three Koalas, of whom some have answered."""
    table = Table(4, (X, Y, Z, "koala"))
    hands = {"s1": Hand(), **{f"s{n}": Hand((n - 2, 9 + n, 18 + n)) for n in (2, 3, 4)}}
    state = replace(
        table.state, animals=("rabbit", "pig", "dog", "koala"), call="dog", hands=hands, number=1,
        votes={"s2": 27, "s3": 28, "s4": 29}, losing=("s2", "s3", "s4"),
    )  # fmt: skip
    effect = rules.ACTIONS["koala"](state, "s2", table._ctx().dice)
    table._take(rules._take_effect("s2", "koala", effect, table._ctx()))
    for seat, answer in zip(("s2", "s3", "s4"), answers, strict=False):
        table.says(seat, answer)
    return table


def test_whoever_was_asked_by_a_koala_may_have_said_anything_unless_all_agree() -> None:
    table = asked_by_a_koala("on", "over")
    others = list(twins.twins(table.state, "s4"))
    assert {repr(one.phase) for one in others} != {repr(table.state.phase)}
    assert len(others) == 1, "s3 may have said the other; if s2 had, all might agree"
    assert not list(twins.twins(asked_by_a_koala("over", "over").state, "s4"))
    assert not list(twins.twins(asked_by_a_koala("on").state, "s2"))


def test_what_a_teller_mistypes_in_the_group_is_answered_in_private() -> None:
    table = GroupTable(
        "Ann", "Bo", "Cy", "Dee", texting=(), unready=(), place=PLACE, bots=(), seed="7",
        game="smallseat", options=("teller-s1",),
    )  # fmt: skip
    table.says("Ann", "go")
    table.says("Ann", "rabbit")
    while table.asked("Ann").partition("/")[0] != "vote":
        for name in ("Bo", "Cy", "Dee"):
            table.says(name, "1")
            table.says(name, "a")
        table.rings()
    table.says("Ann", "hello all", public=True)
    assert "Name one of" not in table.last.get("room", "")
    assert "Name one of" in table.last["Ann"]
