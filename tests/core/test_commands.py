"""What can be said, and what nobody may say bare."""

from typing import get_args

import pytest

from core.commands import (
    COMMANDS,
    HELP,
    OPT_IN,
    OPT_OUT,
    RESERVED,
    HostCommand,
    LookUp,
    TableCommand,
    is_reserved,
)
from core.desk import CODE_LETTERS
from core.games import find_games
from core.spelling import key

# Source by source: what carriers, providers and the law name.
CARRIERS = {
    "Twilio, opt-out": "STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT",
    "Twilio, opt-in": "START YES UNSTOP",
    "Twilio, help": "HELP INFO",
    "Canada": "ARRET AIDE",
    "AWS": "OPT-OUT REMOVE TD",
    "Proxy": "ARRETT ARRETE",
    "phrases of one word": "STOPALL OPTOUT SUBSCRIBE",
    "Spanish, Portuguese": "ALTO BAJA PARAR CANCELAR AYUDA SI",
}

NAMES = {*get_args(TableCommand), *get_args(HostCommand), *get_args(LookUp)}


@pytest.mark.parametrize(("source", "keywords"), CARRIERS.items())
def test_every_carriers_keyword_is_reserved(source: str, keywords: str) -> None:
    assert {word.casefold() for word in keywords.split()} <= RESERVED, source


@pytest.mark.parametrize(
    "typed",
    ["stop", "STOP", "Stop.", "“STOP”", "stop all", "opt out", "Opt-Out", "SÍ", "arrêt", " end! "],
)
def test_a_keyword_is_one_however_it_is_spelt(typed: str) -> None:
    assert is_reserved(typed)


@pytest.mark.parametrize("typed", ["", "?", "stop it", "ending", "yes please", "sister"])
def test_more_than_a_keyword_is_none(typed: str) -> None:
    assert not is_reserved(typed)


def test_no_word_of_ours_is_a_carriers() -> None:
    verbs = {"clue", "vote", "number"}
    ours = {*COMMANDS, *NAMES, *verbs, *find_games()}
    assert not any(is_reserved(word) for word in ours)


def test_no_label_is_a_carriers_keyword() -> None:
    labels = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *map(str, range(1, 100))]
    assert not any(is_reserved(label) for label in labels)


def test_no_rooms_code_is_a_carriers_keyword() -> None:
    spelt = [word for word in RESERVED if set(key(word).upper()) <= set(CODE_LETTERS)]
    assert not spelt


def test_every_keyword_means_one_thing_only() -> None:
    assert len(OPT_OUT) + len(OPT_IN) + len(HELP) == len(RESERVED)
    assert all(word == word.casefold() for word in RESERVED)


def test_every_command_can_be_said() -> None:
    assert set(COMMANDS.values()) == NAMES
    assert all(word == key(word) for word in COMMANDS)
