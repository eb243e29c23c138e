"""Publish key: the current one and its replacement.

It is the one secret that all minions share, so its lifetime decides which minions can read jobs. It is kept
across orderly restarts of the master (`session_persistence.py`), and replaced when a revoked minion knows it.
`publish_key_rollout.py` brings the other minions to the new key without a wave of sign-ins.
Source: decision 3 (docs/decisions) has the reasons; wire specification, sections 7.3 and 7.4; stock makes a
new key at each start.
"""

from __future__ import annotations

import time

import gevent.lock

from salt_g.process.offload import offload
from salt_g.wire.aes import Crypticle
from salt_g.wire.auth_server import PublishKey
from salt_g.wire.publications import Serials
from salt_g.wire.rsa import PrivateKey


class PublishKeys:
    """Publish key of this master.

    `generation` grows with each new key; a sign-in delivers the key of one generation. `expire` retires the
    key, and the next call of `current` makes a new one.
    `previous` is the key before the current one, used only for re-authentication notices; `since` is when it
    was replaced, in seconds since the epoch.
    """

    def __init__(self, key: PrivateKey) -> None:
        self._key = key
        self._current: PublishKey | None = None
        self._making = gevent.lock.Semaphore(1)
        self.serials = Serials()
        self.previous: tuple[Crypticle, Serials] | None = None
        self.generation = 1
        self.since = 0.0

    @property
    def text(self) -> bytes:
        """Text of the current key, b'' if there is none."""
        return self._current.crypticle.text if self._current is not None else b""

    def resume(self, text: bytes, serial: int) -> None:
        """Restore the key of an earlier run, whose last publication had this serial."""
        self._current = PublishKey.prove(Crypticle(text), self._key)
        self.serials = Serials(serial)

    def expire(self) -> None:
        """Stop publishing jobs under the current key."""
        if self._current is not None:
            self.previous = (self._current.crypticle, self.serials)
            self._current = None
            self.generation += 1
            self.since = time.time()

    def current(self) -> PublishKey:
        """Return the current key; a new one is generated in a native thread."""
        while self._current is None:
            with self._making:
                if self._current is None:
                    self._current = offload(PublishKey.prove, Crypticle.generate(), self._key)
                    self.serials = Serials()
        return self._current
