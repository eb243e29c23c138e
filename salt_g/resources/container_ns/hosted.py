"""File functions and states of the managing minion, run below another root.

A root is a directory of the host, so the minion's file states work there once paths and owners are
translated. Grains, pillar, templates and test mode remain the resource's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import connection_functions
from salt_g.resources._minion_functions import on_host
from salt_g.resources.container_ns.accounts import gid_of, uid_of

__all__ = ["as_inside", "on_host", "owners", "place"]


def place(path: str, *, follow: bool = True) -> str:
    """Return the path on the host for a path of the resource."""
    found: str = connection_functions["container_ns.place"](path, follow=follow)
    return found


def owners(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with `user` and `group` replaced by their numeric ids in the root."""
    root = connection_functions["container_ns.root"]()
    found = dict(options)
    if found.get("user") is not None:
        found["user"] = uid_of(root, found["user"])
    if found.get("group") is not None:
        found["group"] = gid_of(root, found["group"])
    return found


def as_inside(value: Any, placed: Mapping[str, str]) -> Any:
    """Return a value with host paths replaced by the resource's; `placed` is {host path: path inside}."""
    root = connection_functions["container_ns.root"]()
    if isinstance(value, Mapping):
        # A diff is file content, so paths in it are not replaced.
        return {
            as_inside(key, placed): below if key == "diff" else as_inside(below, placed)
            for key, below in value.items()
        }
    if isinstance(value, (list, tuple)):
        return type(value)(as_inside(below, placed) for below in value)
    if not isinstance(value, str):
        return value
    for host, own in placed.items():
        value = value.replace(host, own)
    return value.replace(f"{root}/", "/")
