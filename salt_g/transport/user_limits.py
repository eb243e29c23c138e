"""Places for the connections of a local socket, shared among the users of the machine.

A user who opens connections without end has a share and no more, and some places are kept for root and
the daemon's own user, so that an operator is let in whatever other users do.
"""

from __future__ import annotations

import collections
import os

#: Part of all places that one user may have, and part that is kept for root and the daemon's user.
_SHARE, _KEPT = 8, 4


class UserLimits:
    """Counts connections by user; `most` is how many there may be at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._share = max(1, most // _SHARE)
        self._for_strangers = most - max(1, most // _KEPT)
        self._strangers = 0
        self._taken: collections.Counter[int] = collections.Counter()

    def __len__(self) -> int:
        """Return how many places are taken."""
        return sum(self._taken.values())

    def take(self, uid: int) -> str:
        """Take a place for a user; return why there is none, '' when there is one."""
        if len(self) >= self._most:
            return f"{self._most} are connected"
        if not is_trusted(uid):
            if self._taken[uid] >= self._share:
                return f"this user has {self._share} connections, its share"
            if self._strangers >= self._for_strangers:
                return f"users other than root and our own have {self._for_strangers} connections"
            self._strangers += 1
        self._taken[uid] += 1
        return ""

    def leave(self, uid: int) -> None:
        """Give a place back."""
        self._taken[uid] -= 1
        if not self._taken[uid]:
            del self._taken[uid]
        if not is_trusted(uid):
            self._strangers -= 1


def is_trusted(uid: int | None) -> bool:
    """Return whether a user is root or the one that this daemon runs as."""
    return uid in (0, os.geteuid())
