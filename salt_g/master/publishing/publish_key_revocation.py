"""Revocation of the publish key: nothing more is published under a key that a revoked minion knows.

Another tool on this host can also request it, with a file in `cachedir`.
Source: wire specification, section 7.4.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable

from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.admission.sessions import MinionSession
from salt_g.master.publishing.publish_keys import PublishKeys

log = logging.getLogger(__name__)

#: File in `cachedir` with which stock's tools request a new publish key.
DROP_FILE = ".dfn"


class PublishKeyRevocation:
    """Revocation of the publish key; `renew` makes the other minions sign in for a new key."""

    def __init__(self, bus: Bus, publish_keys: PublishKeys, *, renew: Callable[[], None]) -> None:
        self._bus = bus
        self._publish_keys = publish_keys
        self._renew = renew

    def on_end(self, session: MinionSession) -> None:
        """Handle the end of a session whose key was revoked."""
        if session.generation == self._publish_keys.generation:
            log.info("%s knew the publish key, so a new key is used from now on", session.id)
            self.revoke()

    def poll_drop_file(self, cachedir: str) -> None:
        """Handle the drop file of stock's tools."""
        path = os.path.join(cachedir, DROP_FILE)
        try:
            asked_at = os.stat(path).st_mtime
            os.unlink(path)
        except FileNotFoundError:
            return
        # Stock's tools write the file at each revocation, for which this master may already have replaced the
        # key.
        if asked_at > self._publish_keys.since:
            log.info("a tool on this host requests a new publish key")
            self.revoke()

    def revoke(self) -> None:
        """Retire the publish key, and have the other minions sign in for a new one."""
        self._publish_keys.expire()
        self._renew()
        self._bus.fire_payload(payloads.key_rotated())
