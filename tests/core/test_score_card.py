"""The score card: who gets it, when, and how it is stored."""

import msgspec
import pytest
from msgspec.structs import replace

from core import playing, text
from core.delivery import Letter, Mail
from core.game import AnyGame, Line, Score, ScoreCard, Who, room, tell
from core.room import Lobby, Over, Room, Seated
from core.text import mark
from tests.tables import Table, playing_table, table

ANN = Seated("s1", "Ann", "p1", "web:x:ann", public=True)
BO = Seated("s2", "Bo", "p2", "sms:x:bo", texting=True)
CY = Seated("s3", "Cy", "p3", "web:x:cy")
ADA = Seated("s4", "Ada")
GROUP = "web:x:group"
WORDS = text.Catalogue("en", {"test.ftl": "won = { $who } wins.\n    .sms = Won.\ntotal = Total\n"})
SCORES = (Score("s1", (2, None), 2), Score("s3", (0, 1), 1))
CARD = ScoreCard(
    Line("won", {"who": Who("s1")}), ("1", "2"), Line("total"), SCORES, ("s1",), (Line("total"),)
)
IN_WORDS = ScoreCard(f"{mark('s1')} wins.", ("1", "2"), "Total", SCORES, ("s1",), ("Total",))


def at(*seats: Seated, place: str = GROUP) -> Room:
    return Room("room", "KTRGW", "ferret-out", "7", "s1", seats, Lobby(0), place)


def test_the_card_goes_with_the_rooms_lines_wherever_they_are_heard() -> None:
    mail = Mail(at(ANN, BO, CY, ADA), WORDS)
    mail.say((room("won", who=Who("s1")), tell("s1", "total")))
    mail.add(CARD)
    assert {one.to: one.score_card for one in mail.letters()} == {
        GROUP: IN_WORDS,
        "sms:x:bo": IN_WORDS,
        "web:x:cy": IN_WORDS,
        "web:x:ann": None,
    }


def test_the_card_alone_makes_no_letter() -> None:
    mail = Mail(at(ANN, CY), WORDS)
    mail.add(CARD)
    assert mail.letters() == ()


def test_a_letter_with_a_card_is_the_same_after_it_was_stored() -> None:
    letter = Letter("web:x:cy", "Cy", "Cy", names={"s1": "Ann"}, score_card=IN_WORDS)
    stored = msgspec.json.encode(letter)
    assert msgspec.json.decode(stored, type=Letter) == letter
    assert b'"title":"\xee\x80\x80s1\xee\x80\x81 wins."' in stored


def test_a_letter_stored_before_there_were_cards_has_none() -> None:
    old = msgspec.json.decode(b'{"to":"web:x:cy","text":"Cy","short":""}', type=Letter)
    assert old.score_card is None


@pytest.fixture
def carded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is played has the card of this file."""
    game_of = playing.game_of

    def the_card(_: object) -> ScoreCard[Line]:
        return replace(CARD, title=Line("show-mine"), total=Line("show-mine"), notes=())

    def with_card(room: Room) -> AnyGame:
        return replace(game_of(room), score_card=the_card)

    monkeypatch.setattr(playing, "game_of", with_card)


def heads(at_table: Table) -> set[tuple[str, ...]]:
    """The rounds on every card that came with the last letters; of those without, none."""
    return {one.score_card.rounds if one.score_card else () for one in at_table.letters}


@pytest.mark.usefixtures("carded")
def test_the_card_comes_when_the_game_ends_and_not_again() -> None:
    at_table = playing_table("Ann", "Bo", "Cy")
    assert heads(at_table) == {()}
    at_table.says("Ann", "/finish")
    assert heads(at_table) == {("1", "2")}
    at_table.says("Ann", "/finish")
    assert heads(at_table) == {()}


@pytest.mark.usefixtures("carded")
def test_a_lobby_that_closes_has_no_card() -> None:
    at_table = table("Ann", "Bo")
    at_table.rings()
    assert isinstance(at_table.room.stage, Over)
    assert heads(at_table) == {()}
