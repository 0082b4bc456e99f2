"""What a game is: a record of pure functions over frozen values.

Rules of this file
    1. A game gets the outside world as values (`Context`) and answers with values (`Turn`).
    2. Saying is the only effect. Who hears it is fixed at birth: `room(...)` or `tell(seat, ...)`.
    3. Open questions (`asks`) and the deadline are read off the state, so nothing can outlive its
       phase, nothing needs cancelling and nothing is lost by a restart.

All times are whole milliseconds since the epoch, as the store's clock tells them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from core.dice import Dice
from core.pace import Pace

Seat: TypeAlias = str
"""A place at the table: `s1`, `s2`, … in the order people sat down. No person, no name."""

S = TypeVar("S", bound=Struct)
T = TypeVar("T")


class Who(Struct, frozen=True, tag="who"):
    """A seat where a name will stand: each platform fills in a mention, or a short name."""

    seat: Seat


class Each(Struct, frozen=True, tag="each"):
    """Several seats, where a list of names will stand."""

    seats: tuple[Seat, ...]


class Line(Struct, frozen=True, tag="line"):
    """One line of text to show: a catalogue key and its arguments, never prose."""

    key: str
    args: Mapping[str, Arg] = {}


class Lines(Struct, frozen=True, tag="lines"):
    """Several short texts, where a list of them will stand."""

    lines: tuple[Line, ...]


Arg: TypeAlias = str | int | Who | Each | Line | Lines


class Option(Struct, frozen=True):
    """One thing that can be picked. `note` is what a text without a picture of the table adds.

    An option with a `word` may be answered with a word of one's own; the line asks for it, once,
    when the option was picked without. One answer may pick an option so many `times`.
    """

    value: str
    shown: Arg
    note: str = ""
    word: Line | None = None
    times: int = 1


class Pick(Struct, frozen=True, tag="pick"):
    """Choose from `options`: so many of them at least, and at most. Their order can matter.

    A text lists what there is, unless the question says it (`listed` is false).
    """

    options: tuple[Option, ...]
    at_least: int = 1
    at_most: int = 1
    listed: bool = True

    def option(self, value: str) -> Option | None:
        """The option with this value, if it is one of them."""
        return next((one for one in self.options if one.value == value), None)


class Write(Struct, frozen=True, tag="write"):
    """Write something of one's own, in at most `max_words` words and `max_chars` graphemes."""

    max_words: int = 1
    max_chars: int = 24


class Given(Struct, frozen=True):
    """An answer: the options picked, the words written, or both."""

    picked: tuple[str, ...] = ()
    words: str = ""


class Ask(Struct, frozen=True):
    """A question that is open now. It stays open, and changeable, once `answered` is set.

    `id` is what it is about and its number, `clue/3`: the first part is also the verb that answers
    it (`clue paper`), the number keeps a late answer out of the next round. A `public` one may be
    answered where everybody can read it.
    """

    id: str
    to: Seat
    line: Line
    answer: Pick | Write
    answered: Given | None = None
    public: bool = False

    @property
    def several(self) -> bool:
        """More than one thing can be picked."""
        return isinstance(self.answer, Pick) and self.answer.at_most > 1

    @property
    def verb(self) -> str:
        """The word that answers this ask explicitly: `clue`, `vote`, `number`."""
        return self.id.partition("/")[0]

    @property
    def number(self) -> int:
        """The number in the id; odd asks are labelled with digits, even ones with letters."""
        return int(self.id.partition("/")[2])


class Say(Struct, frozen=True):
    """Something said: to one seat in secret, or to the whole room when `to` is None.

    What is said `aside` can wait: whoever pays for each message hears it with the next thing that
    is asked of them, or said for good. What was said before a line that `opens` a scene
    belongs to the scene before.
    """

    line: Line
    to: Seat | None = None
    aside: bool = False
    opens: bool = False


class Answered(Struct, frozen=True, tag="answered"):
    """A seat answered its open ask. The engine has checked the form; rules never parse."""

    seat: Seat
    ask: str
    given: Given


class TimeUp(Struct, frozen=True, tag="time-up"):
    """The deadline has passed."""


class Left(Struct, frozen=True, tag="left"):
    """A seat got up, or was shown out: it is no longer at the table."""

    seat: Seat


class Undeliverable(Struct, frozen=True, tag="undeliverable"):
    """A seat can't be reached: defaults for this round; it is not at the table from the next on."""

    seat: Seat


class Joined(Struct, frozen=True, tag="joined"):
    """A seat came late, or came back: it is at the table again."""

    seat: Seat


Event: TypeAlias = Answered | TimeUp | Left | Undeliverable | Joined


class Turn(Struct, Generic[S], frozen=True):
    """What an event made: the state after it, what is said, and who sits out from now on."""

    state: S
    says: tuple[Say, ...] = ()
    sits_out: tuple[Seat, ...] = ()


class Refused(Struct, frozen=True):
    """The player's mistake, as a value, told to that seat alone. Bugs raise."""

    line: Line


class Context(Struct, frozen=True):
    """All of the outside world, as plain values.

    `table` has every seat there ever was, in seating order; `seats` those who play on;
    `bots` the ones nobody sits at; `texting` the ones who pay for each message and wait for it;
    `waking` the minutes of the UTC day `[from, to)` in which a seat is awake, where known;
    `chosen` what the host has switched on; `last` the last state of the game before, if these
    people played one.
    """

    now_ms: int
    dice: Dice
    pace: Pace
    table: tuple[Seat, ...]
    seats: tuple[Seat, ...]
    bots: tuple[Seat, ...] = ()
    texting: tuple[Seat, ...] = ()
    waking: Mapping[Seat, tuple[int, int]] = {}
    chosen: tuple[str, ...] = ()
    last: Any = None

    def without(self, gone: Container[Seat]) -> tuple[Seat, ...]:
        """The seats that play on without those `gone`. Bots don't play on alone."""
        rest = tuple(seat for seat in self.seats if seat not in gone)
        lonely = all(seat in self.bots for seat in rest)
        had_people = any(seat not in self.bots for seat in self.seats)
        return () if lonely and had_people else rest

    def closings(self, live_seconds: int, seats: Sequence[Seat]) -> dict[Seat, int]:
        """When each of `seats` must have answered what takes `live_seconds` at a live table."""
        slow = any(seat in self.texting for seat in seats)
        return {
            seat: self.pace.closing(self.now_ms, live_seconds, self.waking.get(seat), slow=slow)
            for seat in seats
        }


class Deadline(Struct, frozen=True):
    """When time is up, and how long the wait was meant to be."""

    at_ms: int
    length_ms: int


class Result(Struct, frozen=True):
    """A game's end: everybody's points and who won (several: a shared win; none: broken off)."""

    points: Mapping[Seat, int]
    winners: tuple[Seat, ...]


class Score(Struct, frozen=True):
    """A seat's row of the score card: its points in each round (None: it did not play), in all."""

    seat: Seat
    gained: tuple[int | None, ...]
    total: int


class ScoreCard(Struct, Generic[T], frozen=True):
    """The scores as a table, for platforms that can draw one: whoever is best comes first.

    `rounds` are the heads of the rounds' columns, `total` is that of the last; `notes` stand below.
    A game writes it in lines, a letter carries it in words (`core.delivery`).
    """

    title: T
    rounds: tuple[str, ...]
    total: T
    scores: tuple[Score, ...]
    winners: tuple[Seat, ...] = ()
    notes: tuple[T, ...] = ()


class Place(Struct, Generic[T], frozen=True):
    """A place in a `Ring`: who sits there, short labels (`Boss`), and notes in a line each."""

    seat: Seat
    labels: tuple[T, ...] = ()
    notes: tuple[T, ...] = ()


class Ring(Struct, Generic[T], frozen=True):
    """A table seen from above, for platforms that can draw one: `places` clockwise from the head.

    `notes` stand below: what everybody can know. A game says the same in lines.
    """

    title: T
    places: tuple[Place[T], ...]
    notes: tuple[T, ...] = ()


def no_score_card(_: object) -> None:
    """Of a game whose points make no table."""


def no_ring(_: object) -> None:
    """Of a game in which it doesn't matter who sits where."""


def no_offer(_: object, __: Seat) -> None:
    """Of a game in which there is nothing to do but to answer."""


class Card(Struct, frozen=True):
    """Something a game can explain, by its name; nobody at the table can be `called` so."""

    called: tuple[str, ...]
    name: Line
    about: Line


class Scene(Struct, frozen=True):
    """What everybody is shown now, on one message that is edited in place where that can be done.

    As long as `name` stays the same, what is said to the room is added to that message; under it
    stands `status`, who is waited for and what for, and how long.
    """

    name: str
    status: Line


def no_scene(_: object) -> None:
    """Of a game that has something new for everybody with every question."""


class Game(Struct, Generic[S], frozen=True):
    """A game is this record.

    What a host may choose before the start is a tuple of names, which the room keeps: `menu` lists
    them as options, by what is on and who sits there; `choose` switches one on or off, or says why
    not; `seats` tells how few and how many may play so; `rules` tells how it is played then, by the
    state once there is one (a game may have dropped something since), the first line in one
    message. `score_card` is asked for the last state, of a game that was broken off too.

    `offer` is what a seat may do unasked, by the verb of an `Ask` that nobody waits for. `cards`
    are what it can explain, `words` are its own: nobody is called so. `dealt` are the seats that
    are in it, of a game in which whoever comes late can only take over one of those; without it
    they get a seat of their own. `scene` and `ring`: what is shown of a table at which much happens
    between two questions, and who sits where.
    """

    name: str
    state_type: type[S]
    menu: Callable[[tuple[str, ...], tuple[Seat, ...]], tuple[Option, ...]]
    choose: Callable[[tuple[str, ...], str], tuple[str, ...] | Refused]
    seats: Callable[[tuple[str, ...]], tuple[int, int]]
    rules: Callable[[tuple[str, ...], S | None], tuple[Line, ...]]
    start: Callable[[Context], Turn[S]]
    play: Callable[[S, Event, Context], Turn[S] | Refused]
    asks: Callable[[S], tuple[Ask, ...]]
    deadline: Callable[[S], Deadline | None]
    look: Callable[[S, Seat], tuple[Line, ...]]
    recap: Callable[[S], tuple[Line, ...]]
    result: Callable[[S], Result | None]
    bot: Callable[[S, Ask, Context], Given]
    score_card: Callable[[S], ScoreCard[Line] | None] = no_score_card
    offer: Callable[[S, Seat], Ask | None] = no_offer
    cards: tuple[Card, ...] = ()
    words: tuple[str, ...] = ()
    dealt: Callable[[S], tuple[Seat, ...]] | None = None
    scene: Callable[[S], Scene | None] = no_scene
    ring: Callable[[S], Ring[Line] | None] = no_ring


AnyGame: TypeAlias = Game[Any]


def room(key: str, **args: Arg) -> Say:
    """Say a line to everybody at the table."""
    return Say(Line(key, args))


def aside(key: str, **args: Arg) -> Say:
    """Say a line to everybody that can wait for whoever pays for each message."""
    return Say(Line(key, args), aside=True)


def aside_to(seat: Seat, key: str, **args: Arg) -> Say:
    """Say a line to one seat, in secret, that can wait if that seat pays for each message."""
    return Say(Line(key, args), seat, aside=True)


def opening(key: str, **args: Arg) -> Say:
    """Say a line aside with which a scene begins."""
    return Say(Line(key, args), aside=True, opens=True)


def tell(seat: Seat, key: str, **args: Arg) -> Say:
    """Say a line to one seat, in secret."""
    return Say(Line(key, args), seat)
