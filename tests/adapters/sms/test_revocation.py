"""Consent taken back in one's own words, and what only sounds like it."""

import pytest

from adapters.sms.revocation import revocation


@pytest.mark.parametrize(
    "text",
    [
        "stop texting me", "Stop texting me!!", "please stop sending me messages",
        "Stop. Thank you",
        "STOP PLEASE", "please stop", "stop it", "stop this now", "quit messaging me",
        "do not text me", "Don't text me again", "don’t message me", "never text this number again",
        "no more texts", "no more messages please", "remove me", "Please remove me from this list",
        "remove my number", "take me off your list", "get me off this", "unsubscribe please",
        "please unsubscribe", "I want to opt out", "opt me out", "I would like to stop",
        "I revoke my consent", "stop spamming me", "stop contacting me",
        "no más", "No más mensajes, por favor", "no me escriban más", "dejen de enviarme mensajes",
        "deja de mandarme sms", "quiero darme de baja", "por favor bórrame",
        "não quero receber mensagens", "não me mande mais mensagens", "pare de me enviar mensagens",
        "arrêtez de m'envoyer des messages", "ne m'écrivez plus", "plus de SMS svp",
        "je veux me désabonner", "keine SMS mehr", "bitte keine weiteren Nachrichten",
        "schreiben Sie mir nicht mehr", "hört auf damit", "bitte abmelden",
    ],
)  # fmt: skip
def test_whoever_takes_consent_back_is_understood(text: str) -> None:
    assert revocation(text) == "clear"


@pytest.mark.parametrize(
    "text", ["leave me alone", "Wrong number", "sorry, wrong person", "go away", "not interested",
             "número equivocado", "déjame en paz", "mauvais numéro", "falsche Nummer"],
)  # fmt: skip
def test_what_may_be_said_at_a_table_too_is_doubtful(text: str) -> None:
    assert revocation(text) == "doubtful"


@pytest.mark.parametrize(
    "text",
    [
        "", "stop", "text", "message", "remove", "STOP 12345", "stop sign", "the end", "bus stop",
        "don't stop", "never stop", "cant stop laughing", "remove the cat", "Bo, stop", "2 stop",
        "stop, B", "A", "3", "bo paper", "clue stopwatch", "JOIN KTRGW Stop", "NAME Max Stopp",
        "vote quitter", "2 rabbit, pig to Bo", "I'm the Weasel", "LEAVE", "INVITE +12125550143",
        "no", "mas", "no mask", "take a seat", "get out", "para Bo", "wrong answer", "end of round",
    ],
)  # fmt: skip
def test_what_is_said_in_a_game_takes_nothing_back(text: str) -> None:
    assert revocation(text) == "none"
