"""Limits on the requests per second of a client, and on concurrent uses per client and in total.

Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from salt_g.http_api.messages import Refusal

#: Maximum request rate of a token or address (per second), and number of requests that may come in a burst.
PER_SECOND, BURST = 50.0, 100.0
#: Maximum number of concurrent orders, or of concurrent logins, of one user or address.
AT_ONCE = 32
#: Maximum number of clients remembered; the one not seen for longest is forgotten.
_REMEMBERED = 10_000


class Rates:
    """Rate limiter for requests; a client is identified by a string."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: collections.OrderedDict[str, tuple[float, float]] = collections.OrderedDict()

    def take(self, client: str) -> None:
        """Count a request; raise Refusal with 429 for a client that sends too many."""
        now = self._clock()
        left, since = self._left.pop(client, (BURST, now))
        left = min(BURST, left + (now - since) * PER_SECOND)
        if len(self._left) >= _REMEMBERED:
            self._left.popitem(last=False)
        self._left[client] = (max(0.0, left - 1), now)
        if left < 1:
            raise Refusal(
                429,
                f"more than {PER_SECOND:g} requests a second; try again in a second",
                [("Retry-After", "1")],
            )


class Shares:
    """Limits on concurrent uses of one kind, such as event streams, for each user and for all users."""

    def __init__(self, most: int, most_in_total: int, what: str) -> None:
        self._most = most
        self._most_in_total = most_in_total
        self._what = what
        self._taken: collections.Counter[str] = collections.Counter()

    def __len__(self) -> int:
        return self._taken.total()

    @contextmanager
    def one(self, user: str) -> Iterator[None]:
        """Count one use by a user during the block; raise Refusal with 429 or, at the total limit, 503."""
        if self._taken[user] >= self._most:
            raise Refusal(
                429, f"this user or address already has {self._most} {self._what}", [("Retry-After", "1")]
            )
        if len(self) >= self._most_in_total:
            raise Refusal(
                503, f"there are already {self._most_in_total} {self._what}", [("Retry-After", "5")]
            )
        self._taken[user] += 1
        try:
            yield
        finally:
            self._taken[user] -= 1
            if not self._taken[user]:
                del self._taken[user]
