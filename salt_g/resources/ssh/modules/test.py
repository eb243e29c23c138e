"""Availability of a host."""

from __future__ import annotations

from typing import Any

from salt_g.api import connection_functions


def ping() -> bool:
    """Return whether the host responds; if not, `saltutil.resource_errors` gives the reason.

    Example::

        salt-g web-01 test.ping
    """
    return bool(connection_functions["ssh.ping"]())


def echo(text: Any) -> Any:
    """Return the text.

    Example::

        salt-g web-01 test.echo hello
    """
    return text


def arg(*args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return the arguments of the call.

    Example::

        salt-g web-01 test.arg 1 two three=3
    """
    shown = {name: value for name, value in kwargs.items() if not name.startswith("__")}
    return {"args": list(args), "kwargs": shown}


def true() -> bool:
    """Return True.

    Example::

        salt-g web-01 test.true
    """
    return True


def false() -> bool:
    """Return False.

    Example::

        salt-g web-01 test.false
    """
    return False
