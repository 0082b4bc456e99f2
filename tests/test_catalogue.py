"""The texts: every key that is used exists, none is unused, and a text message stays cheap."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as ftl
from fluent.syntax.visitor import Visitor

from adapters.sms.folding import fold
from adapters.sms.segments import is_gsm7
from core.game import AnyGame
from core.games import find_games
from core.text import DEFAULT_LOCALE
from tests.plays import Options, tables
from tests.sms_budget import evenings, table, worst

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for top in ("core", "adapters") for path in (ROOT / top).rglob("*.py"))
TEXTS = sorted((ROOT / "core").rglob("*.ftl"))
LOCALES = sorted({path.stem for path in TEXTS})
SPEAKS = {"Line": 0, "room": 0, "aloud": 0, "aside": 0, "opening": 0, "tell": 1, "aside_to": 1}
MOST_SEGMENTS = 3
TABLES = tables(endings=False)


class Variables(Visitor):
    """The arguments and the literal parts of a pattern."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.literal = ""

    def visit_VariableReference(self, node: ftl.VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)

    def visit_TextElement(self, node: ftl.TextElement) -> None:  # noqa: N802
        self.literal += node.value

    def visit_StringLiteral(self, node: ftl.StringLiteral) -> None:  # noqa: N802
        self.literal += node.value


def messages(locale: str) -> dict[str, ftl.Message]:
    found: dict[str, ftl.Message] = {}
    for path in TEXTS:
        if path.stem == locale:
            resource = FluentParser(with_spans=False).parse(path.read_text("utf-8"))
            for entry in resource.body:
                assert not isinstance(entry, ftl.Junk), f"{path}: {entry.content}"
                if isinstance(entry, ftl.Message):
                    assert entry.id.name not in found, f"{path}: {entry.id.name} twice"
                    found[entry.id.name] = entry
    return found


def variables(node: ftl.BaseNode) -> Variables:
    visitor = Variables()
    visitor.visit(node)
    return visitor


def spoken() -> Iterator[tuple[str, set[str] | None, str]]:
    """Every line that the code makes: its key, its arguments where they are written out, where."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                at = SPEAKS.get(name, len(node.args))
                for key in keys(node.args[at]) if at < len(node.args) else ():
                    yield key, arguments(name, node), f"{path.name}:{node.lineno}"


def keys(node: ast.expr) -> Iterator[str]:
    """The keys that an expression may be: a text, or one of two."""
    match node:
        case ast.Constant(value=str(key)):
            yield key
        case ast.IfExp(body=one, orelse=other):
            yield from (*keys(one), *keys(other))
        case _:
            return


def arguments(name: str, node: ast.Call) -> set[str] | None:
    """The names of a line's arguments; None where they are not written out."""
    if name != "Line":
        given = {keyword.arg for keyword in node.keywords}
        return None if None in given else {arg for arg in given if arg}
    if len(node.args) == 1:
        return set()
    match node.args[1]:
        case ast.Dict(keys=names) if all(isinstance(one, ast.Constant) for one in names):
            return {str(one.value) for one in names if isinstance(one, ast.Constant)}
        case _:
            return None


def constants() -> set[str]:
    """Every text constant of the code, and the keys that are put together from a game's name."""
    found = {
        node.value
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return found | {f"rules-{game}" for game in find_games()}


def beginnings() -> tuple[str, ...]:
    """How the keys begin that are put together from a name: `scored-` of `f"scored-{way}"`."""
    return tuple(
        str(node.values[0].value)
        for path in SOURCES
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Line"
        for node in call.args[:1]
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant)
    )


@pytest.mark.parametrize("locale", LOCALES)
def test_every_key_that_is_used_exists(locale: str) -> None:
    known = messages(locale)
    missing = [(key, where) for key, _, where in spoken() if key not in known]
    assert not missing
    assert all(f"rules-{game}" in known for game in find_games())


@pytest.mark.parametrize("locale", LOCALES)
def test_every_key_takes_exactly_what_it_is_given(locale: str) -> None:
    known = messages(locale)
    wrong = [
        (key, where, given, taken)
        for key, given, where in spoken()
        if given is not None and (taken := variables(known[key]).names) != given
    ]
    assert not wrong


@pytest.mark.parametrize("locale", LOCALES)
def test_no_key_is_unused(locale: str) -> None:
    unused = messages(locale).keys() - constants()
    begun = beginnings()
    assert not [key for key in unused if not key.startswith(begun)]


@pytest.mark.parametrize("locale", LOCALES)
def test_every_locale_has_the_same_keys_and_arguments(locale: str) -> None:
    takes = {key: variables(one).names for key, one in messages(locale).items()}
    assert takes == {key: variables(one).names for key, one in messages(DEFAULT_LOCALE).items()}


@pytest.mark.parametrize("locale", LOCALES)
def test_the_short_form_of_a_text_is_gsm_7(locale: str) -> None:
    for key, message in messages(locale).items():
        short = [one for one in message.attributes if one.id.name == "sms"]
        if short:
            assert is_gsm7(variables(short[0]).literal), key
        else:
            assert is_gsm7(fold(variables(message).literal)), key


@pytest.mark.parametrize(("game", "options"), TABLES.values(), ids=list(TABLES))
def test_every_text_message_of_a_whole_game_is_within_its_budget(
    game: AnyGame, options: Options
) -> None:
    within_its_budget(game, options, range(1))


@pytest.mark.long
@pytest.mark.parametrize(("game", "options"), TABLES.values(), ids=list(TABLES))
def test_every_text_message_of_more_games_is_within_its_budget(
    game: AnyGame, options: Options
) -> None:
    within_its_budget(game, options, range(1, 4))


def within_its_budget(game: AnyGame, options: Options, seeds: range) -> None:
    longest = worst(evenings(game, seeds, options))
    assert longest
    assert {key: sent.body for key, sent in longest.items() if sent.segments > MOST_SEGMENTS} == {}
    assert all(is_gsm7(sent.body) for sent in longest.values())


@pytest.mark.parametrize("game", find_games().values(), ids=list(find_games()))
def test_the_table_of_the_budget_names_the_game_and_what_a_round_costs(game: AnyGame) -> None:
    shown = table(game, range(1))
    assert shown.startswith(game.name)
    assert "segments a player" in shown
