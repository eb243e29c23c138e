"""Publish keys replaced by a sign-in, kept for publications that were already on their way.

Any request can make the minion sign in, so the minion can have a newer key when it reads a publication that
was encrypted with the previous key. Masters do not send such a job again, because the minion had the key.
These keys may open only publications with the master's signature, because revoked minions know the keys, too.
Units: seconds of the monotonic clock. Bounds: the latest `MOST` keys, each for `KEPT` seconds.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Callable
from typing import NamedTuple

from salt_g.wire.aes import Crypticle

#: How long replaced keys can still decrypt publications (s), longer than any pause before a sign-in; maximum
#: number of these keys.
KEPT, MOST = 30.0, 32


class _Replaced(NamedTuple):
    key: Crypticle
    at: float


class ReplacedKeys:
    """Replaced publish keys of one master, or of a cluster."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._keys: collections.deque[_Replaced] = collections.deque(maxlen=MOST)

    def note(self, before: Crypticle, now: Crypticle) -> None:
        """Record that a sign-in replaced the key `before` with `now`; the two may be the same."""
        if before.text != now.text:
            self._keys.append(_Replaced(before, self._clock()))

    def forget(self) -> None:
        """Forget all keys, because the next sign-in may be at another master."""
        self._keys.clear()

    def latest_first(self) -> list[Crypticle]:
        """Return the keys that may still open publications, latest first."""
        oldest = self._clock() - KEPT
        return [one.key for one in reversed(self._keys) if one.at > oldest]
