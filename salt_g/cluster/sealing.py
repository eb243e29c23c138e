"""Sealing of secrets and jobs in the database with a key derived from the masters' key pair.

Read access to the database, or to a copy of it, does not reveal publications; write access is not enough to
make the masters publish a job.
Errors: SealBroken for a value that another key pair sealed.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from typing import Any

from salt_g.errors import SealBroken
from salt_g.process.offload import offload
from salt_g.wire.aes import AES_KEY_SIZE, MAC_KEY_SIZE, Crypticle
from salt_g.wire.rsa import PrivateKey

#: Labels for deriving two halves of one key text, each for its own purpose.
_USES = ("cipher", "authenticity")
#: First bytes of a sealed job, which no other sealed value has.
_JOB = b"job\0"
#: Size from which sealing would block the hub for milliseconds (bytes).
_LARGE = 64 * 1024


class Sealing:
    """Seal shared by all masters with this key pair; values sealed for another `purpose` cannot be opened."""

    def __init__(self, key: PrivateKey, purpose: str = "cluster") -> None:
        self._key = key
        self._purpose = purpose
        self.fingerprint = hashlib.sha256(key.public.pem.encode("ascii")).hexdigest()

    @functools.cached_property
    def _crypticle(self) -> Crypticle:
        """The derived key, computed at its first use because serializing a private key needs ten imports."""
        secret = self._key.to_pem().encode("ascii")
        uses = (f"salt-g {self._purpose}: {use}".encode() for use in _USES)
        made = b"".join(hashlib.sha256(use + b"\0" + secret).digest() for use in uses)
        return Crypticle(base64.b64encode(made[: AES_KEY_SIZE + MAC_KEY_SIZE]))

    def seal(self, value: Any) -> bytes:
        """Seal a value."""
        return self._crypticle.seal(value)

    def open(self, sealed: bytes) -> Any:
        """Open a sealed value; raise SealBroken if it was not sealed with this key or was changed."""
        return self._crypticle.open(sealed)

    def seal_job(self, packed: bytes) -> bytes:
        """Seal a packed job; a large one is sealed in a native thread."""
        seal, plain = self._crypticle.seal_plain, _JOB + packed
        return offload(seal, plain) if len(plain) > _LARGE else seal(plain)

    def open_job(self, sealed: bytes) -> bytes:
        """Return the packed job of `seal_job`; raise SealBroken for anything else."""
        unseal = self._crypticle.open_plain
        plain = offload(unseal, sealed) if len(sealed) > _LARGE else unseal(sealed)
        if not plain.startswith(_JOB):
            raise SealBroken("not a job of this cluster")
        return plain[len(_JOB) :]
