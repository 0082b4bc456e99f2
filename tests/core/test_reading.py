"""Raw words and the open question make an answer, a command, or one helpful line."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from core import text
from core.commands import COMMANDS, NOT_A_NAME, RESERVED, Command
from core.game import Arg, Ask, Given, Line, Lines, Option, Pick, Who, Write
from core.reading import Answer, Called, Unclear, clean_name, label, read
from core.spelling import graphemes

NAMES = {"s1": "Ann", "s2": "Bo", "s3": "Beatrice", "s4": "Bernard", "s5": "Ann 2", "s6": "Zoë"}
SELF_LINE = Line("ask-word")
CALLED = Called(NAMES, text.load())


def asks(kind: str, number: int, answered: Given | None = None) -> Ask:
    """The questions of the game: `clue`, `vote`, `number`."""
    seats = tuple(Option(seat, Who(seat)) for seat in NAMES)
    with_a_word = {
        one: tuple(
            replace(seat, word=SELF_LINE) if (seat.value == "s2") == (one == "self") else seat
            for seat in seats
        )
        for one in ("self", "other")
    }
    answers = {
        "clue": Write(),
        "vote": Pick(with_a_word["self"]),
        "number": Pick(tuple(Option(str(n), n) for n in range(1, 7))),
        "team": Pick(seats, at_least=2, at_most=3),
        "whom": Pick((*seats, Option("nobody", "nobody"))),
        "accuse": Pick(with_a_word["other"]),
    }
    return Ask(f"{kind}/{number}", "s2", Line(f"ask-{kind}"), answers[kind], answered)


CLUE, VOTE, LATE_VOTE, NUMBER = asks("clue", 3), asks("vote", 3), asks("vote", 4), asks("number", 2)


def listed(*shown: Arg) -> Lines:
    return Lines(tuple(Line("one-of-them", {"one": one}) for one in shown))


def refusal(typed: str, ask: Ask | None) -> str:
    meant = read(typed, ask, CALLED)
    assert isinstance(meant, Unclear), meant
    return meant.line.key


def answer(typed: str, ask: Ask) -> Given:
    meant = read(typed, ask, CALLED)
    assert isinstance(meant, Answer), meant
    return meant.given


def picked(typed: str, ask: Ask) -> str:
    return " ".join(NAMES.get(one, one) for one in answer(typed, ask).picked)


# --- a word against a command ---


@pytest.mark.parametrize("word", sorted(COMMANDS.keys() - {"leave"}))
def test_while_a_word_is_asked_for_a_bare_word_is_the_answer(word: str) -> None:
    for typed in (word, word.upper(), f"{word.title()}.", f"clue {word}", f"/clue {word}"):
        assert answer(typed, CLUE).words.casefold() == word


@pytest.mark.parametrize("ask", [CLUE, VOTE, NUMBER, None])
@pytest.mark.parametrize("word", sorted(COMMANDS))
def test_a_slash_is_always_the_command(word: str, ask: Ask | None) -> None:
    assert read(f"/{word}", ask, CALLED) == Command(COMMANDS[word])
    assert read(f"/{word.upper()}  some more ", ask, CALLED) == Command(COMMANDS[word], "some more")


@pytest.mark.parametrize("ask", [CLUE, VOTE, NUMBER, None])
@pytest.mark.parametrize("word", ["new", "join", "kick", "finish", "wrap", "name", "pace", "bot"])
def test_a_command_with_its_argument_is_the_command(word: str, ask: Ask | None) -> None:
    assert read(f"{word} Some More", ask, CALLED) == Command(COMMANDS[word], "Some More")


@pytest.mark.parametrize("word", sorted(COMMANDS))
@pytest.mark.parametrize("ask", [VOTE, NUMBER, None])
def test_while_no_word_is_asked_for_a_bare_command_is_the_command(
    word: str, ask: Ask | None
) -> None:
    assert read(f" {word.title()}! ", ask, CALLED) == Command(COMMANDS[word])


@pytest.mark.parametrize("ask", [CLUE, VOTE, NUMBER, None])
@pytest.mark.parametrize(
    "typed", ["leave", "LEAVE", "Leave!", " leave. ", "ＬＥＡＶＥ", "le\u200bave"]
)
def test_leave_is_always_leave(typed: str, ask: Ask | None) -> None:
    assert read(typed, ask, CALLED) == Command("leave")


@pytest.mark.parametrize("ask", [CLUE, VOTE, NUMBER, None])
@pytest.mark.parametrize("typed", ["?", " ? ", "??", "?!", "？"])
def test_a_question_mark_always_asks_for_the_rules(typed: str, ask: Ask | None) -> None:
    assert read(typed, ask, CALLED) == Command("rules")


@pytest.mark.parametrize("typed", ["clue leave", "/clue Leave", "clue LEAVE!"])
def test_leave_is_refused_as_a_clue(typed: str) -> None:
    assert refusal(typed, CLUE) == "reserved-word"


def test_a_question_mark_is_refused_as_a_clue() -> None:
    assert refusal("clue ?", CLUE) == "write-letters"


def keywords() -> Iterator[str]:
    shapes = ("{}", "“{}”", "{}.", " {}! ", "*{}*")
    for word, shape in product(sorted(RESERVED), shapes):
        yield shape.format(word.upper())
    yield from ("Stop", "ＳＴＯＰ", "st\u200bop", "sto\u00adp", "opt-out", "Opt Out", "stop all")
    yield from ("sí", "arrêt", "“ＳＴＯＰ．”", "STOP\ufe0f", "s\u0336t\u0336o\u0336p\u0336")


@pytest.mark.parametrize("typed", list(keywords()))
def test_a_carriers_keyword_is_nothing_at_all(typed: str) -> None:
    for ask in (CLUE, VOTE, NUMBER, None):
        assert refusal(typed, ask) == "reserved-word"
    assert refusal(f"clue {typed}", CLUE) == "reserved-word"
    assert refusal(f"/clue {typed}", CLUE) == "reserved-word"
    assert clean_name(typed) is None


def test_a_command_that_there_is_not_is_named() -> None:
    assert read("/dance!", CLUE, CALLED) == Unclear(Line("no-such-command", {"word": "/dance"}))
    for typed in ("/", "//", "/stop", "/vote bo", "/clue"):
        assert refusal(typed, CLUE) == "no-such-command"


@pytest.mark.parametrize("typed", ["", "   ", "\u200b", "hello there", "🏖", "scores please"])
def test_what_means_nothing_is_said_to_mean_nothing(typed: str) -> None:
    assert refusal(typed, None) == "not-understood"


@pytest.mark.parametrize("ask", [CLUE, VOTE, NUMBER, None])
@pytest.mark.parametrize(
    "typed", ["ab " * 3_334, "a" * 10_000, "clue " + "a" * 10_000, "/" * 10_000]
)
def test_ten_thousand_characters_are_too_many(typed: str, ask: Ask | None) -> None:
    assert refusal(typed, ask) == "write-shorter"


# --- something written ---


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("paper", "paper"), ("Paper.", "Paper"), ("“paper”", "paper"), ("clue paper", "paper"),
        ("CLUE: paper", "paper"), ("/clue paper", "paper"), ("well-known", "well-known"),
        ("don't", "don't"), ("x2", "x2"), ("café", "café"), ("ПИСЬМО", "ПИСЬМО"), ("纸", "纸"),
        ("a" * 24, "a" * 24), ("clue clue", "clue"), ("clue", "clue"),
    ],
)  # fmt: skip
def test_one_word_is_a_clue(typed: str, words: str) -> None:
    if len(words) > 1:
        assert answer(typed, CLUE) == Given(words=words)
    assert answer(f"clue {words}", CLUE) == Given(words=words)


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("two words", "write-fewer-words"),
        ("clue two words", "write-fewer-words"),
        ("a" * 25, "write-shorter"),
        ("🦁", "write-letters"),
        ("!!!", "write-letters"),
        ("", "write-letters"),
        ("clue 🦁🦁", "write-letters"),
    ],
)
def test_a_clue_that_will_not_do_is_never_cut_to_size(typed: str, line: str) -> None:
    assert refusal(typed, CLUE) == line


@pytest.mark.parametrize(
    "typed", ["2", "２", "①", "2.", "#2", "2)", "12", "b", "B)", "Bo", "bo.", "BO", "ann 2", "me"]
)
def test_what_could_be_a_late_vote_is_asked_back(typed: str) -> None:
    line = refusal(typed, CLUE)
    assert line == ("write-fewer-words" if " " in typed else "as-your-answer")


@pytest.mark.parametrize("typed", ["2", "b", "Bo", "me"])
def test_asked_back_and_said_again_it_is_the_clue(typed: str) -> None:
    meant = read(typed, CLUE, CALLED)
    assert meant == Unclear(Line("as-your-answer", {"verb": "clue", "word": typed}))
    assert answer(f"clue {typed}", CLUE).words == typed


# --- something picked ---


def test_labels_are_digits_in_odd_rounds_and_letters_in_even_ones() -> None:
    assert [label(VOTE, at) for at in range(3)] == ["1", "2", "3"]
    assert [label(LATE_VOTE, at) for at in range(3)] == ["A", "B", "C"]
    assert [label(NUMBER, at) for at in range(3)] == ["1", "2", "3"]


@pytest.mark.parametrize("typed", ["2", "２", "2.", "#2", "(2)", "②", "2️⃣", "two", "Two!", "vote 2"])
def test_a_digit_picks_in_odd_rounds_only(typed: str) -> None:
    assert picked(typed, VOTE) == "Bo"
    assert refusal(typed, LATE_VOTE) == "pick-one"


@pytest.mark.parametrize("typed", ["b", "B)", "Ｂ", "b.", "Ⓑ", "vote b", "VOTE: B"])
def test_a_letter_picks_in_even_rounds_only(typed: str) -> None:
    assert picked(typed, LATE_VOTE) == "Bo"
    assert refusal(typed, VOTE) == "pick-one"


def test_a_label_that_there_is_not_picks_nobody() -> None:
    for typed in ("0", "7", "-", "99", "1 2", "seven"):
        assert refusal(typed, VOTE) in {"pick-one", "no-word-with"}
    assert refusal("g", LATE_VOTE) == "pick-one"


@pytest.mark.parametrize("vote", [VOTE, LATE_VOTE])
@pytest.mark.parametrize(
    ("typed", "who"),
    [
        ("Bo", "Bo"), ("bo", "Bo"), ("Bo.", "Bo"), ("“BO”", "Bo"), ("vote bo", "Bo"),
        ("bea", "Beatrice"), ("BERN", "Bernard"), ("Beatrise", "Beatrice"), ("Bernrad", "Bernard"),
        ("beatric", "Beatrice"), ("ann", "Ann"), ("Ann 2", "Ann 2"), ("ann2", "Ann 2"),
        ("zoe", "Zoë"), ("ZOË", "Zoë"), ("zo", "Zoë"), ("me", "Bo"), ("ME!", "Bo"), ("I'm", "Bo"),
        ("myself", "Bo"), ("I'm the weasel", "Bo"),
    ],
)  # fmt: skip
def test_a_name_picks_in_any_round(vote: Ask, typed: str, who: str) -> None:
    assert picked(typed, vote) == who


@pytest.mark.parametrize("typed", ["be", "b e", "BE."])
def test_a_beginning_that_two_names_have_lists_both(typed: str) -> None:
    meant = read(typed, VOTE, CALLED)
    assert meant == Unclear(Line("which-one", {"who": listed(Who("s3"), Who("s4"))}))


@pytest.mark.parametrize("typed", ["zoo", "b", "bx", "", "🏖", "!", "nobody", "Bernhart"])
def test_what_names_nobody_lists_everybody(typed: str) -> None:
    meant = read(typed, VOTE, CALLED)
    assert meant == Unclear(Line("pick-one", {"who": listed(*map(Who, NAMES))}))


@pytest.mark.parametrize(
    "typed",
    ["me beach", "me: beach", "me:beach", "ME, “Beach”!", "Bo beach", "2 beach", "2: beach",
     "vote me beach", "I'm the weasel, beach", "myself - beach"],
)  # fmt: skip
def test_ones_own_name_can_carry_a_word(typed: str) -> None:
    given = answer(typed, VOTE)
    assert (given.picked, given.words.casefold()) == (("s2",), "beach")


def test_a_guess_may_have_several_words() -> None:
    assert answer("me: is it a beach?", VOTE).words == "is it a beach"


@pytest.mark.parametrize(
    "typed", ["ann beach", "1: beach", "Ann 2, beach", "zoe beach", "bern oak"]
)
def test_a_word_with_anothers_name_is_refused_kindly(typed: str) -> None:
    assert refusal(typed, VOTE) == "no-word-with"


def test_where_a_word_goes_with_another_name_ones_own_is_refused() -> None:
    assert answer("ann beach", asks("accuse", 3)) == Given(("s1",), "beach")
    assert refusal("me beach", asks("accuse", 3)) == "no-word-with"
    named_self = asks("accuse", 3, Given(("s2",)))
    assert refusal("beach", named_self) == "pick-one"


NAMED_SELF = asks("vote", 3, Given(("s2",)))
GUESSED = asks("vote", 3, Given(("s2",), "beach"))


@pytest.mark.parametrize("typed", ["beach", "Beach.", "vote beach", "me beach", "beech"])
def test_who_named_themself_can_send_the_word_alone(typed: str) -> None:
    given = answer(typed, NAMED_SELF)
    assert given.picked == ("s2",)
    assert given.words.casefold() in {"beach", "beech"}


@pytest.mark.parametrize("typed", ["me", "2", "bo", "me:", "2 !", "vote me"])
def test_naming_oneself_again_keeps_the_word(typed: str) -> None:
    assert answer(typed, GUESSED) == Given(("s2",), "beach")


def test_naming_another_drops_the_word() -> None:
    assert answer("ann", GUESSED) == Given(("s1",))


def test_after_naming_oneself_only_a_whole_name_is_a_change_of_mind() -> None:
    assert answer("bea", NAMED_SELF) == Given(("s2",), "bea")
    assert answer("two", NAMED_SELF) == Given(("s2",), "two")
    assert answer("beatrice", NAMED_SELF) == Given(("s3",))
    assert answer("1", NAMED_SELF) == Given(("s1",))


@pytest.mark.parametrize("typed", ["🏖", "...", ""])
def test_what_has_no_letters_is_no_word(typed: str) -> None:
    assert refusal(typed, GUESSED) == "write-letters"


@pytest.mark.parametrize("typed", ["a" * 41, "me " + "a" * 41, "me: " + "is it a " * 8])
def test_a_word_has_an_end(typed: str) -> None:
    assert refusal(typed, NAMED_SELF) == "write-shorter"


@pytest.mark.parametrize(
    "typed", ["3", "３", "③", "3.", "#3", "three", "number 3", "number: three"]
)
def test_a_number_is_called_itself_in_every_round(typed: str) -> None:
    assert picked(typed, NUMBER) == "3"
    assert picked(typed, asks("number", 3)) == "3"


@pytest.mark.parametrize("typed", ["7", "0", "c", "3 4", "eleven", "number", ""])
def test_what_is_no_number_of_these_lists_them(typed: str) -> None:
    meant = read(typed, NUMBER, CALLED)
    assert meant == Unclear(Line("pick-one", {"who": listed(*range(1, 7))}))


def test_several_are_picked_in_one_answer() -> None:
    team = asks("team", 3)
    assert picked("ann bo", team) == "Ann Bo"
    assert picked("bea, ann 2 and ZOE!", team) == "Beatrice Ann 2 Zoë"
    assert picked("Ann2 + bernhard", team) == "Ann 2 Bernard"
    for typed in ("ann", "ann xyz", "", "ann bo bea zoe", "1 3"):
        assert refusal(typed, team) == "pick-some"
    assert refusal("ann ann", team) == "picked-too-often"
    assert refusal("be ann", team) == "which-one"


FRUIT = (Option("plum", Line("fruit-plum"), times=3), Option("pear-open", Line("fruit-pear")))
SHOP = text.Catalogue(
    "en",
    {
        "shop": "fruit-plum = Red Plum\n    .sms = Plum\n"
        "fruit-pear = Pear (open)\n    .sms = Pear*\n"
    },
)


@pytest.mark.parametrize(
    ("typed", "bought"),
    [
        ("plum", ("plum",)),
        ("red plum, pear", ("plum", "pear-open")),
        ("2 plums, a pear", ("plum", "plum", "pear-open")),
        ("two red plums", ("plum", "plum")),
        ("3x plum", ("plum",) * 3),
        ("pear (open) to plum", ("pear-open", "plum")),
        ("Pear*", ("pear-open",)),
        ("none", ()),
    ],
)
def test_things_are_named_so_many_times_by_any_of_their_names(
    typed: str, bought: tuple[str, ...]
) -> None:
    ask = Ask("buy/1", "s1", Line("ask"), Pick(FRUIT, 0, 4))
    meant = read(typed, ask, Called(NAMES, SHOP))
    assert isinstance(meant, Answer), meant
    assert meant.given == Given(bought)


def test_a_thing_can_only_be_named_as_often_as_there_are_of_it() -> None:
    ask = Ask("buy/1", "s1", Line("ask"), Pick(FRUIT, 0, 4))
    for typed in ("4 plums", "pear pear", "99 pears"):
        meant = read(typed, ask, Called(NAMES, SHOP))
        assert isinstance(meant, Unclear)
        assert meant.line.key == "picked-too-often"
    exactly = replace(ask, answer=Pick(FRUIT, 2, 2))
    assert refusal_of(read("plum", exactly, Called(NAMES, SHOP))) == "pick-exactly"
    assert refusal_of(read("999 plums", exactly, Called(NAMES, SHOP))) == "pick-exactly"


def refusal_of(meant: object) -> str:
    assert isinstance(meant, Unclear)
    return meant.line.key


def test_two_letters_begin_a_name_but_not_a_thing() -> None:
    ask = Ask("buy/1", "s1", Line("ask"), Pick((*FRUIT, Option("s3", Who("s3")))))
    for typed, picked in (("Bea", "s3"), ("be", "s3"), ("plu", "plum"), ("pea", "pear-open")):
        meant = read(typed, ask, Called(NAMES, SHOP))
        assert isinstance(meant, Answer)
        assert meant.given == Given((picked,))
    for typed in ("pl", "pe"):
        assert refusal_of(read(typed, ask, Called(NAMES, SHOP))) == "pick-one"


def test_an_offer_is_taken_up_by_its_verb_alone() -> None:
    offer = Ask("turn/1", "s1", Line("ask"), Pick(FRUIT, 1, 4))
    for ask in (None, VOTE, CLUE):
        for typed in ("turn plum", "/turn plum"):
            meant = read(typed, ask, Called(NAMES, SHOP), offer)
            assert isinstance(meant, Answer)
            assert meant.ask is offer
        assert not isinstance(read("plum", None, Called(NAMES, SHOP), offer), Answer)


def test_labels_go_on_behind_z() -> None:
    many = replace(LATE_VOTE, answer=Pick(tuple(Option(f"o{n}", f"o{n}") for n in range(60))))
    labels = [label(many, at) for at in range(60)]
    assert labels[25:28] == ["Z", "AA", "AB"]
    assert len(set(labels)) == 60


def test_nobody_can_be_picked_where_nobody_is_an_option() -> None:
    whom = asks("whom", 3)
    assert [picked(typed, whom) for typed in ("nobody", "none", "no one", "7")] == ["nobody"] * 4
    assert refusal("xyz", whom) == "pick-one"


# --- whatever is typed ---

ALL_ASKS = [
    None,
    *(
        asks(kind, number)
        for kind in ("clue", "vote", "number", "team", "whom")
        for number in (1, 2)
    ),
    NAMED_SELF,
    GUESSED,
]
WORDS = st.sampled_from(
    [*COMMANDS, *NAMES.values(), "clue", "vote", "me", "2", "b", "/", ":", "stop"]
)
TYPED = st.one_of(st.text(), st.lists(WORDS | st.text(max_size=5), max_size=5).map(" ".join))


@given(TYPED, st.sampled_from(ALL_ASKS))
@example("1\u0660", VOTE)
def test_nothing_that_is_typed_raises(typed: str, ask: Ask | None) -> None:
    meant = read(typed, ask, CALLED)
    match meant:
        case Answer(given=given):
            assert ask is not None
            assert len(graphemes(given.words)) <= 40
            assert not set(given.words) & {"\ue000", "\ue001", "\u202e", "\u200b", "\n"}
            options = ask.answer.options if isinstance(ask.answer, Pick) else ()
            assert set(given.picked) <= {option.value for option in options}
        case Unclear(line):
            text.load().render(line)
        case Command():
            pass


@given(TYPED)
def test_what_is_read_does_not_hang_on_what_others_answered(typed: str) -> None:
    other = replace(VOTE, line=Line("ask-clue"))
    one, two = read(typed, VOTE, CALLED), read(typed, other, CALLED)
    if isinstance(one, Answer) and isinstance(two, Answer):
        assert one.given == two.given
    else:
        assert one == two


# --- names ---


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ann", "Ann"), ("  Ann   Lee ", "Ann Lee"), ("“Ann”", "Ann"), ("Zoë", "Zoë"),
        ("Jean-Luc", "Jean-Luc"), ("O'Neil", "O'Neil"), ("李明", "李明"), ("דנה", "דנה"),
        ("محمد", "محمد"), ("Ann\u202e", "Ann"), ("\u2067דנה\u2069", "דנה"), ("A\u200bnn", "Ann"),
        ("An\ue000s2\ue001n", "Ans2n"), ("Agent 007", "Agent 007"), ("Ann\nLee", "Ann Lee"),
        ("A" * 30, "A" * 20), ("Ann 🐾", "Ann 🐾"), ("X Æ", "X Æ"), ("<b>Ann</b>", "b>Ann</b"),
    ],
)  # fmt: skip
def test_a_name_is_what_can_be_seen_of_it(typed: str, name: str) -> None:
    assert clean_name(typed) == name


@pytest.mark.parametrize(
    "typed",
    [
        *COMMANDS, *sorted(RESERVED), *sorted(NOT_A_NAME),
        "Me", "NOBODY", "Host", "Leave!", "/go", "S.T.O.P",
        "", " ", "A", "é", "?", "...", "🐾" * 64, "\u200b\u200b", "\ue000\ue001", "7", "42", "１２",
        "٤٢", "+12025550100", "202-555-0100", "(202) 555 0100", "Bo 2025550100", "2 0 2 5 5 5 0",
        "202.555.0100", "202/555/0100", "٠١٢٣٤٥٦٧٨",
    ],
)  # fmt: skip
def test_what_will_not_do_as_a_name_is_none(typed: str) -> None:
    assert clean_name(typed) is None


@given(st.text())
def test_a_name_is_short_visible_and_its_own_name(typed: str) -> None:
    name = clean_name(typed)
    if name is not None:
        assert clean_name(name) == name
        assert len(graphemes(name)) <= 20
        assert len(name) <= 100
        assert not set(name) & {"\ue000", "\ue001", "\u202e", "\u200b", "\n", "\t"}


def test_a_name_is_no_tower() -> None:
    name = clean_name("B" + "\u0335" * 5_000 + "o")
    assert name is not None
    assert len(name) < 10


def test_letters_that_are_put_together_to_one_sign_make_no_endless_name_or_clue() -> None:
    one_sign = "\u0d4e" * 190
    name = clean_name(f"Bo{one_sign}")
    assert name is not None
    assert len(name) <= 100
    assert refusal(one_sign, CLUE) == "write-shorter"


@pytest.mark.parametrize("ask", [None, CLUE, VOTE])
def test_whoever_asks_about_leaving_is_told_how(ask: Ask | None) -> None:
    assert refusal("leave?", ask) == "leave-how"


def test_once_a_clue_is_written_a_command_is_a_command() -> None:
    written = asks("clue", 3, Given(words="paper"))
    assert read("who", written, CALLED) == Command("who")
    assert answer("clue who", written).words == "who"
    assert answer("sand", written).words == "sand"


def test_a_number_that_there_is_not_is_no_guess() -> None:
    named_self = asks("vote", 3, Given(("s2",), "beach"))
    assert refusal("9", named_self) == "pick-one"
    assert answer("ocean", named_self) == Given(("s2",), "ocean")
