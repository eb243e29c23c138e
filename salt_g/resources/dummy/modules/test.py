"""Availability of a dummy."""

from __future__ import annotations

from salt_g.api import connection_functions


def ping() -> bool:
    """Return whether the dummy responds.

    Example::

        salt-g d-01 test.ping
    """
    return bool(connection_functions["dummy.ping"]())
