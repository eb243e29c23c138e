"""Revocation of keys: sessions, publish key and data of the minion.

The session ends, and the publish key with it if that minion knows it; before the command that revoked the key
returns, and before anything else is published.
A key removed by another program (stock's `salt-key`, `rm`) is noticed at the minion's next request, or before
the next publication, whichever is first.
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

#: File in `cachedir` with which stock's tools request a new publish key.
DROP_FILE = ".dfn"


class KeyRevocation:
    """Effects of a revoked key. Life: `attach` before the first request."""

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
        """Set the actions on revocation.

        `forget` drops the data of an id, so that no other minion inherits it, and `leave` passes it on to the
        next one; `renew` brings the other minions to a new publish key.
        """
        self._sessions, self._publish_keys = sessions, publish_keys
        self._forget, self._leave, self._renew = forget, leave, renew

    def on_change(self, change: Change) -> None:
        """Handle a change of a key."""
        session = self._sessions.end(change.id) if change.revokes and self._sessions is not None else None
        if session is not None and change.rotates:
            self.on_end(session)
        # A minion with the same id and another key must not inherit the data of the first.
        is_gone = change.act == "delete" or (change.revokes and change.act == "accepted")
        if is_gone:
            (self._leave if change.keeps_data else self._forget)(change.id)
        if not change.offered:
            self._bus.fire_draft(
                payloads.key_changed(change.act, change.id, result=change.result, pub=change.pem)
            )

    def on_end(self, session: Session) -> None:
        """Handle the end of a session whose key was revoked."""
        keys = self._publish_keys
        if keys is not None and session.generation == keys.generation:
            log.info("%s knew the publish key, a new one is used from now on", session.id)
            self._replace(keys)

    def before_sending(self) -> None:
        """End the sessions whose keys other programs have removed."""
        if self._sessions is not None:
            self._sessions.end_revoked()

    def poll_drop_file(self, cachedir: str) -> None:
        """Do the work of `before_sending` periodically, and handle the drop file of stock's tools."""
        self.before_sending()
        path, keys = os.path.join(cachedir, DROP_FILE), self._publish_keys
        try:
            asked_at = os.stat(path).st_mtime
            os.unlink(path)
        except FileNotFoundError:
            return
        # Stock's tools write it at each revocation, and then the key has been replaced already if needed.
        if keys is not None and asked_at > keys.since:
            log.info("a tool on this host requests a new publish key")
            self._replace(keys)

    def _replace(self, keys: PublishKeys) -> None:
        keys.expire()
        self._renew()
        self._bus.fire_draft(payloads.key_rotated())


def _nothing(id: str) -> None:
    """Keep the data of an id."""


def _no_renewal() -> None:
    """Start no rotation."""
