"""Publish key shared by all masters of a cluster, in the database under its generation.

A minion may move from one master to another without a new key. The master that revokes a minion makes the
next generation, before anything else is published; the others adopt it.
Errors: StoreError while the database does not answer, in which case nothing is sealed.
"""

from __future__ import annotations

import time

from salt_g.cache.store import Store
from salt_g.cluster import tables
from salt_g.cluster.sealing import Sealing
from salt_g.cluster.tables import Joined
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.process.offload import offload
from salt_g.wire.aes import Crypticle
from salt_g.wire.auth_server import PublishKey
from salt_g.wire.publications import Serials
from salt_g.wire.rsa import PrivateKey


class SharedPublishKeys(PublishKeys):
    """Publish key of a cluster; `last` is the place in the log of the newest key that this master made."""

    def __init__(self, key: PrivateKey, store: Store, sealing: Sealing, joined: Joined) -> None:
        super().__init__(key)
        self._store = store
        self._sealing = sealing
        self.last = 0
        self.serials = Serials(joined.serial)
        self._use(joined.generation, joined.sealed)

    def current(self) -> PublishKey:
        """Return the current key; replace an expired one in the database first. Raise StoreError."""
        while self._current is None:
            with self._making:
                if self._current is None:
                    self._renew()
        return self._current

    def adopt(self) -> bool:
        """Use the key in the database if another master replaced ours; return whether it did."""
        with self._making:
            _, generation, sealed, _ = self._store.read(tables.COUNTER)[0]
            if generation <= self.generation:
                return False
            if self._current is not None:
                self.previous = (self._current.crypticle, self.serials)
            self.since = time.time()
            self._use(generation, bytes(sealed))
            return True

    def _renew(self) -> None:
        made = Crypticle.generate()
        row = (self.generation - 1, self._sealing.seal(made.text))
        self.last = self._store.write(tables.RENEW, row).result() or self.last
        _, generation, sealed, _ = self._store.read(tables.COUNTER)[0]
        self._use(generation, bytes(sealed))

    def _use(self, generation: int, sealed: bytes) -> None:
        crypticle = Crypticle(self._sealing.open(sealed))
        proven = offload(PublishKey.prove, crypticle, self._key)
        # Set together, after the last wait, so that no sign-in or publication combines the key of one
        # generation with the number of another.
        self.generation, self._current = generation, proven
