"""What Twilio posts, read."""

from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from adapters.settings import Reader
from adapters.sms.read import Heard, Told, form, is_signed, read, read_status
from adapters.sms.settings import SmsSettings, read_settings
from tests.adapters.sms.ours import ACCOUNT, BO, NUMBER, PUBLIC, SETTINGS, TOKEN
from tests.fakes.twilio_webhooks import sign

SID = "SM" + "0" * 32
URL = f"{PUBLIC}/sms"


def a_text(body: str = "hello", **more: str) -> dict[str, str]:
    params = {"MessageSid": SID, "AccountSid": ACCOUNT, "From": BO, "To": NUMBER, "Body": body}
    return params | more


def meant(body: str = "hello", **more: str) -> str | None:
    """The kind of what was read, or its text if it is a text."""
    heard = read(a_text(body, **more), SETTINGS)
    return heard and (heard.text if heard.kind == "text" else heard.kind.upper())


# --- Signatures ----------------------------------------------------------------------------------


def test_the_documented_example_is_signed() -> None:
    params = {
        "CallSid": "CA1234567890ABCDE",
        "Caller": "+14158675309",
        "Digits": "1234",
        "From": "+14158675309",
        "To": "+18005551212",
    }
    url = "https://mycompany.com/myapp.php?foo=1&bar=2"
    assert is_signed(url, params, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", ("12345",))
    params["Digits"] = "1235"
    assert not is_signed(url, params, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", ("12345",))


def test_empty_parameters_are_signed_too() -> None:
    params = a_text("", FromCity="", NumMedia="0")
    signature = sign(TOKEN, URL, params)
    assert is_signed(URL, form(urlencode(params).encode()), signature, (TOKEN,))
    assert not is_signed(URL, {k: v for k, v in params.items() if v}, signature, (TOKEN,))


def test_the_values_are_signed_as_they_were_typed() -> None:
    params = a_text("  Bo’s “clue”\r\nＣａｆｅ\u0301 + 1 & 100 % 😀 ")
    read_back = form(urlencode(params).encode())
    assert read_back == params
    assert is_signed(URL, read_back, sign(TOKEN, URL, params), (TOKEN,))


def test_the_old_token_is_taken_while_it_is_being_changed() -> None:
    params, rotating = a_text(), replace(SETTINGS, old_token="the-token-before")
    signature = sign("the-token-before", URL, params)
    assert is_signed(URL, params, signature, rotating.tokens)
    assert is_signed(URL, params, sign(TOKEN, URL, params), rotating.tokens)
    assert not is_signed(URL, params, signature, SETTINGS.tokens)


@pytest.mark.parametrize("signature", [None, "", "x", "é", "0" * 28, "\ud800" * 28])
def test_no_signature_is_no_signature(signature: str | None) -> None:
    assert not is_signed(URL, a_text(), signature, SETTINGS.tokens)


def test_a_lone_surrogate_is_not_signed() -> None:
    assert not is_signed(URL, a_text("\ud800"), sign(TOKEN, URL, a_text()), SETTINGS.tokens)


def test_a_signature_for_another_address_is_none() -> None:
    for other in ("http://parlour.example/sms", f"{URL}/", f"{URL}?a=1", f"{URL}#rc=2"):
        assert not is_signed(URL, a_text(), sign(TOKEN, other, a_text()), SETTINGS.tokens)


@given(st.binary(max_size=200), st.text(max_size=40))
def test_whatever_is_posted_raises_nothing(body: bytes, signature: str) -> None:
    assert not is_signed(URL, form(body), signature, SETTINGS.tokens)


# --- Texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("JOIN KTRGW Bo", "JOIN KTRGW Bo"),
        ("  “Marmot”  ", '"Marmot"'),
        ("１", "1"),
        ("", ""),
        ("?", "?"),
        ("stop the music", "stop the music"),
        ("Liked", "Liked"),
        ("x" * 2000, "x" * 1600),
    ],
)
def test_a_text_is_passed_on_plainly(body: str, text: str) -> None:
    assert read(a_text(body), SETTINGS) == Heard("text", SID, BO, text)


def test_a_picture_without_a_body_is_an_empty_text() -> None:
    params = a_text(
        NumMedia="1", MediaUrl0="https://api.twilio.com/x", MediaContentType0="text/vcard"
    )
    del params["Body"]
    assert read(params, SETTINGS) == Heard("text", SID, BO, "")


@pytest.mark.parametrize(
    "body",
    [
        *(
            "STOP",
            "stop",
            " Stop. ",
            "“Stop”",
            "\u200bSTOP",
            "ＳＴＯＰ",
            "𝐒𝐓𝐎𝐏",
            "stop!!!",
            "StopAll",
        ),
        *("stop all", "Stop  All!", "opt out", "opt-out", "opt–out", "OPTOUT", "unsubscribe"),
        *("cancel", "END", "quit", "revoke", "remove", "Arrêt", "arret", "ALTO", "baja", "parar"),
    ],
)
def test_an_opt_out_is_heard_however_it_is_typed(body: str) -> None:
    assert meant(body) == "GONE"


@pytest.mark.parametrize("body", ["START", "yes", "Yes!", "unstop", "UN STOP", "Sí", "subscribe"])
def test_an_opt_in_makes_reachable_and_says_no_more(body: str) -> None:
    assert meant(body) == "REACHABLE"


@pytest.mark.parametrize("body", ["HELP", "info", "Help?", "aide", "AYUDA"])
def test_help_is_answered_by_one_of_us(body: str) -> None:
    assert read(a_text(body), SETTINGS) is None
    on_our_own = replace(SETTINGS, provider_answers=False)
    assert read(a_text(body), on_our_own) == Heard("text", SID, BO, "?")


def test_the_providers_reading_of_a_keyword_wins() -> None:
    assert meant("basta", OptOutType="STOP") == "GONE"
    assert meant("stop", OptOutType="START") == "REACHABLE"
    assert meant("hilfe", OptOutType="HELP") is None
    assert meant("stop", OptOutType="SOMETHING") == "GONE"
    on_our_own = replace(SETTINGS, provider_answers=False)
    assert read(a_text("hilfe", OptOutType="HELP"), on_our_own) is None


@pytest.mark.parametrize(
    "body",
    ["Liked “Your word is MARMOT”", "Reacted 😀 to “STOP”", "\u200a👍\u200b to “Your clue?”"],
)
def test_a_reaction_goes_no_further(body: str) -> None:
    assert meant(body) is None


@pytest.mark.parametrize(
    "sender",
    [
        "12345",
        "SUPPORT",
        "",
        "+12345",
        "whatsapp:+12025550142",
        "rcs:+12025550142",
        NUMBER,
        "12025550142",
    ],
)
def test_what_no_phone_sent_is_ignored(sender: str) -> None:
    assert read(a_text("hello", From=sender), SETTINGS) is None
    assert read(a_text("stop", From=sender), SETTINGS) is None


def test_anothers_account_and_nameless_messages_are_ignored() -> None:
    assert read(a_text(AccountSid="AC" + "f" * 32), SETTINGS) is None
    assert read(a_text(MessageSid=""), SETTINGS) is None
    assert read({}, SETTINGS) is None


# --- What became of a text -----------------------------------------------------------------------


def a_status(status: str, code: str = "", **more: str) -> dict[str, str]:
    params = {"MessageSid": SID, "AccountSid": ACCOUNT, "To": BO, "From": NUMBER}
    return params | {"MessageStatus": status, "ErrorCode": code} | more


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        ("delivered", "", 0),
        ("undelivered", "30005", 30005),
        ("failed", "21610", 21610),
        ("failed", "", 0),
        ("failed", "odd", 0),
        ("failed", "３", 0),
        ("sent", "30005", 0),
    ],
)
def test_only_a_failure_has_an_error(status: str, code: str, error: int) -> None:
    assert read_status(a_status(status, code), SETTINGS) == Told(SID, BO, status, error)


def test_the_status_of_anothers_text_is_ignored() -> None:
    assert read_status(a_status("failed", "30005", AccountSid="AC"), SETTINGS) is None
    assert read_status(a_status("failed", "30005", To="whatsapp:+1"), SETTINGS) is None
    assert read_status({}, SETTINGS) is None


# --- Settings ------------------------------------------------------------------------------------

ENVIRON = {
    "TWILIO_ACCOUNT_SID": ACCOUNT,
    "TWILIO_AUTH_TOKEN": TOKEN,
    "TWILIO_NUMBER": "+1 (202) 555-0100",
    "PUBLIC_URL": f"{PUBLIC}/#rc=2",
}


def settings_of(environ: dict[str, str]) -> tuple[SmsSettings | None, list[str]]:
    reader = Reader(environ)
    return read_settings(reader), [fault.partition(":")[0] for fault in reader.faults]


def test_without_twilio_there_is_no_sms() -> None:
    assert settings_of({"PUBLIC_URL": PUBLIC}) == (None, [])


def test_the_settings_are_read_and_made_regular() -> None:
    plain = replace(SETTINGS, segments_per_second=1)
    assert settings_of(ENVIRON) == (plain, [])
    more = {"TWILIO_AUTH_TOKEN_OLD": "old", "TWILIO_API_URL": "http://127.0.0.1:1/"}
    changed = replace(plain, old_token="old", api_url="http://127.0.0.1:1", provider_answers=False)
    assert settings_of({**ENVIRON, **more, "TWILIO_ANSWERS_KEYWORDS": "No"}) == (changed, [])


@pytest.mark.parametrize("missing", list(ENVIRON))
def test_whoever_gives_some_must_give_all(missing: str) -> None:
    environ = {name: value for name, value in ENVIRON.items() if name != missing}
    assert settings_of(environ)[1] == [missing]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TWILIO_ACCOUNT_SID", "SK0"),
        ("TWILIO_NUMBER", "2025550100"),
        ("TWILIO_NUMBER", "PARLOUR"),
        ("PUBLIC_URL", "parlour.example"),
        ("PUBLIC_URL", f"{PUBLIC}/?a=1"),
        ("TWILIO_ANSWERS_KEYWORDS", "maybe"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: str) -> None:
    assert settings_of({**ENVIRON, name: value})[1] == [name]


def test_the_number_is_in_no_address() -> None:
    assert NUMBER[1:] not in SETTINGS.bot
    assert SETTINGS.bot != replace(SETTINGS, number=BO).bot
