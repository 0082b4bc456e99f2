"""What must hold after every step of a room. Each function gives what is wrong, or None.

A step was decided by the engine twice: by the process that committed it, and here, from the log
alone. The times and words of the promises are written out here once more, on purpose: a product
that changes its mind about them must say so in two places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from core import playing
from core.codec import encode_room
from core.engine import Pressed, Spoke, Woke
from core.game import Seat
from core.room import Over, Playing, Room
from tests.simulation.steps import Step, asks_of

REGRET_SECONDS: Mapping[str, int] = {"live": 5, "relaxed": 20, "mail": 0, "off": 0}
"""How long the last answer can be changed (design, paces)."""


class Phase:
    """What must be remembered of a room's open question, from step to step."""

    def __init__(self) -> None:
        self.closed: set[str] = set()
        """The questions that were closed."""
        self.regret_ms: int | None = None
        """Until when the last answer that was waited for can be changed, once it is in."""
        self.due_ms: int | None = None
        """When the phase would have closed without it."""

    def follow(self, step: Step) -> None:
        """Take a step that was found well."""
        before, after = questions(step.before), questions(step.after)
        self.closed |= before - after
        if before != after:
            self.regret_ms = self.due_ms = None
        if not after:
            return
        if playing.needed(step.after):
            self.regret_ms, self.due_ms = None, playing.deadline_ms(step.after)
        elif self.regret_ms is None:
            self.regret_ms = regrets_until(step)
        if self.due_ms is None:
            self.due_ms = playing.deadline_ms(step.after)


def questions(room: Room) -> set[str]:
    """The ids of what is open."""
    return {ask.id for ask in playing.asks(room)}


def the_store_holds_what_a_replay_makes(step: Step, _: Phase) -> str | None:
    """Room and scores are those of a plain replay of the log."""
    return None if encode_room(step.after) == step.blob else "the room differs from its replay"


def the_letters_are_in_the_commit(step: Step, _: Phase) -> str | None:
    """All that a decision says is written down with it."""
    written = tuple(replace(letter, until_ms=None) for letter in step.letters)
    return None if written == step.decided.letters else "other letters than the decision's"


def the_room_will_be_woken(step: Step, _: Phase) -> str | None:
    """The time to wake is the deadline of the state."""
    due_ms = playing.deadline_ms(step.after)
    return None if step.wake_ms == due_ms else f"wakes at {step.wake_ms}, is due at {due_ms}"


def no_timer_closes_a_phase_early(step: Step, _: Phase) -> str | None:
    """A timer changes nothing before the deadline in the state."""
    due_ms = playing.deadline_ms(step.before)
    if not isinstance(step.happening, Woke) or due_ms is None or step.now_ms >= due_ms:
        return None
    return f"a timer changed the room {due_ms - step.now_ms} ms before its deadline"


def no_question_is_asked_twice(step: Step, phase: Phase) -> str | None:
    """A phase is closed once: its question never opens again."""
    again = (questions(step.after) - questions(step.before)) & phase.closed
    return f"{', '.join(sorted(again))} was open and closed before" if again else None


def the_last_answer_can_be_regretted(step: Step, phase: Phase) -> str | None:
    """After the last answer there is time to change it, as long as the phase would have lasted."""
    asks = playing.asks(step.before)
    secret = len(asks) > 1 and not any(ask.public for ask in asks)
    same_seats = step.before.seats == step.after.seats
    closed = questions(step.before).isdisjoint(questions(step.after))
    if not (
        secret and closed and same_seats and isinstance(step.happening, Spoke | Pressed | Woke)
    ):
        return None
    if isinstance(step.after.stage, Over) and not isinstance(step.happening, Woke):
        return None  # the host may end a game at any time
    may_ms = regrets_until(step) if phase.regret_ms is None else phase.regret_ms
    if phase.due_ms is not None:
        may_ms = min(may_ms, phase.due_ms)
    early_ms = may_ms - step.now_ms
    return f"closed {early_ms} ms before its time for regrets was over" if early_ms > 0 else None


def regrets_until(step: Step) -> int:
    """Until when an answer that came in with this step can be changed."""
    return step.now_ms + REGRET_SECONDS[step.before.pace.name] * step.before.pace.second_ms


def no_answer_counts_after_the_close(step: Step, _: Phase) -> str | None:
    """What comes at the deadline or past it finds the phase closed, unless it was put off."""
    due_ms = playing.deadline_ms(step.before)
    if due_ms is None or step.now_ms < due_ms or put_off(step.before) != put_off(step.after):
        return None
    before, after = asks_of(step.before), asks_of(step.after)
    changed = [one for one in before.keys() & after.keys() if before[one] != after[one]]
    return f"{changed} was answered {step.now_ms - due_ms} ms too late" if changed else None


def put_off(room: Room) -> tuple[int, int] | None:
    """The deadline that was put off, and to when."""
    return room.stage.put_off if isinstance(room.stage, Playing) else None


def a_stale_button_changes_nothing(step: Step, _: Phase) -> str | None:
    """A press answers the question it was shown under, or none."""
    if not isinstance(step.happening, Pressed) or not step.actor:
        return None
    pressed, seat = step.happening.ask, step.actor
    before = answers_of(step.before, seat)
    for ask_id, answer in answers_of(step.after, seat).items():
        if ask_id != pressed and answer != before.get(ask_id):
            return f"a button of {pressed} answered {ask_id}"
    return None


def nobody_answers_for_another(step: Step, _: Phase) -> str | None:
    """Only the seat that spoke or pressed has another answer now; the bots answer new questions."""
    before, after = asks_of(step.before), asks_of(step.after)
    changed = [
        one for one in before.keys() & after.keys() if before[one].answered != after[one].answered
    ]
    others = [one for one in changed if one[1] != step.actor]
    return f"{others} changed by {step.actor or 'nobody'}" if others else None


def answers_of(room: Room, seat: Seat) -> dict[str, object]:
    """What a seat has answered to what is open."""
    return {ask.id: ask.answered for ask in playing.asks(room) if ask.to == seat}


ROOM_INVARIANTS: tuple[Callable[[Step, Phase], str | None], ...] = (
    the_store_holds_what_a_replay_makes,
    the_letters_are_in_the_commit,
    the_room_will_be_woken,
    no_timer_closes_a_phase_early,
    no_question_is_asked_twice,
    the_last_answer_can_be_regretted,
    no_answer_counts_after_the_close,
    a_stale_button_changes_nothing,
    nobody_answers_for_another,
)
