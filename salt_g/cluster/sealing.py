"""Secrets and jobs in the database, sealed by a key that is derived from the master's key pair.

Who reads the database, or a copy of it, cannot read publications with what is found there; who writes into
it cannot make the masters publish a job.
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

#: Two halves of one key text are derived, each for its own use.
_USES = ("cipher", "authenticity")
#: First bytes of a sealed job, which no other sealed value has.
_JOB = b"job\0"
#: Size from which sealing would hold the hub for milliseconds (bytes).
_LARGE = 64 * 1024


class Sealing:
    """Seals values for all masters with this key pair; what is sealed for another `purpose` does not open."""

    def __init__(self, key: PrivateKey, purpose: str = "cluster") -> None:
        self._key = key
        self._purpose = purpose
        self.fingerprint = hashlib.sha256(key.public.pem.encode("ascii")).hexdigest()

    @functools.cached_property
    def _crypticle(self) -> Crypticle:
        """The derived key; the text of a private key costs ten imports, so it waits for the first use."""
        secret = self._key.to_pem().encode("ascii")
        uses = (f"salt-g {self._purpose}: {use}".encode() for use in _USES)
        made = b"".join(hashlib.sha256(use + b"\0" + secret).digest() for use in uses)
        return Crypticle(base64.b64encode(made[: AES_KEY_SIZE + MAC_KEY_SIZE]))

    def seal(self, value: Any) -> bytes:
        """Return a sealed value."""
        return self._crypticle.seal(value)

    def open(self, sealed: bytes) -> Any:
        """Return a sealed value; raise SealBroken."""
        return self._crypticle.open(sealed)

    def seal_job(self, packed: bytes) -> bytes:
        """Return a sealed job; a native thread seals a large one."""
        seal, plain = self._crypticle.seal_plain, _JOB + packed
        return offload(seal, plain) if len(plain) > _LARGE else seal(plain)

    def open_job(self, sealed: bytes) -> bytes:
        """Return the packed job of `seal_job`; raise SealBroken for anything else."""
        unseal = self._crypticle.open_plain
        plain = offload(unseal, sealed) if len(sealed) > _LARGE else unseal(sealed)
        if not plain.startswith(_JOB):
            raise SealBroken("not a job of this cluster")
        return plain[len(_JOB) :]
