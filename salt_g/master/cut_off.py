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

import gevent

from salt_g.event import drafts
from salt_g.event.bus import Bus
from salt_g.keys.store import Change
from salt_g.master.publish_keys import PublishKeys
from salt_g.master.sessions import Session, Sessions

log = logging.getLogger(__name__)

#: The file in `cachedir` by which stock's tools ask for a new publish key.
DROP_FILE = ".dfn"


class CutOff:
    """Ends what a revoked key gave. Life: `attach` before the first request."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._sessions: Sessions | None = None
        self._publish_keys: PublishKeys | None = None
        self._hub = gevent.get_hub()

    def attach(self, sessions: Sessions, publish_keys: PublishKeys) -> None:
        """Say what ends with a key."""
        self._sessions, self._publish_keys = sessions, publish_keys

    def on_change(self, change: Change) -> None:
        """Act on a change of a key; sign-ins write keys in a native thread, whose news the hub takes up."""
        if gevent.get_hub() is self._hub:
            self._act(change)
        else:
            self._hub.loop.run_callback_threadsafe(self._act, change)

    def on_end(self, session: Session) -> None:
        """A session ended because its key was revoked."""
        keys = self._publish_keys
        if keys is not None and session.generation == keys.generation:
            log.info("%s knew the publish key, a new one will be used", session.id)
            keys.expire()
            self._bus.fire_draft(drafts.key_rotated())

    def before_sending(self) -> None:
        """End the sessions of keys that others have removed."""
        if self._sessions is not None:
            self._sessions.end_revoked()

    def look(self, cachedir: str) -> None:
        """Do by the clock what `before_sending` does, and what stock's tools have asked for."""
        self.before_sending()
        try:
            os.unlink(os.path.join(cachedir, DROP_FILE))
        except FileNotFoundError:
            return
        log.info(
            "a tool on this host asked for a new publish key; it is replaced when a revoked minion knows it"
        )

    def _act(self, change: Change) -> None:
        if change.revokes and self._sessions is not None:
            self._sessions.end(change.id)
        if not change.offered:
            self._bus.fire_draft(
                drafts.key_changed(change.act, change.id, result=change.result, pub=change.pem)
            )
