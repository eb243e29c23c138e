"""Replay protection: the nonces used in a session.

No clock is needed: a session's own timestamps order its requests, so a wrong clock of the minion or the
master neither locks anyone out nor opens a window.
Shapes: a nonce is stored as 64 bits (16 bytes with its timestamp); a master keeps those of 5 minutes for each
minion. Two nonces with the same bits count as equal; a minion that produces them harms only its own requests.
Units: seconds since the epoch by the sender's clock.
Source: security properties 13 and 24. Stock checks `ts` only, with `request_server_ttl`.
"""

from __future__ import annotations

from array import array

from salt_g.errors import WireError

#: How far a timestamp may lag behind the newest one of its session (s).
WINDOW = 300
#: Maximum number of nonces kept per session; a flood of requests narrows its own window.
CAPACITY = 4096


class ReplayGuard:
    """Used nonces of one session key; a new key starts with a new guard.

    Invariant: a nonce is accepted once. `is_behind` is set when a request was refused only for its timestamp,
    as happens when the peer's clock was set back; the peer's next sign-in should create a new session key.
    """

    __slots__ = ("_capacity", "_floor", "_newest", "_stamps", "_used", "_window", "is_behind")

    def __init__(self, *, window: int = WINDOW, capacity: int = CAPACITY, floor: int = 0) -> None:
        """Create a guard; `floor` is the oldest accepted timestamp, taken from an earlier run's guard."""
        self._window = window
        self._capacity = capacity
        # Parallel arrays in order of arrival: nonce hash and timestamp.
        self._used = array("q")
        self._stamps = array("q")
        self._newest = floor
        self._floor = floor
        self.is_behind = False

    def __len__(self) -> int:
        return len(self._used)

    @property
    def next_floor(self) -> int:
        """Floor for the next guard; all requests sent so far are below it."""
        return self._newest + 1

    def check(self, nonce: str, stamp: int) -> None:
        """Mark a nonce as used; raises WireError when it was, or may have been, used before."""
        # Salted differently in each process, so no outsider can construct two equal hashes.
        used = hash(nonce)
        if used in self._used:
            raise WireError("a request was sent a second time")
        self.check_stamp(stamp)
        self._used.append(used)
        self._stamps.append(stamp)
        self._forget()

    def check_stamp(self, stamp: int) -> None:
        """Check the timestamp of a request that may be repeated; raises WireError when it is too old."""
        if stamp < self._floor:
            self.is_behind = True
            raise WireError(f"a request is {self._newest - stamp} s older than its session's newest")
        self._newest = max(self._newest, stamp)
        self._floor = max(self._floor, self._newest - self._window)

    def _forget(self) -> None:
        """Drop nonces below the floor; raise the floor when there are too many."""
        stamps = self._stamps
        over = max(0, len(stamps) - self._capacity)
        for stamp in stamps[:over]:
            self._floor = max(self._floor, stamp + 1)
        while over < len(stamps) and stamps[over] < self._floor:
            over += 1
        if over:
            del self._used[:over], stamps[:over]
