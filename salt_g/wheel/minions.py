"""Which minions are there."""

from __future__ import annotations

from salt_g.api import services


def connected() -> list[str]:
    """Return the ids of the minions that hold a connection.

    Example::

        wheel.cmd("minions.connected")
    """
    return sorted(services().presence.connected())
