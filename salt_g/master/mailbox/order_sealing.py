"""Sealing of orders in the store, with a key derived from the master's key pair.

The key is derived when the first order is stored or read, so a master without orders imports nothing for it.
Errors: SealBroken for data sealed with another key pair, or by another part of the master.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from salt_g.errors import SealBroken
from salt_g.wire.rsa import PrivateKey

if TYPE_CHECKING:
    from salt_g.cluster.sealing import Sealing

#: First bytes of a sealed order, so that no publication of a cluster passes for an order, and no order for a
#: publication.
_ORDER = b"order\0"


class OrderSealing:
    """Sealing of orders, the same for all masters with this key pair."""

    def __init__(self, key: PrivateKey) -> None:
        self._key = key

    def seal(self, packed: bytes) -> bytes:
        """Return sealed bytes."""
        return self._sealing.seal_job(_ORDER + packed)

    def open(self, sealed: bytes) -> bytes:
        """Return the bytes that `seal` sealed; raise SealBroken for anything else."""
        plain = self._sealing.open_job(sealed)
        if not plain.startswith(_ORDER):
            raise SealBroken("this is not an order")
        return plain[len(_ORDER) :]

    @cached_property
    def _sealing(self) -> Sealing:
        from salt_g.cluster.sealing import Sealing

        return Sealing(self._key)
