"""Requests are served once: which nonces a session has used already.

Why its own file: it is the one piece of state that decides about a request after its seal was
found intact. No clock is needed: a session's own time stamps order its requests, so neither a
wrong clock of the minion nor one of the master locks anybody out or opens a window.
Shapes: 64 bits stand for a nonce, 16 bytes with its time stamp: a master remembers those of 5 minutes of
each minion. Two nonces that have the same bits are the same; a minion that makes such ones refuses itself.
Units: seconds since the epoch, as the sender's clock says.
Source: security properties 13 and 24. Stock checks `ts` only, with `request_server_ttl`.
"""

from __future__ import annotations

from array import array

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

    __slots__ = ("_capacity", "_floor", "_newest", "_stamps", "_used", "_window", "is_behind")

    def __init__(self, *, window: int = WINDOW, capacity: int = CAPACITY, floor: int = 0) -> None:
        """`floor` is the oldest time stamp that is taken: what a guard of an earlier run knew of."""
        self._window = window
        self._capacity = capacity
        # Side by side, in the order of their coming: what stands for a nonce, and its time stamp.
        self._used = array("q")
        self._stamps = array("q")
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
        # Keyed anew in each process, so nobody outside can make two that are alike.
        used = hash(nonce)
        if used in self._used:
            raise WireError("a request was sent a second time")
        self.check_stamp(stamp)
        self._used.append(used)
        self._stamps.append(stamp)
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
        stamps = self._stamps
        over = max(0, len(stamps) - self._capacity)
        for stamp in stamps[:over]:
            self._floor = max(self._floor, stamp + 1)
        while over < len(stamps) and stamps[over] < self._floor:
            over += 1
        if over:
            del self._used[:over], stamps[:over]
