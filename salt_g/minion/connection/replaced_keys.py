"""Publish keys that a sign-in has replaced, for publications that were on their way.

Any request of a minion may make it sign in, so it may have a newer key when it reads a publication that was
sent under the one before. Masters do not send that job again: the minion had its key.
Only publications with the master's signature may be opened with these keys, because a revoked minion knows
them, too.
Units: seconds of the monotonic clock. Bounds: the latest `MOST` keys, each for `KEPT` seconds.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Callable
from typing import NamedTuple

from salt_g.wire.aes import Crypticle

#: How long a replaced key opens publications, longer than any pause before a sign-in; and how many do.
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
        """Note that a sign-in gave `now` in place of `before`; it may be the same key."""
        if before.text != now.text:
            self._keys.append(_Replaced(before, self._clock()))

    def forget(self) -> None:
        """Forget all keys: the next sign-in may be at another master."""
        self._keys.clear()

    def latest_first(self) -> list[Crypticle]:
        """Return the keys that still open publications."""
        oldest = self._clock() - KEPT
        return [one.key for one in reversed(self._keys) if one.at > oldest]
