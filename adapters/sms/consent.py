"""Who has agreed to be texted, when, how and in which words: kept as proof, and asked for by name.

Somebody who texts us first has agreed to answers (Twilio's policy: such a message is consent and
its proof). That is worth thirty days from their last text. An invitation goes out on the word of
a host instead, once, and is worth nothing more. A STOP is no part of this: it outlives all proof.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.pace import DAY_MS
from core.ports import Directory

IDLE_MS = 30 * DAY_MS
PROOF_MS = 400 * DAY_MS
INVITED_MS = 3 * DAY_MS
WORDS_CHARS = 40
_DIGITS = re.compile(r"\d{5,}")


class Consent(Struct, frozen=True):
    """The proof: their first words, on which invitation (its host and room, if any), and when."""

    at_ms: int
    words: str
    last_ms: int
    invited: str = ""


class Consents:
    """The proofs of everybody, by opaque address."""

    def __init__(self, directory: Directory) -> None:
        """Kept in `directory`, under `consent:` and `invited:`."""
        self._directory = directory

    async def heard(self, address: str, words: str, now_ms: int) -> None:
        """They have texted us, at `now_ms`."""
        name = f"consent:{address}"
        old = await self._directory.get(name)
        known = msgspec.json.decode(old, type=Consent) if old else None
        if known and now_ms - known.last_ms < DAY_MS:
            return
        if known and now_ms - known.last_ms < IDLE_MS:
            consent = replace(known, last_ms=now_ms)
        else:
            invited = await self._directory.get(f"invited:{address}") or ""
            shown = _DIGITS.sub("(number)", words)[:WORDS_CHARS]
            consent = Consent(now_ms, shown, now_ms, invited)
        value = msgspec.json.encode(consent).decode()
        await self._directory.put(name, value, instead_of=old, keep_ms=PROOF_MS)

    async def invite(self, address: str, host: str, room: str) -> None:
        """A host has vouched that whoever is there agreed to one text, into this room."""
        name = f"invited:{address}"
        old = await self._directory.get(name)
        await self._directory.put(name, f"{host} {room}", instead_of=old, keep_ms=INVITED_MS)

    async def holds(self, address: str, now_ms: int) -> bool:
        """Whether `address` may be texted at `now_ms`."""
        kept = await self._directory.get(f"consent:{address}")
        if kept and now_ms - msgspec.json.decode(kept, type=Consent).last_ms < IDLE_MS:
            return True
        return await self._directory.get(f"invited:{address}") is not None
