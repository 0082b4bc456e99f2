"""Bots play legally, by what their seat may know (the rules page §2.2)."""

from collections import Counter

import pytest

from core.dice import Dice
from core.game import Ask, Given, Line, Option, Pick, Who, Write
from core.games.ferret_out import bots
from core.games.ferret_out.bots import Seen
from core.games.ferret_out.matching import on_card
from core.games.ferret_out.pouches import POSITIONS, POUCHES, house

PACK = house()
PLAYERS = ("s1", "s2", "s3", "s4")
VOTE = Ask(
    "vote/1", "s1", Line("ask-vote"), Pick(tuple(Option(seat, Who(seat)) for seat in PLAYERS))
)
CLUE = Ask("clue/1", "s1", Line("ask-clue"), Write())
NUMBER = Ask(
    "number/1", "s1", Line("ask-number"), Pick(tuple(Option(str(n), n) for n in range(1, 7)))
)


def seen(clues: dict[str, str] | None = None, position: int = 0) -> Seen:
    return Seen(PACK.word(0, position), position, PLAYERS, clues or {})


def answers(ask: Ask, what: Seen) -> Counter[Given]:
    return Counter(bots.answer(ask, what, Dice(str(seed), 1), PACK) for seed in range(300))


def test_a_bots_number_is_one_of_the_six() -> None:
    assert {given.picked for given in answers(NUMBER, seen())} == {(str(n),) for n in range(1, 7)}


@pytest.mark.parametrize("position", range(POSITIONS))
def test_a_bots_clue_is_a_vague_one_of_its_words_family_and_on_no_card(position: int) -> None:
    made = {given.words for given in answers(CLUE, seen(position=position))}
    assert made <= set(PACK.clues(position))
    assert len(made) > 1
    everything = PACK.words
    assert all(on_card(clue, everything, PACK) is None for clue in made)


def test_a_bot_mostly_names_whoevers_clue_fits_least() -> None:
    fitting, odd = PACK.clues(0)[0], "xylophonist"
    votes = answers(VOTE, seen({"s1": fitting, "s2": fitting, "s3": odd, "s4": fitting}))
    named = Counter(given.picked[0] for given in votes.elements())
    assert set(named) == {"s1", "s3"}
    assert named["s3"] > named["s1"]


def test_a_bot_that_saw_no_clues_names_anybody() -> None:
    named = {given.picked[0] for given in answers(VOTE, seen())}
    assert named == set(PLAYERS)


def test_a_bot_that_names_itself_guesses_another_word_of_the_family() -> None:
    guesses = {given.words for given in answers(VOTE, seen()) if given.picked == ("s1",)}
    assert PACK.word(0, 0) not in guesses
    assert guesses <= {PACK.word(pouch, 0) for pouch in range(POUCHES)}


def test_a_bot_accuses_others_without_a_word() -> None:
    assert all(not g.words for g in answers(VOTE, seen()) if g.picked != ("s1",))
