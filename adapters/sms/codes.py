"""What Twilio's error codes mean to us: one table, wherever a code comes up. Pure.

A create may be refused with one; else the text was accepted, and a status callback brings one. With
a Messaging Service even 21610 comes by callback only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from core.pace import DAY_MS, MINUTE_MS

Deed: TypeAlias = Literal[
    "gone", "stop", "again", "busy", "full", "crowded", "prefix", "day", "halt", "operator", "ours",
    "filtered", "lost", "unknown",
]  # fmt: skip
"""What is done about a code:

    gone      this number takes no texts from ours, today or tomorrow: its seat can't be reached
    stop      whoever is there wants no texts: none is ever sent again, and their seat is gone
    again     it may be better in a moment: the text is sent once more, once
    busy      too many requests: all texts wait for some seconds
    full      too many texts wait at Twilio: all wait for a minute; the text is sent once more
    crowded   too many texts to this one number: those wait for a minute; it is sent once more
    prefix    somebody may be pumping: no number that begins so is invited for half an hour
    day       the account's texts of a day are used up: none is sent for a day
    halt      the account is closed: none is sent until the operator switches them on
    operator  something is not set up: the operator is told, and the player is not blamed
    ours      we should have kept this from happening: the same
    filtered  a carrier took it for spam: the operator is told, and the text is not sent again
    lost      this text is lost, and nothing follows from it
    unknown   a code we don't know: as lost, and named in the log
"""

TABLE: Mapping[Deed, Mapping[int, str]] = {
    "gone": {
        21211: "no phone number",
        21408: "a country the account may not text",
        21612: "no way from our number to this one",
        21614: "no mobile phone",
        30005: "a number nobody has",
        30006: "a landline, or a carrier that can't be reached",
        63003: "no address of the channel",
    },
    "stop": {
        21610: "opted out",
        30004: "blocked by its owner or the carrier",
        63014: "blocked by its owner",
    },
    "again": {
        30003: "switched off, or out of reach",
        30008: "failed, nobody says why",
        30046: "not confirmed in time",
        30410: "a carrier took too long",
        30500: "Twilio stumbled",
    },
    "busy": {
        429: "too many requests",
        20429: "too many requests",
    },
    "full": {
        21611: "our number's queue is full",
        30001: "the queue is full",
    },
    "crowded": {
        14107: "30 texts to one number in 30 seconds",
        30022: "too many texts for our campaign, or to one phone",
        63017: "too many texts on the channel",
        63018: "too many texts on the channel",
    },
    "prefix": {
        30450: "stopped as pumping",
        30453: "stopped as fraud",
        30454: "too many texts to one destination",
    },
    "day": {
        30023: "the carrier's texts of a day are used up",
        63038: "the account's texts of a day are used up",
    },
    "halt": {
        30002: "the account is suspended",
    },
    "operator": {
        20003: "the account or its token is wrong",
        21212: "our number is no number",
        21606: "our number can't send texts",
        21608: "a trial account texts verified numbers only",
        21609: "PUBLIC_URL is no address Twilio can post to",
        21659: "our number is not the account's",
        21660: "our number is another account's",
        30024: "our number is not provisioned at the carrier",
        30032: "our toll-free number is not verified",
        30034: "our number is not registered (10DLC)",
        30035: "our number is still being set up",
        63007: "the account has no such sender on the channel",
    },
    "ours": {
        21266: "a text to our own number",
        21602: "a text without words",
        21603: "a text from nobody",
        21604: "a text to nobody",
        21617: "more than 1600 characters",
        21619: "a text without words",
    },
    "filtered": {
        30007: "filtered by a carrier",
    },
    "lost": {
        30036: "not delivered while it was worth it",
        30039: "taken for a machine's by Twilio",
        63016: "outside of the channel's window",
    },
}  # fmt: skip
"""Every code we know. Its words are for the log."""

_DEEDS: dict[int, Deed] = {code: deed for deed, codes in TABLE.items() for code in codes}
_WORDS = {code: words for codes in TABLE.values() for code, words in codes.items()}

PAUSES_MS: Mapping[Deed, int] = {
    "busy": 5_000,
    "full": MINUTE_MS,
    "crowded": MINUTE_MS,
    "prefix": 30 * MINUTE_MS,
    "day": DAY_MS,
}
"""How long texts wait after such a deed."""
UNREACHABLE: frozenset[Deed] = frozenset({"gone", "stop"})
ALARMS: frozenset[Deed] = frozenset({"day", "halt", "operator", "ours", "filtered"})
"""What the operator has to hear of."""
ONCE_MORE: frozenset[Deed] = frozenset({"again", "busy", "full", "crowded"})
"""What an accepted text that failed so is sent once more for."""


def deed_of(code: int, status: int = 0) -> Deed:
    """What is done about a code, or about the HTTP status of a refusal whose code says nothing."""
    return _DEEDS.get(code) or _DEEDS.get(status, "unknown")


def words_for(code: int) -> str:
    """What a code means, for the log."""
    return _WORDS.get(code, "a code we don't know")
