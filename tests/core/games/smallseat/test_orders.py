"""By mail: a vote and what shall be done with it if it loses, in one answer."""

import pytest
from msgspec.structs import replace

from core.game import Answered, Context, Given, Refused
from core.games.smallseat import orders, rules
from core.games.smallseat.state import Hand, Ordering, State, Voting
from tests.core.games.smallseat.test_rules import Table, context, seats

MAIL = replace(context(4).pace, name="mail")
KINDS = ("rabbit", "pig", "hedgehog", "panda")
RABBIT, PIG, HEDGEHOG, PANDA = 0, 9, 18, 27


class Letters:
    """A game by mail of four; `s1` is the Teller and holds nothing, so nobody has to follow."""

    def __init__(self, **hands: tuple[int, ...]) -> None:
        dealt = {
            "s1": (),
            "s2": (RABBIT, PIG, PIG + 1, HEDGEHOG, PANDA),
            "s3": (PIG + 2, PIG + 3, HEDGEHOG + 1),
            "s4": (PIG + 4, PIG + 5, HEDGEHOG + 2),
        }
        held = {seat: Hand(tuple(cards)) for seat, cards in {**dealt, **hands}.items()}
        begun = Table(4, KINDS).state
        self.refused = ""
        self.here = seats(4)
        started = replace(begun, call="hedgehog", hands=held)
        self.state: State = rules._next_round(started, self.ctx(), ()).state
        self.said: list[str] = []

    def ctx(self) -> Context:
        return replace(context(4, here=self.here), pace=MAIL)

    def says(self, seat: str, *picked: str) -> None:
        """An answer to whatever is asked."""
        ask = next(ask for ask in rules.asks(self.state) if ask.to == seat)
        played = rules.play(self.state, Answered(seat, ask.id, Given(picked)), self.ctx())
        self.refused = played.line.key if isinstance(played, Refused) else ""
        if not isinstance(played, Refused):
            self.state = played.state
            self.said += [say.line.key for say in played.says]

    def closes(self) -> None:
        """The last answer is in: by mail nothing can be regretted."""
        played = rules._close(self.state, self.ctx())
        self.state = played.state
        self.said += [say.line.key for say in played.says]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (("s3",), "vote-comes-first"),
        (("rabbit", "pig"), "do-or-swap"),
        (("rabbit", "swap"), "do-or-swap"),
        (("rabbit",), ""),
        (("rabbit", "s2"), "swap-needs-no-more"),
        (("rabbit", "s3", "pig"), "swap-needs-no-more"),
        (("rabbit", "swap", "s3"), ""),
        (("rabbit", "do"), "needs-more"),
        (("rabbit", "do", "s3"), "needs-more"),
        (("rabbit", "do", "s3", "rabbit"), "needs-more"),
        (("rabbit", "do", "s3", "pig"), ""),
        (("hedgehog", "do"), ""),
        (("hedgehog", "do", "s3"), "needs-no-more"),
        (("pig", "do"), ""),
        (("pig", "do", "rabbit"), "pig-needs-both"),
        (("pig", "do", "rabbit", "s3"), ""),
        (("panda", "do", "panda"), ""),
        (("panda", "do", "hedgehog", "pig"), "needs-more"),
    ],
)
def test_an_order_is_checked_as_it_is_given(answer: tuple[str, ...], why: str) -> None:
    table = Letters()
    table.says("s2", *answer)
    assert table.refused == why


def test_orders_are_carried_out_without_another_question() -> None:
    table = Letters()
    table.says("s2", "rabbit", "do", "s3", "pig")
    table.says("s3", "pig")
    table.says("s4", "pig")
    table.closes()
    assert isinstance(table.state.phase, Voting)
    assert "rabbit-did" in table.said
    assert table.state.number == 2
    assert not table.state.orders


def test_all_who_lost_are_asked_at_once_and_orders_can_be_changed_until_all_are_in() -> None:
    table = Letters()
    table.says(
        "s2", "rabbit", "do", "s3", "pig"
    )  # of three Animals with a vote each the first wins
    table.says("s3", "hedgehog")
    table.says("s4", "pig", "swap", "s2")
    table.closes()
    assert isinstance(table.state.phase, Ordering)
    ballot = table.state.phase.ballot
    assert ballot.voters == ("s3", "s4")
    assert ballot.waiting == ("s3",)
    assert ballot.cast == {"s4": Given(("s2",))}
    table.says("s4", "swap", "s1")
    table.says("s3", "do", "s1", "s2")
    assert table.refused == "needs-no-more"
    table.says("s3", "do")
    table.closes()
    assert isinstance(table.state.phase, Voting)
    assert table.state.chairs == ("s4", "s2", "s3", "s1")
    assert "hedgehog-did" in table.said


def test_an_order_that_can_not_be_carried_out_any_more_is_void() -> None:
    table = Letters()
    table.says("s2", "rabbit", "swap", "s3")
    state = replace(table.state, votes={"s2": RABBIT}, immune={"s3": 9})
    assert orders.is_void(state, "s2", ("s3",))
    assert not orders.is_void(state, "s2", ("s4",))
    assert orders.is_void(state, "s2", ("do", "s3", "pig"))
    assert not orders.is_void(state, "s2", ("do", "s4", "pig"))
    empty = replace(state, hands={**state.hands, "s2": Hand()})
    assert orders.is_void(empty, "s2", ("do", "s4", "pig"))


def test_an_animal_is_named_however_its_cards_lie() -> None:
    assert orders.chosen_by("panda", ("do", "dog-open")) == Given(("dog",))
    assert orders.chosen_by("seal", ("do", "dog-open")) == Given(("dog-open",))
