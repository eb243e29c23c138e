"""Presence of minions."""

from __future__ import annotations

from salt_g.api import services
from salt_g.services.daemons import MasterServices


def connected() -> list[str]:
    """Return the ids of the connected minions.

    Example::

        wheel.cmd("minions.connected")
    """
    return sorted(services(MasterServices).presence.connected())
