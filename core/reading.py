"""Raw words + the open ask -> an answer, a command, or one helpful line.

The order in which a text is understood:
    1. `/word` is always the command; so are `?`, and LEAVE.
    2. `clue paper`, `vote bo`: the ask's own verb in front makes it an answer, whatever follows.
    3. A command with its argument: `kick bo`, `join ktrgw`.
    4. A carrier's keyword is nothing at all.
    5. While something is to be written, a bare word is the answer, even a command's name. Once it
       is written, a command's name is the command: it would be a sad change of mind.
    6. A bare command.
    7. A pick: by label, by name, by a number in words, by the start of a name, with one slip.
       Several in one answer have no labels: they are named one behind the other.
Anything else is `Unclear`: a line that says what to do. There is never a silent default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from core.commands import COMMANDS, NOT_A_NAME, TAKES_ARGUMENT, Command, is_reserved
from core.game import Ask, Given, Line, Lines, Option, Pick, Seat, Who, Write
from core.spelling import edits, graphemes, key, tidy, trim
from core.text import Catalogue, named

TEXT_CHARS = 200
"""Nothing that can be said here is longer."""
NAME_CHARS = 20
NAME_DIGITS = 6
"""Fewer than any phone number has."""
WORD_CHARS = 40
SIGN_CHARS = 5
"""A letter and its four marks: in some scripts one sign can be made of any number of letters."""
NAME_TOKENS = 5
MIN_PREFIX = 2
MIN_TYPO = 4
SELF = {"me", "myself", "self", "i", "im", "imtheweasel", "itsme"}
NOBODY = {"nobody", "none", "noone"}
NUMBERS = "one two three four five six seven eight nine ten".split()
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BETWEEN = {"a", "an", "and", "for", "the", "to", "with", "x"}
"""What people write between the several things they name."""


class Answer(Struct, frozen=True):
    """The text answers the open ask, or the offer."""

    ask: Ask
    given: Given


class Unclear(Struct, frozen=True):
    """The text can't be understood here; the line says what can."""

    line: Line


Keys: TypeAlias = Mapping[str, set[str]]
"""By the value of each option, what it can be called by, folded."""


class Called(Struct, frozen=True):
    """What options are called here: by the names at the table, and by the words of a catalogue."""

    names: Mapping[Seat, str]
    words: Catalogue

    def keys(self, options: tuple[Option, ...]) -> Keys:
        """All that each of the options can be called by."""
        return {option.value: self._keys(option) for option in options}

    def _keys(self, option: Option) -> set[str]:
        text = self.words.shown(option.shown)
        shown = {key(named(form, self.names.__getitem__)) for form in (text.full, text.short)}
        return shown if isinstance(option.shown, Who) else {*shown, key(option.value)}


def read(
    text: str, ask: Ask | None, called: Called, offer: Ask | None = None
) -> Answer | Command | Unclear:
    """What a seat means by `text`. An `offer` is only taken up by its verb."""
    typed = tidy(text)
    if len(typed) > TEXT_CHARS:
        return Unclear(Line("write-shorter", {"count": TEXT_CHARS}))
    if typed.startswith("/"):
        return _slash(typed[1:], (ask, offer), called)
    first, _, rest = typed.partition(" ")
    word, rest = key(first), rest.strip()
    if key(typed) == "leave":
        return Unclear(Line("leave-how")) if "?" in typed else Command("leave")
    if typed and not typed.strip(" .!?") and "?" in typed:
        return Command("rules")
    wanted = next((one for one in (ask, offer) if one and word == one.verb), None)
    if wanted and rest:
        return _answer(rest, wanted, called, explicit=True)
    if offer and wanted is offer:
        return Unclear(offer.line)
    if rest and word in COMMANDS and COMMANDS[word] in TAKES_ARGUMENT:
        return Command(COMMANDS[word], rest)
    if is_reserved(typed):
        return Unclear(Line("reserved-word", {"word": trim(typed).upper()}))
    writing = ask is not None and isinstance(ask.answer, Write) and ask.answered is None
    if not rest and word in COMMANDS and not writing:
        return Command(COMMANDS[word])
    if ask:
        return _answer(typed, ask, called, explicit=False)
    return Unclear(Line("not-understood"))


def label(ask: Ask, at: int) -> str:
    """What an option is called in a list: digits in odd rounds, letters in even ones.

    A late `2` can then not vote in the next round. Options that are numbers are called themselves;
    those of which several are picked have no labels.
    """
    options = ask.answer.options if isinstance(ask.answer, Pick) else ()
    if ask.several:
        return ""
    if all(isinstance(option.shown, int) for option in options):
        return options[at].value
    if ask.number % 2:
        return str(at + 1)
    return LETTERS[at // len(LETTERS) - 1] * (at >= len(LETTERS)) + LETTERS[at % len(LETTERS)]


def clean_name(typed: str) -> str | None:
    """The name a person can be called by, or None if it won't do."""
    whole = graphemes(trim(tidy(typed))[: NAME_CHARS * SIGN_CHARS])
    name = trim("".join(whole[:NAME_CHARS]))
    bare = key(name)
    taken = bare in {*COMMANDS, *NOT_A_NAME, *NUMBERS} or is_reserved(bare)
    numeric = bare.isdigit() or sum(ch.isdigit() for ch in bare) > NAME_DIGITS
    return None if len(bare) < MIN_PREFIX or taken or numeric else name


def _length(words: str) -> int:
    """How many signs a person sees; more, where too many letters are put together to one."""
    return max(len(graphemes(words)), -(-len(words) // SIGN_CHARS))


def _slash(typed: str, asks: tuple[Ask | None, ...], called: Called) -> Answer | Command | Unclear:
    first, _, rest = typed.partition(" ")
    word = key(first)
    if word in COMMANDS:
        return Command(COMMANDS[word], rest.strip())
    wanted = next((one for one in asks if one and word == one.verb), None)
    if wanted and rest:
        return _answer(rest, wanted, called, explicit=True)
    return Unclear(Line("no-such-command", {"word": f"/{trim(first)}"}))


def _answer(typed: str, ask: Ask, called: Called, *, explicit: bool) -> Answer | Unclear:
    match ask.answer:
        case Write() as wanted:
            given = _written(typed, wanted, ask, called.names, explicit=explicit)
        case Pick(at_most=1) as wanted:
            given = _picked(typed, wanted, ask, called.keys(wanted.options))
        case Pick() as wanted:
            given = _several(typed, wanted, ask, called.keys(wanted.options))
    return Answer(ask, given) if isinstance(given, Given) else given


def _written(
    typed: str, wanted: Write, ask: Ask, names: Mapping[Seat, str], *, explicit: bool
) -> Given | Unclear:
    words = trim(typed)
    bare = key(words)
    if not bare:
        return Unclear(Line("write-letters"))
    if is_reserved(words) or bare == "leave":
        return Unclear(Line("reserved-word", {"word": words.upper()}))
    if len(words.split()) > wanted.max_words:
        return Unclear(Line("write-fewer-words", {"count": wanted.max_words}))
    if _length(words) > wanted.max_chars:
        return Unclear(Line("write-shorter", {"count": wanted.max_chars}))
    late_vote = bare.isdigit() or len(bare) == 1 or bare in {"me", *map(key, names.values())}
    if late_vote and not explicit:
        return Unclear(Line("as-your-answer", {"verb": ask.verb, "word": words}))
    return Given(words=words)


def _picked(typed: str, wanted: Pick, ask: Ask, keys: Keys) -> Given | Unclear:
    # Whoever was asked for a word may write one: only a whole name is a change of mind then.
    before = wanted.option(ask.answered.picked[0]) if ask.answered else None
    word_wanted = before is not None and before.word is not None
    found = _match(typed, ask, wanted, keys, whole=word_wanted)
    if isinstance(found, Option):
        return _keeping_word(found, ask)
    if any(option.word for option in wanted.options):
        tokens = re.split(r"[\s:,]+", typed)
        for at in range(len(tokens) - 1, 0, -1):
            head = _match(" ".join(tokens[:at]), ask, wanted, keys, whole=word_wanted)
            if isinstance(head, Option):
                return _with_word(head, " ".join(tokens[at:]))
        if before and word_wanted and not found and not key(typed).isdigit():
            return _guessed(before.value, typed)
    if found:
        return Unclear(Line("which-one", {"who": _listed(tuple(found))}))
    return Unclear(Line("pick-one", {"who": _listed(wanted.options)}))


def _keeping_word(option: Option, ask: Ask) -> Given:
    same = ask.answered is not None and ask.answered.picked == (option.value,)
    return ask.answered if same and ask.answered else Given((option.value,))


def _with_word(option: Option, words: str) -> Given | Unclear:
    if option.word:
        return _guessed(option.value, words)
    return Unclear(Line("no-word-with", {"who": option.shown}))


def _guessed(named: str, typed: str) -> Given | Unclear:
    words = trim(typed)
    if not key(words):
        return Unclear(Line("write-letters"))
    if _length(words) > WORD_CHARS:
        return Unclear(Line("write-shorter", {"count": WORD_CHARS}))
    return Given((named,), words)


def _several(typed: str, wanted: Pick, ask: Ask, keys: Keys) -> Given | Unclear:
    """Options named one behind the other: `rabbit, 2 pig to Ann Lee`. Or `none`."""
    tokens = [token for token in re.split(r"[\s,;:+&]+", typed) if key(token)]
    picked: list[str] = []
    times = 1
    while tokens:
        if (count := _count(tokens[0])) and tokens[1:]:
            times, tokens = count, tokens[1:]
        found, taken = _longest(tokens, ask, wanted, keys)
        if isinstance(found, Option):
            picked += [found.value] * times
        elif found:
            return Unclear(Line("which-one", {"who": _listed(tuple(found))}))
        elif key(tokens[0]) not in BETWEEN | NOBODY:
            break
        times, tokens = 1, tokens[taken:]
    often = next((one for one in wanted.options if picked.count(one.value) > one.times), None)
    if often and not tokens:
        return Unclear(Line("picked-too-often", {"what": often.shown, "times": often.times}))
    if not tokens and wanted.at_least <= len(picked) <= wanted.at_most:
        return Given(tuple(picked))
    some = "pick-exactly" if wanted.at_least == wanted.at_most else "pick-some"
    counts = {"least": wanted.at_least, "most": wanted.at_most}
    return Unclear(Line(some, {"who": _listed(wanted.options), **counts}))


def _count(token: str) -> int:
    """How many a token says; 0 if it is no number."""
    meant = key(token).removesuffix("x")
    if meant in NUMBERS:
        return NUMBERS.index(meant) + 1
    return int(meant) if meant.isdecimal() and len(meant) <= 2 else 0  # noqa: PLR2004  (two digits)


def _longest(
    tokens: list[str], ask: Ask, wanted: Pick, keys: Keys
) -> tuple[Option | list[Option], int]:
    """What the next tokens name, as many as make a whole name; and how many those are."""
    for taken in range(min(len(tokens), NAME_TOKENS), 1, -1):
        # In `rabbit 2 pig` the number belongs to what follows, unless somebody is called Rabbit 2.
        whole = any(map(_count, tokens[1:taken]))
        found = _match(" ".join(tokens[:taken]), ask, wanted, keys, whole=whole)
        if found:
            return found, taken
    return _match(tokens[0], ask, wanted, keys), 1


def meant_by(typed: str, options: tuple[Option, ...], called: Called) -> Option | list[Option]:
    """The one of some options that is meant; else the several it could be; else an empty list."""
    pick = Pick(options)
    return _match(typed, Ask("pick/1", "", Line("ask-variant"), pick), pick, called.keys(options))


def _match(
    typed: str, ask: Ask, wanted: Pick, keys: Keys, *, whole: bool = False
) -> Option | list[Option]:
    """The one option meant; else the several it could be; else an empty list.

    `whole`: a number in words, the start of a name, a name with a slip won't do.
    """
    meant = key(typed)
    options = wanted.options
    labels = {option.value: key(label(ask, at)) for at, option in enumerate(options)}
    digit = str(NUMBERS.index(meant) + 1) if meant in NUMBERS else ""
    words_for = {ask.to: SELF, "nobody": NOBODY}
    rules: tuple[Callable[[Option], bool], ...] = (
        lambda option: labels[option.value] == meant != "",
        lambda option: meant in keys[option.value],
        lambda option: meant in words_for.get(option.value, ()),
        lambda option: labels[option.value] == digit != "",
        lambda option: len(meant) >= _fewest(option) and _begins(keys[option.value], meant),
        lambda option: len(meant) >= MIN_TYPO and _slipped(keys[option.value], meant),
    )
    for rule in rules[:3] if whole else rules:
        found = [option for option in options if rule(option)]
        if found:
            return found[0] if len(found) == 1 else found
    return []


def _fewest(option: Option) -> int:
    """Of how many letters a beginning is: two of a name, three of a thing (`do` is no Dog)."""
    return MIN_PREFIX if isinstance(option.shown, Who) else MIN_PREFIX + 1


def _begins(names: set[str], meant: str) -> bool:
    return any(name.startswith(meant) for name in names)


def _slipped(names: set[str], meant: str) -> bool:
    return any(len(name) >= MIN_TYPO and edits(name, meant) == 1 for name in names)


def _listed(options: tuple[Option, ...]) -> Lines:
    return Lines(tuple(Line("one-of-them", {"one": option.shown}) for option in options))
