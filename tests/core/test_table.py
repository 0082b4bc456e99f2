"""What people do at a table, whatever is played."""

import re
from typing import get_args

import pytest
from msgspec.structs import replace

from core import playing
from core.pace import PaceName
from core.room import Lobby, Over, Playing
from tests.tables import (
    DAY_MS,
    MINUTE_MS,
    PLACE,
    SECOND_MS,
    Table,
    playing_table,
    table,
    voting_table,
)

WELCOME = (
    "Welcome, {}, you have a seat in room KTRGW. RULES explains the game, WHO shows who is here."
)


# --- sitting down ---


def test_a_host_is_told_the_code_the_ways_in_and_what_to_do() -> None:
    room = table("Ann")
    assert room.heard["Ann"] == [
        """Ann opened a room. Its code is KTRGW.
web: KTRGW
You are the host: send GO when everybody is here, WHO to see who is."""
    ]


def test_a_host_who_texts_is_told_the_same_in_short() -> None:
    room = table("Ann", texting=["Ann"])
    assert room.heard["Ann"] == ["Your room: KTRGW\ntxt KTRGW\nSend GO when all are here."]


def test_whoever_joins_is_welcomed_and_the_others_hear_of_it() -> None:
    room = table("Ann", "Bo")
    assert room.last == {"Ann": "Bo is here.", "Bo": f"{WELCOME.format('Bo')}\nBo is here."}


def test_a_name_can_come_with_the_join() -> None:
    room = table("Ann")
    room.joins("Bo", "  Robert  ")
    assert room.last["Ann"] == "Robert is here."


def test_without_a_name_somebody_is_a_number_and_is_asked_for_one() -> None:
    room = table("Ann", "Bo")
    room.joins("42")
    assert (
        room.last["42"].splitlines()[1] == "To be called something else, send NAME and your name."
    )
    assert room.last["Ann"] == "Player 3 is here."


def test_nobody_is_given_a_name_that_somebody_took() -> None:
    room = table("Ann", "Bo")
    room.says("Bo", "name Player 3")
    room.joins("42")
    assert room.last["Ann"] == "Player 3 2 is here."


def test_two_people_are_not_called_alike() -> None:
    room = table("Ann", "Bo")
    for who in ("p2", "p3"):
        room.joins(who, "ANN")
    assert list(room.room.names.values()) == ["Ann", "Bo", "ANN 2", "ANN 3"]


def test_a_seat_is_taken_once() -> None:
    room = table("Ann", "Bo")
    room.joins("Bo")
    assert room.last == {"Bo": "You have a seat in this room already."}
    assert len(room.room.seats) == 2


def test_a_room_is_full_at_seven() -> None:
    room = table("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus")
    room.joins("Hal")
    assert room.last == {"Hal": "Sorry, that room is full."}
    assert len(room.room.seats) == 7
    room.says("Ann", "bot")
    assert room.last == {"Ann": "Sorry, that room is full."}


def test_whoever_comes_late_plays_from_the_next_round_on() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    room.joins("Dee")
    assert room.last["Ann"] == "Dee takes a seat and plays from the next round on."
    assert room.asked("Dee") == ""
    room.clues()
    assert room.asked("Dee") == ""
    room.answers("vote", words="1")
    room.rings()
    room.numbers()
    assert room.asked("Dee") == "clue/2"


def test_whoever_comes_back_has_their_old_seat_name_and_points() -> None:
    room = voting_table("Ann", "Bo", "Cy", "Dee")
    room.says("Bo", "name Robert")
    room.answers("vote", words="1")
    room.rings()
    points = room.room.names, playing.lines_of(room.room)[1:]
    room.says("Bo", "leave")
    room.joins("Bo")
    assert room.seat("Bo") == "s2"
    assert (room.room.names, playing.lines_of(room.room)[1:]) == points
    assert "Robert takes a seat" in room.last["Ann"]


def test_whoever_comes_back_may_take_another_name() -> None:
    room = table("Ann", "Bo")
    room.says("Bo", "leave")
    room.joins("Bo", "Robert")
    assert room.room.seated("s2").name == "Robert"


def test_the_name_of_whoever_left_stays_theirs() -> None:
    room = table("Ann", "Bo")
    room.says("Bo", "leave")
    room.joins("p3", "Bo")
    room.joins("Bo")
    assert list(room.room.names.values()) == ["Ann", "Bo", "Bo 2"]


def test_nobody_joins_what_is_over() -> None:
    room = table("Ann")
    room.says("Ann", "finish")
    room.joins("Bo")
    assert room.last == {"Bo": "That game is over. Send NEW for another one."}


# --- the lobby's clock ---


def test_a_lobby_closes_after_half_an_hour_without_anybody() -> None:
    room = table("Ann", "Bo")
    room.waits(30 * MINUTE_MS - 1)
    assert isinstance(room.room.stage, Lobby)
    room.waits(1)
    assert isinstance(room.room.stage, Over)
    closed = "Nothing has happened here for a while, so the room is closed. NEW opens another."
    assert room.last == {"Ann": closed, "Bo": closed}
    assert room.wake_ms is None


def test_every_join_postpones_it() -> None:
    room = table("Ann")
    room.waits(29 * MINUTE_MS)
    room.joins("Bo")
    room.waits(29 * MINUTE_MS)
    assert isinstance(room.room.stage, Lobby)
    room.waits(MINUTE_MS)
    assert isinstance(room.room.stage, Over)


def test_a_join_that_comes_too_late_finds_it_closed() -> None:
    room = table("Ann")
    room.now_ms += 31 * MINUTE_MS
    room.joins("Bo")
    assert room.last["Bo"] == "That game is over. Send NEW for another one."
    assert "closed" in room.last["Ann"]


# --- starting ---


def test_a_game_starts_with_three() -> None:
    room = table("Ann", "Bo")
    room.says("Ann", "go")
    assert room.last == {"Ann": "It takes 3 to play; here are 2."}
    room.joins("Cy")
    room.says("Ann", "BEGIN!")
    assert isinstance(room.room.stage, Playing)
    room.says("Ann", "go")
    assert room.last["Ann"].startswith("You: ")


def test_only_those_who_can_be_dealt_in_count() -> None:
    room = table("Ann", "Bo", "Cy")
    room.loses("Cy")
    room.says("Ann", "go")
    assert room.last == {"Ann": "It takes 3 to play; here are 2."}


def test_the_host_hears_who_must_still_press_start() -> None:
    room = table("Ann", "Bo", "Cy", place=PLACE, unready=["Bo", "Cy"])
    assert "Still to open their private chat with me and press Start: Bo." in room.heard["room"][1]
    assert not room.heard["Bo"]
    room.says("Ann", "go", public=True)
    assert room.last == {
        "room": "Still to open their private chat with me and press Start: Bo, Cy."
    }
    room.opens("Bo")
    assert room.last["room"] == "Bo is ready."
    assert room.last["Bo"] == WELCOME.format("Bo")
    room.says("Ann", "who")
    assert "press Start: Cy." in room.last["Ann"]
    room.says("Cy", "hello")
    room.says("Ann", "go")
    assert "press Start: Cy." in room.last["Ann"]
    room.opens("Cy")
    room.says("Ann", "go")
    assert isinstance(room.room.stage, Playing)


def test_a_host_must_press_start_like_everybody() -> None:
    room = table("Ann", place=PLACE, unready=["Ann"])
    assert not room.heard["Ann"]
    assert room.last["room"].endswith("press Start: Ann.")


def test_whoever_blocked_us_in_the_lobby_does_not_hold_up_the_rest() -> None:
    room = table("Ann", "Bo", "Cy", "Dee")
    room.loses("Dee")
    room.says("Ann", "who")
    assert "press Start" not in room.last["Ann"]
    room.deals()
    assert isinstance(room.room.stage, Playing)


# --- the host ---


@pytest.mark.parametrize("what", ["go", "kick Ann", "finish", "pace live", "pick", "bot"])
def test_a_hosts_power_is_the_hosts_alone(what: str) -> None:
    room = table("Ann", "Bo", "Cy")
    before = room.room
    room.says("Bo", what)
    assert room.last == {"Bo": "Only the host, Ann, can do that."}
    assert room.room == before


def test_when_the_host_leaves_the_longest_present_takes_over() -> None:
    room = table("Ann", "Bo", "Cy")
    room.loses("Bo")
    room.says("Ann", "leave")
    assert room.last == {
        "Ann": "You got up. Thanks for playing!",
        "Cy": "Ann left.\nCy is the host now.",
    }
    assert room.host == "Cy"
    room.joins("Ann")
    assert room.host == "Cy"


def test_when_the_host_is_out_of_reach_the_next_takes_over() -> None:
    room = playing_table("Ann", "Bo", "Cy", "Dee")
    room.loses("Ann")
    assert room.last["Bo"].splitlines()[:2] == [
        "Ann can't be reached and sits out.",
        "Bo is the host now.",
    ]
    room.says("Ann", "hi")
    assert room.host == "Bo"


def test_when_the_host_sits_out_the_next_takes_over() -> None:
    room = playing_table("Ann", "Bo", "Cy", "Dee")
    for _ in range(2):
        room.answers("clue", "Ann")
        room.waits(120 * SECOND_MS)
        room.answers("vote", "Ann", words="2")
        room.waits(90 * SECOND_MS)
        room.waits(30 * SECOND_MS if "number" in "".join(map(str, playing.asks(room.room))) else 0)
    assert room.room.seated("s1").away
    assert room.host == "Bo"
    assert any("Bo is the host now." in heard for heard in room.heard["Cy"])


def test_when_everybody_is_away_whoever_comes_back_first_is_the_host() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    for who in ("Ann", "Bo", "Cy"):
        room.loses(who)
    assert room.host == "Cy"
    room.says("Bo", "hi")
    assert room.host == "Bo"


def test_when_the_last_one_leaves_the_room_is_over() -> None:
    room = table("Ann", bots=("Ada", "Bea"))
    room.deals()
    room.says("Ann", "leave")
    assert isinstance(room.room.stage, Over)
    assert room.last == {"Ann": "You got up. Thanks for playing!"}
    assert room.wake_ms is None


def test_the_scores_outlive_everybody() -> None:
    room = voting_table("Ann", "Bo", "Cy")
    room.says("Ann", "finish")
    for who in ("Bo", "Cy", "Ann"):
        room.says(who, "leave")
    assert len(playing.lines_of(room.room)) == 4


def test_the_host_shows_somebody_out() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "kick BO.")
    assert room.last == {
        "Ann": "Bo was shown out by the host.",
        "Cy": "Bo was shown out by the host.",
        "Bo": "The host showed you out of the room.",
    }
    assert room.room.seated("s2").gone


@pytest.mark.parametrize("what", ["kick", "kick xyz", "kick 1234", "kick ann", "kick xyz 1234"])
def test_whoever_is_to_be_shown_out_must_be_named(what: str) -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", what)
    assert room.last == {"Ann": "Whom? Here are: Bo, Cy."}


def test_there_may_be_nobody_to_show_out() -> None:
    room = table("Ann")
    room.says("Ann", "kick bo")
    assert room.last == {"Ann": "There is nobody else here."}


def test_the_host_ends_the_game_with_the_scores() -> None:
    room = voting_table("Ann", "Bo", "Cy")
    room.says("Ann", "finish")
    assert room.last["Bo"].splitlines()[0] == "Ann ended the game."
    assert len(room.last["Bo"].splitlines()) == 5
    for what in ("finish", "go", "who"):
        room.says("Ann", what)
        assert room.last == {"Ann": "That game is over. Send NEW for another one."}


def test_a_lobby_can_be_ended_too() -> None:
    room = table("Ann", "Bo")
    room.says("Ann", "wrap")
    assert room.last["Bo"] == "Ann ended the game."
    room.says("Bo", "scores")
    assert room.last["Bo"] == "There are no scores before the game starts."


# --- a host who texts must type a number back ---


def number_asked(said: str, command: str) -> str:
    found = re.fullmatch(rf"To be sure it is you: send {command} (\d{{4}})", said)
    assert found, said
    return found[1]


def test_a_texting_host_types_a_number_back_to_show_somebody_out() -> None:
    room = table("Ann", "Bo", "Ann 2", "Cy", texting=["Ann"])
    room.says("Ann", "kick ann 2")
    number = number_asked(room.last["Ann"], "KICK ANN 2")
    assert set(room.last) == {"Ann"}
    room.says("Ann", f"KICK ANN 2 {number}")
    assert "Ann 2 was shown out." in room.last["Ann"]
    assert room.room.confirmation is None


def test_a_texting_host_shows_somebody_out_by_the_name_as_far_as_it_is_shown() -> None:
    room = table("Ann", "Bartholomew", "Barbara", "Cy", texting=["Ann"])
    room.says("Ann", "kick bar")
    assert room.last["Ann"].startswith("Whom?")
    room.says("Ann", "kick bartholo")
    number = number_asked(room.last["Ann"], "KICK BARTHOLOMEW")
    room.says("Ann", f"kick bartholo {number}")
    assert "Bartholomew was shown out." in room.last["Ann"]


def test_a_host_who_sees_whole_names_shows_nobody_out_by_half_of_one() -> None:
    room = table("Ann", "Bob", "Cy")
    room.says("Ann", "kick bo")
    assert room.last["Ann"].startswith("Whom?")


def test_a_texting_host_types_a_number_back_to_end_the_game() -> None:
    room = table("Ann", "Bo", texting=["Ann"])
    room.says("Ann", "finish")
    number = number_asked(room.last["Ann"], "FINISH")
    room.says("Ann", f"finish {number}.")
    assert isinstance(room.room.stage, Over)


def test_a_wrong_number_is_answered_with_a_new_one() -> None:
    room = table("Ann", "Bo", texting=["Ann"])
    room.says("Ann", "finish")
    first = number_asked(room.last["Ann"], "FINISH")
    room.says("Ann", f"finish {(int(first) + 1) % 10_000:04}")
    second = number_asked(room.last["Ann"], "FINISH")
    assert second != first
    room.says("Ann", f"finish {first}")
    third = number_asked(room.last["Ann"], "FINISH")
    room.says("Ann", f"finish {third}")
    assert isinstance(room.room.stage, Over)


def test_the_number_of_another_command_is_a_wrong_one() -> None:
    room = table("Ann", "Bo", "Cy", texting=["Ann"])
    room.says("Ann", "kick bo")
    number = number_asked(room.last["Ann"], "KICK BO")
    room.says("Ann", f"kick cy {number}")
    number = number_asked(room.last["Ann"], "KICK CY")
    room.says("Ann", f"finish {number}")
    number_asked(room.last["Ann"], "FINISH")
    assert len(room.room.here) == 3


def test_a_number_is_good_for_whom_it_was_asked_only() -> None:
    room = table("Ann", "Bo", "Cy", texting=["Ann", "Bo"])
    room.says("Ann", "finish")
    number = number_asked(room.last["Ann"], "FINISH")
    room.says("Ann", "leave")
    room.says("Bo", f"finish {number}")
    number_asked(room.last["Bo"], "FINISH")


# --- names ---


def test_a_name_can_be_changed() -> None:
    room = table("Ann", "Bo")
    room.says("Bo", "name Robert")
    assert room.last == {"Ann": "Bo is Robert now.", "Bo": "Bo is Robert now."}
    room.says("Bo", "name robert")
    assert room.last["Ann"] == "Robert is robert now."
    room.says("Bo", "name robert!")
    assert room.last == {"Bo": "You are called robert."}


@pytest.mark.parametrize("what", ["name", "name me", "name stop", "name 12", "name 202 555 0100"])
def test_a_name_that_will_not_do_changes_nothing(what: str) -> None:
    room = table("Ann", "Bo")
    room.says("Bo", what)
    assert set(room.last) == {"Bo"}
    assert room.last["Bo"].startswith("That name won't do.")


def test_a_new_name_is_unlike_the_others() -> None:
    room = table("Ann", "Bo")
    room.says("Bo", "name ann")
    assert room.last["Ann"] == "Bo is ann 2 now."


# --- pace and variants ---


@pytest.mark.parametrize("pace", get_args(PaceName))
def test_the_host_sets_the_pace(pace: PaceName) -> None:
    room = table("Ann", "Bo")
    room.says("Ann", f"pace {pace.upper()}!")
    assert room.last["Bo"] == f"The pace is {pace} from now on."
    assert room.room.pace.name == pace


@pytest.mark.parametrize("what", ["pace", "pace slow", "pace 7"])
def test_a_pace_that_there_is_not_is_asked_back(what: str) -> None:
    room = table("Ann", "Bo")
    room.says("Ann", what)
    assert room.last == {"Ann": "The pace is live. Send PACE LIVE, RELAXED, MAIL or OFF."}


def test_a_seat_on_sms_makes_the_pace_relaxed_unless_the_host_chose() -> None:
    assert table("Ann").room.pace.name == "live"
    assert table("Ann", "Bo", texting=["Bo"]).room.pace.name == "relaxed"
    room = table("Ann", "Bo")
    room.says("Ann", "pace live")
    room.joins("Cy", texting=True)
    assert room.room.texting
    assert room.room.pace.name == "live"


def test_the_number_is_picked_at_a_live_table_and_rolled_by_sms() -> None:
    assert playing_asks(table("Ann", "Bo", "Cy")) == {"number"}
    assert playing_asks(table("Ann", "Bo", "Cy", texting=["Cy"])) == {"clue"}


def test_pick_is_a_switch() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "pick")
    assert room.last["Bo"] == "The die rolls the numbers."
    room.says("Ann", "pick")
    assert room.last["Bo"] == "The Chief Ferret Officer picks the numbers."
    room.says("Ann", "pick")
    assert playing_asks(room) == {"clue"}
    room.says("Ann", "/pick")
    assert room.last["Ann"] == "That can only be changed before the game starts."
    texting = table("Ann", "Bo", "Cy", texting=["Cy"])
    texting.says("Ann", "pick")
    assert playing_asks(texting) == {"number"}


def playing_asks(room: Table) -> set[str]:
    """Start the game; the verbs of the questions it begins with."""
    room.says(room.host, "go")
    return {ask.verb for ask in playing.asks(room.room)}


# --- bots ---


def test_the_host_seats_bots() -> None:
    room = table("Ann")
    room.says("Ann", "bot")
    room.says("Ann", "bot Marvin")
    assert room.last["Ann"] == "Marvin, a bot, takes a seat."
    assert [one.bot for one in room.room.seats] == [False, True, True]
    room.deals()
    assert isinstance(room.room.stage, Playing)


def test_a_host_never_runs_out_of_bots() -> None:
    room = table("Ann")
    for _ in range(22):
        room.says("Ann", "bot")
        room.says("Ann", f"kick {room.room.here[-1].name}")
    assert len(room.room.here) == 1
    assert len(set(room.room.names.values())) == 23


def test_a_bot_can_come_late() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    room.says("Ann", "bot Marvin")
    room.clues()
    assert "Marvin" not in room.last["Ann"]


# --- who, rules, scores, look ---


def test_who_in_the_lobby() -> None:
    room = table("Ann", "Bo")
    room.says("Ann", "who")
    assert room.last == {
        "Ann": "Here: Ann, Bo. Host: Ann.\nweb: KTRGW\nYou are the host: GO starts the game."
    }
    room.says("Bo", "who")
    assert room.last["Bo"].endswith("The host starts the game.")


def test_who_while_everybody_writes() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    room.waits(30 * SECOND_MS)
    room.says("Ann", "/who")
    assert room.last == {
        "Ann": "Waiting for Ann, Bo, Cy, 90 seconds left.\nYou: your clue is wanted."
    }
    room.says("Bo", "zebra")
    room.says("Bo", "/who")
    assert room.last["Bo"] == (
        "Waiting for Ann, Cy, 90 seconds left.\nYou: your clue is in; you can still change it."
    )
    room.joins("Dee")
    room.says("Dee", "who")
    assert room.last["Dee"].endswith("You: nothing to do right now.")


def test_who_while_the_last_can_regret() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    room.answers("clue")
    room.says("Ann", "/who")
    assert room.last["Ann"].startswith("Everybody is in; 5 seconds left to change your mind.")


def test_who_while_the_game_is_paused() -> None:
    room = playing_table("Ann", "Bo", "Cy")
    room.says("Cy", "leave")
    room.says("Ann", "who")
    first, second = room.last["Ann"].splitlines()
    assert "7 days" in first
    assert second == "You: nothing to do right now."


@pytest.mark.parametrize(
    ("pace", "left"),
    [("live", "2 minutes"), ("relaxed", "8 minutes"), ("mail", "24 hours"), ("off", "7 days")],
)
def test_who_tells_the_time_in_what_one_counts_it_in(pace: str, left: str) -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", f"pace {pace}")
    room.deals()
    room.says("Ann", "/who")
    assert f"{left} left." in room.last["Ann"]


def test_rules_and_scores_can_be_asked_for_at_any_time() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Bo", "rules")
    assert room.last["Bo"].startswith("Ferret Out: ")
    room.says("Bo", "scores")
    assert room.last["Bo"] == "There are no scores before the game starts."
    room.deals()
    room.says("Bo", "/scores")
    assert "Bo: 0" in room.last["Bo"]


def test_a_card_is_shown_in_private_only() -> None:
    room = table("Ann", "Bo", "Cy", place=PLACE)
    room.says("Bo", "hand")
    assert room.last == {"Bo": "You hold nothing secret right now."}
    room.deals()
    room.says("Bo", "/word", public=True)
    assert room.last == {"room": "Your card is for you alone: ask for it in our private chat."}
    room.says("Bo", "/hand")
    assert set(room.last) == {"Bo"}
    assert room.last["Bo"].startswith("Your word is ")
    assert room.last["Bo"].endswith("Send your clue: one word.")
    assert room.letters[0].secret


@pytest.mark.parametrize("what", ["new", "join KTRGW", "/join"])
def test_whoever_sits_here_is_told_so(what: str) -> None:
    room = table("Ann", "Bo")
    room.says("Bo", what)
    assert room.last == {"Bo": "You already sit in room KTRGW. Send LEAVE to get up first."}


def test_a_game_without_a_clock_is_kept_for_a_week() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "pace off")
    room.deals()
    assert room.wake_ms == room.now_ms + 7 * DAY_MS


def test_a_room_keeps_its_people_apart_from_those_who_left() -> None:
    room = table("Ann", "Bo")
    room.says("Bo", "leave")
    assert [one.name for one in room.room.here] == ["Ann"]
    assert room.room.seat_of("Bo") is None
    with pytest.raises(KeyError):
        room.room.seated("s9")
    assert replace(room.room, seats=()).people == ()
