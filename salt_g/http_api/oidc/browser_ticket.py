"""Cookie that binds a login at a provider to one browser; all secrets of the login are derived from it.

The server stores nothing for a login in progress, so a flood of logins costs no memory. Only used tickets are
remembered, so that none is accepted twice.
Shapes: a ticket is `<seconds>.<random>.<seal>`; state, nonce and verifier are derived from it with a key of
this process, so a restart invalidates the logins in progress.
Units: seconds since the epoch.
Source: OpenID Connect Core 1.0, section 3.1.2.1; RFC 7636 (PKCE).
"""

from __future__ import annotations

import base64
import collections
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

#: How long a login at the provider may take (s), and maximum number of used tickets remembered.
LIFETIME, _MOST_USED = 600, 10_000
_RANDOM_BYTES = 24


class Ticket(NamedTuple):
    """Secrets of one login."""

    cookie: str
    state: str
    nonce: str
    verifier: str

    @property
    def challenge(self) -> str:
        """The PKCE challenge for the verifier (S256)."""
        return _text(hashlib.sha256(self.verifier.encode()).digest())


class Tickets:
    """Issuer of tickets, which accepts each ticket once."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._key = secrets.token_bytes(32)
        self._clock = clock
        self._used: collections.OrderedDict[str, None] = collections.OrderedDict()

    def make(self) -> Ticket:
        """Return a new ticket."""
        begin = f"{self._clock():.0f}.{secrets.token_urlsafe(_RANDOM_BYTES)}"
        return self._of(f"{begin}.{self._sealed('cookie', begin)}")

    def take(self, cookie: str, state: str) -> Ticket | None:
        """Redeem the ticket of a returning browser; return None if it is invalid, expired or already used."""
        begin, _, seal = cookie.rpartition(".")
        if not hmac.compare_digest(seal.encode(), self._sealed("cookie", begin).encode()):
            return None
        ticket = self._of(cookie)
        is_late = self._clock() - int(begin.partition(".")[0]) > LIFETIME
        if is_late or cookie in self._used or not hmac.compare_digest(ticket.state.encode(), state.encode()):
            return None
        self._used[cookie] = None
        if len(self._used) > _MOST_USED:
            self._used.popitem(last=False)
        return ticket

    def _of(self, cookie: str) -> Ticket:
        state, nonce, verifier = (self._sealed(name, cookie) for name in ("state", "nonce", "verifier"))
        return Ticket(cookie, state, nonce, verifier)

    def _sealed(self, name: str, text: str) -> str:
        return _text(hmac.digest(self._key, f"{name}\0{text}".encode(), "sha256"))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
