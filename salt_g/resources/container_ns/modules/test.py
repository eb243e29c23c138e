"""Availability of a namespace or root."""

from __future__ import annotations

from salt_g.api import connection_functions


def ping() -> bool:
    """Return whether the resource can be entered.

    Example::

        salt-g edge test.ping
    """
    return bool(connection_functions["container_ns.ping"]())


def echo(text: str) -> str:
    """Return the text.

    Example::

        salt-g edge test.echo hello
    """
    return text
