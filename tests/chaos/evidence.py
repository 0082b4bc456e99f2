"""All that is known of an evening when it is over."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.service import Incoming
from core.table import House
from tests.chaos.door import Input
from tests.chaos.faults import Fault
from tests.chaos.stories import Story
from tests.chaos.threads import Post, Thread, compared, expected
from tests.fakes.twilio import Text


@dataclass
class Evidence:
    """All that is known in the end.

    Posts and texts are in the order in which they came; each chat is `showing` what it shows now.
    `marks`: which records each event was committed to. `addresses`: what Parlour calls each chat.
    `protests`: what the platforms stumbled over; `tracebacks` and (files with) phone `numbers` of
    the workers' logs.
    """

    house: House
    inputs: Mapping[str, Input]
    stories: Sequence[Story]
    marks: Mapping[str, Sequence[str]]
    posts: Sequence[Post]
    showing: Mapping[int, Collection[str]]
    addresses: Mapping[int, str]
    texts: Sequence[Text]
    faults: Sequence[Fault]
    protests: Sequence[str] = ()
    tracebacks: Sequence[str] = ()
    numbers: Sequence[str] = ()
    threads: list[Thread] = field(default_factory=list[Thread])

    def __post_init__(self) -> None:
        self.threads = [self._thread(chat_id, to) for chat_id, to in self.addresses.items()]

    def _thread(self, chat_id: int, address: str) -> Thread:
        letters = [
            [(id_, one) for id_, one in s.letters if one.to == address] for s in self.stories
        ]
        told = [
            event
            for event, records in self.marks.items()
            if event in self.inputs and _told_at(self.inputs[event].heard, records) == address
        ]
        posts = [one for one in self.posts if one.chat_id == chat_id]
        return compared([expected(each) for each in letters if each], len(told), posts)


def _told_at(heard: Incoming, records: Sequence[str]) -> str:
    """Where the desk answered, if it was the desk that was spoken to."""
    return (heard.place or heard.address) if f"p:{heard.address}" in records else ""
