"""Availability of a pod."""

from __future__ import annotations

from salt_g.api import connection_functions


def ping() -> bool:
    """Return whether the pod runs.

    Example::

        salt-g shop.web-0 test.ping
    """
    return bool(connection_functions["k8s_pod.ping"]())
