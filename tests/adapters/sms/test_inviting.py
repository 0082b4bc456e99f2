"""A host invites by phone number: every line the host reads, and every text that goes out."""

import asyncio
import itertools
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from adapters.entropy import SeededEntropy
from adapters.memory.counters import MemoryCounters
from adapters.memory.store import MemoryStore
from adapters.platform import Shared
from adapters.sms.invites import SmsPhones
from adapters.sms.segments import count
from adapters.vault import AddressBook, Vault
from core import text
from core.delivery import Letter
from core.ports import Loaded
from core.service import Incoming, Service
from core.service.inviting import plain_name
from core.table import House, Way
from tests.adapters.sms.ours import SETTINGS

NOON_MS = round(datetime(2026, 12, 1, 17, tzinfo=UTC).timestamp() * 1_000)  # noon in New York
HOUR_MS = 3_600_000
OURS = replace(SETTINGS, countries=("US", "CA"))
HOUSE = House((Way("SMS: text JOIN {code} to us", "Text JOIN {code}."),))
ANN, BO, CY, DOT = "+12125550101", "+12125550143", "+12125550144", "+12025550145"
AGAIN = "the same number again."
NO_NUMBER = (
    "I found no phone number in that. Send INVITE and your friends' numbers, or INVITE alone for "
    "something to share."
)


class Slow(MemoryStore):
    """A store in which others get a word in while somebody reads."""

    async def load(self, key: str, event: str = "") -> Loaded:
        loaded = await super().load(key, event)
        await asyncio.sleep(0)
        return loaded


class Town:
    """Parlour, a host on Telegram, one who texts, and everybody's phone."""

    def __init__(self) -> None:
        self.now_ms, self._events = NOON_MS, itertools.count(1)
        self.ours = OURS
        self.store = Slow(lambda: self.now_ms)
        book = AddressBook(Vault(b"s" * 32), self.store)
        self.shared = Shared(book, self.store, MemoryCounters(lambda: self.now_ms))
        self.open()

    def open(self) -> None:
        phones = SmsPhones(self.ours, self.shared, lambda: self.now_ms)
        self.service = Service(
            self.store,
            self.store,
            self.store,
            SeededEntropy("town"),
            HOUSE,
            text.load(),
            phones=phones,
        )

    async def says(self, who: str, words: str, place: str = "") -> list[str]:
        """What they are told for it; who has a number texts."""
        texting = who.startswith("+")
        address = await self.at(who) if texting else f"telegram:x:{who.casefold()}"
        event, name = f"x:{next(self._events)}", "" if texting else who
        await self.service.hear(
            Incoming(event, "text", address, words, name, place, texting=texting, open=not place)
        )
        told = [letter for letter in await self.letters() if letter.to in {address, place}]
        return [line for one in told for line in (one.short if texting else one.text).split("\n")]

    async def at(self, number: str) -> str:
        return await self.shared.book.address(OURS.bot, number)

    async def letters(self) -> list[Letter]:
        """Whatever wants to go out now; texts to strangers are put by."""
        went: list[Letter] = []
        while parcels := (await self.store.ready())[0]:
            for parcel in parcels:
                went.append(parcel.letter)
                await self.store.done(parcel)
        self.texts = [one for one in went if one.to.startswith("sms:")]
        return went

    async def code(self, host: str = "Ann") -> str:
        address = await self.at(host) if host.startswith("+") else f"telegram:x:{host.casefold()}"
        room = await self.service.room_of(address)
        assert room is not None
        return room.code


@pytest.fixture
async def town() -> Town:
    """Ann has a room, and has vouched for her friends before."""
    town = Town()
    await town.says("Ann", "NEW")
    await town.says("Ann", "INVITE +1 202 555 0199")
    await town.says("Ann", "INVITE OK")
    return town


TYPED: list[tuple[str, list[str], int]] = [
    # behind INVITE, what Ann is told, how many texts go out
    ("+12125550143", ["+********143: invited."], 1),
    ("+1 212 555 0143", ["+* *** *** *143: invited."], 1),
    ("+1 (212) 555-0143", ["+* (***) ***-*143: invited."], 1),
    ("+1-212-555-0143", ["+*-***-***-*143: invited."], 1),
    ("+1.212.555.0143", ["+*.***.***.*143: invited."], 1),
    ("Bo +1 212-555-0143", ["+* ***-***-*143: invited."], 1),
    ("my friend Bo (+1 212-555-0143)", ["+* ***-***-*143: invited."], 1),
    ("tel:+12125550143", ["+********143: invited."], 1),
    ("＋１２１２５５５０１４３", ["＋********１４３: invited."], 1),
    ("+1\u00a0212\u00a0555\u20110143", ["+*\u00a0***\u00a0***\u2011*143: invited."], 1),
    ("\u202a+12125550143\u202c", ["+********143: invited."], 1),
    ("\ufeff+1212\u200b5550143", ["+****\u200b****143: invited."], 1),
    ("+12125550143, +12125550144", ["+********143: invited.", "+********144: invited."], 2),
    ("+12125550143; +12125550144", ["+********143: invited.", "+********144: invited."], 2),
    ("+12125550143/+12125550144", ["+********143: invited.", "+********144: invited."], 2),
    ("+12125550143\n+12125550144", ["+********143: invited.", "+********144: invited."], 2),
    ("+12125550143 and +12125550144", ["+********143: invited.", "+********144: invited."], 2),
    ("+12125550143 y +12125550144", ["+********143: invited.", "+********144: invited."], 2),
    ("+12125550143 +12125550144", ["+********143: invited.", "+********144: invited."], 2),
    ("Bo +12125550143, Cy +12125550144", ["+********143: invited.", "+********144: invited."], 2),
    ("+12125550143, +12125550143", ["+********143: invited.", "+********143: " + AGAIN], 1),
    ("+12125550143, +1 212 555 0143", ["+********143: invited.", "+* *** *** *143: " + AGAIN], 1),
    ("+16045550123", ["+********123: invited."], 1),
    ("+1 416 555 0199", ["+* *** *** *199: invited."], 1),
    ("BEGIN:VCARD\nFN:Bo\nTEL;TYPE=CELL:+12125550143\nEND:VCARD", ["+********143: invited."], 1),
    ("BEGIN:VCARD\nTEL;VALUE=uri:tel:+1-212-555-0143\nEND:VCARD", ["+*-***-***-*143: invited."], 1),
    ("BEGIN:VCARD\nTEL:+12125550143\nEND:VCARD\nBEGIN:VCARD\nTEL:+12125550144\nEND:VCARD",
     ["+********143: invited.", "+********144: invited."], 2),
    # who is only guessed at is asked back, as it would be dialled
    ("212-555-0143", ["+1 ***-***-*143?", "CONFIRM"], 0),
    ("(212) 555-0143", ["+1 ***-***-*143?", "CONFIRM"], 0),
    ("2125550143", ["+1 ***-***-*143?", "CONFIRM"], 0),
    ("Bo 212.555.0143", ["+1 ***-***-*143?", "CONFIRM"], 0),
    ("12125550143", ["+1 ***-***-*143?", "CONFIRM"], 0),
    ("+1212555O143", ["+1 ***-***-*143?", "CONFIRM"], 0),
    ("٢١٢٥٥٥٠١٤٣", ["+1 ***-***-*143?", "CONFIRM"], 0),
    ("+12125550144 and 212 555 0143",
     ["+********144: invited.", "+1 ***-***-*143?", "CONFIRM"], 1),
    ("212 555 0143 212 555 0144", ["+1 ***-***-*143?", "+1 ***-***-*144?", "CONFIRM"], 0),
    # which country
    ("555-123-4567", ["***-***-*567: in which country? Begin with + and its code."], 0),
    ("(02) 9999 1234", ["(**) **** *234: in which country? Begin with + and its code."], 0),
    ("0491 570 156", ["**** *** 156: in which country? Begin with + and its code."], 0),
    ("07700 900123", ["***** ***123: in which country? Begin with + and its code."], 0),
    # nothing that could be texted
    ("911", ["911: can't be reached."], 0),
    ("112", ["112: can't be reached."], 0),
    ("24601", ["**601: can't be reached."], 0),
    ("+1 900 555 0143", ["+* *** *** *143: can't be reached."], 0),
    ("+1 800 356 9377", ["+* *** *** *377: can't be reached."], 0),
    ("+44 20 7946 0018", ["+** ** **** *018: can't be reached."], 0),
    ("+44 909 8790000", ["+** *** ****000: can't be reached."], 0),
    ("+44 7700 900123", ["+** **** ***123: can't be reached."], 0),
    ("+1 212 555 0143 ext 4", ["+* *** *** **43 ext 4: can't be reached."], 0),
    ("+1 876 555 0123", ["+* *** *** *123: can't be reached."], 0),
    ("+1 242 365 1234", ["+* *** *** *234: can't be reached."], 0),
    ("+44 7400 123456", ["+** **** ***456: can't be reached."], 0),
    ("+52 55 1234 5678", ["+** ** **** *678: can't be reached."], 0),
    ("+7 912 345 67 89", ["+* *** *** *7 89: can't be reached."], 0),
    ("+12125550143, 911", ["+********143: invited.", "911: can't be reached."], 1),
    # no numbers at all
    ("Bo", [NO_NUMBER], 0),
    ("my friends", [NO_NUMBER], 0),
    ("@bo", [NO_NUMBER], 0),
    ("at 18:30 on 2026-12-01", [NO_NUMBER], 0),
    ("12/24/2026", [NO_NUMBER], 0),
    ("KTRGW", [NO_NUMBER], 0),
    ("BEGIN:VCARD\nFN:Bo\nEND:VCARD", [NO_NUMBER], 0),
    ("OK", [NO_NUMBER], 0),
]  # fmt: skip
CONFIRM = (
    "Each gets one text from Parlour. Are the numbers right, and did these people agree to that? "
    "Then send INVITE OK."
)


@pytest.mark.parametrize(("typed", "told", "texts"), TYPED)
async def test_what_a_host_types_is_answered_line_by_line(
    town: Town, typed: str, told: list[str], texts: int
) -> None:
    assert await town.says("Ann", f"INVITE {typed}") == [
        CONFIRM if line == "CONFIRM" else line for line in told
    ]
    assert len(town.texts) == texts


async def test_an_invitation_is_one_cheap_text_that_says_all_it_must(town: Town) -> None:
    await town.says("Ann", f"INVITE {BO}")

    (letter,) = town.texts
    assert letter.short == (
        "Ferret Out: Ann asked us to invite you to a game by text. Reply JOIN "
        f"{await town.code()} to play. Msg&data rates may apply. STOP to opt out, HELP for help."
    )
    assert count(letter.short).segments == 1
    assert (letter.to, letter.seat) == (await town.at(BO), "")
    assert letter.until_ms == NOON_MS + 600_000


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann", "Ann"), ("Zoë", "Zoe"), ("Wilhelmina", "Wilhelmi"), ("win.com", "Wincom"),
        ("Анна", "A friend"), ("bit.ly/x", "Bitlyx"), ("7of9", "A friend"), ("", "A friend"),
    ],
)  # fmt: skip
def test_a_hosts_name_is_short_cheap_and_never_a_link(name: str, shown: str) -> None:
    assert plain_name(name) == shown


async def test_a_first_invitation_waits_until_the_host_has_vouched_once() -> None:
    town = Town()
    await town.says("Ann", "NEW")
    assert await town.says("Ann", f"INVITE {BO}") == ["+********143?", CONFIRM]
    assert town.texts == []
    assert await town.says("Ann", "invite ok") == ["+********143: invited."]
    assert len(town.texts) == 1
    assert await town.says("Ann", f"INVITE {CY}") == ["+********144: invited."]
    assert len(town.texts) == 1


async def test_a_host_who_texts_types_a_number_back_each_time() -> None:
    town = Town()
    await town.says(ANN, "NEW")
    for friend, shown in (("212-555-0143", "***-***-*143"), ("2125550144", "*******144")):
        asked, confirm = await town.says(ANN, f"INVITE {friend}")
        assert asked == f"{shown}?"
        assert confirm.startswith("Right, and they agreed to one text? Send INVITE ")
        assert await town.says(ANN, "INVITE OK") != [f"{shown}: invited"]
        _, confirm = await town.says(ANN, f"INVITE {friend}")
        assert await town.says(ANN, confirm[-11:]) == [f"{shown}: invited"]


async def test_nobody_gets_a_second_text_into_a_room(town: Town) -> None:
    await town.says("Ann", f"INVITE {BO}")
    town.now_ms += 20 * 60_000
    assert await town.says("Ann", f"INVITE {BO}") == ["+********143: invited."]
    assert town.texts == []


async def test_whoever_joined_by_this_hosts_invitation_is_in_already(town: Town) -> None:
    await town.says("Ann", f"INVITE {BO}")
    await town.says(BO, f"JOIN {await town.code()} Bo")
    assert await town.says("Ann", f"INVITE {BO}") == ["+********143: already in."]


async def test_whoever_joined_by_themselves_is_invited_as_anybody_and_not_texted(
    town: Town,
) -> None:
    await town.says(BO, f"JOIN {await town.code()} Bo")
    assert await town.says("Ann", f"INVITE {BO}") == ["+********143: invited."]
    assert town.texts == []


async def test_whoever_stopped_us_is_as_far_as_a_landline(town: Town) -> None:
    await town.shared.book.suppress(await town.at(BO))
    assert await town.says("Ann", f"INVITE {BO}") == ["+********143: can't be reached."]
    assert town.texts == []


async def test_at_night_nobody_is_invited_and_nothing_is_told_of_them(town: Town) -> None:
    await town.shared.book.suppress(await town.at(BO))
    town.now_ms = NOON_MS + 10 * HOUR_MS
    asleep = "it is night there. Try again between 8 and 21 o'clock their time."
    assert await town.says("Ann", f"INVITE {BO} {CY}") == [
        f"+********143: {asleep}", f"+********144: {asleep}",
    ]  # fmt: skip


async def test_a_number_is_invited_once_a_day_whoever_asks(town: Town) -> None:
    await town.says("Ann", f"INVITE {BO}")
    await town.says("Eve", "NEW")
    await town.says("Eve", f"INVITE {BO}")
    assert await town.says("Eve", "INVITE OK") == ["+********143: can't be reached."]
    assert town.texts == []


async def test_a_room_invites_no_more_than_it_has_seats(town: Town) -> None:
    numbers = [f"+1212555{n:04}" for n in range(120, 128)]
    told = await town.says("Ann", f"INVITE {', '.join(numbers)}")
    assert [line.partition(": ")[2] for line in told].count("invited.") == len(town.texts)
    assert told[-1].endswith("that is enough for today. Share the code instead.")


async def test_where_the_operator_names_no_country_there_is_only_sharing() -> None:
    town = Town()
    town.ours = SETTINGS
    town.open()
    await town.says("Ann", "NEW")
    code = await town.code()
    sentence = "Send your friends this, from your own phone: Play a parlour game with me!"
    share = [f"{sentence} The room is {code}.", f"SMS: text JOIN {code} to us"]
    assert await town.says("Ann", "INVITE") == share
    assert await town.says("Ann", f"INVITE {BO}") == ["I can't text anybody first here.", *share]
    assert town.texts == []


async def test_only_a_host_invites_in_private_and_into_a_room(town: Town) -> None:
    await town.says("Bo", f"JOIN {await town.code()}")
    (told,) = await town.says("Bo", f"INVITE {CY}")
    assert told.startswith("Only the host")
    assert await town.says("Cy", f"INVITE {BO}") == [
        "Open a room first, with NEW. Then I can invite your friends."
    ]
    await town.says("Dot", "/new", "telegram:x:group")
    (told,) = await town.says("Dot", f"/invite {CY}", "telegram:x:group")
    assert told.startswith("Phone numbers are for you and me alone")


async def test_no_number_that_was_typed_is_written_down_anywhere(town: Town) -> None:
    await town.says("Ann", f"INVITE {BO}, 212 555 0144")
    await town.says("Ann", "call me at +1 212-555-0101")
    assert "2125550143" not in (kept := str(vars(town.store)))
    assert not any(part in kept for part in ("555 0144", "555-0101", "5550143", "5550144"))


async def test_an_invitation_that_is_delivered_again_is_sent_once(town: Town) -> None:
    heard = Incoming("x:again", "text", "telegram:x:ann", f"INVITE {BO}", "Ann", open=True)
    for _ in range(3):
        await town.service.hear(heard)
    assert [one.to for one in await town.letters()].count(await town.at(BO)) == 1


async def test_a_number_named_twice_at_once_gets_one_text(town: Town) -> None:
    heard = [
        Incoming(f"x:at-once:{n}", "text", "telegram:x:ann", f"INVITE {BO}", "Ann", open=True)
        for n in range(2)
    ]
    await asyncio.gather(*map(town.service.hear, heard))
    letters = await town.letters()
    assert [one.to for one in letters].count(await town.at(BO)) == 1
    assert [one.text for one in letters].count("+********143: invited.") == 2


async def test_whoever_hosts_no_phones_shares(town: Town) -> None:
    code = await town.code()
    town.service = Service(
        town.store, town.store, town.store, SeededEntropy("no phones"), HOUSE, text.load()
    )
    told = await town.says("Ann", f"INVITE {BO}")
    assert told[0].endswith(f"The room is {code}.")
    await town.says("Ann", "FINISH")
    assert await town.says("Ann", "INVITE") == ["That game is over. Send NEW for another one."]


async def test_an_address_that_was_sealed_with_another_secret_is_not_invited(town: Town) -> None:
    phones = SmsPhones(OURS, town.shared, lambda: NOON_MS)
    assert await phones.admit("sms:x:nobody", "ann", "room", 8) == "unreachable"
