"""A phone as Twilio sees it: its texts become signed webhooks, its opt-out is Twilio's own."""

import secrets
from collections.abc import Sequence

from adapters.sms.segments import count
from tests.fakes.twilio_journal import Journal
from tests.fakes.twilio_rest import Text
from tests.fakes.twilio_webhooks import Reply, Webhooks

OPT_OUT = frozenset("STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT".split())
OPT_IN = frozenset("START YES UNSTOP".split())
HELP = frozenset("HELP INFO".split())


class Phone:
    """What reached a phone, what Twilio itself told it, and its thumbs."""

    def __init__(self, number: str, line: dict[str, str], journal: Journal, out: Webhooks) -> None:
        self.number = number
        self.inbox: list[Text] = []
        self.notices: list[str] = []  # Twilio's own answers to keywords, not the application's
        self.opted_out = False
        self.switched_off = False  # texts are accepted and reach nothing
        self._line = line
        self._journal = journal
        self._webhooks = out

    def __str__(self) -> str:
        return f"…{self.number[-4:]}"

    async def texts(
        self,
        body: str | None,
        *,
        sid: str | None = None,
        media: Sequence[tuple[str, str]] = (),
        to: str | None = None,
    ) -> Reply:
        """Send a text and return what the webhook answered; an old `sid` is a repetition.

        `to` is another number of the account's than its first. `media` are pairs of URL and
        content type; a body of None is absent, as MMS may leave it.
        """
        self._heed(body or "")
        with self._journal.under_way(f"{self} > {body!r}"):
            params = self._params(body, sid, media) | ({"To": to} if to else {})
            return await self._webhooks.text(params)

    async def forges(self, body: str, signature: str | None = None) -> Reply:
        """Send what Twilio never signed; without a signature there is no such header at all."""
        with self._journal.under_way(f"{self} forges {body!r}"):
            return await self._webhooks.forged(self._params(body, None, ()), signature)

    def receive(self, text: Text) -> None:
        """Take a text that Twilio sends, if the phone is on."""
        if not self.switched_off:
            self.inbox.append(text)

    def _heed(self, body: str) -> None:
        """Do what Twilio does with a message that is one keyword, before it is passed on."""
        word = body.strip().upper()
        if word in OPT_OUT and not self.opted_out:
            self.opted_out = True
            self.notices.append("You have been unsubscribed. Reply START to resubscribe.")
        elif word in OPT_IN:
            self.opted_out = False
            self.notices.append("You have been re-subscribed. Reply STOP to unsubscribe.")
        elif word in HELP:
            self.notices.append("Reply STOP to unsubscribe. Msg&Data Rates May Apply.")

    def _params(
        self, body: str | None, sid: str | None, media: Sequence[tuple[str, str]]
    ) -> dict[str, str]:
        sid = sid or ("MM" if media else "SM") + secrets.token_hex(16)
        places = [
            side + place for side in ("From", "To") for place in ("City", "State", "Zip", "Country")
        ]
        params = dict.fromkeys(places, "") | self._line | {"From": self.number}
        params |= dict.fromkeys(("MessageSid", "SmsMessageSid", "SmsSid"), sid)
        params |= {"SmsStatus": "received", "NumMedia": str(len(media))}
        params |= {"NumSegments": str(count(body or "").segments)}
        if body is not None:
            params["Body"] = body
        for index, (url, content_type) in enumerate(media):
            params |= {f"MediaUrl{index}": url, f"MediaContentType{index}": content_type}
        return params
