"""What arrived in each thread, held against the letters that had to leave for it.

Letters of one room come to one thread in the order of the room's log; those of two rooms may lie
in two shards, which know nothing of each other. What was sent again is a double, wherever it
comes; whatever else is not the next letter of some room is out of order, or nobody's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from adapters.telegram.render import render
from core.delivery import Letter


@dataclass(frozen=True)
class Post:
    """A message as it was sent, before any edit, at epoch seconds."""

    chat_id: int
    text: str
    at: float


@dataclass
class Expected:
    """A message that had to arrive; a status line `may_wait`: the next one replaces it."""

    letter: str
    text: str
    may_wait: bool = False
    came: list[Post] = field(default_factory=list[Post])


@dataclass
class Thread:
    """What was found out about one thread, as lists of readable lines, and its doubles."""

    doubles: list[tuple[Post, Post]] = field(default_factory=list[tuple[Post, Post]])
    disordered: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])
    strangers: list[str] = field(default_factory=list[str])


def expected(letters: Iterable[tuple[str, Letter]]) -> list[Expected]:
    """The messages of a room's letters to one thread."""
    return [
        Expected(letter_id, page.text, may_wait=bool(letter.status))
        for letter_id, letter in letters
        for page in render(letter, b"a picture" if letter.score_card else None)
    ]


def compared(queues: Sequence[list[Expected]], at_the_desk: int, posts: Sequence[Post]) -> Thread:
    """The posts of one thread against the queues of its rooms, and so many answers of the desk."""
    thread = Thread()
    heads = [0] * len(queues)
    desk: list[Post] = []
    for posted in posts:
        if _is_next(queues, heads, posted):
            continue
        first = _came_before(queues, heads, posted) or _said_at_desk(desk, posted)
        ahead = _comes_later(queues, heads, posted)
        if first:
            thread.doubles.append((first, posted))
        elif ahead:
            thread.disordered.append(f"{ahead.letter} came before {_waiting(queues, heads)}")
            ahead.came.append(posted)
        elif len(desk) < at_the_desk:
            desk.append(posted)
        else:
            thread.strangers.append(f"nobody's letter: {posted.text!r}")
    for queue in queues:
        lost = [one for one in queue if not one.came and not one.may_wait]
        thread.missing += [f"{one.letter} never came: {one.text!r}" for one in lost]
    if len(desk) < at_the_desk:
        thread.missing.append(f"{at_the_desk - len(desk)} answers of the desk never came")
    return thread


def _is_next(queues: Sequence[list[Expected]], heads: list[int], posted: Post) -> bool:
    """Whether it is the next message of a queue; then the queue is one further."""
    for which, queue in enumerate(queues):
        for at in range(heads[which], len(queue)):
            if queue[at].text == posted.text:
                queue[at].came.append(posted)
                heads[which] = at + 1
                return True
            if not queue[at].may_wait:
                break
    return False


def _came_before(
    queues: Sequence[list[Expected]], heads: Sequence[int], posted: Post
) -> Post | None:
    """The first copy of the latest message with these words.

    Its own, if what it says was shown by an edit, or replaced: it comes late, then.
    """
    for queue, head in zip(queues, heads, strict=True):
        for one in reversed(queue[:head]):
            if one.text == posted.text:
                one.came.append(posted)
                return one.came[0]
    return None


def _said_at_desk(desk: Sequence[Post], posted: Post) -> Post | None:
    return next((one for one in reversed(desk) if one.text == posted.text), None)


def _comes_later(
    queues: Sequence[list[Expected]], heads: Sequence[int], posted: Post
) -> Expected | None:
    rest = (one for queue, head in zip(queues, heads, strict=True) for one in queue[head:])
    return next((one for one in rest if not one.came and one.text == posted.text), None)


def _waiting(queues: Sequence[list[Expected]], heads: Sequence[int]) -> str:
    waiting = [q[head].letter for q, head in zip(queues, heads, strict=True) if head < len(q)]
    return " and ".join(waiting) or "nothing"
