"""Who hears what, where: what was said becomes letters, at most one a destination.

Room lines go to the room's public place, and once more to every seat that hears them in its own
thread. What is told to a seat, and what it is asked, goes to its own thread only. All lines for one
destination are joined into one letter: an SMS costs money, a group may hear twenty a minute.

Theory of operation of a scene. A game in which much happens between two questions has scenes: what
it says to the room is then added to one message, for the public place and for every thread, which
is edited in place. Whoever pays for each message is not sent what is said aside; it is held until
something is asked of that seat, or said for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from core.game import Ask, Line, Lines, Option, Pick, Place, Ring, Say, Scene, ScoreCard, Seat
from core.reading import label
from core.room import Playing, Room, Seated
from core.text import Catalogue, Text, named

DONE = ""
"""What the button sends that ends an answer of several."""
TICK = "✓ "
BOARD_CHARS, HELD_LINES = 3_000, 60
"""So much of a scene is kept on its message, and so many lines for whoever pays for each."""
HELD_CHARS, TEXT_CHARS, NAME_CHARS = 240, 430, 8
"""So much of what was held goes into one text at most, and as little as three segments leave."""


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
    what a platform that can draw adds to the text, which says all of it that matters. `again`: it
    was lost on its way before, and is not sent a third time.
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
    ring: Ring[str] | None = None
    again: bool = False


class Draft:
    """The parts of a letter as they come in."""

    def __init__(self, to: str, seat: Seat = "") -> None:
        """An empty letter to `to`."""
        self.to, self.seat = to, seat
        self.parts: list[Text] = []
        self.buttons: tuple[Button, ...] = ()
        self.status = ""
        self.secret = False
        self.takes_held = False
        self.score_card: ScoreCard[str] | None = None
        self.ring: Ring[str] | None = None

    @property
    def short(self) -> str:
        """What it says in a text."""
        return "\n".join(part.short for part in self.parts if part.short)

    def letter(self, room: Room, held: tuple[str, ...] = ()) -> Letter:
        """The letter made of the parts, below what was held."""
        return Letter(
            to=self.to,
            text="\n".join(part.full for part in self.parts if part.full),
            short="\n".join(filter(None, (*held, self.short))),
            room=room.id,
            seat=self.seat,
            names=room.names,
            buttons=self.buttons,
            status=self.status,
            secret=self.secret or bool(held),
            score_card=self.score_card,
            ring=self.ring,
        )


class Mail:
    """The letters of one decision, in the order their destinations were first spoken to.

    `told` is what the scene's message gains, `held` what waits for whoever pays for each message.
    """

    def __init__(
        self, room: Room, words: Catalogue, scene: Scene | None = None,
        before: Playing | None = None,
    ) -> None:  # fmt: skip
        """Mail about `room` as it is after the decision, the scene it is in, and what was before.

        The stage before has the board, and what was held.
        """
        self.room, self.words, self.scene = room, words, scene
        self.told: list[Text] = []
        held: Mapping[Seat, tuple[str, ...]] = before.held if before else {}
        self.held = {seat: list(lines) for seat, lines in held.items()}
        self._board = before.board if before else ("", "")
        self._same = scene is not None and scene.name == self._board[0]
        self._over: list[Text] = []
        self._boards: list[Draft] = []
        self._drafts: dict[tuple[str, str], Draft] = {}

    def say(self, says: Iterable[Say]) -> None:
        """Deliver what was said."""
        for say in says:
            text = self.words.render(say.line)
            if say.to is not None:
                self._tell(self.room.seated(say.to), text, can_wait=say.aside)
                continue
            if say.opens and self._board[0] and not self._same:
                # What is told so far came of the scene before.
                self._over, self.told = [*self._over, *self.told], []
            if self.scene:
                self.told.append(text)
            elif self.room.place:
                self._draft(self.room.place).parts.append(text)
            for one in self._listening():
                if one.texting and say.aside:
                    self._hold(one, text)
                elif one.texting or not self.scene:
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
        if seated.address and seated.open and seated.plays:
            status = ask.id if ask.several and not seated.texting else ""
            picked = self.room.marked(ask) if ask.several else ()
            draft = self._draft(seated.address, seated.seat, status)
            draft.parts.append(question(self.words, ask))
            if picked and isinstance(ask.answer, Pick):
                draft.parts.append(self.words.render(so_far(ask.answer, picked)))
            draft.buttons = buttons(self.words, self.room, ask, picked)
            draft.status = status
            draft.secret = draft.takes_held = True

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

    def show(self, scene: Scene, line: Line) -> tuple[str, str]:
        """Show everybody the scene, `line` below it. Gives its name, and what is above the line."""
        if self._over:
            self._set_board(self._board, self._over, None)
        return self._set_board(
            self._board if self._same else (scene.name, ""), self.told, self.words.render(line)
        )

    def close(self) -> None:
        """The game is over: nobody is waited for any more under what was shown last."""
        if self._board[1]:
            self._set_board(self._board, [], None)

    def _set_board(
        self, board: tuple[str, str], told: list[Text], status: Text | None
    ) -> tuple[str, str]:
        """Add what was told to a scene's message, wherever it is shown."""
        name, shown = board
        above = "\n".join(filter(None, (shown, *(text.full for text in told))))
        if len(above) > BOARD_CHARS:
            above = above[-BOARD_CHARS:].partition("\n")[2]
        seats = [(one.address, one.seat) for one in self._listening() if not one.texting]
        place = [(self.room.place, "")] if self.room.place else []
        for to, seat in (*place, *seats):
            draft = self._draft(to, seat, name)
            self._boards.append(draft)
            draft.parts = [Text(above, ""), *((status,) if status else ())]
            draft.status = name
            if to == self.room.place and status:
                draft.buttons = (show_mine(self.words, self.room),)
        return name, above

    def draw(self, to: str, ring: Ring[Line]) -> None:
        """Add who sits where to the letter to `to`."""
        self._draft(to).ring = self._ring(ring)

    def _ring(self, ring: Ring[Line]) -> Ring[str]:
        return Ring(
            title=self.words.render(ring.title).full,
            places=tuple(
                Place(place.seat, self._full(place.labels), self._full(place.notes))
                for place in ring.places
            ),
            notes=self._full(ring.notes),
        )

    def _full(self, lines: tuple[Line, ...]) -> tuple[str, ...]:
        return tuple(self.words.render(line).full for line in lines)

    def add(self, picture: ScoreCard[Line] | Ring[Line]) -> None:
        """Add the score card, or who sat where, to every letter that tells of the game's end."""
        card = in_words(self.words, picture) if isinstance(picture, ScoreCard) else None
        ring = self._ring(picture) if isinstance(picture, Ring) else None
        hear = {one.address for one in self.room.here if not (one.public and self.room.place)}
        for (to, _), draft in self._drafts.items():
            if to == self.room.place or to in hear:
                draft.score_card, draft.ring = card, ring

    def letters(self) -> tuple[Letter, ...]:
        """All letters that say something to whoever they are for."""
        texting = {one.address for one in self.room.seats if one.texting}
        made: list[Letter] = []
        # What has happened is read before what is asked.
        for draft in sorted(self._drafts.values(), key=lambda one: one not in self._boards):
            waiting = draft.takes_held and draft.to in texting
            held = self.held.pop(draft.seat, []) if waiting else []
            made.append(draft.letter(self.room, latest(held, draft.short)))
        return tuple(one for one in made if (one.short if one.to in texting else one.text))

    def _draft(self, to: str, seat: Seat = "", status: str = "") -> Draft:
        """The letter to `to`, as far as it is written; one that replaces another is apart."""
        return self._drafts.setdefault((to, status), Draft(to, seat))

    def _tell(self, seated: Seated, text: Text, *, can_wait: bool) -> None:
        if can_wait and seated.gone:
            return  # whoever has left is not written to about the game
        if seated.texting and can_wait:
            self._hold(seated, text)
        else:
            self._own(seated, text, secret=True)

    def _listening(self) -> Iterable[Seated]:
        """All who hear the room in their own thread."""
        for one in self.room.here:
            if one.address and one.open and not (one.public and self.room.place):
                yield one

    def _own(self, seated: Seated, text: Text, *, secret: bool) -> None:
        unpaid = seated.away and seated.texting and not secret
        if seated.address and seated.open and not unpaid:
            draft = self._draft(seated.address, seated.seat)
            draft.parts.append(text)
            draft.secret = draft.secret or secret
            draft.takes_held = draft.takes_held or bool(text.short)

    def _hold(self, seated: Seated, text: Text) -> None:
        if text.short and not seated.away:
            lines = self.held.get(seated.seat, [])
            self.held[seated.seat] = [*lines, text.short][-HELD_LINES:]


def latest(held: Sequence[str], below: str = "") -> tuple[str, ...]:
    """What was held, as much of the latest as goes into a text; SCORES tells how things are."""
    kept: list[str] = []
    left = min(HELD_CHARS, TEXT_CHARS - _length(below))
    for line in reversed(held):
        left -= _length(line) + 1
        if left < 0:
            return ("...", *reversed(kept))
        kept.append(line)
    return tuple(reversed(kept))


def _length(text: str) -> int:
    """How many characters a text takes, with the longest names a text has."""
    return len(named(text, lambda _: "n" * NAME_CHARS))


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
    """A question in both forms; the short one lists what can be picked.

    Where several can be picked, the options have no labels, and each tells how often it can be.
    """
    text = words.render(ask.line)
    if not isinstance(ask.answer, Pick) or not text.short:
        return text
    if not ask.answer.listed:
        return text
    if ask.several:
        things = (
            f"{one.times} {words.shown(one.shown).short}" if one.times > 1 else
            words.shown(one.shown).short
            for one in ask.answer.options
        )  # fmt: skip
        return Text(text.full, f"{text.short}\n{', '.join(things)}")
    rows = [
        f"{label(ask, at)} {noted(words, option).short}"
        for at, option in enumerate(ask.answer.options)
        if not isinstance(option.shown, int)
    ]
    return Text(text.full, "\n".join((text.short, *rows)))


def buttons(
    words: Catalogue, room: Room, ask: Ask, picked: tuple[str, ...] = ()
) -> tuple[Button, ...]:
    """The buttons of a question: `room:ask:option`, at most 64 bytes. What is `picked` is ticked.

    Where there may be more or fewer, one more button says that the answer is whole.
    """
    if not isinstance(ask.answer, Pick):
        return ()
    shown = tuple(
        Button(
            TICK * picked.count(option.value) + noted(words, option).full,
            f"{room.id}:{ask.id}:{option.value}",
            label(ask, at),
        )
        for at, option in enumerate(ask.answer.options)
    )
    if not ask.several or ask.answer.at_least == ask.answer.at_most:
        return shown
    return (*shown, Button(words.render(Line("done")).full, f"{room.id}:{ask.id}:{DONE}"))


def so_far(pick: Pick, picked: tuple[str, ...], key: str = "picked-so-far") -> Line:
    """What is picked of several, in the order it was."""
    chosen = (pick.option(value) for value in picked)
    what = (Line("one-of-them", {"one": one.shown}) for one in chosen if one)
    return Line(key, {"who": Lines(tuple(what))})


def show_mine(words: Catalogue, room: Room) -> Button:
    """The button in a public place that shows the presser, and nobody else, their own card."""
    return Button(words.render(Line("show-mine")).full, f"{room.id}:look:")


def noted(words: Catalogue, option: Option) -> Text:
    """What an option is called, and what is noted about it."""
    called = words.shown(option.shown)
    if not option.note:
        return called
    return Text(f"{called.full}: {option.note}", f"{called.short}: {option.note}")
