"""Connection of a network device, and direct calls of its NAPALM driver."""

from __future__ import annotations

from typing import Any

from salt_g.api import connection_functions
from salt_g.resources.network_device.answers import Answer, answer


def alive(**kwargs: Any) -> Answer:
    """Return whether the device is alive.

    Example::

        salt-g sw1 napalm.alive
    """
    return answer("is_alive")


def reconnect(**kwargs: Any) -> Answer:
    """Close the connection and open a new one.

    Example::

        salt-g sw1 napalm.reconnect
    """
    connection_functions["network_device.reconnect"]()
    return {"out": None, "result": True, "comment": ""}


def call(method: str, *args: Any, **kwargs: Any) -> Answer:
    """Call a method of the NAPALM driver with these arguments.

    Example::

        salt-g sw1 napalm.call get_ntp_servers
    """
    return answer(method, *args, **{name: value for name, value in kwargs.items() if name[:2] != "__"})
