"""Presence of minions."""

from __future__ import annotations

from salt_g.api import services


def connected() -> list[str]:
    """Return the ids of the connected minions.

    Example::

        wheel.cmd("minions.connected")
    """
    return sorted(services().presence.connected())
