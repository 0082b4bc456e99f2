"""What was said becomes letters: who hears what, where, in which form."""

from msgspec.structs import replace

from core import text
from core.delivery import Button, Mail, buttons, question
from core.game import Ask, Line, Option, Pick, Say, Who, Write, room, tell
from core.room import Lobby, Room, Seated

ANN = Seated("s1", "Ann", "p1", "web:x:ann", public=True)
BO = Seated("s2", "Bo", "p2", "sms:x:bo", texting=True)
CY = Seated("s3", "Cy", "p3", "web:x:cy")
ADA = Seated("s4", "Ada")
GROUP = "web:x:group"
SOURCE = """
long = A long story.
    .sms = Short.
silent = Chatter.
    .sms = { "" }
mute = { "" }
    .sms = { "" }
status = Waiting.
show-mine = Show mine
"""
WORDS = text.Catalogue("en", {"test.ftl": SOURCE})
VOTE = Ask(
    "vote/2",
    "s2",
    Line("long"),
    Pick((Option("s1", Who("s1"), "zebra"), Option("nobody", "nobody"))),
)


def at(*seats: Seated, place: str = "") -> Room:
    return Room("room", "KTRGW", "ferret-out", "7", "s1", seats, Lobby(0), place)


def sent(seats: Room, *says: Say) -> dict[str, tuple[str, str]]:
    mail = Mail(seats, WORDS)
    mail.say(says)
    return {one.to: (one.text, one.short) for one in mail.letters()}


def test_a_room_line_goes_to_the_public_place_and_to_whoever_hears_in_their_own() -> None:
    heard = ("A long story.", "Short.")
    assert sent(at(ANN, BO, CY, ADA, place=GROUP), room("long")) == {
        GROUP: heard,
        "sms:x:bo": heard,
        "web:x:cy": heard,
    }


def test_without_a_public_place_everybody_hears_it_in_their_own() -> None:
    assert set(sent(at(ANN, BO, CY, ADA), room("long"))) == {"web:x:ann", "sms:x:bo", "web:x:cy"}


def test_a_secret_goes_to_its_seat_alone_and_is_marked() -> None:
    mail = Mail(at(ANN, BO, CY, place=GROUP), WORDS)
    mail.say((tell("s3", "long"),))
    [letter] = mail.letters()
    assert (letter.to, letter.seat, letter.secret) == ("web:x:cy", "s3", True)


def test_a_letter_with_one_secret_line_is_secret_as_a_whole() -> None:
    mail = Mail(at(CY), WORDS)
    mail.say((tell("s3", "long"), room("long")))
    [letter] = mail.letters()
    assert letter.secret
    assert letter.text == "A long story.\nA long story."


def test_what_is_not_worth_a_text_message_is_not_sent_as_one() -> None:
    assert set(sent(at(ANN, BO), room("silent"))) == {"web:x:ann"}
    assert sent(at(BO), room("silent"), room("long")) == {
        "sms:x:bo": ("Chatter.\nA long story.", "Short.")
    }


def test_what_says_nothing_is_not_sent() -> None:
    assert sent(at(ANN, BO, CY, place=GROUP), room("mute")) == {}


def test_an_absent_seat_hears_only_what_costs_it_nothing() -> None:
    away = at(replace(BO, away=True), replace(CY, away=True))
    assert set(sent(away, room("long"))) == {"web:x:cy"}
    assert set(sent(away, tell("s2", "long"))) == {"sms:x:bo"}


def test_a_seat_that_can_not_be_reached_hears_nothing() -> None:
    closed = at(replace(CY, open=False), ADA)
    assert sent(closed, room("long"), tell("s3", "long"), tell("s4", "long")) == {}
    mail = Mail(closed, WORDS)
    mail.ask(Ask("clue/1", "s3", Line("long"), Write()))
    mail.ask(Ask("clue/1", "s4", Line("long"), Write()))
    assert mail.letters() == ()


def test_whoever_left_hears_what_is_told_to_them_and_no_more() -> None:
    left = at(ANN, replace(CY, gone=True))
    assert set(sent(left, room("long"))) == {"web:x:ann"}
    assert set(sent(left, tell("s3", "long"))) == {"web:x:cy"}


def test_a_letter_knows_everybodys_name() -> None:
    mail = Mail(at(ANN, replace(CY, gone=True)), WORDS)
    mail.say((room("long"),))
    [letter] = mail.letters()
    assert letter.names == {"s1": "Ann", "s3": "Cy"}
    assert letter.room == "room"


def test_an_answer_of_no_lines_is_no_letter() -> None:
    mail = Mail(at(ANN), WORDS)
    mail.answer("web:x:ann", "s1", (), secret=True)
    assert mail.letters() == ()


def test_the_short_form_of_a_question_lists_what_can_be_picked() -> None:
    asked = question(WORDS, VOTE)
    assert asked.full == "A long story."
    assert text.named(asked.short, lambda seat: seat) == "Short.\nA s1: zebra\nB nobody"
    silent = replace(VOTE, line=Line("silent"))
    assert question(WORDS, silent).short == ""
    numbers = replace(VOTE, answer=Pick((Option("1", 1), Option("2", 2))))
    assert question(WORDS, numbers).short == "Short."
    assert question(WORDS, replace(VOTE, answer=Write())).short == "Short."


def test_an_option_is_a_button_and_a_word_is_none() -> None:
    assert buttons(WORDS, at(ANN), VOTE) == (
        Button("\ue000s1\ue001: zebra", "room:vote/2:s1", "A"),
        Button("nobody", "room:vote/2:nobody", "B"),
    )
    assert buttons(WORDS, at(ANN), replace(VOTE, answer=Write())) == ()


def test_a_board_is_shown_once_and_edited_from_then_on() -> None:
    mail = Mail(at(ANN, place=GROUP), WORDS)
    mail.say((room("long"),))
    shown = mail.board("vote/2", "", Line("status"))
    [letter] = mail.letters()
    assert (shown, letter.text, letter.status) == (
        "A long story.",
        "A long story.\nWaiting.",
        "vote/2",
    )
    mail = Mail(at(ANN, place=GROUP), WORDS)
    mail.say((room("silent"),))
    assert mail.board("vote/2", shown, Line("status")) == shown
    assert [(one.text, one.status) for one in mail.letters()] == [
        ("Chatter.", ""),
        ("A long story.\nWaiting.", "vote/2"),
    ]
    assert mail.letters()[1].buttons == (Button("Show mine", "room:look:"),)
