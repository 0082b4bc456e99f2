"""The points of a round against the rulebook, by enumerating every ballot.

`reckoned` is written from the page's words alone, a sum for each player, and knows nothing of the
code it checks. A ballot is a letter, `-` for none, `*` for NOBODY; a hit is a letter too.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product

import pytest
from msgspec import Struct

from core.game import Seat
from core.games.ferret_out.points import NOBODY, WORTH, gains, points
from core.games.ferret_out.variants import Variant

TOTALS = {
    3: {3, 4, 5, 6, 7},
    4: {4, 5, 6, 7, 9, 10},
    5: {4, 5, 6, 7, 8, 9, 11, 12, 13},
    6: {*range(4, 12), 13, 15, 16},
    7: {*range(4, 14), 15, 18, 19},
}
MOST_BRAINED = {3: 13, 4: 19, 5: 25, 6: 31, 7: 37}
TEAM_TOTALS = {5: (5, 12), 6: (5, 14), 7: (5, 17)}
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
TEAMS = pytest.mark.parametrize("n", [5, 6, 7])


class Round(Struct, frozen=True):
    """Who was what, whom each named, and whose word was right."""

    everybody: tuple[Seat, ...]
    weasels: tuple[Seat, ...]
    named: dict[Seat, Seat]
    hits: frozenset[Seat] = frozenset()

    @property
    def ferrets(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.everybody if seat not in self.weasels)

    @property
    def scored(self) -> dict[Seat, int]:
        return points(self.ferrets, self.weasels, self.named, self.hits)


def seats(n: int) -> tuple[Seat, ...]:
    return tuple("ABCDEFG"[:n])


def a_round(ballots: str, weasels: str, hits: str = "") -> Round:
    everybody = seats(len(ballots))
    voted = {seat: whom for seat, whom in zip(everybody, ballots, strict=True) if whom != "-"}
    named = {seat: NOBODY if whom == "*" else whom for seat, whom in voted.items()}
    return Round(everybody, tuple(weasels), named, frozenset(hits))


def reckoned(played: Round) -> dict[Seat, int]:
    """By hand: Ferret c + U + (1 - w) + 3 for their word, Weasel (1 - U) + s + 2w."""
    nobody_is_it = len(played.weasels) == 0
    every_ferret_right = True
    some_weasel_hit = False
    for seat in played.everybody:
        ballot = played.named.get(seat)
        if seat in played.weasels:
            some_weasel_hit = some_weasel_hit or seat in played.hits
        elif nobody_is_it:
            every_ferret_right = every_ferret_right and ballot == NOBODY
        elif ballot not in played.weasels:
            every_ferret_right = False
    table: dict[Seat, int] = {}
    for seat in played.everybody:
        ballot = played.named.get(seat)
        made = 0
        if seat in played.weasels:
            made += 0 if every_ferret_right else 1
            made += 1 if ballot == seat else 0
            made += 2 if seat in played.hits else 0
        elif nobody_is_it:
            made += 1 if ballot == NOBODY else 0
            made += 1 if every_ferret_right else 0
        else:
            made += 1 if ballot in played.weasels else 0
            made += 1 if every_ferret_right else 0
            made += 0 if some_weasel_hit else 1
            made += 3 if seat in played.hits else 0
        table[seat] = made
    return table


def may_hit(named: dict[Seat, Seat], weasels: Collection[Seat], *, brained: bool) -> list[Seat]:
    """Whose word can be right for the side they declared."""
    of_weasels = [seat for seat in weasels if named.get(seat) == seat]
    of_ferrets = [
        seat
        for seat, whom in named.items()
        if brained and weasels and seat not in weasels and whom not in {seat, NOBODY}
    ]
    return of_weasels + of_ferrets


@cache
def rounds(n: int, variant: Variant = Variant()) -> tuple[Round, ...]:  # noqa: B008  (frozen)
    """Every round that differs: a ballot is right, wrong, one's own, NOBODY or missing."""
    everybody, made = seats(n), list[Round]()
    most = variant.weasel_cards
    for count in range(most - variant.spare_cards, most + 1):
        weasels = everybody[n - count :]
        for ballots in product(*(choices(seat, everybody, weasels, variant) for seat in everybody)):
            named = {s: whom for s, whom in zip(everybody, ballots, strict=True) if whom}
            able = may_hit(named, weasels, brained=variant.weasel_brained)
            for size in range(len(able) + 1):
                made += [
                    Round(everybody, weasels, named, frozenset(hits))
                    for hits in combinations(able, size)
                ]
    return tuple(made)


def choices(
    seat: Seat, everybody: tuple[Seat, ...], weasels: tuple[Seat, ...], variant: Variant
) -> list[Seat]:
    """The ballots of a seat that can differ in points: of those who are alike, one is named."""
    others = [one for one in everybody if one != seat]
    ferret = next((one for one in others if one not in weasels), "")
    found = [weasel for weasel in weasels if weasel != seat][:1]
    nobody = [NOBODY] if variant.weasels == "maybe-one" else []
    own = [seat] if seat in weasels or not found else []
    return [*own, *found, *([ferret] if ferret else []), *nobody, ""]


def totals(every: Iterator[Round] | tuple[Round, ...]) -> set[int]:
    return {sum(played.scored.values()) for played in every}


EVERY = [
    *((n, Variant()) for n in (3, 4, 5, 6, 7)),
    *((n, Variant(weasel_brained=True)) for n in (3, 4, 5)),
    *((n, Variant(paranoia=True)) for n in (3, 4, 5, 6)),
    *((n, Variant(paranoia=True, weasel_brained=True)) for n in (3, 4)),
    *((n, Variant(team_weasel=True)) for n in (5, 6, 7)),
    *((n, Variant(team_weasel=True, paranoia=True)) for n in (5, 6)),
    (5, Variant(team_weasel=True, weasel_brained=True)),
    (2, Variant(duel=True)),
    (2, Variant(duel=True, weasel_brained=True)),
]


@pytest.mark.parametrize(
    ("n", "variant"), EVERY, ids=["-".join((str(n), *variant.names)) for n, variant in EVERY]
)
def test_the_points_are_those_of_the_page(n: int, variant: Variant) -> None:
    for played in rounds(n, variant):
        assert played.scored == reckoned(played)
        ways = gains(played.ferrets, played.weasels, played.named, played.hits)
        assert {s: sum(WORTH[way] for way in made) for s, made in ways.items()} == played.scored
        assert set(ways) == set(played.everybody)


# --- the base game


@NUMBERS
def test_the_totals_of_a_round_are_exactly_these(n: int) -> None:
    assert totals(rounds(n)) == TOTALS[n]
    assert max(TOTALS[n]) == 3 * (n - 1) + 1


@NUMBERS
def test_a_ferret_makes_up_to_three_and_the_weasel_up_to_four(n: int) -> None:
    weasel = seats(n)[-1]
    assert {played.scored[seat] for played in rounds(n) for seat in seats(n)[:-1]} == {0, 1, 2, 3}
    for played in rounds(n):
        names_itself = played.named.get(weasel) == weasel
        allowed = {3, 4} if played.hits else {1, 2} if names_itself else {0, 1}
        assert played.scored[weasel] in allowed


@NUMBERS
def test_either_all_ferrets_have_the_bonus_or_the_weasel_has_its_point(n: int) -> None:
    """F-12, F-14, F-16: exactly one of each pair, every round."""
    weasel = seats(n)[-1]
    for played in rounds(n):
        made, hit = played.scored, bool(played.hits)
        right = {seat: played.named.get(seat) == weasel for seat in played.ferrets}
        bonus = {made[seat] - right[seat] - (not hit) for seat in right}
        any_failed = made[weasel] - (played.named.get(weasel) == weasel) - 2 * hit
        assert bonus == {1 - any_failed}
        assert any_failed == (not all(right.values()))


@NUMBERS
def test_the_weasels_own_ballot_never_counts_for_or_against_ferrets(n: int) -> None:
    weasel = seats(n)[-1]
    for played in rounds(n):
        if not played.hits:
            rest = {seat: whom for seat, whom in played.named.items() if seat != weasel}
            other = Round(played.everybody, played.weasels, rest)
            assert all(played.scored[seat] == other.scored[seat] for seat in played.ferrets)


@NUMBERS
def test_a_ferret_who_names_themself_is_just_wrong(n: int) -> None:
    """F-11: no point, no bonus for anybody, and the Weasel has its one."""
    *ferrets, weasel = seats(n)
    made = a_round("A" + weasel * (n - 1), weasel).scored
    assert made == {**dict.fromkeys(ferrets[1:], 2), "A": 1, weasel: 2}


VECTORS = [
    pytest.param("EEEEE", "E", "", (3, 3, 3, 3, 1), 13, id="a"),
    pytest.param("EEEDE", "E", "", (2, 2, 2, 1, 2), 9, id="b"),
    pytest.param("EEEEE", "E", "E", (2, 2, 2, 2, 3), 11, id="c"),
    pytest.param("BADCA", "E", "", (1, 1, 1, 1, 1), 5, id="d"),
    pytest.param("EEE-E", "E", "E", (1, 1, 1, 0, 4), 7, id="e"),
    pytest.param("***A", "", "", (1, 1, 1, 0), 3, id="f"),
    pytest.param("DEEDA", "DE", "", (3, 3, 3, 1, 0), 10, id="g"),
    pytest.param("DEEDA", "DE", "D", (2, 2, 2, 3, 0), 9, id="h"),
    pytest.param("EEEEE", "E", "B", (3, 6, 3, 3, 1), 16, id="i"),
]


@pytest.mark.parametrize(("ballots", "weasels", "hits", "expected", "total"), VECTORS)
def test_the_vectors_of_the_page(
    ballots: str, weasels: str, hits: str, expected: tuple[int, ...], total: int
) -> None:
    made = a_round(ballots, weasels, hits).scored
    assert tuple(made[seat] for seat in sorted(made)) == expected
    assert sum(made.values()) == total


# --- the variants


@NUMBERS
def test_the_totals_with_guesses_at_the_weasels_word_reach_exactly_this(n: int) -> None:
    """Weasel-Brained: three more for a Ferret; so all of them right, and all with the word."""
    brained = Variant(weasel_brained=True)
    weasel = seats(n)[-1]
    at_best = a_round(weasel * n, weasel, "".join(seats(n)[:-1])).scored
    assert sum(at_best.values()) == MOST_BRAINED[n] == 6 * (n - 1) + 1
    for played in rounds(n, brained) if n < 6 else ():
        made = played.scored
        assert sum(made.values()) <= MOST_BRAINED[n]
        assert all(0 <= made[seat] <= 6 for seat in played.ferrets)
        assert 0 <= made[weasel] <= 4


@NUMBERS
def test_a_hit_on_the_weasels_word_changes_nothing_but_the_hitters_points(n: int) -> None:
    for played in rounds(n, Variant(weasel_brained=True)) if n < 6 else ():
        own = played.hits & set(played.weasels)
        without = Round(played.everybody, played.weasels, played.named, frozenset(own)).scored
        three_more = {seat: 3 * (seat in played.hits - own) for seat in played.everybody}
        assert played.scored == {seat: without[seat] + three_more[seat] for seat in without}


@NUMBERS
def test_without_a_weasel_a_round_brings_up_to_one_less_than_all_or_two_for_each(n: int) -> None:
    """Paranoia: 0..N-1, or 2N when all say nobody; each has 0, 1 or 2."""
    paranoid = [
        a_round("".join(ballots), "") for ballots in product(*(f"*{seat}-" for seat in seats(n)))
    ]
    assert totals(tuple(paranoid)) == {*range(n), 2 * n}
    assert {one for played in paranoid for one in played.scored.values()} == {0, 1, 2}


@NUMBERS
def test_nobody_is_a_wrong_ballot_while_there_is_a_weasel(n: int) -> None:
    weasel = seats(n)[-1]
    said, missing = a_round("*" * n, weasel).scored, a_round("-" * n, weasel).scored
    assert said == missing
    assert said[weasel] == 1


@TEAMS
def test_the_totals_with_two_weasels_are_between_these(n: int) -> None:
    team = totals(rounds(n, Variant(team_weasel=True)))
    assert (min(team), max(team)) == TEAM_TOTALS[n]


@TEAMS
def test_different_weasels_may_be_named_and_both_need_not_be_found(n: int) -> None:
    *ferrets, one, two = seats(n)
    mixed = a_round(one + two * (n - 3) + one + two, one + two).scored
    same = a_round(one * (n - 2) + one + two, one + two).scored
    assert mixed == same == {**dict.fromkeys(ferrets, 3), one: 1, two: 1}


@TEAMS
def test_a_weasel_who_names_its_partner_has_nothing_for_it(n: int) -> None:
    *_, one, two = seats(n)
    made = a_round(one * (n - 2) + two + two, one + two).scored
    assert (made[one], made[two]) == (0, 1)


@TEAMS
def test_each_weasel_has_its_own_points_and_either_word_costs_the_ferrets_theirs(n: int) -> None:
    *ferrets, one, two = seats(n)
    made = a_round("A" * (n - 2) + one + two, one + two, one).scored
    assert (made[one], made[two]) == (4, 2)
    assert {made[seat] for seat in ferrets} == {0}


# --- what is to be expected


def expectation(n: int, chosen: dict[Seat, tuple[Seat, ...]]) -> tuple[Fraction, Fraction]:
    """The mean points of a Ferret and of the Weasel, if all choose evenly and nobody hits.

    Counts rounds by how many Ferrets are right and what the Weasel does: the points of a Ferret
    depend on nothing else, and 7 to the 7th ballots would take minutes.
    """
    *ferrets, weasel = seats(n)
    weights: Counter[tuple[int, ...]] = Counter({(): 1})
    for seat in ferrets:
        right = sum(whom == weasel for whom in chosen[seat])
        wrong = len(chosen[seat]) - right
        weights = Counter(
            {
                (*made, one): weight * times
                for made, weight in weights.items()
                for one, times in ((1, right), (0, wrong))
            }
        )
    own = Counter(whom == weasel for whom in chosen[weasel])
    of_ferret = of_weasel = Fraction()
    whole = 0
    for made, weight in weights.items():
        for itself, times in own.items():
            named = {s: weasel if one else s for s, one in zip(ferrets, made, strict=True)}
            named[weasel] = weasel if itself else ferrets[0]
            gained = Round(seats(n), (weasel,), named).scored
            whole += weight * times
            of_ferret += weight * times * sum(gained[seat] for seat in ferrets)
            of_weasel += weight * times * gained[weasel]
    return of_ferret / whole / len(ferrets), of_weasel / whole


@NUMBERS
def test_what_evenly_chosen_ballots_bring(n: int) -> None:
    assert expectation(n, dict.fromkeys(seats(n), seats(n))) == EXPECTED_UNIFORM[n]


@NUMBERS
def test_what_guessing_among_the_others_brings(n: int) -> None:
    everybody = seats(n)
    chosen = {seat: tuple(s for s in everybody if s != seat) for seat in everybody[:-1]}
    chosen[everybody[-1]] = (everybody[-1],)
    assert expectation(n, chosen) == EXPECTED_AMONG_OTHERS[n]


@NUMBERS
def test_perfect_ferrets_meet_a_weasel_who_knows_itself(n: int) -> None:
    weasel = seats(n)[-1]
    for hits, (ferret, own) in (("", (3, 1)), (weasel, (2, 3))):
        made = a_round(weasel * n, weasel, hits).scored
        assert (made["A"], made[weasel]) == (ferret, own)


DUEL_WEASELS = ("", "A", "B")
"""Both Ferrets, or either the Weasel: each as likely."""

DUELS = [
    pytest.param("**", DUEL_WEASELS, (Fraction(4, 3), Fraction(4, 3)), id="both nobody"),
    pytest.param("BA", DUEL_WEASELS, (1, 1), id="each the other"),
    pytest.param("AB", DUEL_WEASELS, (1, 1), id="each themself"),
    pytest.param("BB", DUEL_WEASELS, (Fraction(4, 3), Fraction(2, 3)), id="both say B"),
    pytest.param("*A", DUEL_WEASELS, (Fraction(2, 3), Fraction(4, 3)), id="nobody and accused"),
    pytest.param("*B", DUEL_WEASELS, (1, 1), id="nobody and themself"),
    pytest.param("BA", "AB", (Fraction(3, 2), Fraction(3, 2)), id="differing, each the other"),
    pytest.param("AB", "AB", (Fraction(3, 2), Fraction(3, 2)), id="differing, each themself"),
    pytest.param("BB", "AB", (2, 1), id="differing, both say B"),
    pytest.param("AA", "AB", (1, 2), id="differing, both say A"),
]


@pytest.mark.parametrize(("ballots", "weasels", "expected"), DUELS)
def test_what_constant_answers_bring_in_a_duel(
    ballots: str, weasels: tuple[str, ...], expected: tuple[Fraction, Fraction]
) -> None:
    every = [a_round(ballots, weasel).scored for weasel in weasels]
    means = tuple(Fraction(sum(made[seat] for made in every), len(every)) for seat in "AB")
    assert means == expected


def test_the_totals_of_a_duel_without_a_weasel_are_nothing_one_or_four() -> None:
    alike = [a_round("".join(ballots), "") for ballots in product("*AB-", repeat=2)]
    assert totals(tuple(alike)) == {0, 1, 4}


def test_a_lone_ferret_who_is_right_has_both_points() -> None:
    """A Duel with a Weasel: right 2, and 1 more if the word is safe; wrong gives the Weasel 1."""
    assert a_round("BB", "B").scored == {"A": 3, "B": 1}
    assert a_round("BB", "B", "B").scored == {"A": 2, "B": 3}
    assert a_round("*B", "B").scored == {"A": 1, "B": 2}
    everything = chain.from_iterable(
        (a_round("".join(b), w) for b in product("*AB-", repeat=2)) for w in DUEL_WEASELS
    )
    assert max(totals(everything)) == 4
