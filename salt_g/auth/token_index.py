"""Index of tokens on disk by owner, which selects tokens to evict.

Tokens are files named by their digests. A user who logs in repeatedly must not fill the disk, and
counting without an index would read every file for each new token.
Units: seconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: User: the module of `external_auth`, and the name of the user in it.
User = tuple[str, str]


class TokenIndex:
    """Index of the paths of tokens by user, with start and expiry."""

    def __init__(self, of_one_user: int, most: int) -> None:
        self._of_one_user = of_one_user
        self._most = most
        self._times: dict[User, dict[str, tuple[float, float]]] = {}
        self._users: dict[str, User] = {}

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self._users)

    def add(self, path: str, about: Mapping[str, Any]) -> None:
        """Add a token; an incomplete one belongs to no user and expires first."""
        user = _user(about)
        self._users[path] = user
        times = float(about.get("start", 0)), float(about.get("expire", 0))
        self._times.setdefault(user, {})[path] = times

    def discard(self, path: str) -> None:
        """Remove a token."""
        user = self._users.pop(path, None)
        if user is None:
            return
        del self._times[user][path]
        if not self._times[user]:
            del self._times[user]

    def surplus(self, about: Mapping[str, Any], now: float) -> list[str]:
        """Remove and return the paths of the tokens that must be evicted before a user gets a new one."""
        own = self._times.get(_user(about), {})
        gone = [path for path, (_, ends) in own.items() if ends < now]
        left = sorted((path for path in own if path not in gone), key=lambda path: own[path])
        gone += left[: max(0, len(left) + 1 - self._of_one_user)]
        if len(self) - len(gone) >= self._most:
            begun = {path: self._times[user][path] for path, user in self._users.items()}
            gone.append(min((path for path in begun if path not in gone), key=begun.__getitem__))
        for path in gone:
            self.discard(path)
        return gone


def _user(about: Mapping[str, Any]) -> User:
    return str(about.get("eauth")), str(about.get("name"))
