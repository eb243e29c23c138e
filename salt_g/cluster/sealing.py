"""Secrets in the database, sealed by a key that is derived from the master's key pair.

Who reads the database, or a copy of it, cannot read publications with what is found there.
Errors: SealBroken for a value that another key pair sealed.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from salt_g.wire.aes import AES_KEY_SIZE, MAC_KEY_SIZE, Crypticle
from salt_g.wire.rsa import PrivateKey

#: Purposes of the derived bytes: two halves of one key text.
_PURPOSES = (b"salt-g cluster: cipher", b"salt-g cluster: authenticity")


class Sealing:
    """Seals values for all masters with this key pair."""

    def __init__(self, key: PrivateKey) -> None:
        secret = key.to_pem().encode("ascii")
        made = b"".join(hashlib.sha256(purpose + b"\0" + secret).digest() for purpose in _PURPOSES)
        self._crypticle = Crypticle(base64.b64encode(made[: AES_KEY_SIZE + MAC_KEY_SIZE]))
        self.fingerprint = hashlib.sha256(key.public.pem.encode("ascii")).hexdigest()

    def seal(self, value: Any) -> bytes:
        """Return a sealed value."""
        return self._crypticle.seal(value)

    def open(self, sealed: bytes) -> Any:
        """Return a sealed value; raise SealBroken."""
        return self._crypticle.open(sealed)
