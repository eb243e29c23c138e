"""Whose the tokens on the disk are, and which of them must go for a new one.

Why its own file: tokens are files named by their digests, and a user who logs in again and again must not
fill the disk; counting what is there would mean to read every file for each new one.
Units: seconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: A user: the module of `external_auth` and the name there.
User = tuple[str, str]


class TokenIndex:
    """Paths of tokens by user, each with when it began and ends."""

    def __init__(self, of_one_user: int, most: int) -> None:
        self._of_one_user = of_one_user
        self._most = most
        self._times: dict[User, dict[str, tuple[float, float]]] = {}
        self._users: dict[str, User] = {}

    def __len__(self) -> int:
        """Return how many tokens there are."""
        return len(self._users)

    def add(self, path: str, about: Mapping[str, Any]) -> None:
        """Note a token; what is not whole stands for nobody and ends first."""
        user = _user(about)
        self._users[path] = user
        times = float(about.get("start", 0)), float(about.get("expire", 0))
        self._times.setdefault(user, {})[path] = times

    def discard(self, path: str) -> None:
        """Forget a token."""
        user = self._users.pop(path, None)
        if user is None:
            return
        del self._times[user][path]
        if not self._times[user]:
            del self._times[user]

    def surplus(self, about: Mapping[str, Any], now: float) -> list[str]:
        """Forget the tokens that must go for a new one of a user, and return their paths."""
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
