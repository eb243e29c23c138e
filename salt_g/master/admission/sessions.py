"""Sessions of authenticated minions: their keys and the time of their last request.

Every encrypted request is checked against its sender's session, which ends when the minion's key is revoked.
A session belongs to one key on file: a change or removal of that file, by our commands or by hand, ends the
session at the next request.
Units: seconds of the monotonic clock.
Source: wire specification, section 5.6; security properties 1, 7 and 13.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Container, Iterator
from typing import Any

from salt_g.errors import SealBroken, WireError
from salt_g.keys.files import KeyFiles
from salt_g.wire.aes import Crypticle
from salt_g.wire.ids import check_id
from salt_g.wire.requests import TokenCheck
from salt_g.wire.rsa import PublicKey
from salt_g.wire.sessions import KeyRing, SessionKey

log = logging.getLogger(__name__)

#: How long a replaced session key still decrypts requests (s), so that pending ones are served.
OVERLAP = 300.0

#: Fingerprint of a key file's state.
_Stamp = tuple[int, ...]


class MinionSession:
    """Session of one minion.

    `generation` is the generation of the publish key that the minion knows, `seen` the time of its last
    request (0.0 for none in this run), `address` the origin of that request.
    """

    __slots__ = ("address", "generation", "id", "is_genuine", "ring", "seen", "stamp")

    def __init__(self, id: str, ring: KeyRing[SessionKey], is_genuine: TokenCheck, stamp: _Stamp) -> None:
        self.id = id
        self.ring = ring
        self.is_genuine = is_genuine
        self.stamp = stamp
        self.generation = 0
        self.seen = 0.0
        self.address = ""

    @property
    def public(self) -> PublicKey:
        """Accepted key of the minion."""
        return self.is_genuine.public

    def note(self, address: str, now: float) -> None:
        """Record the time and address of a request."""
        self.address, self.seen = address, now


class SessionTable:
    """Table of the sessions of all minions, by id."""

    def __init__(self) -> None:
        self._sessions: dict[str, MinionSession] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def __iter__(self) -> Iterator[MinionSession]:
        return iter(list(self._sessions.values()))

    def get(self, id: str) -> MinionSession | None:
        """Return the session of an id, or None if it has none."""
        return self._sessions.get(id)

    def without(self, accepted: Container[str]) -> list[str]:
        """Return the ids that have a session but are not in `accepted`."""
        return [id for id in self._sessions if id not in accepted]

    def add(self, session: MinionSession) -> None:
        """Add the session of an id, replacing any other."""
        self._sessions[session.id] = session

    def end(self, id: str) -> MinionSession | None:
        """End the session of an id and return it, None if there was none."""
        session = self._sessions.pop(id, None)
        if session is not None:
            log.info("%s: session ended", id)
        return session


class MinionSessions:
    """Sessions of minions, checked against their keys.

    `lifetime` is the setting `publish_session`: an older session key is replaced at the next sign-in, and is
    refused after 1.5 times that age, which makes the minion sign in. `on_end` is called for each session that
    ended because its key file is gone or changed, before anything else happens.
    """

    def __init__(
        self,
        table: SessionTable,
        keys: KeyFiles,
        *,
        lifetime: float,
        on_end: Callable[[MinionSession], None],
    ) -> None:
        self._keys = keys
        self._lifetime = lifetime
        self._on_end = on_end
        self._sessions = table

    def __iter__(self) -> Iterator[MinionSession]:
        return iter(self._sessions)

    def get(self, id: str) -> MinionSession | None:
        """Return the session of an id, or None if it has none."""
        return self._sessions.get(id)

    def of_sender(self, id: str) -> MinionSession:
        """Return the session for a request of `id`.

        Costs one `stat`. Raise WireError without an accepted key, SealBroken if a sign-in is needed,
        KeysUnavailable if the key on file cannot be checked: the session is then neither used nor ended.
        """
        stamp = self._keys.stamp(check_id(id))
        if stamp is None:
            self._revoke(id)
            raise WireError(f"{id} has no accepted key")
        session = self._sessions.get(id)
        if session is None:
            raise SealBroken(f"{id} has no session")
        if session.stamp != stamp and not self._is_same_key(session, stamp):
            self._revoke(id)
            raise SealBroken(f"the key of {id} was replaced")
        if time.monotonic() - session.ring.made_at > 1.5 * self._lifetime:
            raise SealBroken(f"the session of {id} is too old")
        return session

    def public_key(self, id: str) -> PublicKey:
        """Return the accepted key of an id with a session; raise SealBroken without a session."""
        session = self._sessions.get(id)
        if session is None:
            raise SealBroken(f"{id} has no session")
        return session.public

    def begin(self, id: str, public: PublicKey, *, now: float) -> MinionSession:
        """Return the session of a minion accepted with this key; begin one if there is none.

        A live session keeps its key, so that pending requests are answered. A key that is too old is
        replaced, and so is one whose owner's clock was set back. Raise WireError if the key is no longer
        accepted.
        """
        stamp = self._keys.stamp(id)
        if stamp is None or self._keys.accepted_key(id) != public.pem:
            # The key was revoked between the decision and now.
            raise WireError(f"the key of {id} is no longer accepted")
        session = self._sessions.get(id)
        if session is not None and session.public != public:
            self._revoke(id)
            session = None
        if session is None:
            session = MinionSession(id, KeyRing(_new_key(), now=now), TokenCheck(public), stamp)
            self._sessions.add(session)
        session.stamp = stamp
        ring = session.ring
        if now - ring.made_at >= self._lifetime or ring.current.guard.is_behind:
            ring.rotate(_new_key(), now=now, overlap=OVERLAP)
        return session

    def restore(self, id: str, ring: KeyRing[SessionKey], is_genuine: TokenCheck) -> MinionSession:
        """Add a session of an earlier run, after the caller has checked that its key is still accepted."""
        session = MinionSession(id, ring, is_genuine, self._keys.stamp(id) or ())
        self._sessions.add(session)
        return session

    def end_revoked(self) -> None:
        """End the sessions of ids without an accepted key."""
        accepted = self._keys.accepted()
        for id in self._sessions.without(accepted):
            self._revoke(id)

    def end_replaced(self, id: str) -> None:
        """End the session of an id whose accepted key was replaced or removed."""
        session = self._sessions.get(id)
        if session is not None and self._keys.accepted_key(id) != session.public.pem:
            self._revoke(id)

    def _revoke(self, id: str) -> None:
        session = self._sessions.end(id)
        if session is not None:
            self._on_end(session)

    def _is_same_key(self, session: MinionSession, stamp: _Stamp) -> bool:
        """Return whether a rewritten key file holds the key of the session."""
        if self._keys.accepted_key(session.id) != session.public.pem:
            return False
        session.stamp = stamp
        return True


class OldChecks:
    """Token checks of minions with protocols before 3, whose envelopes do not name the sender, by id."""

    def __init__(self, sessions: MinionSessions) -> None:
        self._sessions = sessions

    def __contains__(self, id: Any) -> bool:
        return isinstance(id, str) and self._sessions.get(id) is not None

    def __getitem__(self, id: str) -> TokenCheck:
        return self._sessions.of_sender(id).is_genuine


def _new_key() -> SessionKey:
    return SessionKey(Crypticle.generate())
