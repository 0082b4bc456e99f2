"""The points of a round against the rules page §2.2 and §2.4, by enumerating every ballot.

`reckoned` is written from the page's words alone, a sum for each player, and knows nothing of the
code it checks.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from core.game import Seat
from core.games.ferret_out.rules import points

Named = dict[Seat, Seat]

TOTALS = {
    3: {3, 4, 5, 6, 7},
    4: {4, 5, 6, 7, 9, 10},
    5: {4, 5, 6, 7, 8, 9, 11, 12, 13},
    6: {*range(4, 12), 13, 15, 16},
    7: {*range(4, 14), 15, 18, 19},
}
EXPECTED_UNIFORM = {
    3: (Fraction(13, 9), Fraction(11, 9)),
    4: (Fraction(81, 64), Fraction(79, 64)),
    5: (Fraction(751, 625), Fraction(749, 625)),
    6: (Fraction(9073, 7776), Fraction(9071, 7776)),
    7: (Fraction(134457, 117649), Fraction(134455, 117649)),
}
EXPECTED_AMONG_OTHERS = {
    3: (Fraction(7, 4), Fraction(7, 4)),
    4: (Fraction(37, 27), Fraction(53, 27)),
    5: (Fraction(321, 256), Fraction(511, 256)),
    6: (Fraction(3751, 3125), Fraction(6249, 3125)),
    7: (Fraction(54433, 46656), Fraction(93311, 46656)),
}
NUMBERS = pytest.mark.parametrize("n", [3, 4, 5, 6, 7])


def seats(n: int) -> tuple[Seat, ...]:
    return tuple("ABCDEFG"[:n])


def scored(n: int, named: Named, *, hit: bool) -> dict[Seat, int]:
    """The points of n players of whom the last is the Weasel."""
    *ferrets, weasel = seats(n)
    return points(tuple(ferrets), weasel, named, hit=hit)


def reckoned(n: int, named: Named, *, hit: bool) -> dict[Seat, int]:
    """The same by hand: Ferret c + U + (1 - w), Weasel (1 - U) + s + 2w."""
    *ferrets, weasel = seats(n)
    every_ferret_right = True
    for ferret in ferrets:
        if ferret not in named or named[ferret] != weasel:
            every_ferret_right = False
    table: dict[Seat, int] = {}
    for ferret in ferrets:
        table[ferret] = 0
        if ferret in named and named[ferret] == weasel:
            table[ferret] += 1
        if every_ferret_right:
            table[ferret] += 1
        if not hit:
            table[ferret] += 1
    table[weasel] = 0
    if not every_ferret_right:
        table[weasel] += 1
    if weasel in named and named[weasel] == weasel:
        table[weasel] += 1
        if hit:
            table[weasel] += 2
    return table


@cache
def rounds(n: int) -> tuple[tuple[tuple[Seat | None, ...], bool], ...]:
    """Every round that differs: a Ferret is right, wrong or silent; a hit needs the own name."""
    everybody = seats(n)
    weasel = everybody[-1]
    others: tuple[Seat | None, ...] = (weasel, "A", None)
    made: list[tuple[tuple[Seat | None, ...], bool]] = []
    for ballots in product(*[others] * (n - 1), (weasel, "A", None)):
        made.append((ballots, False))
        if ballots[-1] == weasel:
            made.append((ballots, True))
    return tuple(made)


def played(n: int) -> Iterator[tuple[Named, bool, dict[Seat, int]]]:
    for ballots, hit in rounds(n):
        named = {s: whom for s, whom in zip(seats(n), ballots, strict=True) if whom}
        yield named, hit, scored(n, named, hit=hit)


@NUMBERS
def test_the_points_are_those_of_the_page(n: int) -> None:
    for named, hit, made in played(n):
        assert made == reckoned(n, named, hit=hit)


@NUMBERS
def test_the_totals_of_a_round_are_exactly_these(n: int) -> None:
    totals = {sum(made.values()) for _, _, made in played(n)}
    assert totals == TOTALS[n]
    assert max(totals) == 3 * (n - 1) + 1


@NUMBERS
def test_a_ferret_makes_up_to_three_and_the_weasel_up_to_four(n: int) -> None:
    weasel = seats(n)[-1]
    ferrets = {made[seat] for _, _, made in played(n) for seat in seats(n)[:-1]}
    assert ferrets == {0, 1, 2, 3}
    for named, hit, made in played(n):
        names_itself = named.get(weasel) == weasel
        allowed = {3, 4} if hit else {1, 2} if names_itself else {0, 1}
        assert made[weasel] in allowed


@NUMBERS
def test_either_all_ferrets_have_the_bonus_or_the_weasel_has_its_point(n: int) -> None:
    """F-12, F-14, F-16: exactly one of each pair, every round."""
    weasel = seats(n)[-1]
    for named, hit, made in played(n):
        right = {seat: named.get(seat) == weasel for seat in seats(n)[:-1]}
        bonus = {made[seat] - right[seat] - (not hit) for seat in right}
        any_failed = made[weasel] - (named.get(weasel) == weasel) - 2 * hit
        assert bonus == {1 - any_failed}
        assert any_failed == (not all(right.values()))


@NUMBERS
def test_the_weasels_own_ballot_never_counts_for_or_against_ferrets(n: int) -> None:
    *ferrets, weasel = seats(n)
    for named, hit, made in played(n):
        if not hit:
            without = {seat: whom for seat, whom in named.items() if seat != weasel}
            other = scored(n, without, hit=False)
            assert all(made[seat] == other[seat] for seat in ferrets)


@NUMBERS
def test_a_ferret_who_names_themself_is_just_wrong(n: int) -> None:
    """F-11: no point, no bonus for anybody, and the Weasel has its one."""
    everybody = seats(n)
    named = dict.fromkeys(everybody[:-1], everybody[-1]) | {"A": "A"}
    made = scored(n, named, hit=False)
    assert made == {**dict.fromkeys(everybody[1:-1], 2), "A": 1, everybody[-1]: 1}


VECTORS = [
    pytest.param("EEEEE", False, (3, 3, 3, 3, 1), 13, id="a"),
    pytest.param("EEEDE", False, (2, 2, 2, 1, 2), 9, id="b"),
    pytest.param("EEEEE", True, (2, 2, 2, 2, 3), 11, id="c"),
    pytest.param("BADCA", False, (1, 1, 1, 1, 1), 5, id="d"),
    pytest.param("EEE-E", True, (1, 1, 1, 0, 4), 7, id="e"),
]


@pytest.mark.parametrize(("ballots", "hit", "expected", "total"), VECTORS)
def test_the_vectors_of_the_page(
    ballots: str, expected: tuple[int, ...], total: int, *, hit: bool
) -> None:
    named = {s: whom for s, whom in zip("ABCDE", ballots, strict=True) if whom != "-"}
    made = scored(5, named, hit=hit)
    assert tuple(made[seat] for seat in "ABCDE") == expected
    assert sum(made.values()) == total


def expectation(n: int, choices: dict[Seat, tuple[Seat, ...]]) -> tuple[Fraction, Fraction]:
    """The mean points of a Ferret and of the Weasel, if all choose evenly and nobody hits.

    Counts rounds by how many Ferrets are right and what the Weasel does: the points of a Ferret
    depend on nothing else, and 7 to the 7th ballots would take minutes.
    """
    *ferrets, weasel = seats(n)
    weights: Counter[tuple[int, ...]] = Counter({(): 1})
    for seat in ferrets:
        right = sum(whom == weasel for whom in choices[seat])
        wrong = len(choices[seat]) - right
        weights = Counter(
            {
                (*made, one): weight * times
                for made, weight in weights.items()
                for one, times in ((1, right), (0, wrong))
            }
        )
    own = Counter(whom == weasel for whom in choices[weasel])
    of_ferret = of_weasel = Fraction()
    whole = 0
    for made, weight in weights.items():
        for itself, times in own.items():
            named = {s: weasel if one else s for s, one in zip(ferrets, made, strict=True)}
            named[weasel] = weasel if itself else ferrets[0]
            gained = scored(n, named, hit=False)
            whole += weight * times
            of_ferret += weight * times * sum(gained[seat] for seat in ferrets)
            of_weasel += weight * times * gained[weasel]
    return of_ferret / whole / len(ferrets), of_weasel / whole


@NUMBERS
def test_what_evenly_chosen_ballots_bring(n: int) -> None:
    choices = dict.fromkeys(seats(n), seats(n))
    assert expectation(n, choices) == EXPECTED_UNIFORM[n]


@NUMBERS
def test_what_guessing_among_the_others_brings(n: int) -> None:
    everybody = seats(n)
    choices = {seat: tuple(s for s in everybody if s != seat) for seat in everybody[:-1]}
    choices[everybody[-1]] = (everybody[-1],)
    assert expectation(n, choices) == EXPECTED_AMONG_OTHERS[n]


@NUMBERS
def test_perfect_ferrets_meet_a_weasel_who_knows_itself(n: int) -> None:
    named = dict.fromkeys(seats(n), seats(n)[-1])
    for hit, (ferret, weasel) in ((False, (3, 1)), (True, (2, 3))):
        made = scored(n, named, hit=hit)
        assert (made["A"], made[seats(n)[-1]]) == (ferret, weasel)
