"""Every transcript of every game is exactly what is seen; together they say all a game can say."""

import os
import re
from pathlib import Path

import pytest

from core.games import find_games
from tests.transcripts import GAMES, Listening, paths, play

REWRITE = bool(os.environ.get("REWRITE_TRANSCRIPTS"))


def named(path: Path) -> str:
    return f"{path.parents[1].name}/{path.stem}"


@pytest.mark.parametrize("path", paths(), ids=named)
def test_what_is_seen_is_what_the_transcript_says(path: Path) -> None:
    seen = play(path)
    if REWRITE:
        path.write_text(seen, "utf-8")
    assert seen == path.read_text("utf-8")


def folder(game: str) -> str:
    return game.replace("-", "_")


@pytest.mark.parametrize("game", find_games())
def test_every_game_has_transcripts(game: str) -> None:
    assert paths(folder(game))


@pytest.mark.parametrize("game", find_games())
def test_every_line_of_a_game_is_heard_in_some_transcript(game: str) -> None:
    words = Listening()
    heard: set[str] = set()
    for path in paths(folder(game)):
        play(path, words)
        heard |= words.heard
    source = (GAMES / folder(game) / "en.ftl").read_text("utf-8")
    assert set(re.findall(r"^([a-z-]+) =", source, re.MULTILINE)) - heard == set()
