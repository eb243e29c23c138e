"""Whether a dummy is there."""

from __future__ import annotations

from salt_g.api import connection_functions


def ping() -> bool:
    """Return whether the dummy answers.

    Example::

        salt-g d-01 test.ping
    """
    return bool(connection_functions["dummy.ping"]())
