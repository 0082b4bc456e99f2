"""What a host chooses before the start, and the rematch after the end."""

import pytest
from msgspec.structs import replace

from core import playing
from core.engine import MENU, Departed
from core.games.ferret_out.state import State
from core.room import Lobby, Over, Playing
from tests.tables import DAY_MS, PLACE, Table, playing_table, table


def state(room: Table) -> State:
    found: State = playing.state_of(room.room)
    return found


def test_variant_alone_shows_the_host_what_there_is_to_choose() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "variant")
    [letter] = room.letters
    assert [button.data for button in letter.buttons][:2] == [
        f"{room.room.id}:{MENU}:point-of-order",
        f"{room.room.id}:{MENU}:weasel-brained",
    ]
    assert letter.buttons[2].text == "Paranoia: off"
    assert letter.status == "variant"


def test_by_sms_the_choices_are_numbered() -> None:
    room = table("Ann", "Bo", "Cy", texting=["Ann"])
    room.says("Ann", "VARIANT")
    assert room.last["Ann"].splitlines()[:4] == [
        "Send VARIANT + a number:",
        "1 Point-of-Order: off",
        "2 Weasel-Brained: off",
        "3 Paranoia: off",
    ]
    room.says("Ann", "Variant 3")
    assert room.last == dict.fromkeys(("Ann", "Bo", "Cy"), "Paranoia: on.")
    assert room.room.options == ("paranoia",)


@pytest.mark.parametrize("typed", ["paranoia", "PARANOIA", "para", "3"])
def test_a_choice_is_switched_by_its_name_or_number(typed: str) -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", f"variant {typed}")
    assert room.room.options == ("paranoia",)
    room.says("Ann", f"/variant {typed}")
    assert room.room.options == ()


def test_a_button_switches_and_shows_the_menu_anew() -> None:
    room = table("Ann", "Bo", "Cy", place=PLACE)
    room.says("Ann", "/variant", public=True)
    room.presses("Ann", MENU, "duel")
    assert room.toast == "Duel: on."
    assert room.last["room"] == "Duel: on."
    [menu] = [letter for letter in room.letters if letter.status == "variant"]
    assert "Duel: on" in [button.text for button in menu.buttons]


def test_a_host_who_cant_be_written_to_is_shown_the_menu_in_the_group() -> None:
    room = table("Ann", "Bo", "Cy", place=PLACE, unready=["Ann"])
    room.says("Ann", "/variant", public=True, closed=True)
    assert room.last["room"].startswith("Tap what to switch on or off")


def test_only_the_host_chooses_and_only_in_the_lobby() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Bo", "variant duel")
    room.presses("Bo", MENU, "duel")
    assert room.toast == "Only the host, Ann, can do that."
    assert room.room.options == ()
    assert room.letters == ()
    room.deals()
    room.says("Ann", "/variant duel")
    assert room.last["Ann"] == "That can only be changed before the game starts."
    room.presses("Ann", MENU, "duel")
    assert room.toast == "That can only be changed before the game starts."
    assert room.letters == ()


def test_what_does_not_go_together_is_refused_with_a_reason() -> None:
    room = table("Ann", "Bo", options=("paranoia",))
    room.says("Ann", "variant duel")
    assert room.last["Ann"] == ("Duel has Paranoia in it already: in both, there may be no Weasel.")
    room.says("Ann", "variant chess")
    assert room.last["Ann"] == "I don't know that one. VARIANT lists what there is."


def test_who_tells_in_the_lobby_what_is_on() -> None:
    room = table("Ann", "Bo", options=("paranoia", "rounds-3"))
    room.says("Bo", "who")
    assert "Paranoia: on, 3 rounds." in room.last["Bo"]


def test_rules_tell_of_the_variants_that_are_on() -> None:
    room = table("Ann", "Bo", "Cy", options=("paranoia", "to-15"))
    room.says("Bo", "rules")
    assert "Whoever first has 15 points" in room.last["Bo"]
    assert room.last["Bo"].splitlines()[-1].startswith("Paranoia: there may be no Weasel")


def test_an_odd_choice_can_be_taken_back() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "variant rounds-3")
    assert room.last["Bo"] == "3 rounds."
    room.says("Ann", "variant rounds-3")
    assert room.last["Bo"] == "That is off again."


def test_a_variant_says_how_many_it_takes() -> None:
    room = table("Ann", "Bo", "Cy", options=("duel",))
    assert "Cy" not in [one.name for one in room.room.seats]
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "variant duel")
    room.says("Ann", "go")
    assert room.last["Ann"] == "2 can play so, and here are 3."
    room.says("Ann", "variant duel")
    room.says("Ann", "variant team")
    room.says("Ann", "go")
    assert room.last["Ann"] == "It takes 5 to play; here are 3."


# --- once more ---


def finished(*names: str, unready: tuple[str, ...] = ()) -> Table:
    room = table(*names, unready=unready)
    room.deals()
    room.says(names[0], "/finish")
    assert isinstance(room.room.stage, Over)
    return room


def test_again_deals_the_same_people_fresh_words() -> None:
    room = finished("Ann", "Bo", "Cy")
    before = state(room)
    room.says("Bo", "again")
    after = state(room)
    assert isinstance(room.room.stage, Playing)
    assert room.last["Cy"].startswith("Once more, with fresh words!")
    assert set(after.scores) == {"s1", "s2", "s3"}
    assert set(after.scores.values()) == {0}
    assert not set(before.deal.pouches) & set(after.deal.pouches)
    assert after.deal.number == before.deal.number + 1


def test_again_waits_in_the_lobby_for_who_is_missing() -> None:
    room = finished("Ann", "Bo", "Cy")
    room.happens(Departed("Cy"))
    assert room.letters == ()
    room.says("Ann", "again")
    assert isinstance(room.room.stage, Lobby)
    assert room.last["Bo"] == "Once more! Whoever is missing can join; the host sends GO."
    used = room.room.stage.last
    room.joins("Dee")
    room.says("Ann", "go")
    assert isinstance(room.room.stage, Playing)
    assert used != room.room.stage.state


@pytest.mark.parametrize("closing", ["time", "finish"])
def test_a_lobby_that_closes_keeps_the_game_before_it(closing: str) -> None:
    room = finished("Ann", "Bo", "Cy")
    before = state(room)
    room.says("Cy", "leave")
    room.says("Ann", "again")
    assert isinstance(room.room.stage, Lobby)
    if closing == "time":
        room.rings()
    else:
        room.says("Ann", "finish")
    room.says("Bo", "scores")
    assert room.last["Bo"].startswith("There are no scores")
    room.says("Ann", "again")
    room.joins("Dee")
    room.says("Ann", "go")
    after = state(room)
    assert after.deal.number == before.deal.number + 1
    assert not set(before.deal.pouches) & set(after.deal.pouches)


def test_again_is_for_a_game_that_is_over() -> None:
    room = table("Ann", "Bo", "Cy")
    room.says("Ann", "again")
    assert room.last["Ann"] == "The game isn't over yet."


def test_who_plays_elsewhere_has_left_only_what_is_over() -> None:
    room = table("Ann", "Bo", "Cy")
    before = room.room
    room.happens(Departed("Cy"))
    assert room.room == before
    room = finished("Ann", "Bo", "Cy")
    room.happens(Departed("Ann"))
    assert room.room.host == "s2"
    once = room.room
    room.happens(Departed("Ann"))
    assert room.room == once


def test_who_was_quiet_is_dealt_in_again() -> None:
    room = table("Ann", "Bo", "Cy")
    room.deals()
    room.waits(30 * DAY_MS)
    assert isinstance(room.room.stage, Over)
    seats = tuple(replace(one, away=True) for one in room.room.seats)
    room.room = replace(room.room, seats=seats)
    room.says("Ann", "again")
    assert isinstance(room.room.stage, Playing)


def test_a_game_without_cards_has_none_to_explain() -> None:
    table = playing_table("Ann", "Bo", "Cy")
    table.says("Ann", "/card otter")
    assert table.last["Ann"] == "This game has no cards to explain. RULES explains it."
