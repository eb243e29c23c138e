"""Symmetric keys that live: replaced now and then, with the old one opening for a while.

Why its own file: session keys and the publish key need the same overlap, so that a
replacement does not make all minions sign in at the same moment.
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
    """What a ring holds: a `SessionKey`, or a `PublishKey` of `auth`."""

    @property
    def crypticle(self) -> Crypticle:
        """The key itself."""


K = TypeVar("K", bound=Keyed)


@dataclasses.dataclass(frozen=True)
class SessionKey:
    """The key of one minion's requests, and the nonces that were used under it."""

    crypticle: Crypticle
    guard: ReplayGuard = dataclasses.field(default_factory=ReplayGuard)


class KeyRing(Generic[K]):
    """The key in use and the one that it replaced.

    `made_at` is when the current key began. Sealing takes `current`, except that a reply goes
    under the key of its request.
    """

    __slots__ = ("_previous", "_until", "current", "made_at")

    def __init__(self, current: K, *, now: float) -> None:
        self.current = current
        self.made_at = now
        self._previous: K | None = None
        self._until = now

    def rotate(self, new: K, *, now: float, overlap: float) -> None:
        """Put `new` into use; the key before it opens for `overlap` seconds more (0: not at all)."""
        self._previous, self._until = self.current, now + overlap
        self.current, self.made_at = new, now

    def revoke_previous(self) -> None:
        """End the overlap now, because somebody who has the old key must not use it."""
        self._previous = None

    def keys(self, now: float) -> Iterator[K]:
        """Yield the keys that open at this moment, the newest first."""
        yield self.current
        if self._previous is not None and now < self._until:
            yield self._previous

    def find(self, message: bytes, *, now: float) -> tuple[bytes, K]:
        """Return (plain bytes, the key that opened them); raises SealBroken when none does."""
        for key in self.keys(now):
            try:
                return key.crypticle.open_plain(message), key
            except SealBroken:
                continue
        raise SealBroken("a message is not sealed under a key in use")
