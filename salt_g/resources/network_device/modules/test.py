"""Availability of a network device."""

from __future__ import annotations

from salt_g.api import connection_functions


def ping() -> bool:
    """Return whether the device is connected and alive.

    Example::

        salt-g sw1 test.ping
    """
    return bool(connection_functions["network_device.ping"]())
