"""Seal of orders in the store, by a key that is derived from the master's key pair.

It is made when the first order is kept or read: a master without orders loads nothing of it.
Errors: SealBroken for what another key pair sealed, or another part of the master.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from salt_g.errors import SealBroken
from salt_g.wire.rsa import PrivateKey

if TYPE_CHECKING:
    from salt_g.cluster.sealing import Sealing

#: First bytes of a sealed order: no publication of a cluster is one, and no order is a publication.
_ORDER = b"order\0"


class OrderSealing:
    """Seal of the masters with this key pair."""

    def __init__(self, key: PrivateKey) -> None:
        self._key = key

    def seal(self, packed: bytes) -> bytes:
        """Return sealed bytes."""
        return self._sealing.seal_job(_ORDER + packed)

    def open(self, sealed: bytes) -> bytes:
        """Return the bytes of `seal`; raise SealBroken for anything else."""
        plain = self._sealing.open_job(sealed)
        if not plain.startswith(_ORDER):
            raise SealBroken("this is not an order")
        return plain[len(_ORDER) :]

    @cached_property
    def _sealing(self) -> Sealing:
        from salt_g.cluster.sealing import Sealing

        return Sealing(self._key)
