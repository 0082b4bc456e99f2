"""Looks on at every effect in the store and at every message that arrives, and says what is wrong.

Rooms are replayed here from their log, one plain step after the other; that is what the store, the
letters and the timers are compared with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec

from adapters.memory.store import WAKE_LEASE_MS
from core import engine, people, playing
from core.codec import decode_room
from core.delivery import Letter
from core.engine import Toast
from core.game import Line
from core.ports import Commit
from core.room import Over, Room
from core.table import House
from core.text import Catalogue, Text
from tests.simulation import secrecy
from tests.simulation.invariants import ROOM_INVARIANTS, Phase
from tests.simulation.office import Blame
from tests.simulation.secrecy import Arrivals, Secrets, Words
from tests.simulation.steps import NEW, Step, read_note


class Remembering(Catalogue):
    """A catalogue that words each line once: most are said many times, and replayed."""

    def __init__(self, words: Catalogue) -> None:
        self._bundle = words._bundle
        self._known: dict[bytes, Text] = {}

    def render(self, line: Line) -> Text:
        """The text of a line."""
        key = msgspec.json.encode(line)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = super().render(line)
        return found


class Story:
    """One room, replayed."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.due_ms = playing.deadline_ms(room)
        self.phase, self.secrets, self.arrivals = Phase(), Secrets(), Arrivals()


class Watch:
    """All rooms and people of a run, as their commits tell."""

    def __init__(self, house: House, words: Catalogue, blame: Blame) -> None:
        self._house, self._words, self._blame = house, words, blame
        self.stories: dict[str, Story] = {}
        self.applied: Counter[tuple[str, str]] = Counter()
        """How many commits each event made: of rooms (`r`), and of people, by the desk (`p`)."""
        self._kept_from: dict[str, Words] = {}

    def committed(self, change: Commit, revision: int) -> None:
        """A record was written."""
        kind, _, name = change.key.partition(":")
        if kind == "p":
            self._once(kind, change.event)
            for at, letter in enumerate(change.letters):
                secrets = (story.secrets.kept_from(()) for story in self.stories.values())
                self._look(
                    letter, f"{change.key}.{revision}.{at}", frozenset[str]().union(*secrets)
                )
        elif change.note == NEW:
            self._once(kind, change.event)
            self.stories[name] = Story(decode_room(change.blob))
            self._one_room_each(self.stories[name].room)
        else:
            self._stepped(name, change, revision)

    def _stepped(self, room_id: str, change: Commit, revision: int) -> None:
        story, note = self.stories[room_id], read_note(change.note)
        # What an event makes happen elsewhere (`…/departed`) may take several tries and rooms.
        self._once("r", f"{note.event}/{room_id}" if "/" in note.event else note.event)
        before = story.room
        decided = engine.decide(before, note.happening, note.now_ms, self._house, self._words)
        step = Step(
            note, revision, before, decided, change.letters, change.blob, change.wake_ms,
            self._house, self._words,
        )  # fmt: skip
        for holds in ROOM_INVARIANTS:
            self._judge(holds.__name__, step, holds(step, story.phase))
        story.phase.follow(step)
        twins = secrecy.nothing_depends_on_what_a_seat_may_not_know
        self._judge(twins.__name__, step, twins(step))
        self._judge("the_order_of_answers_is_secret", step, story.arrivals.follow(step))
        story.secrets.follow(step)
        for at, letter in enumerate(change.letters):
            seats = {*secrecy.seats_at(before, letter.to), *secrecy.seats_at(step.after, letter.to)}
            kept = story.secrets.kept_from(seats)
            self._look(letter, f"{change.key}.{revision}.{at}", kept)
        story.room = step.after
        story.due_ms = playing.deadline_ms(step.after)
        self._one_room_each(step.after)

    def arrived(self, letter_id: str, shown: str) -> None:
        """A message was shown to whoever reads there: all its text, as the platform renders it."""
        self._find(self._kept_from.get(letter_id, secrecy.NOTHING), shown, letter_id)

    def toasted(self, room_id: str, person: str, toast: Toast) -> None:
        """A toast was shown to whoever pressed."""
        story = self.stories.get(room_id)
        if story:
            seats = [one.seat for one in story.room.seats if one.person == person]
            self._find(story.secrets.kept_from(seats), toast.text, f"a toast in {room_id}")

    def room_of(self, person: people.Person) -> Room | None:
        """The room in which a person sits."""
        story = self.stories.get(person.claim.room) if person.claim else None
        return story.room if story and story.room.seat_of(person.id) else None

    def _look(self, letter: Letter, letter_id: str, kept: Words) -> None:
        if kept:
            self._kept_from[letter_id] = kept
            self._find(kept, secrecy.all_of(letter), letter_id)

    def _find(self, kept: Words, shown: str, where: str) -> None:
        word = secrecy.any_of(kept, shown)
        if word:
            self._blame("no_secret_leaves_for_another", f"{where} says {word!r}: {shown!r}")

    def indexed(self, wakes: Callable[[str], int | None], now_ms: int) -> None:
        """The index of times was changed: it still has every room woken, at most a lease late."""
        for name, story in self.stories.items():
            wakes_ms = wakes(f"r:{name}")
            if story.due_ms is None:
                continue
            if wakes_ms is None or wakes_ms > max(story.due_ms, now_ms) + WAKE_LEASE_MS:
                due = f"is due at {story.due_ms} and woken at {wakes_ms}"
                self._blame("every_deadline_is_in_the_index", f"room {name} {due}")

    def was_applied(self, event: str) -> bool:
        """Whether an event left a trace in the store."""
        return bool(self.applied["r", event] or self.applied["p", event])

    def answered_twice(self) -> int:
        """How many events a room has heard and the desk has answered too, with a needless line."""
        return sum(self.applied["r", event] > 0 for kind, event in [*self.applied] if kind == "p")

    def _once(self, kind: str, event: str) -> None:
        if event:
            self.applied[kind, event] += 1
            if self.applied[kind, event] > 1:
                times = self.applied[kind, event]
                self._blame("an_event_is_applied_once", f"{event} was applied {times} times")

    def _one_room_each(self, room: Room) -> None:
        if isinstance(room.stage, Over):
            return
        here = {one.person for one in room.people}
        for other in self.stories.values():
            if other.room.id == room.id or isinstance(other.room.stage, Over):
                continue
            both = here & {one.person for one in other.room.people}
            if both:
                rooms = f"{room.id} and {other.room.id}"
                self._blame("a_person_sits_in_one_room", f"{sorted(both)} in {rooms}")

    def _judge(self, name: str, step: Step, wrong: str | None) -> None:
        if wrong:
            where = f"room {step.before.id}, revision {step.revision}"
            self._blame(name, f"{where}: {wrong}; it was {step.note}")
