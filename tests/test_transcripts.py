"""Every transcript of every game is exactly what is seen; together they say all a game can say."""

import os
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
