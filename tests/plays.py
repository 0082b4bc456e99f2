"""Any play of any game, for Hypothesis: moves are numbers, made into happenings as the room stands.

Whatever the moves, they are things that can happen: people answer, press old and new buttons, say
nonsense and commands, leave, come late, can't be reached, and let time pass.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from importlib.util import find_spec
from typing import TypeAlias

from hypothesis import strategies as st

from core import playing
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
from core.game import AnyGame, Ask, Pick, Refused, Seat
from core.games import find_games
from core.room import Room, Seated
from core.table import House, Speaker
from core.text import load

Move: TypeAlias = tuple[str, int, int]
Options: TypeAlias = tuple[str, ...]

KINDS = (
    *("answer",) * 8, *("mine",) * 3, "aloud", "press", "say", "say", "wait", "late",
    "leave", "unreached", "opened", "joined", "tick",
)  # fmt: skip
MOVE = st.tuples(st.sampled_from(KINDS), st.integers(0, 7), st.integers(0, 99))
MOVES = st.lists(MOVE, max_size=8) | st.lists(MOVE, min_size=30, max_size=60)
SAID = (
    "/look", "/who", "/scores", "/rules", "?", "look", "zzz", "me", "2", "B", "go", "stop",
    "name Zed", "clue 2", "vote me zzz", "two words", "...", "/pace mail", "/finish", "/kick P2",
)  # fmt: skip
WORDS = ("zzz", "qqq", "hand", "scores", "xylo", "P2", "3")
HOUSE = House()
MOST_CHOICES = 10


def option_sets(game: AnyGame, among: Collection[str] | None = None) -> list[Options]:
    """All that a host can have switched on together, of the menu or `among` it: by trying."""
    found: dict[frozenset[str], Options] = {frozenset(): ()}
    untried: list[Options] = [()]
    for options in untried:
        menu = (one.value for one in game.menu(options, ()))
        for name in menu if among is None else among:
            chosen = game.choose(options, name)
            if not isinstance(chosen, Refused) and frozenset(chosen) not in found:
                found[frozenset(chosen)] = chosen
                untried.append(chosen)
    return list(found.values())


def variants_of(game: AnyGame) -> list[Options]:
    """The sets of a game's variants, without its endings: `NAMES` of its `variants`, if any."""
    module = f"{game.state_type.__module__.rpartition('.')[0]}.variants"
    return option_sets(game, import_module(module).NAMES) if find_spec(module) else [()]


def tables(*, endings: bool) -> dict[str, tuple[AnyGame, Options]]:
    """Every game with every set of options, by a name that tests can have."""
    return {
        "+".join((name, *options)): (game, options)
        for name, game in find_games().items()
        for options in _sets(game, endings=endings)
    }


def _sets(game: AnyGame, *, endings: bool) -> list[Options]:
    """What to try of a game: of one whose menu is long, how it comes, and one of its variants."""
    if len(game.menu((), ())) > MOST_CHOICES:
        first, *_, last = variants_of(game)
        return [first, last]
    return option_sets(game) if endings else variants_of(game)


def speaker(name: str, *, texting: bool = False) -> Speaker:
    """A person who is called `name`."""
    return Speaker(f"p-{name}", f"own-{name}", name, texting=texting)


class Play:
    """A room that things happen to; `me` is whose part is played most, and what they may type."""

    def __init__(
        self, game: AnyGame, seed: int, people: int, *, bots: int = 0, options: Options = ()
    ) -> None:
        """A started game with `people` people, the last of them by text message, and `bots`."""
        self.now_ms = 1_800_000_000_000
        self.words = load()
        self.me: Seat = ""
        self.typed: tuple[str, ...] = WORDS
        self.decisions: list[Decision] = []
        self.room = open_room(
            "r1", "KTRGW", game.name, str(seed), speaker("P1"), HOUSE, self.words,
            now_ms=self.now_ms, place="place", options=options,
            bots=tuple(f"B{n}" for n in range(bots)),
        ).room  # fmt: skip
        for n in range(2, people + 1):
            self.happen(Arrived(speaker(f"P{n}", texting=n == people and seed % 3 == 0)))
        self.happen(Spoke(speaker("P1"), "go"))

    def happen(self, happening: Happening) -> Decision:
        """Let it happen now."""
        decision = decide(self.room, happening, self.now_ms, HOUSE, self.words)
        self.room = decision.room
        self.decisions.append(decision)
        return decision

    def move(self, move: Move) -> Decision:
        """Let a move happen, a second after the last."""
        return self.happen(self.made(move))

    def made(self, move: Move) -> Happening:
        """The happening a move makes; time passes with it."""
        kind, who, what = move
        seated = self._whose(kind, who)
        ask = playing.ask_of(self.room, seated.seat)
        me = self.speaker(seated)
        self.now_ms += 1_000
        match kind:
            case "answer" | "mine" if ask and isinstance(ask.answer, Pick):
                return Spoke(me, f"{ask.verb} {self.picked(ask, ask.answer, what)}")
            case "answer" | "mine" | "aloud":
                words = self.typed if kind == "mine" else (*WORDS, *secrets(self.room))
                return Spoke(me, words[what % len(words)], public=kind == "aloud")
            case "press" if ask and isinstance(ask.answer, Pick):
                options = ask.answer.options
                return Pressed(me, ask.id, options[what % len(options)].value)
            case "press":
                return Pressed(me, ("look", "vote/1", "x/99")[what % 3], "s1")
            case "wait" | "late":
                due_ms = playing.deadline_ms(self.room) or self.now_ms
                self.now_ms = max(self.now_ms, due_ms + (600_000 if kind == "late" else 0))
                return Woke()
            case "leave" if what % 3 == 0:
                return Spoke(me, "leave")
            case "unreached":
                return Unreached(seated.seat)
            case "opened":
                return Opened(me)
            case "joined":
                return Arrived(speaker(f"P{who + 1}"))
            case "tick":
                return Woke()
            case _:
                return Spoke(me, SAID[what % len(SAID)])

    def _whose(self, kind: str, who: int) -> Seated:
        if kind == "mine" and self.me:
            return self.room.seated(self.me)
        asked = open_seats(self.room) if kind == "answer" and who else ()
        seats = asked or tuple(one.seat for one in self.room.seats)
        return self.room.seated(seats[who % len(seats)])

    def speaker(self, seated: Seated) -> Speaker:
        """Whoever sits there; nobody who is known, for a bot."""
        return Speaker(seated.person or "p-x", seated.address or "own-x", texting=seated.texting)

    def picked(self, ask: Ask, pick: Pick, what: int) -> str:
        """An answer, by what its options are called: as many of them as it needs, or some more."""
        count = min(pick.at_most, pick.at_least + what % 2)
        return " ".join(self.called(ask, (what + n) % len(pick.options)) for n in range(count))

    def called(self, ask: Ask, at: int) -> str:
        """What an option of an ask is called by people."""
        assert isinstance(ask.answer, Pick)
        value = ask.answer.options[at].value
        return self.room.names.get(value, value)


def secrets(room: Room) -> tuple[str, ...]:
    """Words on the cards of this room: typed, they are the ones a game may refuse."""
    return tuple(dict.fromkeys(word for one in room.seats for word in on_card(room, one.seat)))


def on_card(room: Room, seat: Seat) -> tuple[str, ...]:
    """The words a seat holds, the one that counts first: the texts in what the game shows."""
    lines = playing.card_of(room, seat)
    texts = (arg for line in lines for arg in line.args.values() if isinstance(arg, str))
    return tuple(word.lower() for text in texts for word in text.split(", "))


def open_seats(room: Room) -> tuple[Seat, ...]:
    """The seats that have an open question."""
    return tuple(ask.to for ask in playing.asks(room))
