"""Grains of a namespace or root, as of the last refresh."""

from __future__ import annotations

from typing import Any

from salt_g.resources.container_ns.hosted import on_host
from salt_g.shapes import GrainsDict


def get(key: str, default: Any = "", **kwargs: Any) -> Any:
    """Return a grain; colons separate the keys of nested mappings.

    Example::

        salt-g edge grains.get netns
    """
    return on_host("modules", "grains.get", key, default)


def item(*keys: str, **kwargs: Any) -> GrainsDict:
    """Return grains by name.

    Example::

        salt-g edge grains.item os osrelease
    """
    found: dict[str, Any] = on_host("modules", "grains.item", *keys)
    return found


def items() -> GrainsDict:
    """Return all grains.

    Example::

        salt-g edge grains.items
    """
    found: dict[str, Any] = on_host("modules", "grains.items")
    return found


def ls() -> list[str]:
    """Return the names of all grains.

    Example::

        salt-g edge grains.ls
    """
    found: list[str] = on_host("modules", "grains.ls")
    return found
