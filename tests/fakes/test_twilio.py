"""The fake's REST API, seen by twilio's own client."""
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

import asyncio
import json
import os
import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, cast

import aiohttp
import httpx
import pytest
from twilio.base.exceptions import TwilioException, TwilioRestException
from twilio.rest import Client

from tests.fakes import twilio_rest
from tests.fakes.twilio import FakeTwilio
from tests.fakes.twilio_bench import ACCOUNT, ANN, BO, FILTERS, OURS, TOKEN, a_client, send

OPENAPI = os.environ.get("PARLOUR_TWILIO_OPENAPI")
pytestmark = FILTERS


async def refusal(client: Client, body: str = "Hello", to: str = BO, **more: str) -> int:
    with pytest.raises(TwilioRestException) as caught:
        await send(client, body, to, **more)
    assert caught.value.status == 400
    return cast("int", caught.value.code)


async def post(twilio: FakeTwilio, **form: str) -> httpx.Response:
    url = f"{twilio.base_url}/2010-04-01/Accounts/{ACCOUNT}/Messages.json"
    async with httpx.AsyncClient(auth=(ACCOUNT, TOKEN), trust_env=False) as http:
        return await http.post(url, data=form)


# --- Sending -------------------------------------------------------------------------------------


async def test_a_text_sent_reaches_the_phone(twilio: FakeTwilio, client: Client) -> None:
    before = datetime.now(UTC)
    sid = await send(client, "Ça va, 😀?", status_callback="https://parlour.example/status")
    text = twilio.texts[0]
    assert twilio.phone(BO).inbox == [text]
    assert (text.sid, text.to, text.sender, text.body) == (sid, BO, OURS, "Ça va, 😀?")
    assert (text.status, text.status_callback) == ("queued", "https://parlour.example/status")
    assert before <= text.at <= datetime.now(UTC)
    assert text.segments == 1
    assert twilio.calls[0][0::3] == ("POST", 201)
    assert twilio.violations == []


async def test_texts_stay_in_order_and_apart(twilio: FakeTwilio, client: Client) -> None:
    for body, to in (("1", BO), ("2", ANN), ("3", BO)):
        await send(client, body, to)
    assert [text.body for text in twilio.texts] == ["1", "2", "3"]
    assert [text.body for text in twilio.phone(BO).inbox] == ["1", "3"]
    assert [text.body for text in twilio.phone(ANN).inbox] == ["2"]


async def test_a_wrong_token_gets_a_401(twilio: FakeTwilio) -> None:
    async with a_client(twilio, token="another") as client:
        with pytest.raises(TwilioRestException) as caught:
            await send(client)
    assert (caught.value.status, caught.value.code) == (401, 20003)
    assert twilio.texts == []


async def test_an_error_has_the_four_fields(twilio: FakeTwilio) -> None:
    response = await post(twilio, From=OURS, Body="Hello")
    assert response.status_code == 400
    assert response.json() == {
        "code": 21604,
        "message": "A 'To' phone number is required.",
        "more_info": "https://www.twilio.com/docs/errors/21604",
        "status": 400,
    }


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"to": ""}, 21604),
        ({"from_": ""}, 21603),
        ({"body": ""}, 21602),
        ({"body": "a" * 1601}, 21617),
        ({"to": "2025550142"}, 21211),
        ({"to": "+12025550142x"}, 21211),
        ({"to": OURS}, 21266),
        ({"from_": ANN}, 21606),
        ({"status_callback": "/status"}, 21609),
        ({"validity_period": "0"}, 20001),
        ({"to": "+15005550001"}, 21211),
        ({"to": "+15005550002"}, 21612),
        ({"to": "+15005550003"}, 21408),
        ({"to": "+15005550004"}, 21610),
        ({"to": "+15005550009"}, 21614),
        ({"from_": "+15005550001"}, 21212),
        ({"from_": "+15005550007"}, 21606),
        ({"from_": "+15005550008"}, 21611),
    ],
)
async def test_what_twilio_refuses_is_refused_with_its_code(
    twilio: FakeTwilio, client: Client, form: dict[str, str], code: int
) -> None:
    assert await refusal(client, **form) == code
    assert twilio.texts == []
    assert twilio.violations == []


async def test_a_body_of_1600_and_the_magic_sender_are_accepted(
    twilio: FakeTwilio, client: Client
) -> None:
    await send(client, "a" * 1600, from_="+15005550006", validity_period="36000")
    assert twilio.texts[0].sender == "+15005550006"
    assert twilio.texts[0].segments == 11


async def test_an_unknown_parameter_is_a_violation(twilio: FakeTwilio) -> None:
    response = await post(twilio, To=BO, From=OURS, Body="Hello", Colour="red")
    assert (response.status_code, response.json()["code"]) == (400, 20001)
    assert twilio.violations == ["unknown parameters: Colour"]


async def test_another_path_is_a_violation(twilio: FakeTwilio, client: Client) -> None:
    with pytest.raises(TwilioException, match="HTTP 404"):
        await client.messages("SM" + "0" * 32).media.list_async()
    assert twilio.violations == ["GET to a path that is not the account's messages"]


# --- Reading back --------------------------------------------------------------------------------


async def test_a_message_can_be_fetched_by_its_sid(twilio: FakeTwilio, client: Client) -> None:
    sid = await send(client)
    message = await client.messages(sid).fetch_async()
    assert (message.sid, message.body, message.status) == (sid, "Hello", "queued")
    assert message.date_sent == twilio.texts[0].at.replace(microsecond=0)
    with pytest.raises(TwilioRestException) as caught:
        await client.messages("SM" + "0" * 32).fetch_async()
    assert (caught.value.status, caught.value.code) == (404, 20404)


async def test_messages_are_listed_by_number_and_date(twilio: FakeTwilio, client: Client) -> None:
    sids = [await send(client, str(place)) for place in range(3)]
    await send(client, "another's", ANN)
    twilio.texts[0].at -= timedelta(hours=1)
    recent = datetime.now(UTC) - timedelta(minutes=1)
    listed = await client.messages.list_async(to=BO, date_sent_after=recent)
    assert [message.sid for message in listed] == sids[:0:-1]
    older = await client.messages.list_async(to=BO, date_sent_before=recent)
    assert [message.sid for message in older] == sids[:1]
    assert await client.messages.list_async(to=BO, from_=ANN) == []
    assert await client.messages.list_async(date_sent=recent - timedelta(days=2)) == []


async def test_a_message_sent_in_this_very_second_is_listed(
    twilio: FakeTwilio, client: Client
) -> None:
    now = datetime.now(UTC)
    sid = await send(client)
    listed = await client.messages.list_async(to=BO, date_sent_after=now)
    assert [message.sid for message in listed] == [sid]
    assert twilio.violations == []


async def test_the_client_turns_pages(twilio: FakeTwilio, client: Client) -> None:
    sids = [await send(client, str(place)) for place in range(5)]
    listed = await client.messages.list_async(to=BO, page_size=2)
    assert [message.sid for message in listed] == sids[::-1]
    assert [call.params.get("Page") for call in twilio.calls[5:]] == [None, "1", "2"]
    assert twilio.violations == []


if OPENAPI:
    published: dict[str, Any] = json.loads(Path(OPENAPI).read_text("utf-8"))

    async def test_a_message_has_the_published_shape(twilio: FakeTwilio, client: Client) -> None:
        schemas = published["components"]["schemas"]
        message = schemas["api.v2010.account.message"]["properties"]
        created: dict[str, Any] = (await post(twilio, To=BO, From=OURS, Body="Hello")).json()
        fetched = await client.messages(created["sid"]).fetch_async()
        assert fetched.sid == created["sid"]
        assert created.keys() == message.keys()
        for name, schema in message.items():
            value = created[name]
            if "$ref" in schema:
                assert value in schemas[schema["$ref"].rpartition("/")[2]]["enum"]
            elif value is None:
                assert schema["nullable"], name
            else:
                assert type(value).__name__ == {"string": "str", "object": "dict"}[schema["type"]]
                assert re.search(schema.get("pattern", ""), str(value)), name
                if schema.get("format") == "date-time-rfc-2822":
                    assert parsedate_to_datetime(value).tzinfo is UTC

    def test_the_parameters_and_statuses_are_the_published_ones() -> None:
        path = published["paths"]["/2010-04-01/Accounts/{AccountSid}/Messages.json"]
        (form,) = path["post"]["requestBody"]["content"].values()
        assert set(form["schema"]["properties"]) == twilio_rest.CREATE_PARAMETERS
        query = {param["name"] for param in path["get"]["parameters"] if param["in"] == "query"}
        assert query == twilio_rest.LIST_PARAMETERS
        statuses = published["components"]["schemas"]["message_enum_status"]["enum"]
        assert set(twilio_rest.STATUSES) <= set(statuses)


# --- Trouble -------------------------------------------------------------------------------------


async def test_trouble_before_the_effect_sends_nothing(twilio: FakeTwilio, client: Client) -> None:
    twilio.trouble(2, status=429, code=20429, message="Too Many Requests")
    for _ in range(2):
        with pytest.raises(TwilioRestException) as caught:
            await send(client)
        assert (caught.value.status, caught.value.code) == (429, 20429)
    assert twilio.texts == []
    await send(client)
    assert len(twilio.texts) == 1


async def test_trouble_after_the_effect_has_sent_the_text(
    twilio: FakeTwilio, client: Client
) -> None:
    twilio.trouble(to=BO, after=True)
    await send(client, "to another", ANN)
    with pytest.raises(TwilioRestException) as caught:
        await send(client)
    assert (caught.value.status, caught.value.code) == (500, 20500)
    assert [text.body for text in twilio.phone(BO).inbox] == ["Hello"]


@pytest.mark.parametrize("after", [False, True])
async def test_a_connection_can_drop_on_either_side_of_the_effect(
    twilio: FakeTwilio, client: Client, *, after: bool
) -> None:
    twilio.trouble(drop=True, after=after)
    with pytest.raises(aiohttp.ClientConnectionError):
        await send(client)
    assert len(twilio.texts) == after
    await send(client)
    assert len(twilio.texts) == after + 1


async def test_an_answer_can_be_held_back(twilio: FakeTwilio, client: Client) -> None:
    hold = asyncio.Event()
    twilio.trouble(status=201, after=True, hold=hold, delay_seconds=0.01)
    sending = asyncio.create_task(send(client))
    await twilio.until(lambda: twilio.texts)
    assert not sending.done()
    hold.set()
    assert await sending == twilio.texts[0].sid
