"""Releases of Salt by code name, compared with the one that this minion implements.

Formulas that support several releases use these functions (`salt_version.less_than('Sodium')`).
"""

from __future__ import annotations

from typing import Any

from salt_g.api import grains
from salt_g.data.salt_releases import releases
from salt_g.errors import CommandExecutionError


def get_release_number(name: Any) -> str | None:
    """Return the number of a release, or None for an unknown name.

    Example::

        salt-g salt_version.get_release_number Sodium
    """
    found = _release(name)
    return ".".join(map(str, found)) if found else None


def equal(name: Any) -> bool:
    """Return whether the release that this minion implements has this name.

    Example::

        salt-g salt_version.equal Argon
    """
    return _release(name) == _ours()


def greater_than(name: Any) -> bool:
    """Return whether this minion implements a release newer than the named one; False for an unknown name.

    Example::

        salt-g salt_version.greater_than Sodium
    """
    found = _release(name)
    return found is not None and _ours() > found


def less_than(name: Any) -> bool:
    """Return whether this minion implements a release older than the named one; False for an unknown name.

    Example::

        salt-g salt_version.less_than Potassium
    """
    found = _release(name)
    return found is not None and _ours() < found


def _ours() -> tuple[int, ...]:
    return (int(grains["saltversioninfo"][0]),)


def _release(name: Any) -> tuple[int, ...] | None:
    """Return the release with this name as numbers, ignoring case, or None if the name is unknown."""
    if not isinstance(name, str):
        raise CommandExecutionError("'name' argument must be a string")
    return releases().get(name.lower())
