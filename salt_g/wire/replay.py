"""Requests are served once: which nonces a session has used already.

Why its own file: it is the one piece of state that decides about a request after its seal was
found intact. No clock is needed: a session's own time stamps order its requests, so neither a
wrong clock of the minion nor one of the master locks anybody out or opens a window.
Units: seconds since the epoch, as the sender's clock says.
Source: security properties 13 and 24. Stock checks `ts` only, with `request_server_ttl`.
"""

from __future__ import annotations

import collections

from salt_g.errors import WireError

#: How far a time stamp may lie behind the newest one of its session (s).
WINDOW = 300
#: How many nonces one session may have remembered; a flood of requests narrows its own window.
CAPACITY = 4096


class ReplayGuard:
    """The used nonces of one session key; a new key begins with a new guard.

    Invariant: a nonce is accepted once. `is_behind` says that a request was refused for its
    time stamp alone, as happens when the peer's clock was set back; its next sign-in should bring
    a new session key.
    """

    __slots__ = ("_capacity", "_floor", "_newest", "_order", "_used", "_window", "is_behind")

    def __init__(self, *, window: int = WINDOW, capacity: int = CAPACITY, floor: int = 0) -> None:
        """`floor` is the oldest time stamp that is taken: what a guard of an earlier run knew of."""
        self._window = window
        self._capacity = capacity
        self._used: set[str] = set()
        self._order: collections.deque[tuple[int, str]] = collections.deque()
        self._newest = floor
        self._floor = floor
        self.is_behind = False

    def __len__(self) -> int:
        return len(self._used)

    @property
    def next_floor(self) -> int:
        """A floor that refuses whatever was sent up to now."""
        return self._newest + 1

    def check(self, nonce: str, stamp: int) -> None:
        """Use up a nonce; raises WireError when it was used or may have been."""
        if nonce in self._used:
            raise WireError("a request was sent a second time")
        self.check_stamp(stamp)
        self._used.add(nonce)
        self._order.append((stamp, nonce))
        self._forget()

    def check_stamp(self, stamp: int) -> None:
        """Take the time stamp of a request that may come again; raises WireError when it is too old."""
        if stamp < self._floor:
            self.is_behind = True
            raise WireError(f"a request is {self._newest - stamp} s older than its session's newest")
        self._newest = max(self._newest, stamp)
        self._floor = max(self._floor, self._newest - self._window)

    def _forget(self) -> None:
        """Drop nonces that the floor refuses anyway; raise the floor when there are too many."""
        order = self._order
        while order and order[0][0] < self._floor:
            self._used.discard(order.popleft()[1])
        while len(order) > self._capacity:
            stamp, nonce = order.popleft()
            self._used.discard(nonce)
            self._floor = max(self._floor, stamp + 1)
