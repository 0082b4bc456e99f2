"""Everyone answers in secret, until all have or the time is up: `gather`, as data.

A ballot carries nearly every wait of every game. Taking turns is a ballot of one.

Theory of operation: a voter is *waited for* until an answer is in, or the voter is excused. While
anybody is waited for, the ballot closes at the latest closing time of those. When nobody is, a
regret window runs in which answers can still be changed; then it closes. Answers are read in seat
order, so that who answered first stays secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from core.game import Ask, Context, Deadline, Given, Line, Pick, Seat, Write


class Ballot(Struct, frozen=True):
    """`closes` has each voter's closing time; `settles_ms` ends the regret window."""

    opened_ms: int
    closes: Mapping[Seat, int]
    cast: Mapping[Seat, Given] = {}
    excused: tuple[Seat, ...] = ()
    settles_ms: int | None = None

    @classmethod
    def open(cls, ctx: Context, live_seconds: int, voters: tuple[Seat, ...]) -> Ballot:
        """A ballot of `voters` on what takes `live_seconds` live. The absent are not waited for."""
        absent = tuple(seat for seat in voters if seat not in ctx.seats)
        closes = ctx.closings(live_seconds, voters)
        return cls(ctx.now_ms, closes, excused=absent).settled(ctx)

    @property
    def voters(self) -> tuple[Seat, ...]:
        """All who may answer, in seat order."""
        return tuple(self.closes)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Those without whom it can't close before its time."""
        return tuple(s for s in self.closes if s not in self.cast and s not in self.excused)

    @property
    def answers(self) -> tuple[tuple[Seat, Given], ...]:
        """What was cast, in seat order."""
        return tuple((seat, self.cast[seat]) for seat in self.closes if seat in self.cast)

    @property
    def deadline(self) -> Deadline:
        """When it closes if nothing more happens."""
        at_ms = self.settles_ms
        if at_ms is None:
            at_ms = max((self.closes[seat] for seat in self.waiting), default=self.opened_ms)
        return Deadline(at_ms, at_ms - self.opened_ms)

    def answer(self, seat: Seat, given: Given, ctx: Context) -> Ballot:
        """The ballot with an answer put in, or changed."""
        return replace(self, cast={**self.cast, seat: given}).settled(ctx)

    def excuse(self, seat: Seat, ctx: Context) -> Ballot:
        """The ballot without waiting for `seat`, whose answer still counts if it comes."""
        return replace(self, excused=(*self.excused, seat)).settled(ctx)

    def recall(self, seat: Seat) -> Ballot:
        """The ballot waiting for `seat` again."""
        excused = tuple(s for s in self.excused if s != seat)
        back = replace(self, excused=excused)
        return replace(back, settles_ms=None) if back.waiting else back

    def strike(self, seat: Seat, ctx: Context) -> Ballot:
        """The ballot without `seat`, as if it had never been asked."""
        closes = {s: at_ms for s, at_ms in self.closes.items() if s != seat}
        cast = {s: given for s, given in self.cast.items() if s != seat}
        return replace(self, closes=closes, cast=cast).settled(ctx)

    def settled(self, ctx: Context) -> Ballot:
        """Start the regret window if the last answer is in and none runs."""
        if self.waiting or self.settles_ms is not None:
            return self
        at_ms, latest_ms = ctx.now_ms + ctx.pace.regret_ms, max(self.closes.values(), default=0)
        if ctx.now_ms < latest_ms < at_ms:
            at_ms = latest_ms
        return replace(self, settles_ms=at_ms)

    def asks(
        self, ask_id: str, line: Line, answer: Callable[[Seat], Pick | Write]
    ) -> tuple[Ask, ...]:
        """One ask for each voter, open until the ballot closes."""
        return tuple(
            Ask(ask_id, seat, line, answer(seat), self.cast.get(seat)) for seat in self.closes
        )
