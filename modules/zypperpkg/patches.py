"""Patches: sets of updates that fix a bug or a vulnerability."""

from __future__ import annotations

from typing import Any

from salt_g.modules._booleans import is_true
from salt_g.modules.zypperpkg._zypper import solvables
from salt_g.modules.zypperpkg.available import refresh_db


def list_patches(refresh: bool = False, root: str | None = None, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {name: {"installed", "summary"}} of all known patches.

    Example::

        salt-g pkg.list_patches
    """
    if is_true(refresh):
        refresh_db(root=root)
    return {
        each["name"]: {"installed": each.get("status") == "installed", "summary": each.get("summary", "")}
        for each in solvables("se", "-t", "patch", root=root, read_only=True)
    }


def list_installed_patches(root: str | None = None, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {name: {"installed", "summary"}} of the installed patches.

    Example::

        salt-g pkg.list_installed_patches
    """
    return {name: about for name, about in list_patches(root=root).items() if about["installed"]}
