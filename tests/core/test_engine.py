"""The whole machine: words, presses and time go in; a room, letters and a time to wake come out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core import playing
from core.game import AnyGame
from core.room import Lobby, Over, Playing, Room
from tests.tables import (
    DAY_MS,
    HOUR_MS,
    MINUTE_MS,
    NOON_MS,
    PLACE,
    SECOND_MS,
    Table,
    playing_table,
    table,
    voting_table,
)

CLOSED = "That question is closed."
NO_SEAT = "You have no seat in that room."


# --- answers ---


def test_a_clue_is_noted_told_to_its_writer_and_nobody_else() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    room.says("Bo", "stripes")
    assert room.last == {"Bo": "Your clue: STRIPES. You can still change it."}
    assert room.given("Bo") == ((), "stripes")
    room.says("Bo", "clue saddle")
    assert room.given("Bo") == ((), "saddle")


def test_a_clue_that_is_a_commands_name_says_how_to_say_the_command() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    room.says("Bo", "Hand")
    assert room.last == {"Bo": "Your clue: HAND. If you wanted the command, send /hand."}
    assert room.given("Bo") == ((), "Hand")


def test_a_word_of_ones_own_card_is_refused_and_changes_nothing() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    before = room.room
    room.says("Bo", "/hand")
    word = room.last["Bo"].split()[3].strip(".")
    room.says("Bo", word.lower())
    assert room.last["Bo"].startswith(f"{word} is on your own card")
    assert room.room == before


@pytest.mark.parametrize(
    ("typed", "given", "said"),
    [
        ("cy", (("Cy",), ""), "Noted: Cy."),
        ("2", (("Bo",), ""), "Noted: Bo.\nIf that is so: "),
        ("me: beach", (("Bo",), "beach"), "Noted: Bo, with the word “beach”."),
    ],
)
def test_a_vote_is_noted(typed: str, given: tuple[tuple[str, ...], str], said: str) -> None:
    room = voting_table("Ann", "Bo", "Cy")
    room.says("Bo", typed)
    assert set(room.last) == {"Bo"}
    assert room.last["Bo"].startswith(said)
    assert room.given("Bo") == given


def test_the_word_is_asked_for_once() -> None:
    room = voting_table("Ann", "Bo", "Cy")
    room.says("Bo", "me")
    room.says("Bo", "me")
    assert room.last == {"Bo": "Noted: Bo."}
    room.says("Bo", "beach")
    assert room.given("Bo") == (("Bo",), "beach")
    room.says("Bo", "ann")
    assert room.given("Bo") == (("Ann",), "")


def test_a_typo_of_a_command_helps_and_changes_nothing() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    before = room.room
    room.says("Bo", "/hnad")
    assert room.last["Bo"].startswith("I don't know /hnad.")
    assert room.room == before


def test_in_a_public_place_an_answer_is_refused_and_not_repeated() -> None:
    room = playing_table("Ann", "Bo", "Cy", place=PLACE)
    for typed in ("stripes", "clue stripes", "/clue stripes", "2", "stop", "two words"):
        room.says("Bo", typed, public=True)
        assert room.last == {"room": "Answers go in our private chat, where nobody sees them."}
    assert room.given("Bo") is None
    room.clues()
    room.says("Bo", "cy", public=True)
    assert room.last == {"room": "Answers go in our private chat, where nobody sees them."}


def test_in_a_public_place_commands_are_answered_there() -> None:
    room = playing_table("Ann", "Bo", "Cy", place=PLACE)
    room.says("Bo", "who", public=True)
    assert set(room.last) == {"room"}
    room.says("Bo", "/rules", public=True)
    assert set(room.last) == {"room"}


def test_a_stranger_has_no_say() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    before = room.room
    room.says("Zed", "stripes")
    assert room.last == {"Zed": NO_SEAT}
    assert room.room == before


# --- buttons ---


def buttons(room: Table, who: str) -> list[tuple[str, str, str]]:
    """What the buttons of somebody's letter say, send and are called."""
    letter = next(one for one in room.letters if room.last and one.seat == room.seat(who))
    return [(button.text, button.data, button.label) for button in letter.buttons]


def test_a_question_has_a_button_for_each_option() -> None:
    room = voting_table("Ann", "Bo", "Cy")
    assert buttons(room, "Bo") == [
        ("\ue000s1\ue001: stripes", "abcdefabcdef:vote/1:s1", "1"),
        ("\ue000s2\ue001: stripes", "abcdefabcdef:vote/1:s2", "2"),
        ("\ue000s3\ue001: stripes", "abcdefabcdef:vote/1:s3", "3"),
    ]


def test_a_press_is_an_answer_and_is_told_to_the_presser_alone() -> None:
    room = voting_table("Ann", "Bo", "Cy")
    room.presses("Bo", "vote/1", "s3")
    assert room.toast == "Noted: Cy."
    assert room.last == {}
    assert room.given("Bo") == (("Cy",), "")


def test_a_press_on_oneself_asks_for_the_word_and_a_second_one_keeps_it() -> None:
    room = voting_table("Ann", "Bo", "Cy")
    room.presses("Bo", "vote/1", "s2")
    assert room.toast.startswith("Noted: Bo.\nIf that is so: ")
    room.says("Bo", "beach")
    room.presses("Bo", "vote/1", "s2")
    assert room.toast == "Noted: Bo, with the word “beach”."
    assert room.given("Bo") == (("Bo",), "beach")
    room.presses("Bo", "vote/1", "s1")
    assert room.given("Bo") == (("Ann",), "")


@pytest.mark.parametrize(
    ("ask", "option"),
    [
        ("vote/2", "s1"), ("vote/0", "s1"), ("clue/1", "s1"), ("vote/1", "s9"), ("vote/1", ""),
        ("vote/1", "1"), ("", ""), ("number/1", "3"), ("vote", "s1"),
    ],
)  # fmt: skip
def test_an_old_or_forged_button_does_nothing(ask: str, option: str) -> None:
    room = voting_table("Ann", "Bo", "Cy")
    before = room.room
    room.presses("Bo", ask, option)
    assert (room.toast, room.last) == (CLOSED, {})
    assert room.room == before


def test_a_button_of_a_question_that_was_put_to_another_does_nothing() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "go")
    cfo = room.name(playing.needed(room.room)[0])
    before = room.room
    for who in {"Ann", "Bo", "Cy"} - {cfo}:
        room.presses(who, "number/1", "3")
        assert room.toast == CLOSED
    assert room.room == before
    room.presses(cfo, "number/1", "3")
    assert room.toast == "Noted: 3."


def test_a_word_can_not_be_pressed() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    room.presses("Bo", "clue/1", "stripes")
    assert room.toast == CLOSED
    assert room.given("Bo") is None


def test_a_stranger_who_presses_is_told_so() -> None:
    room = voting_table("Ann", "Bo", "Cy")
    before = room.room
    for ask in ("vote/1", "look"):
        room.presses("Zed", ask, "s1")
        assert (room.toast, room.last) == (NO_SEAT, {})
    assert room.room == before


def test_a_button_in_the_public_place_shows_the_presser_their_own_card() -> None:
    room = playing_table("Ann", "Bo", "Cy", place=PLACE)
    shown = next(one for one in room.letters if one.to == PLACE)
    assert [(b.text, b.data) for b in shown.buttons] == [("Show mine", "abcdefabcdef:look:")]
    room.presses("Bo", "look", "")
    assert room.toast.startswith("Your word is ")
    assert room.last == {}
    lobby = table("Ann")
    lobby.presses("Ann", "look", "")
    assert lobby.toast == "You hold nothing secret right now."


# --- time ---


def clueing() -> Table:
    room = playing_table("Ann", "Bo", "Cy")
    room.heard.clear()
    return room


def phase(room: Table) -> str:
    """The verb that is asked for now, or the stage."""
    asks = playing.asks(room.room)
    return asks[0].id if asks else type(room.room.stage).__name__


def test_an_early_timer_changes_nothing() -> None:
    room = clueing()
    before = room.room
    room.now_ms += 119 * SECOND_MS
    room.wakes()
    assert (room.room, room.last) == (before, {})
    assert room.wake_ms == NOON_MS + 120 * SECOND_MS


def test_a_doubled_timer_closes_a_phase_once() -> None:
    room = clueing()
    room.says("Bo", "stripes")
    room.rings()
    assert phase(room) == "vote/1"
    after, heard = room.room, len(room.heard["Ann"])
    room.wakes()
    room.wakes()
    assert room.room == after
    assert len(room.heard["Ann"]) == heard


def test_a_timer_of_a_phase_that_is_over_changes_nothing() -> None:
    room = clueing()
    room.says("Bo", "stripes")
    stale_ms = room.wake_ms
    room.answers("clue", "Bo")
    room.rings()
    after = room.room
    assert stale_ms is not None
    room.now_ms = min(stale_ms, room.wake_ms or stale_ms) - 1
    room.wakes()
    assert room.room == after


def test_a_timer_of_a_room_that_is_over_changes_nothing() -> None:
    room = clueing()
    room.says("Ann", "finish")
    room.says("Ann", "/finish")
    room.now_ms += DAY_MS
    after = room.room
    room.wakes()
    assert (room.room, room.last, room.wake_ms) == (after, {}, None)


def test_the_last_answer_at_the_deadline_is_too_late() -> None:
    room = clueing()
    room.answers("clue", "Cy")
    room.now_ms = NOON_MS + 120 * SECOND_MS
    room.says("Cy", "stripes")
    assert phase(room) == "vote/1"
    assert "Cy: (no clue)" in room.last["Ann"]
    assert CLOSED in room.last["Cy"]
    assert room.given("Cy") is None


def test_the_last_answer_before_the_deadline_counts_and_closes_it_then() -> None:
    room = clueing()
    room.answers("clue", "Cy")
    room.now_ms = NOON_MS + 120 * SECOND_MS - 1
    room.says("Cy", "stripes")
    assert room.wake_ms == NOON_MS + 120 * SECOND_MS
    room.rings()
    assert "Cy: stripes" in room.last["Ann"]


def test_an_answer_to_the_phase_before_is_no_answer_to_the_next() -> None:
    room = voting_table("Ann", "Bo", "Cy")
    room.answers("vote", words="1")
    room.now_ms += 6 * SECOND_MS
    room.says("Bo", "cy")
    assert phase(room) in {"number/2", "clue/2"}
    assert room.given("Bo") is None


def test_the_regret_window_lets_answers_change_and_does_not_restart() -> None:
    room = clueing()
    room.answers("clue")
    closes_ms = room.wake_ms
    assert closes_ms == NOON_MS + 5 * SECOND_MS
    room.now_ms += 4 * SECOND_MS
    room.says("Bo", "saddle")
    assert room.wake_ms == closes_ms
    room.rings()
    assert "Bo: saddle" in room.last["Ann"]


@pytest.mark.parametrize("late_ms", [0, 1, 29_999, 30_000])
def test_a_deadline_found_a_little_late_closes_the_phase(late_ms: int) -> None:
    room = clueing()
    room.now_ms = NOON_MS + 120 * SECOND_MS + late_ms
    room.wakes()
    assert phase(room) != "clue/1"


def test_a_deadline_found_very_late_is_put_off_once_and_everybody_is_told() -> None:
    room = clueing()
    room.says("Bo", "stripes")
    room.now_ms = NOON_MS + 120 * SECOND_MS + 30_001
    room.wakes()
    assert phase(room) == "clue/1"
    assert len(room.last) == 3
    assert all("more of it" in said for said in room.last.values())
    assert room.wake_ms == room.now_ms + 60 * SECOND_MS
    put_off = room.room
    room.wakes()
    assert room.room == put_off
    room.says("Ann", "stripes")
    assert room.given("Ann") == ((), "stripes")
    room.now_ms += 10 * MINUTE_MS
    room.wakes()
    assert phase(room) == "vote/1"
    assert "Cy: (no clue)" in room.last["Cy"]


def test_time_is_put_off_before_what_comes_with_it_is_heard() -> None:
    room = clueing()
    room.says("Bo", "stripes")
    room.now_ms += HOUR_MS
    room.says("Ann", "saddle")
    assert phase(room) == "clue/1"
    assert room.given("Ann") == ((), "saddle")


def test_a_long_wait_may_be_found_a_quarter_late() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "pace relaxed")
    room.deals()
    room.now_ms += 8 * MINUTE_MS + 2 * MINUTE_MS
    room.wakes()
    assert phase(room) != "clue/1"
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "pace relaxed")
    room.deals()
    room.now_ms += 8 * MINUTE_MS + 2 * MINUTE_MS + 1
    room.wakes()
    assert phase(room) == "clue/1"


def test_nothing_is_put_off_when_nobody_is_waited_for() -> None:
    room = clueing()
    room.answers("clue")
    room.now_ms += HOUR_MS
    room.wakes()
    assert phase(room) == "vote/1"


def test_when_all_have_answered_after_it_was_put_off_it_closes_at_once() -> None:
    room = clueing()
    room.answers("clue", "Cy")
    room.now_ms += HOUR_MS
    room.wakes()
    assert phase(room) == "clue/1"
    room.says("Cy", "stripes")
    room.waits(6 * SECOND_MS)
    assert phase(room) == "vote/1"


def by_mail() -> Table:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "pace mail")
    room.deals()
    return room


def test_by_mail_there_is_grace_once_for_those_who_are_missing() -> None:
    room = by_mail()
    room.says("Bo", "stripes")
    assert room.wake_ms == NOON_MS + DAY_MS
    room.rings()
    assert set(room.last) == {"Ann", "Cy"}
    assert room.wake_ms == NOON_MS + DAY_MS + 12 * HOUR_MS
    room.rings()
    assert phase(room) == "vote/1"


def test_by_mail_the_last_answer_closes_it_at_once() -> None:
    room = by_mail()
    room.answers("clue")
    assert phase(room) == "vote/1"
    assert "Cy: stripes" in room.last["Ann"]


def test_by_mail_the_last_answer_within_grace_closes_it_at_once() -> None:
    room = by_mail()
    room.answers("clue", "Cy")
    room.rings()
    room.now_ms += HOUR_MS
    room.says("Cy", "stripes")
    assert phase(room) == "vote/1"


def test_without_a_clock_a_phase_closes_after_a_week() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "pace off")
    room.deals()
    room.says("Bo", "stripes")
    room.waits(7 * DAY_MS - 1)
    assert phase(room) == "clue/1"
    room.waits(1)
    assert phase(room) == "vote/1"


def test_time_alone_ends_it() -> None:
    for room in (table("Ann"), playing_table("Ann", "Bo", "Cy"), voting_table("Ann", "Bo", "Cy")):
        room.waits(60 * DAY_MS)
        assert isinstance(room.room.stage, Over)
        assert room.wake_ms is None


def test_a_game_that_waits_for_nothing_wakes_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    room = playing_table("Ann", "Bo", "Cy").room
    game = playing.game_of(room)

    def no_deadline(state: object) -> None:
        del state

    def without_deadline(room: Room) -> AnyGame:
        del room
        return replace(game, deadline=no_deadline)

    monkeypatch.setattr(playing, "game_of", without_deadline)
    assert playing.deadline_ms(room) is None
    assert playing.advance(room, NOON_MS + DAY_MS) == (room, ())


# --- who hears what ---


def test_the_status_line_counts_and_is_edited_in_place() -> None:
    room = playing_table("Ann", "Bo", "Cy", place=PLACE)
    [shown] = [one for one in room.letters if one.to == PLACE]
    assert shown.status == "clue/1"
    top, _, status = room.last["room"].rpartition("\n")
    assert status == "Waiting for 3."
    for who, status in (
        ("Bo", "Waiting for 2."),
        ("Ann", "Waiting for one more."),
        ("Cy", "All in."),
    ):
        room.says(who, "stripes")
        [letter] = [one for one in room.letters if one.to == PLACE]
        assert letter.status == "clue/1"
        assert room.last["room"] == f"{top}\n{status}"
        assert letter.buttons == shown.buttons
    room.says("Cy", "saddle")
    assert "room" not in room.last
    room.rings()
    [letter] = [one for one in room.letters if one.to == PLACE]
    assert letter.status == "vote/1"
    assert room.last["room"].endswith("Waiting for 3.")


def test_what_is_said_is_a_message_of_its_own_and_the_status_is_edited() -> None:
    room = playing_table("Ann", "Bo", "Cy", "Dee", place=PLACE)
    room.loses("Dee")
    sent = [(one.status, one.text) for one in room.letters if one.to == PLACE]
    assert [status for status, _ in sent] == ["", "clue/1"]
    assert sent[0][1] == "\ue000s4\ue001 can't be reached and sits out."
    assert sent[1][1].endswith("Waiting for 3.")


def test_those_who_hear_the_public_place_hear_room_lines_only_there() -> None:
    room = playing_table("Ann", "Bo", "Cy", texting=["Cy"], place=PLACE)
    assert "Round 1 of 8." in room.last["room"]
    assert "Round 1" not in room.last["Bo"]
    assert "Round 1/8" in room.last["Cy"]
    secret = {one.to: one.secret for one in room.letters}
    assert secret == {PLACE: False, "web:x:ann": True, "web:x:bo": True, "sms:x:cy": True}


def test_those_who_text_get_no_message_that_says_nothing() -> None:
    room = playing_table("Ann", "Bo", "Cy", texting=["Bo", "Cy"])
    room.says("Bo", "stripes")
    assert room.letters == ()
    room.joins("Dee", texting=True)
    room.says("Dee", "name Delia")
    assert room.last["Dee"] == "You are called Delia."
    assert not {"Bo", "Cy"} & set(room.last)


def test_those_who_text_get_one_message_with_all_there_is() -> None:
    room = voting_table("Ann", "Bo", "Cy", texting=["Bo"])
    room.answers("vote", words="1")
    room.rings()
    [letter] = [one for one in room.letters if one.to == "sms:x:bo"]
    for part in ("Weasel: ", "You +", "Round 2/8", "Your word: ", "Your 1-word clue?"):
        assert part in letter.short


def test_an_absent_one_who_texts_gets_no_chatter() -> None:
    room = table("Ann", "Bo", "Cy", "Dee", texting=["Dee"])
    room.says("Ann", "pace live")
    room.deals()
    for _ in range(2):
        room.answers("clue", "Dee")
        room.waits(120 * SECOND_MS)
        room.answers("vote", "Dee", words="2")
        room.waits(90 * SECOND_MS)
    assert room.room.seated("s4").away
    assert "You sit out. Text anything to play on." in room.heard["Dee"][-1]
    room.heard.clear()
    room.answers("clue")
    room.waits(120 * SECOND_MS)
    room.says("Ann", "name Anna")
    room.loses("Cy")
    assert room.heard["Bo"]
    assert not room.heard["Dee"]


def test_an_absent_one_is_back_with_the_first_word() -> None:
    room = table("Ann", "Bo", "Cy", "Dee", texting=["Dee"])
    room.says("Ann", "pace live")
    room.deals()
    for _ in range(2):
        room.answers("clue", "Dee")
        room.waits(120 * SECOND_MS)
        room.answers("vote", "Dee", words="2")
        room.waits(90 * SECOND_MS)
    room.says("Dee", "hello?")
    assert not room.room.seated("s4").away
    assert room.last["Ann"] == "Dee is back."
    assert "Dee" in room.last


def test_an_unreachable_seat_gets_nothing_at_all() -> None:
    room = playing_table("Ann", "Bo", "Cy", "Dee")
    room.loses("Dee")
    assert "Dee" not in room.last
    assert room.last["Ann"] == "Dee can't be reached and sits out."
    room.heard.clear()
    room.clues("Dee")
    room.answers("vote", "Dee", words="1")
    room.rings()
    room.numbers()
    room.says("Dee", "who", closed=True)
    assert room.last == {}
    assert not room.heard["Dee"]
    after = room.room
    room.loses("Dee")
    assert (room.room, room.last) == (after, {})


def test_an_unreachable_seat_that_left_is_lost_no_more() -> None:
    room = table("Ann", "Bo")
    room.says("Bo", "leave")
    after = room.room
    room.loses("Bo")
    assert (room.room, room.last) == (after, {})


def test_an_unreachable_one_in_the_public_place_is_answered_there_and_not_dealt_in() -> None:
    room = playing_table("Ann", "Bo", "Cy", "Dee", place=PLACE)
    room.loses("Dee")
    room.says("Dee", "who", public=True, closed=True)
    assert set(room.last) == {"room"}
    assert room.room.seated("s4").away
    room.presses("Dee", "look", "", closed=True)
    assert room.toast.startswith("Your word is ")
    assert room.room.seated("s4").away


def test_an_unreachable_one_comes_back_with_the_question_and_the_card() -> None:
    room = playing_table("Ann", "Bo", "Cy", "Dee")
    room.loses("Dee")
    room.answers("clue", "Dee")
    room.opens("Dee")
    assert room.last["Ann"] == "Dee is back."
    assert "Your word is " in room.last["Dee"]
    assert room.last["Dee"].count("Send your clue: one word.") == 1
    assert room.wake_ms == NOON_MS + 120 * SECOND_MS
    room.says("Dee", "stripes")
    assert room.given("Dee") == ((), "stripes")


def test_a_block_counts_by_default_this_round_and_not_in_the_next() -> None:
    room = playing_table("Ann", "Bo", "Cy", "Dee")
    room.loses("Dee")
    room.clues("Dee")
    assert "Dee: (no clue)" in room.last["Ann"]
    room.answers("vote", "Dee", words="1")
    room.rings()
    room.numbers()
    assert room.asked("Dee") == ""


def test_a_group_member_without_a_thread_is_ready_with_the_first_private_word() -> None:
    room = table("Ann", "Bo", place=PLACE, unready=["Bo"])
    room.says("Bo", "who", public=True)
    assert set(room.last) == {"room"}
    room._unready.clear()
    room.says("Bo", "who")
    assert room.last["room"] == "Bo is ready."
    assert room.room.seated("s2").open


def test_a_member_who_joins_late_without_a_thread_is_asked_once_it_is_open() -> None:
    room = playing_table("Ann", "Bo", "Cy", place=PLACE)
    room._unready.add("Dee")
    room.joins("Dee")
    assert "press Start: Dee." in room.last["room"]
    assert "Dee" not in room.last
    room.joins("Dee")
    assert room.last == {"room": "You have a seat in this room already."}


def test_a_bot_answers_at_once_and_is_never_written_to() -> None:
    room = table("Ann", bots=("Ada", "Bea"))
    room.deals()
    assert [room.given(bot) is not None for bot in ("Ada", "Bea")] == [True, True]
    assert room.given("Ann") is None
    assert set(room.heard) == {"Ann"}


def test_bots_do_not_play_on_while_every_person_is_away() -> None:
    room = table("Ann", bots=("Ada", "Bea", "Cal"))
    room.deals()
    room.loses("Ann")
    room.waits(30 * DAY_MS)
    assert isinstance(room.room.stage, Over)
    assert playing.state_of(room.room).played <= 2


# --- whatever happens ---

STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["Ann", "Bo", "Cy", "Dee", "Zed"]),
            st.sampled_from(
                ["go", "stripes", "vote 1", "me: x", "2", "leave", "kick bo", "finish", "who",
                 "/hand", "name Bob", "pace mail", "pick", "bot", "stop", "🏖", "new", "join KTRGW"]
            ),
        ),
        st.sampled_from(["join", "press", "lose", "open", "wake", "public"]).flatmap(
            lambda what: st.tuples(st.sampled_from(["Ann", "Bo", "Cy", "Dee"]), st.just(f"!{what}"))
        ),
        st.sampled_from([0, 4_000, 120_000, HOUR_MS, 30 * DAY_MS]),
    ),
    max_size=30,
)  # fmt: skip


@settings(max_examples=60)
@given(STEPS, st.booleans())
def test_no_happening_raises_and_time_alone_ends_any_of_it(
    steps: list[tuple[str, str] | int],
    in_group: bool,  # noqa: FBT001
) -> None:
    room = table("Ann", "Bo", "Cy", "Dee", texting=["Cy"], place=PLACE if in_group else "")
    for step in steps:
        match step:
            case int(ms):
                room.waits(ms)
            case (who, "!join"):
                room.joins(who)
            case (who, "!press"):
                room.presses(who, next((a.id for a in playing.asks(room.room)), ""), "s2")
            case (who, "!lose"):
                room.loses(who)
            case (who, "!open"):
                room.opens(who)
            case (_, "!wake"):
                room.wakes()
            case (who, "!public"):
                room.says(who, "2", public=in_group)
            case (who, words):
                room.says(who, words)
        assert room.wake_ms is None or room.wake_ms > room.now_ms
        assert isinstance(room.room.stage, Lobby | Playing | Over)
        wants_host = any(one.plays for one in room.room.people)
        assert not wants_host or room.room.seated(room.room.host).plays
    room.waits(400 * DAY_MS)
    assert isinstance(room.room.stage, Over)
