"""The fake's webhooks, seen by an application: texts, keywords, statuses, and how to wait."""
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

import asyncio
import base64
import hmac
import re
import socket
from collections.abc import AsyncGenerator

import pytest
from starlette.responses import Response
from twilio.base.exceptions import TwilioException, TwilioRestException
from twilio.rest import Client

from tests.fakes.twilio import FORGED, FakeTwilio, Reply, Text
from tests.fakes.twilio_bench import (
    ACCOUNT,
    ANN,
    BO,
    FILTERS,
    OURS,
    PUBLIC,
    TOKEN,
    Application,
    send,
)

pytestmark = FILTERS


@pytest.fixture
async def application(twilio: FakeTwilio) -> AsyncGenerator[Application]:
    async with Application() as application:
        twilio.deliver_to(PUBLIC, send_to=application.url)
        yield application


async def test_a_text_comes_as_a_signed_form(twilio: FakeTwilio, application: Application) -> None:
    reply = await twilio.phone(BO).texts("JOIN KTRGW Bo")
    (params,) = application.received
    assert isinstance(reply, Reply)
    assert (reply.status, reply.headers["content-type"]) == (200, "text/xml; charset=utf-8")
    assert reply.body.endswith("<Response/>")
    assert (params["From"], params["To"], params["Body"]) == (BO, OURS, "JOIN KTRGW Bo")
    assert params["MessageSid"] == params["SmsSid"] == params["SmsMessageSid"]
    assert re.fullmatch("SM[0-9a-f]{32}", params["MessageSid"])
    assert (params["AccountSid"], params["ApiVersion"]) == (ACCOUNT, "2010-04-01")
    assert (params["NumMedia"], params["NumSegments"]) == ("0", "1")
    assert params["SmsStatus"] == "received"
    assert params["FromCity"] == params["ToCountry"] == ""
    assert application.headers[0]["i-twilio-idempotency-token"] == params["MessageSid"]
    signed = PUBLIC + "".join(name + params[name] for name in sorted(params))
    digest = hmac.new(TOKEN.encode(), signed.encode(), "sha1").digest()
    assert application.headers[0]["x-twilio-signature"] == base64.b64encode(digest).decode()
    assert twilio.violations == []


@pytest.mark.parametrize(
    "body", ["", "a\r\nb\r\n", " \u200b‘é́😀’ &=+%00 ", "x" * 1600, "\ufeff\x1b"]
)
async def test_a_body_may_be_anything(
    twilio: FakeTwilio, application: Application, body: str
) -> None:
    await twilio.phone(BO).texts(body)
    assert application.received[0]["Body"] == body


async def test_a_picture_may_come_without_a_body(
    twilio: FakeTwilio, application: Application
) -> None:
    await twilio.phone(BO).texts(None, media=[("https://api.twilio.com/card", "text/vcard")])
    (params,) = application.received
    assert "Body" not in params
    assert params["MessageSid"].startswith("MM")
    assert params["NumMedia"] == "1"
    assert params["MediaContentType0"] == "text/vcard"


async def test_a_text_can_be_given_twice_with_one_sid(
    twilio: FakeTwilio, application: Application
) -> None:
    twilio.deliver_to(PUBLIC + "#rc=2&rp=all", times=2, send_to=application.url)
    await twilio.phone(BO).texts("2")
    first, second = application.received
    assert first == second
    await twilio.phone(BO).texts("2", sid=first["MessageSid"])
    assert application.received[2:] == [first, first]


async def test_a_text_is_given_again_until_it_is_taken(
    twilio: FakeTwilio, application: Application
) -> None:
    application.answers = [Response(status_code=503), Response(status_code=503)]
    reply = await twilio.phone(BO).texts("2")
    assert reply.status == 200
    assert len(application.received) == 3
    assert len({params["MessageSid"] for params in application.received}) == 1
    assert twilio.violations == []


async def test_a_text_waits_for_an_application_that_is_down(twilio: FakeTwilio) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    twilio.deliver_to(PUBLIC, send_to=f"http://127.0.0.1:{port}/sms")
    texting = asyncio.create_task(twilio.phone(BO).texts("2"))
    await twilio.until(lambda: twilio.transcript)
    async with Application(port) as application:
        assert (await texting).status == 200
        assert len(application.received) == 1


async def test_patience_has_an_end(twilio: FakeTwilio, application: Application) -> None:
    twilio.deliver_to(PUBLIC, send_to=application.url, patience_seconds=0.05)
    application.answers = [Response(status_code=500) for _ in range(9)]
    with pytest.raises(AssertionError, match=r"no 2xx within 0\.05 s, at last 500"):
        await twilio.phone(BO).texts("2")


async def test_a_signed_text_that_is_refused_is_a_violation(
    twilio: FakeTwilio, application: Application
) -> None:
    application.answers = [Response(status_code=403)]
    assert (await twilio.phone(BO).texts("2")).status == 403
    assert twilio.violations == ["11200: a signed webhook got 403"]


@pytest.mark.parametrize(
    "answer",
    [
        Response("OK", media_type="text/plain"),
        Response("<Response/>", media_type="text/html"),
        Response(status_code=204),
        Response("<Response><Message>Hi</Message></Response>", media_type="text/xml"),
        Response("", media_type="application/xml"),
    ],
)
async def test_anything_but_an_empty_response_is_a_violation(
    twilio: FakeTwilio, application: Application, answer: Response
) -> None:
    application.answers = [answer]
    await twilio.phone(BO).texts("2")
    assert twilio.violations


@pytest.mark.parametrize("signature", [None, FORGED, ""])
async def test_a_forged_text_should_get_a_403(
    twilio: FakeTwilio, application: Application, signature: str | None
) -> None:
    reply = await twilio.phone(BO).forges("2", signature)
    assert reply.status == 403
    assert application.received == []
    assert twilio.violations == []


async def test_a_forged_text_that_is_taken_is_a_violation(
    twilio: FakeTwilio, application: Application
) -> None:
    application.checks_signatures = False
    await twilio.phone(BO).forges("2")
    assert twilio.violations == ["a forged webhook got 200, not 403"]


# --- Keywords ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "word", ["STOP", "stopall", " Unsubscribe\n", "cancel", "End", "QUIT", "revoke", "optout"]
)
async def test_a_phone_that_texts_stop_gets_nothing_more(
    twilio: FakeTwilio, client: Client, application: Application, word: str
) -> None:
    bo = twilio.phone(BO)
    await bo.texts(word)
    await bo.texts(word)
    with pytest.raises(TwilioRestException) as caught:
        await send(client)
    assert (caught.value.status, caught.value.code) == (400, 21610)
    assert bo.inbox == []
    assert len(bo.notices) == 1
    assert application.received[0]["Body"] == word
    assert "OptOutType" not in application.received[0]
    await send(client, to=ANN)


@pytest.mark.parametrize("word", ["START", "yes", "Unstop"])
async def test_a_phone_that_texts_start_is_reached_again(
    twilio: FakeTwilio, client: Client, application: Application, word: str
) -> None:
    bo = twilio.phone(BO)
    await bo.texts("STOP")
    await bo.texts(word)
    await send(client)
    assert len(bo.inbox) == 1
    assert len(bo.notices) == 2
    assert len(application.received) == 2


@pytest.mark.parametrize("word", ["HELP", "info"])
async def test_help_is_answered_by_twilio_and_passed_on(
    twilio: FakeTwilio, application: Application, word: str
) -> None:
    await twilio.phone(BO).texts(word)
    assert len(twilio.phone(BO).notices) == 1
    assert application.received[0]["Body"] == word


async def test_stop_inside_a_sentence_is_only_a_text(
    twilio: FakeTwilio, client: Client, application: Application
) -> None:
    await twilio.phone(BO).texts("stop please")
    await send(client)
    assert twilio.phone(BO).notices == []
    assert len(application.received) == 1


# --- What became of a text -----------------------------------------------------------------------


async def sent_text(twilio: FakeTwilio, client: Client) -> Text:
    await send(client, status_callback="https://parlour.example/sms/status")
    return twilio.texts[-1]


async def test_a_status_is_told_where_the_text_said(
    twilio: FakeTwilio, client: Client, application: Application
) -> None:
    text = await sent_text(twilio, client)
    await twilio.callback(text, "undelivered", 30003)
    (params,) = application.received
    assert params == {
        "MessageSid": text.sid,
        "SmsSid": text.sid,
        "MessageStatus": "undelivered",
        "SmsStatus": "undelivered",
        "To": BO,
        "From": OURS,
        "AccountSid": ACCOUNT,
        "ApiVersion": "2010-04-01",
        "ErrorCode": "30003",
        "ErrorMessage": "error 30003",
    }
    message = await client.messages(text.sid).fetch_async()
    assert (message.status, message.error_code) == ("undelivered", 30003)


async def test_a_status_told_late_does_not_undo_a_later_one(
    twilio: FakeTwilio, client: Client, application: Application
) -> None:
    text = await sent_text(twilio, client)
    await twilio.callback(text, "delivered")
    await twilio.callback(text, "sent")
    assert text.status == "delivered"
    assert [params["MessageStatus"] for params in application.received] == ["delivered", "sent"]


async def test_a_text_without_a_callback_has_none_to_tell(
    twilio: FakeTwilio, client: Client
) -> None:
    await send(client)
    with pytest.raises(AssertionError, match="no StatusCallback"):
        await twilio.callback(twilio.texts[0], "sent")


@pytest.mark.parametrize(("off", "last"), [(False, "delivered"), (True, "undelivered")])
async def test_statuses_can_come_by_themselves(
    twilio: FakeTwilio, client: Client, application: Application, *, off: bool, last: str
) -> None:
    twilio.automatic = ("sent", "delivered")
    twilio.phone(BO).switched_off = off
    text = await sent_text(twilio, client)
    await twilio.quiet(0.05)
    assert text.status == last
    assert [params["MessageStatus"] for params in application.received] == ["sent", last]
    assert len(twilio.phone(BO).inbox) == (not off)


async def test_an_automatic_status_that_nobody_takes_is_a_violation(
    twilio: FakeTwilio, client: Client, application: Application
) -> None:
    twilio.automatic = ("sent",)
    twilio.deliver_to(PUBLIC, send_to=application.url, patience_seconds=0.01)
    application.answers = [Response(status_code=503) for _ in range(9)]
    await sent_text(twilio, client)
    await twilio.until(lambda: twilio.violations)
    assert "no 2xx within 0.01 s" in twilio.violations[0]


# --- Waiting -------------------------------------------------------------------------------------


async def test_waiting_in_vain_shows_what_happened(twilio: FakeTwilio, client: Client) -> None:
    await send(client, "Pick one: 1 Ann, 2 Bo")
    with pytest.raises(TwilioException):
        await client.messages("SM" + "0" * 32).media.list_async()
    with pytest.raises(AssertionError) as caught:
        await twilio.until(lambda: twilio.phone(ANN).inbox, within=0.01)
    shown = str(caught.value)
    assert "…0142 < 'Pick one: 1 Ann, 2 Bo'" in shown
    assert "violation: GET to a path" in shown
    assert BO not in shown


async def test_a_webhook_not_yet_taken_is_not_quiet(
    twilio: FakeTwilio, application: Application
) -> None:
    application.answers = [Response(status_code=503) for _ in range(99)]
    texting = asyncio.create_task(twilio.phone(BO).texts("2"))
    with pytest.raises(AssertionError, match="not quiet"):
        await twilio.quiet(0.01, within=0.05)
    application.answers.clear()
    assert (await texting).status == 200
    await twilio.quiet(0.01)
