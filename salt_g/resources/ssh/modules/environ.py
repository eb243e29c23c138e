"""Environment variables that commands on the host inherit from the login."""

from __future__ import annotations

from typing import Any

from salt_g.resources.ssh import _remote


def get(key: str, default: Any = "") -> Any:
    """Return the value of a variable, or `default`; False if the name is not text.

    Example::

        salt-g web-01 environ.get PATH
    """
    return items().get(key, default) if isinstance(key, str) else False


def has_value(key: str, value: str | None = None) -> bool:
    """Return whether a variable is set, to this value if one is given.

    Example::

        salt-g web-01 environ.has_value HOME
    """
    found = items()
    return key in found and value in (None, found[key])


def item(keys: str | list[str], default: Any = "") -> dict[str, Any]:
    """Return {name: value or `default`} of one or several variables.

    Example::

        salt-g web-01 environ.item '[HOME, SHELL]'
    """
    names = [keys] if isinstance(keys, str) else keys if isinstance(keys, list) else []
    found = items()
    return {name: found.get(name, default) for name in names}


def items() -> dict[str, str]:
    """Return all variables.

    Example::

        salt-g web-01 environ.items
    """
    # Run as a user's command, because our own scripts have another PATH.
    shown = _remote.checked(
        _remote.execute(["cat", "/proc/self/environ"], timeout=_remote.host().timeout)
    ).out
    pairs = (entry.partition("=") for entry in shown.split("\0") if entry)
    return {name: value for name, _, value in pairs}
