"""Addresses as opaque ids, and what they stand for under seal.

A phone number or a Telegram id never becomes a key, a log line or an outbox row: those hold
`<platform>:<bot>:<hmac>`. The number itself is kept sealed (AES-GCM) under that id, because
something must be dialled in the end. A plain hash of a phone number is guessed in seconds; the
HMAC's key is `PARLOUR_SECRET`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from core.ports import Directory

NONCE_BYTES = 12
KEEP_MS = 400 * 86_400_000
STRANGER_MS = 3 * 86_400_000
STOPPED_KEEP_MS = 3_650 * 86_400_000
KNOWN_AT_MOST = 100_000
"""How many seals a process remembers to have put again."""


class Vault:
    """Makes opaque ids and seals. Both keys are derived from one secret."""

    def __init__(self, secret: bytes) -> None:
        """`secret`: at least 32 bytes; changing it forgets everybody."""
        self._index = hmac.digest(secret, b"parlour/index", hashlib.sha256)
        self._seal = AESGCM(hmac.digest(secret, b"parlour/seal", hashlib.sha256))

    def opaque(self, raw: str) -> str:
        """The id that stands for `raw`: 26 letters and digits, the same every time."""
        digest = hmac.digest(self._index, raw.encode(), hashlib.sha256)[:16]
        return base64.b32encode(digest).decode().rstrip("=").lower()

    def seal(self, raw: str) -> str:
        """`raw` under seal."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return base64.b64encode(nonce + self._seal.encrypt(nonce, raw.encode(), None)).decode()

    def unseal(self, sealed: str) -> str | None:
        """What is under the seal, or None if it was sealed with another secret."""
        data = base64.b64decode(sealed)
        try:
            return self._seal.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], None).decode()
        except InvalidTag:
            return None


class AddressBook:
    """Opaque addresses and back."""

    def __init__(self, vault: Vault, directory: Directory) -> None:
        """A book kept in `directory`."""
        self._vault, self._directory = vault, directory
        self._known: set[str] = set()

    def opaque(self, raw: str) -> str:
        """What stands for `raw` in the name of a counter."""
        return self._vault.opaque(raw)

    def seal(self, raw: str) -> str:
        """`raw` under seal."""
        return self._vault.seal(raw)

    def unseal(self, sealed: str) -> str | None:
        """What is under the seal, or None if it was sealed with another secret."""
        return self._vault.unseal(sealed)

    async def stranger(self, prefix: str, raw: str) -> str:
        """The opaque address of somebody who has never written: remembered for a few days only."""
        address = f"{prefix}:{self._vault.opaque(f'{prefix}:{raw}')}"
        sealed, name = self._vault.seal(raw), f"address:{address}"
        await self._directory.put(name, sealed, instead_of=None, keep_ms=STRANGER_MS)
        return address

    async def address(self, prefix: str, raw: str) -> str:
        """The opaque address of `raw` (a number, a chat), remembered so that it can be reached.

        `prefix` is `<platform>:<bot>`, with nothing personal in it.
        """
        address = f"{prefix}:{self._vault.opaque(f'{prefix}:{raw}')}"
        name = f"address:{address}"
        # A server that died may have lost what was put last: without it nobody can be answered.
        old = await self._directory.get(name)
        if old is None or address not in self._known:
            # An old seal is put again, which keeps it for longer.
            sealed = old or self._vault.seal(raw)
            await self._directory.put(name, sealed, instead_of=old, keep_ms=KEEP_MS)
            if len(self._known) >= KNOWN_AT_MOST:
                self._known.clear()
            self._known.add(address)
        return address

    async def raw(self, address: str) -> str | None:
        """What the address stands for."""
        sealed = await self._directory.get(f"address:{address}")
        return None if sealed is None else self._vault.unseal(sealed)

    async def alias(self, address: str, raw: str) -> None:
        """Let `address` lead to `raw` from now on: a chat has got another id."""
        name = f"address:{address}"
        old = await self._directory.get(name)
        await self._directory.put(name, self._vault.seal(raw), instead_of=old, keep_ms=KEEP_MS)

    async def suppress(self, address: str) -> None:
        """Send nothing to `address` any more. This outlives the person, the room and the seal."""
        await self._stop(address, "stopped")

    async def unsuppress(self, address: str) -> None:
        """`address` may be sent to again: whoever is there said so."""
        if await self.suppressed(address):
            await self._stop(address, "")

    async def suppressed(self, address: str) -> bool:
        """Whether nothing may be sent to `address`."""
        return await self._directory.get(f"stopped:{address}") == "stopped"

    async def _stop(self, address: str, value: str) -> None:
        name, written = f"stopped:{address}", False
        while not written:
            old = await self._directory.get(name)
            written = await self._directory.put(
                name, value, instead_of=old, keep_ms=STOPPED_KEEP_MS
            )
