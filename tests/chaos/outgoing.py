"""What went out, held against what is promised of it; each check gives what is wrong, line by line.

A message on Telegram goes out at least once, in order per destination, and is doubled only if it
was in flight when something died; a text goes out at most once.
"""

from collections import Counter
from collections.abc import Iterable
from urllib.parse import unquote

from adapters.sms.render import bodies
from tests.chaos.evidence import Evidence
from tests.chaos.faults import Fault
from tests.chaos.threads import expected
from tests.fakes.twilio import Text

SETTLED_SECONDS = 1.0
"""So long after an answer a worker may take to note that a message has gone out."""
RECONNECTED_SECONDS = 4.0
"""So long after the store is back a worker may still wait for an answer that won't come."""


def missing(evidence: Evidence) -> list[str]:
    """Messages on Telegram that never came."""
    return [line for thread in evidence.threads for line in thread.missing]


def disordered(evidence: Evidence) -> list[str]:
    """Messages that came before one that had to come first, on Telegram or by SMS."""
    wrong = [line for thread in evidence.threads for line in thread.disordered]
    latest: dict[tuple[str, str], tuple[int, ...]] = {}
    for sent in evidence.texts:
        record, at = place_of(_letter(sent))
        if at < latest.get((sent.to, record), ()):
            wrong.append(f"text {_letter(sent)} came after a later one")
        latest[sent.to, record] = at
    return wrong


def strangers(evidence: Evidence) -> list[str]:
    """Messages that no log accounts for."""
    wrong = [line for thread in evidence.threads for line in thread.strangers]
    known = {id_: bodies(one) for story in evidence.stories for id_, one in story.letters}
    for sent in evidence.texts:
        letter = _letter(sent)
        if letter.startswith("r:") and sent.body not in known.get(letter, ()):
            wrong.append(f"text {letter} says what its letter does not")
    return wrong


def unsettled_boards(evidence: Evidence) -> list[str]:
    """Status lines that do not show in the end what they were last said to show.

    Not those of a time when a worker was stopped: going on, it may bring out an edit of before.
    """
    chats = {address: chat_id for chat_id, address in evidence.addresses.items()}
    last = {
        (story.record, letter.to, letter.status): (
            id_,
            expected([(id_, letter)])[-1].text,
            story.steps[place_of(id_)[1][0] - 1].at_ms,
        )
        for story in evidence.stories
        for id_, letter in story.letters
        if letter.status and letter.to in chats
    }
    return [
        f"{id_} is shown nowhere: {words!r}"
        for (_, to, _), (id_, words, at_ms) in last.items()
        if words not in evidence.showing[chats[to]] and not _stopped(at_ms / 1_000, evidence.faults)
    ]


def _stopped(at: float, faults: Iterable[Fault]) -> bool:
    """Whether a worker was stopped then, or soon after."""
    stops = (fault for fault in faults if fault.kind == "pause")
    soon = at + 2 * SETTLED_SECONDS
    return any(fault.begins <= soon and at <= fault.ends for fault in stops)


def doubled_for_no_reason(evidence: Evidence) -> list[str]:
    """Messages that came twice, the first of them in flight at no fault."""
    return [
        f"doubled, and nothing had died: {first.text!r}"
        for thread in evidence.threads
        for first, _ in thread.doubles
        if not any(_in_flight(first.at, fault, evidence.faults) for fault in evidence.faults)
    ]


def _in_flight(at: float, fault: Fault, faults: Iterable[Fault]) -> bool:
    """Whether what was posted at `at` was not settled yet when the fault came, or came in it."""
    slow = (f.ends - at for f in faults if f.kind in {"slow telegram", "cut"})
    answered = at + max((left for left in slow if 0 < left < RECONNECTED_SECONDS), default=0.0)
    more = RECONNECTED_SECONDS if fault.kind in {"store", "tear"} else SETTLED_SECONDS
    return at <= fault.ends + more and answered + SETTLED_SECONDS >= fault.begins


def sent_twice(evidence: Evidence) -> list[str]:
    """Texts that went out twice. The same words may be another letter's, so letters are counted."""
    counted = Counter((_letter(sent), sent.body) for sent in evidence.texts)
    return [f"text {letter} went out {n} times" for (letter, _), n in counted.items() if n > 1]


def never_sent(evidence: Evidence) -> list[str]:
    """Texts that never went out: allowed, at most once is all that is promised, but counted."""
    texting = {
        one.address for story in evidence.stories for one in story.stored.room.seats if one.texting
    }
    sent = {(_letter(one), one.body) for one in evidence.texts}
    return [
        f"text {id_} never went out"
        for story in evidence.stories
        for id_, letter in story.letters
        if letter.to in texting
        for body in bodies(letter)
        if (id_, body) not in sent
    ]


def _letter(sent: Text) -> str:
    """The id of the letter that a text is of: its status callback names it."""
    path = (sent.status_callback or "").partition("/sms/status/")[2]
    return unquote(path.partition("/")[0]).rpartition(":")[0]


def place_of(letter_id: str) -> tuple[str, tuple[int, ...]]:
    """A letter's record, and where in it the letter stands."""
    record, revision, at = letter_id.rsplit(".", 2)
    return record, (int(revision), int(at))
