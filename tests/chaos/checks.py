"""What came in and what time did, held against what is promised; and all the checks together.

Each check gives what is wrong, a line for each. Accepted input is applied exactly once; a timer
closes a phase at most once and never early. What goes out: `outgoing`.
"""

from collections import Counter
from collections.abc import Mapping

from core import engine, playing, text
from core.engine import Happening, Opened, Pressed, Spoke, Woke
from core.room import Over, Room
from core.service import Incoming
from core.table import House
from tests.chaos import outgoing
from tests.chaos.door import Input
from tests.chaos.evidence import Evidence
from tests.chaos.stories import Step, Story, speaker

CLOCK_MS = 50
"""By so much the store's clock and ours may be read apart."""


# --- what came in ------------------------------------------------------------------------------


def not_accepted(evidence: Evidence) -> list[str]:
    """Inputs that never got a 200, though they were sent again and again."""
    return [
        f"{event} was never accepted" for event, one in evidence.inputs.items() if not one.accepted
    ]


def lost(evidence: Evidence) -> list[str]:
    """Inputs that got a 200 and left no mark, though they meant something when they came."""
    rooms = {story.stored.room.id: story for story in evidence.stories}
    return [
        f"{event} was accepted and is nowhere: {one.heard.text!r}"
        for event, one in evidence.inputs.items()
        if one.accepted
        and event not in evidence.marks
        and not any(_means_nothing(one, rooms[at], evidence.house) for at in _places(one, rooms))
    ]


def _places(one: Input, rooms: Mapping[str, Story]) -> list[str]:
    """The rooms it may have been meant for."""
    if one.heard.kind == "press":
        meant = one.heard.text.partition(":")[0]
        return [meant] if meant in rooms else []
    return [at for at, story in rooms.items() if story.stored.room.seat_of(one.heard.address)]


def _means_nothing(one: Input, story: Story, house: House) -> bool:
    """Whether at some moment between sending and answer it changed nothing and said nothing."""
    sent_ms, accepted_ms = one.sent * 1_000 - CLOCK_MS, one.accepted * 1_000 + CLOCK_MS
    ends = [step.at_ms for step in story.steps[1:]] + [accepted_ms]
    for step, until_ms in zip(story.steps, ends, strict=True):
        if until_ms >= sent_ms and step.at_ms <= accepted_ms:
            at_ms = int(max(step.at_ms, sent_ms))
            decision = engine.decide(step.after, _done(one.heard), at_ms, house, text.load())
            if decision.room == step.after and not decision.letters:
                return True
    return False


def _done(heard: Incoming) -> Happening:
    if heard.kind == "press":
        _, ask, option = (*heard.text.split(":", 2), "", "")[:3]
        return Pressed(speaker(heard), ask, option)
    if heard.kind == "opened":
        return Opened(speaker(heard))
    return Spoke(speaker(heard), heard.text, public=bool(heard.place))


def twice(evidence: Evidence) -> list[str]:
    """Inputs that were applied twice: in two records, or two entries of a log."""
    notes = Counter(step.event for story in evidence.stories for step in story.steps if step.event)
    wrong = [f"{event} is in the logs {count} times" for event, count in notes.items() if count > 1]
    wrong += [f"{event} is in {r}" for event, r in evidence.marks.items() if len(set(r)) > 1]
    return wrong


def not_as_played(evidence: Evidence) -> list[str]:
    """Rooms that are not what their log makes of them, scores and all."""
    wrong: list[str] = []
    for story in evidence.stories:
        stored, steps = story.stored, story.steps
        if stored.revision != len(steps):
            wrong.append(f"{story.record}: {stored.revision} commits, {len(steps)} log entries")
        if stored.room != steps[-1].after:
            wrong.append(f"{story.record} is stored otherwise than its log says")
    return wrong


# --- time --------------------------------------------------------------------------------------


def early_or_stale(evidence: Evidence) -> list[str]:
    """Timers that rang before the deadline and changed something; questions closed twice."""
    wrong: list[str] = []
    for story in evidence.stories:
        closed = Counter[str]()
        for step in story.steps[1:]:
            closed.update(_open(step.before) - _open(step.after))
            late_ms = lateness_ms(step)
            if late_ms is not None and late_ms < 0:
                wrong.append(f"{story.record}: a timer rang {-late_ms} ms early")
        wrong += [f"{story.record}: {ask} closed {n} times" for ask, n in closed.items() if n > 1]
    return wrong


def _open(room: Room | None) -> set[str]:
    """The questions that are open, by whom they are put to."""
    return set() if room is None else {f"{ask.id} to {ask.to}" for ask in playing.asks(room)}


def lateness_ms(step: Step) -> int | None:
    """How long after the deadline a timer was heard; None: it was no timer."""
    if step.before is None or not isinstance(step.happening, Woke):
        return None
    due_ms = playing.deadline_ms(step.before)
    return -step.at_ms if due_ms is None else step.at_ms - due_ms


# --- the end -----------------------------------------------------------------------------------


def not_over(evidence: Evidence) -> list[str]:
    """Rooms that did not come to an end."""
    rooms = [story.stored.room for story in evidence.stories]
    return [f"r:{room.id} is not over" for room in rooms if not isinstance(room.stage, Over)]


def improper(evidence: Evidence) -> list[str]:
    """What no platform takes, what nobody had thought of, what belongs in no log."""
    named = (f"a phone number is in {log}" for log in evidence.numbers)
    return [*evidence.protests, *evidence.tracebacks, *named]


CHECKS = (
    not_accepted, lost, twice, not_as_played, early_or_stale, outgoing.missing, outgoing.disordered,
    outgoing.strangers, outgoing.unsettled_boards, outgoing.doubled_for_no_reason,
    outgoing.sent_twice, not_over, improper,
)  # fmt: skip
"""All that must find nothing."""


def violations(evidence: Evidence) -> list[str]:
    """What every check found."""
    return [f"{check.__name__}: {line}" for check in CHECKS for line in check(evidence)]
