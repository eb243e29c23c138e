"""Connection slots of a local socket, shared among the users of the machine.

A user who keeps opening connections is limited to a share. Some slots are reserved for root and the
daemon's own user, so that an operator can always connect.
"""

from __future__ import annotations

import collections
import os

#: Fraction of all slots that one user may occupy (1/8), and fraction reserved for root and the daemon's user
#: (1/4).
_SHARE, _KEPT = 8, 4


class UserLimits:
    """Counter of connections by user; `most` is the maximum number of concurrent connections."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._share = max(1, most // _SHARE)
        self._for_strangers = most - max(1, most // _KEPT)
        self._strangers = 0
        self._taken: collections.Counter[int] = collections.Counter()

    def __len__(self) -> int:
        """Return the number of slots in use."""
        return sum(self._taken.values())

    def take(self, uid: int) -> str:
        """Take a slot for a user; return the reason for a refusal, or '' on success."""
        if len(self) >= self._most:
            return f"{self._most} connections are open"
        if not is_trusted(uid):
            if self._taken[uid] >= self._share:
                return f"this user has {self._share} connections, its share"
            if self._strangers >= self._for_strangers:
                return (
                    f"users other than root and our own have {self._for_strangers} connections, their share"
                )
            self._strangers += 1
        self._taken[uid] += 1
        return ""

    def leave(self, uid: int) -> None:
        """Release a slot."""
        self._taken[uid] -= 1
        if not self._taken[uid]:
            del self._taken[uid]
        if not is_trusted(uid):
            self._strangers -= 1


def is_trusted(uid: int | None) -> bool:
    """Return whether a user is root or the user of this daemon."""
    return uid in (0, os.geteuid())
