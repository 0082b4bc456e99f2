"""What a host types or pastes, and what becomes of each number in it."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sms.numbers import find_numbers

BO, CY = "+12125550143", "+12125550144"

TYPED: list[tuple[str, str, list[tuple[str, str | None, str]]]] = [
    # typed, region, (as it is spelt, what it is, what can be done) of each
    ("212-555-0143", "US", [("212-555-0143", BO, "ok")]),
    ("(212) 555-0143", "US", [("(212) 555-0143", BO, "ok")]),
    ("+1 212 555 0143", "GB", [("+1 212 555 0143", BO, "country_off")]),
    ("Bo 212.555.0143", "US", [("212.555.0143", BO, "ok")]),
    ("212 555 0143 212 555 0144", "US", [("212 555 0143", BO, "ok"), ("212 555 0144", CY, "ok")]),
    ("2125550143 2125550144", "US", [("2125550143", BO, "ok"), ("2125550144", CY, "ok")]),
    (
        "2125550143, +1 (212) 555-0143",
        "US",
        [("2125550143", BO, "ok"), ("+1 (212) 555-0143", BO, "duplicate")],
    ),
    (
        "Bo: 2125550143 and Cy 2125550144",
        "US",
        [("2125550143", BO, "ok"), ("2125550144", CY, "ok")],
    ),
    ("2125550143 y 2125550144", "US", [("2125550143", BO, "ok"), ("2125550144", CY, "ok")]),
    (
        "2125550143/2125550144\n911",
        "US",
        [("2125550143", BO, "ok"), ("2125550144", CY, "ok"), ("911", None, "short")],
    ),
    ("12125550143", "US", [("12125550143", BO, "ok")]),
    ("12125550143", "GB", [("12125550143", BO, "country_off")]),
    ("００44 7400 123456", "GB", [("００44 7400 123456", "+447400123456", "ok")]),
    ("0044 7400 123456", "US", [("0044 7400 123456", "+447400123456", "country_off")]),
    ("+44 7700 900123", "US", [("+44 7700 900123", None, "invalid")]),
    ("555-123-4567", "US", [("555-123-4567", None, "which_country")]),
    ("(02) 9999 1234", "US", [("(02) 9999 1234", None, "which_country")]),
    ("(02) 9999 1234", "AU", [("(02) 9999 1234", "+61299991234", "landline")]),
    ("0491 570 156", "AU", [("0491 570 156", "+61491570156", "ok")]),
    ("+1212555O143", "US", [("+1212555O143", BO, "confirm")]),
    ("212-555-0143 ext 4", "US", [("212-555-0143 ext 4", None, "invalid")]),
    ("call 2125550143x22", "US", [("2125550143x22", None, "invalid")]),
    ("+1 900 555 0143", "US", [("+1 900 555 0143", "+19005550143", "premium")]),
    ("+1 800 356 9377", "US", [("+1 800 356 9377", "+18003569377", "premium")]),
    ("+52 1 55 1234 5678", "MX", [("+52 1 55 1234 5678", None, "invalid")]),
    ("+52 55 1234 5678", "MX", [("+52 55 1234 5678", "+525512345678", "ok")]),
    ("011 15-2345-6789", "AR", [("011 15-2345-6789", "+5491123456789", "ok")]),
    ("+1 876 555 0123", "US", [("+1 876 555 0123", "+18765550123", "country_off")]),
    ("+44 20 7946 0018", "GB", [("+44 20 7946 0018", "+442079460018", "landline")]),
    ("+15005550006", "US", [("+15005550006", "+15005550006", "ok")]),
    ("112", "GB", [("112", None, "short")]),
    ("24601", "US", [("24601", None, "short")]),
    ("1" * 5_000, "US", [("1" * 5_000, None, "invalid")]),
    ("２１２５５５０１４３", "US", [("２１２５５５０１４３", BO, "ok")]),
    ("٢١٢٥٥٥٠١٤٣", "US", [("٢١٢٥٥٥٠١٤٣", BO, "ok")]),
    ("\u202a+1 212\u00a0555\u20110143\u202c", "US", [("+1 212\u00a0555\u20110143", BO, "ok")]),
    ("\ufeff212\u200b5550143", "US", [("212\u200b5550143", BO, "ok")]),
    ("meet at 18:30 on 2026-12-01, room KTRGW", "US", []),
    ("12/24/2026", "US", []),
    ("nobody", "US", []),
    ("", "US", []),
]

VCARD = """BEGIN:VCARD
VERSION:3.0
FN:Bo Example
TEL;TYPE=CELL:+1 212 555 0143
item1.TEL;VALUE=uri:tel:+1-212-5
 55-0144
NOTE:call 911
END:VCARD
"""


@pytest.mark.parametrize(("typed", "region", "expected"), TYPED)
def test_each_number_is_found_as_it_is_spelt(
    typed: str, region: str, expected: list[tuple[str, str | None, str]]
) -> None:
    found = find_numbers(typed, region)
    assert [(one.typed, one.e164, one.verdict) for one in found] == expected


def test_of_a_contact_only_its_numbers_count() -> None:
    found = find_numbers(VCARD.replace("\n", "\r\n"), "US")
    assert [(one.e164, one.verdict) for one in found] == [(BO, "ok"), (CY, "ok")]


def test_the_operator_names_the_countries() -> None:
    typed = "+44 7400 123456, +1 212 555 0143"
    verdicts = [one.verdict for one in find_numbers(typed, "US", ["GB"])]
    assert verdicts == ["ok", "country_off"]


@given(st.text(st.characters() | st.sampled_from("0123456789+-() .\n,"), max_size=60))
def test_whatever_is_typed_each_number_is_part_of_it_and_texted_once(typed: str) -> None:
    found = find_numbers(typed, "US")
    assert all(one.typed in typed for one in found) or "BEGIN:VCARD" in typed.upper()
    texted = [one.e164 for one in found if one.verdict in {"ok", "confirm"}]
    assert len(texted) == len(set(texted))
    assert all(one.e164 for one in found if one.verdict == "ok")


def parlour(*args: str, typed: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from adapters.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, *args]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False)  # noqa: S603  (our own)


def test_invite_prints_a_line_a_number() -> None:
    done = parlour("sms", "invite", "--dry-run", "--region", "us", typed="Bo 212-555-0143, 911\n")
    assert done.returncode == 0
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"typed": "212-555-0143", "e164": BO, "verdict": "ok"},
        {"typed": "911", "e164": None, "verdict": "short"},
    ]


@pytest.mark.parametrize("args", [(), ("--dry-run",), ("--dry-run", "--region", "Narnia")])
def test_invite_says_what_it_lacks(args: tuple[str, ...]) -> None:
    done = parlour("sms", "invite", *args, typed="")
    assert done.returncode == 2
    assert "--" in done.stderr


def test_count_answers_line_by_line() -> None:
    typed = '{"text": "' + "a" * 161 + '"}\n\n{"text": "\\u0436"}\n'
    done = parlour("sms", "count", typed=typed)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"encoding": "GSM-7", "segments": 2, "units": 161},
        {"encoding": "UCS-2", "segments": 1, "units": 1},
    ]
    wrong = parlour("sms", "count", typed='{"text": "a"}\n{"words": 1}\n')
    assert (wrong.returncode, wrong.stderr.startswith("line 2: ")) == (1, True)
