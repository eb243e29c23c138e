"""The key of publications: which one is in use, and when it must be replaced.

Why its own file: it is the one secret that all minions share, so its life decides who can read jobs.
A stock minion has one publish key at a time and learns a new one only by signing in, which it does
when a publication does not open. Two keys in use at once would therefore disturb every minion with
each publication; so there is one, kept over orderly restarts of the master (`session_persistence.py`), and it
is replaced when somebody who must not read any more knows it. How the others come to the new one
without a wave is in `publish_key_rotation.py`.
Source: wire specification, sections 7.3 and 7.4; stock makes a new key at each start.
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
    """The publish key of this master.

    `generation` grows with each new key; who signs in learns the key of one generation. `expire`
    says that the key must not be used any more: from then on `current` makes a new one first.
    `previous` is the key before it, for the renewal only; `since` is when it was replaced, seconds since the
    epoch.
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
        """The text of the key in use, b'' while there is none."""
        return self._current.crypticle.text if self._current is not None else b""

    def resume(self, text: bytes, serial: int) -> None:
        """Take up the key of an earlier run, whose last publication had this serial."""
        self._current = PublishKey.prove(Crypticle(text), self._key)
        self.serials = Serials(serial)

    def expire(self) -> None:
        """Never publish a job under the present key again."""
        if self._current is not None:
            self.previous = (self._current.crypticle, self.serials)
            self._current = None
            self.generation += 1
            self.since = time.time()

    def current(self) -> PublishKey:
        """Return the key in use; a new one is made in a native thread."""
        while self._current is None:
            with self._making:
                if self._current is None:
                    self._current = offload(PublishKey.prove, Crypticle.generate(), self._key)
                    self.serials = Serials()
        return self._current
