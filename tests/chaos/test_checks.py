"""The checks see what they are for: an evening that went well, and each thing that can go wrong."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import msgspec
import pytest

from adapters.sms.render import bodies, status_path
from core import engine, text
from core.engine import Arrived, Happening, Spoke, Woke
from core.room import Playing, Room
from core.service import Incoming
from core.table import House
from tests.chaos import checks
from tests.chaos.door import Input
from tests.chaos.evidence import Evidence
from tests.chaos.faults import Fault
from tests.chaos.stories import Stored, played_again, speaker
from tests.chaos.threads import Post, expected
from tests.fakes.twilio import Text

HOUSE, OPENED = House(second_ms=30), 1_700_000_000.0
CHATS = {-7: "telegram:1:group", 11: "telegram:1:ann", 12: "telegram:1:bo"}
PHONE = "sms:1:cy"


def heard(n: int, who: str, said: str, *, place: str = "") -> Input:
    """Somebody typed something: the `n`-th input, a second after the one before."""
    at = OPENED + n
    texting = who == PHONE
    event = f"{'sms' if texting else 'telegram'}:1:{n}"
    incoming = Incoming(
        event, "text", who, said, who[-2:], place, texting=texting, open=True
    )  # fmt: skip
    return Input(incoming, at, at + 0.1)


def an_evening() -> Evidence:
    """A round among three, in a group and by phone, as it should be."""
    group, ann, bo = CHATS.values()
    said = [
        heard(0, ann, "/new", place=group), heard(1, bo, "/join", place=group),
        heard(2, PHONE, "JOIN KTRGW Cy"), heard(3, ann, "/pace live"),
        heard(4, ann, "/variant rounds-1"), heard(5, ann, "/go"),
        heard(6, bo, "/who"), heard(7, ann, "zqb"), heard(8, PHONE, "zqc"),
    ]  # fmt: skip
    inputs = {one.heard.event: one for one in said}
    room_id = hashlib.sha256(said[0].heard.event.encode()).hexdigest()[:12]
    room = engine.open_room(
        room_id, "KTRGW", "ferret-out", "seed", speaker(said[0].heard), HOUSE, text.load(),
        now_ms=int(OPENED * 1_000), place=group,
    ).room  # fmt: skip
    notes = [b"new"]
    happened: list[tuple[float, str, Happening]] = [
        (one.sent, one.heard.event, _happening(one.heard)) for one in said[1:]
    ]
    for at, event, happening in (*happened, *((OPENED + 20 * n, "", Woke()) for n in range(1, 9))):
        now_ms = int(at * 1_000)
        decision = engine.decide(room, happening, now_ms, HOUSE, text.load())
        if decision.room != room or decision.letters:
            notes.append(msgspec.json.encode((now_ms, event, happening)))
        room = decision.room
    room, note = _finished(room, ann)
    inputs |= {note.heard.event: note}
    notes.append(
        msgspec.json.encode((int(note.sent * 1_000), note.heard.event, _happening(note.heard)))
    )
    return gathered(Stored(room, len(notes), tuple(notes)), inputs)


def _happening(one: Incoming) -> Happening:
    who, public = speaker(one), bool(one.place)
    if "join" in one.text.casefold():
        return Arrived(who, who.name, public=public)
    return Spoke(who, one.text, public=public)


def _finished(room: Room, host: str) -> tuple[Room, Input]:
    note = heard(500, host, "/finish")
    now_ms = int(note.sent * 1_000)
    assert isinstance(room.stage, Playing)
    return engine.decide(room, _happening(note.heard), now_ms, HOUSE, text.load()).room, note


def gathered(stored: Stored, inputs: dict[str, Input]) -> Evidence:
    """The evidence of a room all of whose letters went out, once and in order."""
    story = played_again([stored], inputs, HOUSE)[0]
    posts: list[Post] = []
    texts: list[Text] = []
    chats = {to: id_ for id_, to in CHATS.items()}
    for number, (id_, letter) in enumerate(story.letters):
        if letter.to == PHONE:
            path = status_path(f"{id_}:0", letter.room, letter.seat)
            texts += [
                Text(
                    sid=str(number), to="+12025550111", sender="+12025550100", body=body,
                    at=datetime.now(UTC), status_callback=f"https://parlour.example{path}",
                )
                for body in bodies(letter)
            ]  # fmt: skip
        else:
            posts += [
                Post(chats[letter.to], one.text, OPENED + number)
                for one in expected([(id_, letter)])
            ]
    marks = {event: [story.record] for event in inputs}
    showing = {id_: [one.text for one in posts if one.chat_id == id_] for id_ in CHATS}
    return Evidence(HOUSE, inputs, [story], marks, posts, showing, CHATS, texts, [])


def with_room(evidence: Evidence, **changed: object) -> Evidence:
    """The evidence with its room stored otherwise."""
    stored = evidence.stories[0].stored
    stories = played_again([replace(stored, **changed)], evidence.inputs, HOUSE)
    return replace(evidence, stories=stories)


def unmarked(evidence: Evidence) -> Evidence:
    gone = next(event for event, one in evidence.inputs.items() if one.heard.text == "/who")
    return replace(evidence, marks={e: r for e, r in evidence.marks.items() if e != gone})


def never_accepted(evidence: Evidence) -> Evidence:
    event, one = next(iter(evidence.inputs.items()))
    return replace(evidence, inputs={**evidence.inputs, event: replace(one, accepted=0.0)})


def noted_twice(evidence: Evidence) -> Evidence:
    stored = evidence.stories[0].stored
    return with_room(evidence, notes=(*stored.notes[:3], stored.notes[2], *stored.notes[3:]))


def marked_twice(evidence: Evidence) -> Evidence:
    event = next(iter(evidence.marks))
    return replace(evidence, marks={**evidence.marks, event: ["r:one", "r:two"]})


def stored_otherwise(evidence: Evidence) -> Evidence:
    room = evidence.stories[0].stored.room
    return with_room(evidence, room=msgspec.structs.replace(room, step=99))


def woken_early(evidence: Evidence) -> Evidence:
    notes = list(evidence.stories[0].stored.notes)
    at = next(n for n, note in enumerate(notes) if b"woke" in note)
    before_ms = msgspec.json.decode(notes[at - 1])[0]
    notes[at] = msgspec.json.encode((before_ms + 1, "", Woke()))
    return with_room(evidence, notes=tuple(notes))


def not_posted(evidence: Evidence) -> Evidence:
    own = [one for one in evidence.posts if one.chat_id == 11]
    return replace(evidence, posts=[one for one in evidence.posts if one is not own[2]])


def swapped(evidence: Evidence) -> Evidence:
    posts = list(evidence.posts)
    one, two = [at for at, posted in enumerate(posts) if posted.chat_id == 11][1:3]
    posts[one], posts[two] = posts[two], posts[one]
    return replace(evidence, posts=posts)


def texts_swapped(evidence: Evidence) -> Evidence:
    first, second, *rest = evidence.texts
    return replace(evidence, texts=[second, first, *rest])


def a_stranger(evidence: Evidence) -> Evidence:
    posted = replace(evidence.posts[-1], text="Who is this?")
    return replace(evidence, posts=[*evidence.posts, posted])


def doubled(evidence: Evidence) -> Evidence:
    at = next(n for n, one in enumerate(evidence.posts) if one.chat_id == 11)
    posts = [*evidence.posts[: at + 1], evidence.posts[at], *evidence.posts[at + 1 :]]
    return replace(evidence, posts=posts)


def texted_twice(evidence: Evidence) -> Evidence:
    return replace(evidence, texts=[*evidence.texts, evidence.texts[-1]])


def a_board_left_behind(evidence: Evidence) -> Evidence:
    return replace(evidence, showing=dict.fromkeys(CHATS, ("Waiting for 3.",)))


def still_open(evidence: Evidence) -> Evidence:
    stored = evidence.stories[0].stored
    return with_room(evidence, room=evidence.stories[0].steps[-2].after, notes=stored.notes[:-1])


def protested(evidence: Evidence) -> Evidence:
    return replace(evidence, protests=["an unknown parameter"])


def test_an_evening_that_went_well_has_nothing_wrong() -> None:
    assert checks.violations(an_evening()) == []


@pytest.mark.parametrize(
    ("spoilt", "found"),
    [
        (unmarked, "lost"),
        (never_accepted, "not_accepted"),
        (noted_twice, "twice"),
        (marked_twice, "twice"),
        (stored_otherwise, "not_as_played"),
        (woken_early, "early_or_stale"),
        (not_posted, "missing"),
        (swapped, "disordered"),
        (texts_swapped, "disordered"),
        (a_stranger, "strangers"),
        (doubled, "doubled_for_no_reason"),
        (texted_twice, "sent_twice"),
        (a_board_left_behind, "unsettled_boards"),
        (still_open, "not_over"),
        (protested, "improper"),
    ],
)
def test_what_went_wrong_is_found(spoilt: Callable[[Evidence], Evidence], found: str) -> None:
    wrong = checks.violations(spoilt(an_evening()))
    assert found in {line.partition(":")[0] for line in wrong}


def test_a_message_may_come_twice_if_something_died_while_it_was_in_flight() -> None:
    evening = doubled(an_evening())
    first = evening.threads[1].doubles[0][0]
    killed = replace(evening, faults=[Fault("kill", first.at + 0.1, first.at + 0.2)])
    assert checks.violations(killed) == []
    later = replace(evening, faults=[Fault("kill", first.at + 9.0, first.at + 9.1)])
    assert checks.violations(later) != []
