"""Bots play legally, and to win, by what their seat may know."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from statistics import mean

import pytest
from msgspec.structs import replace

from core.commands import COMMANDS, NOT_A_NAME, RESERVED
from core.dice import Dice
from core.game import Ask, Given, Line, Option, Pick, Who, Write
from core.games.ferret_out import bots
from core.games.ferret_out.bots import MINDS, Bot, Seen, Strength
from core.games.ferret_out.matching import key, on_card
from core.games.ferret_out.pouches import POSITIONS, POUCHES, Family, Pack, house
from core.spelling import graphemes

PACK = house()
FAMILIES = [pytest.param(family, id=family.name) for family in PACK.families]
PLAYERS = tuple(f"s{at}" for at in range(1, 5))
KNOWN = {word: listed for family in PACK.families for word, listed in family.associations.items()}
CLUE = Ask("clue/1", "s1", Line("ask-clue"), Write())
NUMBER = Ask(
    "number/1", "s1", Line("ask-number"), Pick(tuple(Option(str(n), n) for n in range(1, 7)))
)
NEVER_A_CLUE = {*RESERVED, *COMMANDS, *NOT_A_NAME, "say", "invite", "clue", "vote", "number"}
TOGETHER = (2, 5)
"""How many of their eight associations two words of a family share, on average over the family."""


def vote(*others: str, players: tuple[str, ...] = PLAYERS, brained: bool = False) -> Ask:
    """The first seat's ballot; a name may carry a word as in the base game, or in every case."""
    word = Line("ask-word")
    options = [Option(seat, Who(seat), "", word if brained else None) for seat in players[1:]]
    own = Option(players[0], Who(players[0]), "", word)
    return Ask(
        "vote/1",
        "s1",
        Line("ask-vote"),
        Pick((own, *options, *(Option(other, other) for other in others))),
    )


def seen(clues: Mapping[str, str] | None = None, position: int = 0, pouch: int = 0) -> Seen:
    word = PACK.word(pouch, position)
    return Seen(word, position, PLAYERS, clues or {}, strength="sharp")


def answers(ask: Ask, what: Seen, pack: Pack = PACK) -> Counter[Given]:
    return Counter(bots.answer(ask, what, Dice(str(seed), 1), pack) for seed in range(100))


def named(given: Iterable[Given]) -> Counter[str]:
    return Counter(one.picked[0] for one in given)


def common(word: str, other: str) -> list[str]:
    """What two words make people think of alike, most telling first."""
    return [clue for clue in reversed(KNOWN[word]) if clue in KNOWN[other]]


def only(word: str, other: str) -> list[str]:
    """What the first word makes people think of and the second does not, most telling first."""
    return [clue for clue in reversed(KNOWN[word]) if clue not in KNOWN[other]]


def with_family(**fields: object) -> Pack:
    """The house pack with something else in its first family."""
    return replace(PACK, families=(replace(PACK.families[0], **fields), *PACK.families[1:]))


# --- what they know of the world ---------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_every_word_has_eight_associations_that_anybody_could_give(family: Family) -> None:
    assert set(family.associations) == set(family.words)
    for word, listed in family.associations.items():
        assert len(set(listed)) == len(listed) == 8
        for clue in listed:
            assert key(clue) == clue
            assert clue.isascii()
            assert clue.isalpha()
            assert len(graphemes(clue)) <= 24
            assert clue not in NEVER_A_CLUE
            assert word not in clue
            assert clue not in word


def test_no_association_is_a_word_of_any_card() -> None:
    forms = {form for word in PACK.words for form in PACK.forms(word)}
    for family in PACK.families:
        for listed in family.associations.values():
            assert not forms & set(listed)


@pytest.mark.parametrize("family", FAMILIES)
def test_words_of_a_family_share_enough_associations_to_be_taken_for_each_other(
    family: Family,
) -> None:
    known = [set(listed) for listed in family.associations.values()]
    fewest, most = TOGETHER
    assert fewest <= mean(len(one & other) for one, other in combinations(known, 2)) <= most
    assert max(len(one & other) for one, other in combinations(known, 2)) < 8


# --- numbers and clues -------------------------------------------------------------------------


def test_a_bots_number_is_one_of_the_six() -> None:
    assert {given.picked for given in answers(NUMBER, seen())} == {(str(n),) for n in range(1, 7)}


@pytest.mark.parametrize("position", range(POSITIONS))
def test_a_bots_clue_is_what_its_word_makes_people_think_of(position: int) -> None:
    given = {given.words for given in answers(CLUE, seen(position=position))}
    assert given == set(KNOWN[PACK.word(0, position)])


def test_a_bots_clue_is_never_on_its_own_card() -> None:
    word, card = PACK.word(0, 0), PACK.face(0, range(6))
    listed = (*(PACK.word(0, at) for at in range(1, 6)), "loud")
    pack = with_family(associations={word: listed})
    given = {given.words for given in answers(CLUE, replace(seen(), card=card), pack)}
    assert given == {"loud"}
    assert all(on_card(clue, card, PACK) for clue in listed if clue != "loud")


def test_a_bot_never_repeats_a_clue_that_was_given_aloud() -> None:
    said = KNOWN[PACK.word(0, 0)][:6]
    clues = {f"t{at}": f"{clue.upper()}!" for at, clue in enumerate(said)}
    given = {given.words for given in answers(CLUE, seen(clues))}
    assert given
    assert not given & set(said)


def test_a_bot_with_nothing_left_to_say_gives_a_vague_clue_and_then_another_word() -> None:
    clues = {f"t{at}": c for at, c in enumerate(KNOWN[PACK.word(0, 0)])}
    vague = {given.words for given in answers(CLUE, seen(clues))}
    assert vague <= set(PACK.families[0].clues)
    clues |= {f"u{at}": clue for at, clue in enumerate(PACK.families[0].clues)}
    card = PACK.face(0, range(6))
    words = {given.words for given in answers(CLUE, replace(seen(clues), card=card))}
    assert words <= set(PACK.families[0].words) - {PACK.word(0, 0)}


def test_a_bot_that_takes_itself_for_the_weasel_gives_a_clue_that_fits_both_words() -> None:
    mine, theirs = PACK.word(0, 0), PACK.word(5, 0)
    clues = dict(zip(PLAYERS[1:], only(theirs, mine), strict=False))
    blended = sum(
        count
        for given, count in answers(CLUE, seen(clues)).items()
        if given.words in common(mine, theirs)
    )
    plain = sum(
        count
        for given, count in answers(CLUE, seen()).items()
        if given.words in common(mine, theirs)
    )
    assert blended > plain


def test_a_pack_without_associations_is_played_by_its_vague_clues() -> None:
    pack = with_family(associations={})
    assert {given.words for given in answers(CLUE, seen(), pack)} == set(PACK.families[0].clues)
    clues = dict.fromkeys(PLAYERS, "xylophonist")
    assert set(named(answers(vote(), seen(clues), pack))) == set(PLAYERS)


# --- ballots -----------------------------------------------------------------------------------


def test_a_bot_names_whoevers_clue_fits_another_word() -> None:
    mine, theirs = PACK.word(0, 0), PACK.word(5, 0)
    fitting, odd = only(mine, theirs)[0], only(theirs, mine)[0]
    clues = {"s1": fitting, "s2": fitting, "s3": odd, "s4": fitting}
    votes = named(answers(vote(), seen(clues)).elements())
    assert set(votes) == {"s3"}


def test_a_bot_whose_word_fits_no_clue_names_itself_and_often_guesses_the_word() -> None:
    mine, theirs = PACK.word(0, 0), PACK.word(5, 0)
    clues = dict(zip(PLAYERS[1:], only(theirs, mine), strict=False))
    given = answers(vote(), seen(clues))
    assert named(given.elements())["s1"] > 0.5 * given.total()
    assert given[Given(("s1",), theirs)] > 0.4 * given.total()
    assert len(given) > 3


def test_a_guess_is_another_word_of_the_family() -> None:
    family = {PACK.word(pouch, 0) for pouch in range(POUCHES)}
    guesses = {given.words for given in answers(vote(), seen()) if given.picked == ("s1",)}
    assert guesses <= family - {PACK.word(0, 0)}


def test_a_bot_that_saw_no_clues_names_anybody() -> None:
    assert set(named(answers(vote(), seen()))) == set(PLAYERS)


def test_a_clue_nobody_knows_counts_neither_for_nor_against() -> None:
    clues = dict.fromkeys(PLAYERS, "xylophonist")
    assert set(named(answers(vote(), seen(clues)))) == set(PLAYERS)


def test_a_clue_is_known_in_the_plural_in_capitals_and_without_its_s() -> None:
    mine, theirs = PACK.word(0, 0), PACK.word(5, 0)
    fitting, odd = only(mine, theirs)[0], only(theirs, mine)[0]
    for changed in (f"{odd.upper()}!", f"{odd}s", odd.removesuffix("s")):
        clues = {"s2": fitting, "s3": changed, "s4": fitting}
        assert set(named(answers(vote(), seen(clues)))) == {"s3"}


def test_a_vague_clue_of_the_family_is_held_against_somebody_less_than_a_telling_one() -> None:
    counts = {
        (at, clue): sum(clue in listed for listed in family.associations.values())
        for at, family in enumerate(PACK.families)
        for clue in family.clues
    }
    position, vague = min((at for at, count in counts.items() if count), key=counts.__getitem__)
    words = PACK.families[position].words
    mine = next(word for word in words if vague not in KNOWN[word])
    other = next(word for word in words if vague in KNOWN[word])
    clues = {"s2": vague, "s3": only(other, mine)[0], "s4": only(mine, other)[0]}
    what = replace(seen(clues, position), word=mine)
    votes = named(answers(vote(), what).elements())
    assert votes["s3"] > votes["s2"]


def test_a_bot_accuses_others_without_a_word_unless_one_is_asked_for() -> None:
    assert all(not g.words for g in answers(vote(), seen()) if g.picked != ("s1",))
    mine, theirs = PACK.word(0, 0), PACK.word(5, 0)
    fitting, odd = only(mine, theirs)[0], only(theirs, mine)[0]
    clues = {"s2": fitting, "s3": odd, "s4": fitting}
    fits = {word for word, listed in KNOWN.items() if odd in listed}
    guesses = answers(vote(brained=True), seen(clues))
    assert sum(n for g, n in guesses.items() if g.words in fits) > 0.4 * guesses.total()


# --- variants ----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [PLAYERS[:2], PLAYERS])
def test_where_there_may_be_no_weasel_a_bot_names_nobody_if_all_clues_fit(
    players: tuple[str, ...],
) -> None:
    fitting = only(PACK.word(0, 0), PACK.word(5, 0))[0]
    what = replace(seen(dict.fromkeys(players, fitting)), players=players, weasels=(0, 1))
    nobody = vote("nobody", players=players)
    assert set(named(answers(nobody, what))) == {"nobody"}
    assert all(not given.words for given in answers(nobody, what))
    assert set(named(answers(vote(players=players), what))) <= set(players)


def test_in_a_duel_a_bot_that_reads_another_word_names_the_other_or_itself() -> None:
    odd = only(PACK.word(5, 0), PACK.word(0, 0))[0]
    what = replace(seen({"s2": odd}), players=PLAYERS[:2], weasels=(0, 1))
    votes = named(answers(vote("nobody", players=PLAYERS[:2]), what).elements())
    assert votes["s1"] > votes["nobody"] < votes["s2"]


def test_of_two_weasels_a_bot_names_either() -> None:
    mine, theirs = PACK.word(0, 0), PACK.word(5, 0)
    fitting, (odd, odder, *_) = only(mine, theirs)[0], only(theirs, mine)
    players = ("s1", "s2", "s3", "s4", "s5", "s6")
    clues = {"s2": fitting, "s3": odd, "s4": fitting, "s5": odder, "s6": fitting}
    what = replace(seen(clues), players=players, weasels=(2,))
    assert set(named(answers(vote(players=players), what))) <= {"s3", "s5"}


def test_a_weasel_with_a_partner_does_not_take_the_partner_for_a_ferret() -> None:
    mine, theirs = PACK.word(0, 0), PACK.word(5, 0)
    first, second, third, *_ = only(theirs, mine)
    players = ("s1", "s2", "s3", "s4", "s5")
    clues = {"s2": only(mine, theirs)[0], "s3": first, "s4": second, "s5": third}
    what = replace(seen(clues), players=players, weasels=(2,))
    votes = named(answers(vote(players=players), what).elements())
    assert votes["s1"] + votes["s2"] > 0.5 * votes.total()


# --- strengths ---------------------------------------------------------------------------------


def test_a_seat_has_one_strength_in_every_step_and_every_strength_comes_up() -> None:
    def mind(seed: int, step: int) -> bots.Mind:
        return Bot("s1", replace(seen(), strength=None), Dice(str(seed), step), PACK).mind

    assert {mind(seed, 1) for seed in range(50)} == set(MINDS.values())
    assert all(mind(seed, 1) == mind(seed, 9) for seed in range(50))


@pytest.mark.parametrize("strength", list(MINDS))
def test_a_strength_that_is_given_holds(strength: Strength) -> None:
    what = replace(seen(), strength=strength)
    for seed in range(10):
        assert Bot("s1", what, Dice(str(seed), 1), PACK).mind == MINDS[strength]


def test_the_same_dice_give_the_same_answer() -> None:
    for ask in (NUMBER, CLUE, vote()):
        one, other = (bots.answer(ask, seen(), Dice("seed", 3), PACK) for _ in range(2))
        assert one == other
