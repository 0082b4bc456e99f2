"""What a round is worth: the two lists of the rulebook, and what variants make of them.

There is no group vote and no majority: each ballot scores alone (F-13).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.game import Seat

NOBODY = "nobody"

WORTH: Mapping[str, int] = {
    "found": 1,
    "all-found": 1,
    "safe": 1,
    "their-word": 3,
    "missed": 1,
    "self": 1,
    "word": 2,
}
"""What each way to score is worth."""


def gains(
    ferrets: Collection[Seat],
    weasels: Collection[Seat],
    named: Mapping[Seat, str],
    hits: Collection[Seat],
) -> dict[Seat, tuple[str, ...]]:
    """How each seat scored, by the names in `WORTH`; Ferrets first.

    `named` has a seat or NOBODY for each ballot; a missing one fails (F-16). `hits` are the seats
    whose word was right for the side they declared: a Weasel who named itself and guessed the
    Ferrets' word, in Weasel-Brained a Ferret who named another and guessed the Weasel's.

    Without a Weasel (Paranoia, Duel) NOBODY is right, and nobody gets the third point.
    """
    right = weasels or (NOBODY,)
    found = {seat for seat in ferrets if named.get(seat) in right}
    all_found = len(found) == len(ferrets)
    safe = bool(weasels) and not any(seat in hits for seat in weasels)
    ways = {
        seat: {
            "found": seat in found,
            "all-found": all_found,
            "safe": safe,
            "their-word": seat in hits,
        }
        for seat in ferrets
    }
    ways |= {
        seat: {"missed": not all_found, "self": named.get(seat) == seat, "word": seat in hits}
        for seat in weasels
    }
    return {seat: tuple(way for way, so in each.items() if so) for seat, each in ways.items()}


def points(
    ferrets: Collection[Seat],
    weasels: Collection[Seat],
    named: Mapping[Seat, str],
    hits: Collection[Seat],
) -> dict[Seat, int]:
    """`gains`, as points."""
    scored = gains(ferrets, weasels, named, hits)
    return {seat: sum(WORTH[way] for way in ways) for seat, ways in scored.items()}
