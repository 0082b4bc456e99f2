"""What the engine can do beyond one answer of one thing: baskets, scenes, offers, cards, seats."""

from collections.abc import Iterator

import msgspec
import pytest

from core import playing
from core.codec import decode_room, encode_room
from core.delivery import BOARD_CHARS, HELD_CHARS, Mail, latest
from core.game import Place, Ring, aside_to, room
from core.games import find_games
from core.room import Over, Playing
from core.text import mark
from tests.core.market import UP_TO, WORDS, playing_market
from tests.tables import PLACE, Table


@pytest.fixture(autouse=True)
def _market() -> Iterator[None]:
    with playing_market():
        yield


def sat(*names: str, texting: str = "", place: str = "", bots: tuple[str, ...] = ()) -> Table:
    return Table(
        *names, texting=texting.split(), unready=(), place=place, bots=bots, options=(), seed="7",
        game="market",
    )  # fmt: skip


def shopping(*names: str, texting: str = "", place: str = "") -> Table:
    table = sat(*names, texting=texting, place=place)
    table.says("Ann", "go")
    return table


# --- several things in one answer ---


def test_a_basket_is_filled_by_presses_until_it_is_whole() -> None:
    table = shopping("Ann", "Bo")
    table.presses("Ann", "fruit/1", "apple")
    assert table.toast == "So far: Apple."
    assert table.given("Ann") is None
    assert "So far: Apple." in table.last["Ann"]
    (letter,) = [one for one in table.letters if one.buttons]
    assert letter.status == "fruit/1"
    assert [button.text for button in letter.buttons] == ["\u2713 Apple", "Red Plum"]
    table.presses("Ann", "fruit/1", "apple")
    assert table.toast == "Noted: Apple, Apple."
    assert table.given("Ann") == (("apple", "apple"), "")


def test_a_press_too_many_takes_back_and_what_does_not_fit_is_said() -> None:
    table = shopping("Ann", "Bo")
    table.says("Ann", "apple and plum")
    table.presses("Ann", "fruit/1", "plum")
    assert table.toast == "So far: Apple."
    assert table.given("Ann") == (("apple", "plum"), ""), "it counts until another is whole"
    table.presses("Ann", "fruit/1", "apple")
    assert table.given("Ann") == (("apple", "apple"), "")
    table.presses("Ann", "fruit/1", "plum")
    assert table.toast == "That is enough: 2. Press one of them again to take it back."
    table.presses("Ann", "fruit/1", "pear")
    assert table.toast == "That question is closed."


def test_where_there_may_be_more_a_button_says_that_it_is_whole() -> None:
    with playing_market(UP_TO):
        table = shopping("Ann", "Bo")
        assert [one.buttons[-1].text for one in table.letters if one.buttons] == ["Done"] * 2
        table.presses("Ann", "fruit/1", "apple")
        table.presses("Ann", "fruit/1", "")
        assert table.toast == "Noted: Apple."
        table.says("Bo", "none")
        assert table.given("Bo") == ((), "")
        assert "Noted: nothing." in table.last["Bo"]


def test_too_little_is_not_whole() -> None:
    with playing_market(msgspec.structs.replace(UP_TO, at_least=2)):
        table = shopping("Ann", "Bo")
        table.presses("Ann", "fruit/1", "apple")
        table.presses("Ann", "fruit/1", "")
        assert table.toast == "It takes 2 at least."


def test_what_the_game_refuses_is_not_kept() -> None:
    with playing_market(msgspec.structs.replace(UP_TO, options=tuple(
        msgspec.structs.replace(one, times=2) for one in UP_TO.options
    ))):  # fmt: skip
        table = shopping("Ann", "Bo")
        table.presses("Ann", "fruit/1", "plum")
        table.presses("Ann", "fruit/1", "plum")
        table.presses("Ann", "fruit/1", "")
        assert table.toast == "Not two plums again."
        assert table.given("Ann") is None
        assert table.room.stage == decode_room(encode_room(table.room)).stage


def test_by_text_a_basket_lists_what_there_is_without_labels() -> None:
    table = shopping("Ann", "Bo", texting="Bo")
    assert table.last["Bo"].endswith("What do you buy?\n2 Apple, Red Plum")
    table.says("Bo", "apple, plum")
    assert table.given("Bo") == (("apple", "plum"), "")
    assert "Bo" not in table.last


# --- scenes ---


def test_a_scene_is_one_message_that_grows_by_what_is_said_aside() -> None:
    table = shopping("Ann", "Bo", "Cy", place=PLACE)
    assert table.last["room"] == "Market day 1.\nShopping (60 seconds)"
    table.says("Ann", "apple plum")
    (board,) = [one for one in table.letters if one.to == PLACE]
    assert board.status == "day/1"
    assert table.last["room"] == "Market day 1.\nAnn bought something.\nShopping (60 seconds)"
    table.says("Bo", "apple plum")
    table.says("Cy", "apple plum")
    assert table.last["room"].endswith("Cy bought something.\nAll in.")
    table.rings()
    assert table.last["room"] == "Market day 2.\nShopping (60 seconds)"


def test_every_thread_sees_the_scene_apart_from_what_is_asked_there() -> None:
    table = shopping("Ann", "Bo")
    sent = [(one.to, one.status) for one in table.letters if one.to == "web:x:ann"]
    assert sent == [("web:x:ann", "day/1"), ("web:x:ann", "fruit/1")], "news before questions"
    table.says("Bo", "apple plum")
    assert table.last["Ann"] == "Market day 1.\nBo bought something.\nShopping (60 seconds)"


def test_nothing_new_is_nothing_sent() -> None:
    table = shopping("Ann", "Bo", place=PLACE)
    table.says("Ann", "who")
    assert "room" not in table.last


def test_whoever_pays_hears_asides_with_the_next_question() -> None:
    table = shopping("Ann", "Bo", "Cy", texting="Cy")
    assert table.last["Cy"].startswith("Day 1.\nWhat do you buy?")
    for who in ("Ann", "Bo", "Cy"):
        table.says(who, "apple plum")
        assert "Cy" not in table.last
    table.says("Ann", "wave apple")
    assert "Cy" not in table.last
    table.says("Cy", "who")
    assert "bought" not in table.last["Cy"], "an answer is not news"
    table.rings()
    assert table.last["Cy"].split("\n")[:5] == [
        "Ann bought.", "Bo bought.", "Cy bought.", "You have paid.", "Ann waves.",
    ]  # fmt: skip
    assert table.room.stage == decode_room(encode_room(table.room)).stage
    assert isinstance(table.room.stage, Playing)
    assert not table.room.stage.held


def test_what_was_held_for_long_is_cut_to_the_latest() -> None:
    lines = [f"line {n} of news" for n in range(40)]
    kept = latest(lines)
    assert kept[0] == "..."
    assert kept[-1] == lines[-1]
    assert sum(len(one) + 1 for one in kept[1:]) <= HELD_CHARS
    assert latest(lines[:3]) == tuple(lines[:3])


def test_whoever_sits_out_is_not_held_anything() -> None:
    table = shopping("Ann", "Bo", "Cy", texting="Cy")
    table.loses("Cy")
    table.says("Ann", "apple plum")
    assert isinstance(table.room.stage, Playing)
    assert "s3" not in table.room.stage.held


def test_the_end_is_said_to_everybody_and_nothing_that_was_held_is_lost() -> None:
    table = shopping("Ann", "Bo", texting="Bo", place=PLACE)
    for _ in range(2):
        table.rings()
    table.says("Bo", "apple plum")
    table.rings()
    assert isinstance(table.room.stage, Over)
    assert table.heard["room"][-2:] == [
        "Market day 3.\nBo bought something.",
        "The market is closed.",
    ]
    assert table.last["Bo"] == "Bo bought.\nYou have paid.\nThe market is closed."
    drawn = {one.to: one.status for one in table.letters if one.ring}
    assert drawn == {PLACE: "", "sms:x:bo": ""}, "who stood where, for those who can draw it"


def test_a_scene_that_is_over_keeps_what_came_of_it() -> None:
    table = shopping("Ann", "Bo", place=PLACE)
    table.says("Ann", "leave")
    table.rings()
    (old, new) = [one for one in table.letters if one.to == PLACE]
    assert (old.status, new.status) == ("day/1", "day/2")
    assert old.text.endswith("The stalls are cleared.")
    assert new.text.startswith("Market day 2.")
    assert not old.buttons


def test_what_is_held_leaves_room_for_what_is_asked() -> None:
    assert latest(["old news", "news"], "x" * 428) == ("...",)
    assert latest(["old news", "news"], "x" * 420) == ("...", "news")


# --- offers, cards, a ring, seats ---


def test_an_offer_can_be_taken_up_beside_the_question() -> None:
    table = shopping("Ann", "Bo", place=PLACE)
    table.says("Ann", "wave apple")
    assert "Ann waves." in table.last["room"]
    table.says("Ann", "wave apple", public=True)
    assert table.last["room"].startswith("Answers go in our private chat")
    assert table.given("Ann") is None


def test_before_the_start_nothing_is_offered() -> None:
    table = sat("Ann", "Bo")
    table.says("Ann", "wave apple")
    assert "didn't get that" in table.last["Ann"]
    assert playing.scene_of(table.room) is playing.ring_of(table.room) is None


@pytest.mark.parametrize(
    "typed", ["card plum", "card red plum", "/card Plums", "cards 1", "/CARD red plam"]
)
def test_a_card_is_explained_by_its_name(typed: str) -> None:
    table = shopping("Ann", "Bo")
    table.says("Ann", typed)
    assert table.last["Ann"] == "A plum is a plum."


def test_without_a_name_the_cards_are_listed() -> None:
    table = shopping("Ann", "Bo")
    for typed in ("card", "card pear"):
        table.says("Ann", typed)
        assert table.last["Ann"] == "Send CARD and a name: Red Plum."


def test_nobody_is_called_like_a_card() -> None:
    table = sat("Ann", "Bo")
    table.says("Bo", "name Plum")
    assert table.room.seated("s2").name == "Plum 2"


def test_the_menu_can_name_who_sits_there() -> None:
    table = sat("Ann", "Bo")
    table.says("Ann", "variant shopper bo")
    assert table.room.options == ("first-s2",)
    assert "Shopper: Bo." in table.last["Ann"]


def test_scores_draw_who_sits_where() -> None:
    table = shopping("Ann", "Bo", place=PLACE)
    table.says("Ann", "scores")
    (letter,) = table.letters
    shopper = f"Shopper: {mark('s1')}"
    assert letter.ring == Ring(
        "Market day 1.", (Place("s1", (shopper,)), Place("s2", (shopper.replace("s1", "s2"),)))
    )
    table.says("Ann", "scores", public=True)
    assert [one.to for one in table.letters if one.ring] == [PLACE]


def test_whoever_comes_late_takes_over_a_seat_that_was_left() -> None:
    table = shopping("Ann", "Bo", "Cy")
    table.joins("Zoe")
    assert "every seat has its player" in table.last["Zoe"]
    table.says("Bo", "leave")
    table.joins("Zoe")
    assert table.room.seated("s2").name == "Zoe"
    assert "Zoe takes over the seat of Bo." in table.last["Ann"]
    table.says("Zoe", "apple plum")
    assert table.given("Zoe") == (("apple", "plum"), "")
    table.joins("Bo")
    assert "every seat has its player" in table.last["Bo"]


def test_whoever_left_gets_their_own_seat_back_and_a_bot_gives_up_its_seat() -> None:
    table = sat("Ann", "Bo", bots=("Ada",))
    table.says("Ann", "go")
    table.says("Bo", "leave")
    table.joins("Bo")
    assert table.room.seated("s3").person == "Bo"
    table.joins("Zoe")
    assert not any(one.bot for one in table.room.seats)


def test_a_seat_that_is_not_in_the_game_is_not_taken_over() -> None:
    table = sat("Ann", "Bo", "Cy")
    table.says("Cy", "leave")
    table.says("Ann", "go")
    for who in ("Cy", "Zoe"):
        table.joins(who)
        assert "every seat has its player" in table.last[who]
    table.says("Ann", "bot")
    assert table.last["Ann"] == "The game has begun: a bot can sit down before the next one."
    assert len(table.room.seats) == 3


@pytest.mark.parametrize("name", ["Plum", "Hop", "PLUM!"])
def test_nobody_is_called_by_a_word_of_the_game(name: str) -> None:
    table = sat("Ann", "Bo")
    table.says("Bo", f"name {name}")
    assert table.room.seated("s2").name.endswith(" 2")


def test_nobody_is_called_by_a_number() -> None:
    table = sat("Ann", "Bo")
    table.says("Bo", "name two")
    assert table.room.seated("s2").name == "Bo"


def test_whoever_has_left_is_not_told_of_the_game() -> None:
    table = shopping("Ann", "Bo", texting="Bo")
    table.says("Bo", "leave")
    heard = len(table.heard["Bo"])
    for _ in range(3):
        table.rings()
    assert isinstance(table.room.stage, Over)
    assert len(table.heard["Bo"]) == heard
    held = Mail(table.room, WORDS)
    held.say((aside_to("s2", "market-paid"),))
    assert held.letters() == ()
    assert not held.held


def test_what_was_held_makes_a_letter_secret() -> None:
    table = shopping("Ann", "Bo", texting="Bo")
    assert isinstance(table.room.stage, Playing)
    kept = msgspec.structs.replace(table.room.stage, held={"s2": ("You have paid.",)})
    mail = Mail(table.room, WORDS, None, kept)
    mail.say((room("market-closed"),))
    secret = {one.to: one.secret for one in mail.letters()}
    assert secret == {"web:x:ann": False, "sms:x:bo": True}


def test_a_board_does_not_grow_without_end() -> None:
    table = shopping("Ann", "Bo", place=PLACE)
    for _ in range(400):
        table.says("Bo", "wave apple")
    assert isinstance(table.room.stage, Playing)
    shown = table.room.stage.board[1]
    assert len(shown) <= BOARD_CHARS
    assert shown.endswith("waves.")


def test_where_nothing_was_shown_there_is_nothing_to_close() -> None:
    table = shopping("Ann", "Bo", place=PLACE)
    assert isinstance(table.room.stage, Playing)
    mail = Mail(table.room, WORDS, None, msgspec.structs.replace(table.room.stage, board=("", "")))
    mail.close()
    assert mail.letters() == ()


def test_a_game_says_itself_which_seats_can_be_taken_over() -> None:
    table = shopping("Ann", "Bo")
    assert playing.dealt(table.room) == ("s1", "s2")
    assert playing.dealt(sat("Ann", "Bo").room) is None
    assert find_games()["ferret-out"].dealt is None
