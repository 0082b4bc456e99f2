"""A table to play at by hand: the engine, with names for people and a clock that is moved.

`table("Ann", "Bo", "Cy")` seats three; the first is the host. `heard` has what everybody was ever
sent, `last` the letters of the last decision, by name; a room's public place is called `room`.
Every step also checks what must hold after any step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from core import playing, text
from core.codec import decode_room
from core.delivery import Letter
from core.engine import (
    Arrived,
    Decision,
    Happening,
    Opened,
    Pressed,
    Spoke,
    Unreached,
    Woke,
    decide,
    open_room,
)
from core.room import Room
from core.table import House, Speaker, Way

NOON_MS = 1_800_000_000_000
SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS = 1_000, 60_000, 3_600_000, 86_400_000
HOUSE = House((Way("web: {code}", "txt {code}"),))
PLACE = "web:x:group"


class Table:
    """A room and those who play in it."""

    def __init__(
        self, *names: str, texting: Collection[str], unready: Collection[str], place: str,
        bots: tuple[str, ...], options: tuple[str, ...], seed: str, game: str = "ferret-out",
    ) -> None:  # fmt: skip
        self.now_ms = NOON_MS
        self.heard: defaultdict[str, list[str]] = defaultdict(list)
        self.last: dict[str, str] = {}
        self.letters: tuple[Letter, ...] = ()
        self.toast = ""
        self.wake_ms: int | None = None
        self._texting, self._unready = set(texting), set(unready)
        self._names = {place: "room"} if place else {}
        self.room: Room
        host, *others = names
        self._take(
            open_room(
                "abcdefabcdef", "KTRGW", game, seed, self.speaker(host), HOUSE, text.load(),
                now_ms=self.now_ms, place=place, bots=bots, options=options,
            )
        )  # fmt: skip
        for name in others:
            self.joins(name)

    # --- what happens ---

    def joins(
        self, who: str, name: str = "", *, public: bool | None = None, texting: bool = False
    ) -> None:
        self._texting |= {who} if texting else set()
        in_public = bool(self.room.place) and who not in self._texting
        self.happens(
            Arrived(self.speaker(who), name, public=in_public if public is None else public)
        )

    def says(self, who: str, words: str, *, public: bool = False, closed: bool = False) -> None:
        self.happens(Spoke(self.speaker(who, closed=closed), words, public=public))

    def presses(self, who: str, ask: str, option: str, *, closed: bool = False) -> None:
        self.happens(Pressed(self.speaker(who, closed=closed), ask, option))

    def opens(self, who: str) -> None:
        self._unready.discard(who)
        self.happens(Opened(self.speaker(who)))

    def loses(self, who: str) -> None:
        self.happens(Unreached(self.seat(who)))

    def wakes(self) -> None:
        self.happens(Woke())

    def waits(self, ms: int) -> None:
        """Let so much time pass, waking the room whenever it wants to be."""
        until_ms = self.now_ms + ms
        while self.wake_ms is not None and self.wake_ms <= until_ms:
            self.now_ms = max(self.now_ms, self.wake_ms)
            self.wakes()
        self.now_ms = until_ms

    def rings(self) -> None:
        """Go to when the room wants to be woken, and wake it."""
        assert self.wake_ms is not None
        self.now_ms = self.wake_ms
        self.wakes()

    def happens(self, what: Happening) -> None:
        self._take(decide(self.room, what, self.now_ms, HOUSE, text.load()))

    # --- games ---

    def deals(self, number: str = "3") -> None:
        """Start the game and get to its first clues."""
        self.says(self.host, "go")
        self.numbers(number)

    def numbers(self, number: str = "3") -> None:
        """The CFO picks a number, where one is asked for."""
        for ask in playing.asks(self.room):
            if ask.verb == "number":
                self.says(self.name(ask.to), number)

    def clues(self, *but: str) -> None:
        """Everybody but `but` gives a clue, and the phase closes."""
        self.answers("clue", *but)
        self.rings()

    def answers(self, verb: str, *but: str, words: str = "stripes") -> None:
        for ask in playing.asks(self.room):
            if ask.verb == verb and self.name(ask.to) not in but:
                self.says(self.name(ask.to), f"{verb} {words}")

    # --- what is ---

    @property
    def host(self) -> str:
        return self.name(self.room.host)

    def asked(self, who: str) -> str:
        """The id of the question open for somebody."""
        ask = playing.ask_of(self.room, self.seat(who))
        return ask.id if ask else ""

    def given(self, who: str) -> tuple[tuple[str, ...], str] | None:
        """What somebody has answered: the names (or numbers) picked, and the words."""
        ask = playing.ask_of(self.room, self.seat(who))
        if ask is None or ask.answered is None:
            return None
        called = self.room.names
        return tuple(called.get(one, one) for one in ask.answered.picked), ask.answered.words

    def seat(self, who: str) -> str:
        """The seat of the person who once came as `who`."""
        return next(one.seat for one in self.room.seats if who in {one.person, one.name})

    def name(self, seat: str) -> str:
        """Who came and took the seat."""
        one = self.room.seated(seat)
        return one.person or one.name

    def speaker(self, who: str, *, closed: bool = False) -> Speaker:
        texting = who in self._texting
        address = f"{'sms' if texting else 'web'}:x:{who.casefold()}"
        self._names[address] = who
        is_open = who not in self._unready and not closed
        return Speaker(who, address, who, texting=texting, open=is_open)

    def _take(self, made: Decision) -> None:
        self.room, self.letters, self.wake_ms = made.room, made.letters, made.wake_ms
        assert decode_room(made.blob) == made.room
        sent = [(letter.to, letter.status) for letter in made.letters]
        assert len(sent) == len(set(sent)), "one letter a destination"
        for letter in made.letters:
            for button in letter.buttons:
                assert len(button.data.encode()) <= 64
        self.last = {}
        for letter in made.letters:
            who = self._names[letter.to]
            words = letter.short if who in self._texting else letter.text
            said = text.named(words, lambda seat, names=letter.names: names[seat])
            self.last[who] = "\n".join(filter(None, (self.last.get(who), said)))
            self.heard[who].append(said)
        toast = made.toast
        self.toast = text.named(toast.text, lambda seat: toast.names[seat]) if toast else ""


def table(
    *names: str,
    texting: Collection[str] = (),
    unready: Collection[str] = (),
    place: str = "",
    bots: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
    seed: str = "7",
) -> Table:
    """A room with these people; `texting` ones play by SMS, `unready` ones have no thread yet."""
    return Table(
        *names, texting=texting, unready=unready, place=place, bots=bots, options=options, seed=seed
    )


def playing_table(*names: str, texting: Collection[str] = (), place: str = "") -> Table:
    """A table whose first clues are asked for."""
    made = table(*names, texting=texting, place=place)
    made.deals()
    return made


def voting_table(*names: str, texting: Collection[str] = (), place: str = "") -> Table:
    """A table whose first ballots are asked for."""
    made = playing_table(*names, texting=texting, place=place)
    made.clues()
    return made
