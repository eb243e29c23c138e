"""Revocation of keys: sessions, publish key and data of the minion.

The session ends, and the publish key is replaced if the minion knows it. Both happen before the command that
revoked the key returns, and before anything else is published.
A key removed by another program (stock's `salt-key`, `rm`) is noticed at the minion's next request, or before
the next publication, whichever is first (`MinionSessions`).
Source: security property 7; wire specification, section 7.4.
"""

from __future__ import annotations

from collections.abc import Callable

from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.keys.acceptance import KeyChange
from salt_g.master.admission.sessions import MinionSession, SessionTable


class KeyRevocation:
    """Handler of key changes, which ends sessions and drops data.

    `on_end` handles the end of a session by a revocation that rotates the publish key. `forget` drops the
    data of an id, so that no other minion inherits it, and `leave` passes the data on to the next owner of
    the id.
    """

    def __init__(
        self,
        bus: Bus,
        sessions: SessionTable,
        *,
        on_end: Callable[[MinionSession], None],
        forget: Callable[[str], None],
        leave: Callable[[str], None],
    ) -> None:
        self._bus = bus
        self._sessions = sessions
        self._on_end = on_end
        self._forget = forget
        self._leave = leave

    def on_change(self, change: KeyChange) -> None:
        """Handle a change of a key."""
        session = self._sessions.end(change.id) if change.revokes else None
        if session is not None and change.rotates:
            self._on_end(session)
        # A minion with the same id and another key must not inherit the data of the first.
        is_gone = change.act == "delete" or (change.act == "accepted" and (change.revokes or change.replaces))
        if is_gone:
            (self._leave if change.keeps_data else self._forget)(change.id)
        if not change.offered:
            self._bus.fire_payload(
                payloads.key_changed(change.act, change.id, result=change.result, pub=change.pem)
            )
