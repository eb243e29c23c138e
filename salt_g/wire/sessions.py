"""Key rings: rotated symmetric keys, with the previous key valid for an overlap.

Session keys and the publish key both need this overlap, so that a rotation does not make all minions sign in
at the same moment.
Units: `now` is seconds of the caller's monotonic clock.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from salt_g.errors import SealBroken
from salt_g.wire.aes import Crypticle
from salt_g.wire.replay import ReplayGuard


class Keyed(Protocol):
    """Entry of a ring: a `SessionKey`, or a `PublishKey` of `auth_server`."""

    @property
    def crypticle(self) -> Crypticle:
        """The crypticle of the key."""


K = TypeVar("K", bound=Keyed)


@dataclasses.dataclass(frozen=True)
class SessionKey:
    """Key of one minion's requests, and the nonces used with it."""

    crypticle: Crypticle
    guard: ReplayGuard = dataclasses.field(default_factory=ReplayGuard)


class KeyRing(Generic[K]):
    """Current key and its predecessor.

    `made_at` is when the current key was created. Messages are sealed with `current`, except that a
    reply uses the key of its request.
    """

    __slots__ = ("_previous", "_until", "current", "made_at")

    def __init__(self, current: K, *, now: float) -> None:
        self.current = current
        self.made_at = now
        self._previous: K | None = None
        self._until = now

    def rotate(self, new: K, *, now: float, overlap: float) -> None:
        """Make `new` the current key; the previous key stays valid for `overlap` seconds (0: not at all)."""
        self._previous, self._until = self.current, now + overlap
        self.current, self.made_at = new, now

    def revoke_previous(self) -> None:
        """End the overlap now, because a holder of the old key must no longer use it."""
        self._previous = None

    def keys(self, now: float) -> Iterator[K]:
        """Yield the keys valid at this moment, the newest first."""
        yield self.current
        if self._previous is not None and now < self._until:
            yield self._previous

    def find(self, message: bytes, *, now: float) -> tuple[bytes, K]:
        """Return (plain bytes, the key that decrypted them); raises SealBroken when none does."""
        for key in self.keys(now):
            try:
                return key.crypticle.open_plain(message), key
            except SealBroken:
                continue
        raise SealBroken("a message is not sealed under a key in use")
