"""Who hears what, where: what was said becomes letters, at most one a destination.

Room lines go to the room's public place, and once more to every seat that hears them in its own
thread. What is told to a seat, and what it is asked, goes to its own thread only. All lines for one
destination are joined into one letter: an SMS costs money, a group may hear twenty a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from core.game import Ask, Line, Option, Pick, Say, ScoreCard, Seat
from core.reading import label
from core.room import Room, Seated
from core.text import Catalogue, Text


class Button(Struct, frozen=True):
    """Something to press: what it says, what it sends, and what it is called in a list."""

    text: str
    data: str
    label: str = ""


class Letter(Struct, frozen=True):
    """One message for one destination: a row of the outbox.

    `text` and `short` are its two forms (`core.text`), with marks for seats that `names` resolves.
    `status` names the message it replaces where the platform can edit; `secret` says that it holds
    what only this seat may know; past `until_ms` it is no longer worth sending. `score_card` is
    what a platform that can draw adds to the text, which says all of it that matters.
    """

    to: str
    text: str
    short: str
    room: str = ""
    seat: Seat = ""
    names: Mapping[Seat, str] = {}
    buttons: tuple[Button, ...] = ()
    status: str = ""
    secret: bool = False
    until_ms: int | None = None
    score_card: ScoreCard[str] | None = None


class Draft:
    """The parts of a letter as they come in."""

    def __init__(self, to: str, seat: Seat = "") -> None:
        """An empty letter to `to`."""
        self.to, self.seat = to, seat
        self.parts: list[Text] = []
        self.buttons: tuple[Button, ...] = ()
        self.status = ""
        self.secret = False
        self.score_card: ScoreCard[str] | None = None

    def letter(self, room: Room) -> Letter:
        """The letter made of the parts."""
        return Letter(
            to=self.to,
            text="\n".join(part.full for part in self.parts if part.full),
            short="\n".join(part.short for part in self.parts if part.short),
            room=room.id,
            seat=self.seat,
            names=room.names,
            buttons=self.buttons,
            status=self.status,
            secret=self.secret,
            score_card=self.score_card,
        )


class Mail:
    """The letters of one decision, in the order their destinations were first spoken to."""

    def __init__(self, room: Room, words: Catalogue) -> None:
        """Mail about `room` as it is after the decision."""
        self.room, self.words = room, words
        self._drafts: dict[tuple[str, str], Draft] = {}

    def say(self, says: Iterable[Say]) -> None:
        """Deliver what was said."""
        for say in says:
            text = self.words.render(say.line)
            if say.to is not None:
                self._own(self.room.seated(say.to), text, secret=True)
                continue
            if self.room.place:
                self._draft(self.room.place).parts.append(text)
            for one in self.room.here:
                if not (one.public and self.room.place):
                    self._own(one, text, secret=False)

    def answer(self, to: str, seat: Seat, lines: Iterable[Line], *, secret: bool) -> None:
        """Answer whoever did something, where they did it."""
        for line in lines:
            draft = self._draft(to, seat)
            draft.parts.append(self.words.render(line))
            draft.secret = draft.secret or secret

    def ask(self, ask: Ask) -> None:
        """Put a question to a seat."""
        seated = self.room.seated(ask.to)
        if seated.address and seated.open:
            draft = self._draft(seated.address, seated.seat)
            draft.parts.append(question(self.words, ask))
            draft.buttons = buttons(self.words, self.room, ask)
            draft.secret = True

    def menu(self, ask: Ask) -> None:
        """Show the host what can be chosen; where the platform can, in place of the last time.

        In the public place, as long as the host's own thread takes no messages.
        """
        seated = self.room.seated(ask.to)
        to = seated.address if seated.open else self.room.place
        draft = self._draft(to, seated.seat, status=ask.verb)
        draft.parts.append(question(self.words, ask))
        draft.buttons = buttons(self.words, self.room, ask)
        draft.status = ask.verb

    def board(self, status: str, shown: str, line: Line) -> str:
        """Show the public place who is waited for, under what it was `shown` about it.

        Nothing shown yet: the status goes under this decision's own lines. Otherwise it replaces
        the message that `status` names. Gives what is shown above the status line.
        """
        draft = self._draft(self.room.place, status=status if shown else "")
        if shown:
            draft.parts.append(Text(shown, ""))
        shown = "\n".join(part.full for part in draft.parts)
        draft.parts.append(self.words.render(line))
        draft.buttons = (show_mine(self.words, self.room),)
        draft.status = status
        return shown

    def add(self, card: ScoreCard[Line]) -> None:
        """Add the score card to every letter that tells the room of the game's end."""
        worded = in_words(self.words, card)
        hear = {one.address for one in self.room.here if not (one.public and self.room.place)}
        for (to, _), draft in self._drafts.items():
            if to == self.room.place or to in hear:
                draft.score_card = worded

    def letters(self) -> tuple[Letter, ...]:
        """All letters that say something to whoever they are for."""
        made = [draft.letter(self.room) for draft in self._drafts.values()]
        texting = {one.address for one in self.room.seats if one.texting}
        return tuple(one for one in made if (one.short if one.to in texting else one.text))

    def _draft(self, to: str, seat: Seat = "", status: str = "") -> Draft:
        """The letter to `to`, as far as it is written; one that replaces another is apart."""
        return self._drafts.setdefault((to, status), Draft(to, seat))

    def _own(self, seated: Seated, text: Text, *, secret: bool) -> None:
        unpaid = seated.away and seated.texting and not secret
        if seated.address and seated.open and not unpaid:
            draft = self._draft(seated.address, seated.seat)
            draft.parts.append(text)
            draft.secret = draft.secret or secret


def in_words(words: Catalogue, card: ScoreCard[Line]) -> ScoreCard[str]:
    """A score card in its full form, with marks where names stand."""
    return ScoreCard(
        title=words.render(card.title).full,
        rounds=card.rounds,
        total=words.render(card.total).full,
        scores=card.scores,
        winners=card.winners,
        notes=tuple(words.render(note).full for note in card.notes),
    )


def question(words: Catalogue, ask: Ask) -> Text:
    """A question in both forms; the short one lists what can be picked."""
    text = words.render(ask.line)
    if not isinstance(ask.answer, Pick) or not text.short:
        return text
    rows = [
        f"{label(ask, at)} {noted(words, option).short}"
        for at, option in enumerate(ask.answer.options)
        if not isinstance(option.shown, int)
    ]
    return Text(text.full, "\n".join((text.short, *rows)))


def buttons(words: Catalogue, room: Room, ask: Ask) -> tuple[Button, ...]:
    """The buttons of a question: `room:ask:option`, at most 64 bytes."""
    if not isinstance(ask.answer, Pick):
        return ()
    return tuple(
        Button(noted(words, option).full, f"{room.id}:{ask.id}:{option.value}", label(ask, at))
        for at, option in enumerate(ask.answer.options)
    )


def show_mine(words: Catalogue, room: Room) -> Button:
    """The button in a public place that shows the presser, and nobody else, their own card."""
    return Button(words.render(Line("show-mine")).full, f"{room.id}:look:")


def noted(words: Catalogue, option: Option) -> Text:
    """What an option is called, and what is noted about it."""
    called = words.shown(option.shown)
    if not option.note:
        return called
    return Text(f"{called.full}: {option.note}", f"{called.short}: {option.note}")
