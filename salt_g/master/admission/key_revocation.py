"""Cut a minion off when its key is revoked, whoever revokes it.

Why its own file: a session ends, and the publish key with it when that minion knows it; before the command
that revoked the key returns, and before anything else is published.
A key that another program removes (stock's `salt-key`, `rm`) is noticed at the minion's next request, or
before the next publication, whichever comes first.
Source: security property 7; wire specification, section 7.4.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable

from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.keys.store import Change
from salt_g.master.admission.sessions import Session, Sessions
from salt_g.master.publishing.publish_keys import PublishKeys

log = logging.getLogger(__name__)

#: The file in `cachedir` by which stock's tools ask for a new publish key.
DROP_FILE = ".dfn"


class KeyRevocation:
    """Ends what a revoked key gave. Life: `attach` before the first request."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._sessions: Sessions | None = None
        self._publish_keys: PublishKeys | None = None
        self._forget: Callable[[str], None] = _nothing
        self._leave: Callable[[str], None] = _nothing
        self._renew: Callable[[], None] = _no_renewal

    def attach(
        self,
        sessions: Sessions,
        publish_keys: PublishKeys,
        *,
        forget: Callable[[str], None],
        leave: Callable[[str], None] = lambda id: None,
        renew: Callable[[], None],
    ) -> None:
        """Say what ends with a key.

        `forget` drops what is known of an id, so that nobody inherits it, and `leave` lets the next one
        have it; `renew` brings the others to a new publish key.
        """
        self._sessions, self._publish_keys = sessions, publish_keys
        self._forget, self._leave, self._renew = forget, leave, renew

    def on_change(self, change: Change) -> None:
        """Act on a change of a key."""
        session = self._sessions.end(change.id) if change.revokes and self._sessions is not None else None
        if session is not None and change.rotates:
            self.on_end(session)
        # Who comes under this id with another key must not inherit what the first one left.
        is_gone = change.act == "delete" or (change.revokes and change.act == "accepted")
        if is_gone:
            (self._leave if change.keeps_data else self._forget)(change.id)
        if not change.offered:
            self._bus.fire_draft(
                payloads.key_changed(change.act, change.id, result=change.result, pub=change.pem)
            )

    def on_end(self, session: Session) -> None:
        """A session ended because its key was revoked."""
        keys = self._publish_keys
        if keys is not None and session.generation == keys.generation:
            log.info("%s knew the publish key, a new one is used from now on", session.id)
            self._replace(keys)

    def before_sending(self) -> None:
        """End the sessions of keys that others have removed."""
        if self._sessions is not None:
            self._sessions.end_revoked()

    def look(self, cachedir: str) -> None:
        """Do by the clock what `before_sending` does, and what stock's tools have asked for."""
        self.before_sending()
        path, keys = os.path.join(cachedir, DROP_FILE), self._publish_keys
        try:
            asked_at = os.stat(path).st_mtime
            os.unlink(path)
        except FileNotFoundError:
            return
        # They ask whenever a key is revoked, and then it has been replaced already if that was needed.
        if keys is not None and asked_at > keys.since:
            log.info("a tool on this host asks for a new publish key")
            self._replace(keys)

    def _replace(self, keys: PublishKeys) -> None:
        keys.expire()
        self._renew()
        self._bus.fire_draft(payloads.key_rotated())


def _nothing(id: str) -> None:
    """Do nothing about what is known of an id."""


def _no_renewal() -> None:
    """Renew nothing."""
