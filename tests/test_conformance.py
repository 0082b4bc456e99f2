"""What every game keeps to, whatever is played. Games are found, not listed."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import playing
from core.codec import decode_room, encode_room
from core.delivery import buttons
from core.engine import Spoke, Woke
from core.game import Answered, AnyGame, Ask, Given, Pick, Refused
from core.reading import label
from core.room import Over, Playing, Room
from core.spelling import graphemes
from tests.plays import MOVES, Move, Options, Play, open_seats, secrets, tables

TABLES = tables(endings=True)
GAMES = pytest.mark.parametrize(("game", "options"), TABLES.values(), ids=list(TABLES))
SEEDS = st.integers(0, 99)
MOST_STEPS = 2_000

PLAYS = settings(max_examples=3)
"""Of each test, with each set of options."""


def played(game: AnyGame, options: Options, seed: int, moves: list[Move], *, bots: int = 0) -> Play:
    fewest, most = game.seats(options)
    people = max(1, fewest + seed % (most - fewest + 1) - bots)
    play = Play(game, seed, people, bots=max(bots, fewest - people), options=options)
    for move in moves:
        play.move(move)
    return play


def asking(ask: Ask, given: Given) -> str:
    return f"{ask.verb} {given.words or ' '.join(given.picked)}"


def refusals(play: Play, ask: Ask) -> Iterator[Given]:
    """The answers, legal in form, that the game refuses a seat."""
    if not isinstance(ask.answer, Pick):
        for word in secrets(play.room):
            answer = Given(words=word)
            fed = playing.feed(play.room, Answered(ask.to, ask.id, answer), play.now_ms)
            if isinstance(fed, Refused):
                yield answer


def state(room: Room) -> bytes:
    return bytes(room.stage.state) if isinstance(room.stage, Playing) else b""


@GAMES
@PLAYS
@given(seed=SEEDS, moves=MOVES, bots=st.integers(0, 2))
def test_time_alone_ends_the_game(
    game: AnyGame, options: Options, seed: int, moves: list[Move], bots: int
) -> None:
    play = played(game, options, seed, moves, bots=bots)
    for _ in range(MOST_STEPS):
        due_ms = playing.deadline_ms(play.room)
        if due_ms is None:
            break
        play.now_ms = max(play.now_ms, due_ms)
        play.happen(Woke())
    assert isinstance(play.room.stage, Over)


@GAMES
@settings(max_examples=3)
@given(seed=SEEDS, moves=MOVES)
def test_any_play_ends_with_a_result(
    game: AnyGame, options: Options, seed: int, moves: list[Move]
) -> None:
    play = played(game, options, seed, moves)
    broken_off = isinstance(play.room.stage, Over)
    for _ in range(MOST_STEPS):
        ask = next((a for a in playing.asks(play.room) if a.answered is None), None)
        if isinstance(play.room.stage, Over):
            break
        if ask is None:
            play.now_ms = max(play.now_ms, playing.deadline_ms(play.room) or 0)
            play.happen(Woke())
            continue
        context = playing.context(play.room, play.now_ms)
        answer = game.bot(playing.state_of(play.room), ask, context)
        fed = playing.feed(play.room, Answered(ask.to, ask.id, answer), play.now_ms)
        assert not isinstance(fed, Refused)
        play.room = fed[0]
    assert isinstance(play.room.stage, Over)
    assert broken_off or game.result(playing.state_of(play.room)) is not None


@GAMES
@PLAYS
@given(seed=SEEDS, moves=MOVES)
def test_a_room_is_the_same_after_it_was_stored(
    game: AnyGame, options: Options, seed: int, moves: list[Move]
) -> None:
    play = played(game, options, seed, [])
    for move in moves:
        play.move(move)
        blob = encode_room(play.room)
        assert encode_room(decode_room(blob)) == blob
        stored = playing.state_of(decode_room(blob))
        assert stored == playing.state_of(play.room)


@GAMES
@PLAYS
@given(seed=SEEDS, moves=MOVES)
def test_the_same_seed_and_happenings_make_the_same_letters(
    game: AnyGame, options: Options, seed: int, moves: list[Move]
) -> None:
    one, other = played(game, options, seed, moves), played(game, options, seed, moves)
    assert [d.letters for d in one.decisions] == [d.letters for d in other.decisions]
    assert [d.blob for d in one.decisions] == [d.blob for d in other.decisions]


@GAMES
@PLAYS
@given(seed=SEEDS, moves=MOVES)
def test_questions_are_in_order(
    game: AnyGame, options: Options, seed: int, moves: list[Move]
) -> None:
    play = played(game, options, seed, [])
    for move in moves:
        play.move(move)
        asks = playing.asks(play.room)
        assert len({ask.to for ask in asks}) == len(asks)
        assert not asks or playing.deadline_ms(play.room) is not None
        for ask in asks:
            assert re.fullmatch(r"[a-z]+/\d+", ask.id)
            assert all(len(b.data.encode()) <= 64 for b in buttons(play.words, play.room, ask))
            if isinstance(ask.answer, Pick):
                choices = ask.answer.options
                assert len({one.value for one in choices}) == len(choices)
                labels = {label(ask, at) for at in range(len(choices))}
                assert labels == {""} if ask.several else len(labels) == len(choices)
                picked = ask.answered.picked if ask.answered else ()
                # Whoever was named may have left since.
                assert set(picked) <= {*play.room.names, *(one.value for one in choices)}


@GAMES
@PLAYS
@given(seed=SEEDS, moves=MOVES)
def test_a_deadline_ahead_is_the_time_to_wake(
    game: AnyGame, options: Options, seed: int, moves: list[Move]
) -> None:
    play = played(game, options, seed, [])
    for move in moves:
        wake_ms = play.move(move).wake_ms
        assert isinstance(play.room.stage, Over) == (wake_ms is None)
        assert wake_ms is None or wake_ms > play.now_ms


@GAMES
@PLAYS
@given(seed=SEEDS, moves=MOVES)
def test_a_refusal_changes_nothing_and_is_told_to_one(
    game: AnyGame, options: Options, seed: int, moves: list[Move]
) -> None:
    play = played(game, options, seed, moves)
    for ask in playing.asks(play.room):
        seated = play.room.seated(ask.to)
        refused = next(refusals(play, ask), None)
        if refused and seated.open and not seated.away:
            before = state(play.room)
            spoke = Spoke(play.speaker(seated), asking(ask, refused), public=ask.public)
            decision = play.happen(spoke)
            assert state(decision.room) == before
            assert {letter.to for letter in decision.letters} == {seated.address}


@GAMES
@PLAYS
@given(seed=SEEDS, moves=MOVES, what=st.integers(0, 99))
def test_only_who_is_asked_can_answer(
    game: AnyGame, options: Options, seed: int, moves: list[Move], what: int
) -> None:
    play = played(game, options, seed, moves)
    for one in play.room.seats:
        if one.plays and one.person and one.seat not in open_seats(play.room):
            before = state(play.room)
            play.happen(Spoke(play.speaker(one), ("zzz", "2", "s1", "me")[what % 4]))
            assert state(play.room) == before


@GAMES
@PLAYS
@given(seed=SEEDS, moves=MOVES)
def test_a_bot_answers_legally_for_any_seat(
    game: AnyGame, options: Options, seed: int, moves: list[Move]
) -> None:
    play = played(game, options, seed, moves)
    context = playing.context(play.room, play.now_ms)
    for ask in playing.asks(play.room):
        answer = game.bot(playing.state_of(play.room), ask, context)
        match ask.answer:
            case Pick(choices, at_least, at_most):
                assert at_least <= len(answer.picked) <= at_most
                assert set(answer.picked) <= {one.value for one in choices}
            case wanted:
                assert 0 < len(answer.words.split()) <= wanted.max_words
                assert len(graphemes(answer.words)) <= wanted.max_chars
        fed = playing.feed(play.room, Answered(ask.to, ask.id, answer), play.now_ms)
        assert not isinstance(fed, Refused)
