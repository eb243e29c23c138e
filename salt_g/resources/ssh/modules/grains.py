"""Grains of a host, as last collected."""

from __future__ import annotations

from typing import Any

from salt_g.api import grains
from salt_g.data.nested import DELIMITER, traverse
from salt_g.shapes import GrainsDict


def items(sanitize: bool = False) -> GrainsDict:
    """Return all grains; `sanitize` hides those that identify the machine.

    Example::

        salt-g web-01 grains.items
    """
    found = dict(grains)
    return {**found, **{name: "REDACTED" for name in _IDENTIFYING if name in found}} if sanitize else found


def get(key: str, default: Any = "", delimiter: str = DELIMITER) -> Any:
    """Return a grain; colons separate the keys of nested mappings.

    Example::

        salt-g web-01 grains.get ip4_interfaces:lo
    """
    return traverse(dict(grains), key, default, delimiter=delimiter)


def item(*args: str, default: Any = "", delimiter: str = DELIMITER) -> GrainsDict:
    """Return grains by name.

    Example::

        salt-g web-01 grains.item os osrelease
    """
    return {name: get(name, default, delimiter) for name in args}


def ls() -> list[str]:
    """Return the names of all grains, sorted.

    Example::

        salt-g web-01 grains.ls
    """
    return sorted(grains)


def fetch(key: str, default: Any = "", delimiter: str = DELIMITER) -> Any:
    """Alias of `get`.

    Example::

        salt-g web-01 grains.fetch os
    """
    return get(key, default, delimiter)


_IDENTIFYING = ("serialnumber", "domain", "fqdn", "id", "host", "localhost", "uuid", "system_uuid", "master")
