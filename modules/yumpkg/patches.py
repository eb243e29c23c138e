"""Advisories: sets of updates that fix a bug or a vulnerability."""

from __future__ import annotations

import re
from typing import Any

from salt_g.modules._booleans import is_true
from salt_g.modules.yumpkg._yum import yum
from salt_g.modules.yumpkg.available import refresh_db

#: `i FEDORA-2026-1 Important/Sec. bash-5.2-1.x86_64`; the `i` says that it is installed.
_LINE = re.compile(r"([i\s])? ?([^\s]+) +([^\s]+) +([^\s]+)")


def list_patches(refresh: bool = False, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {advisory: {"installed", "summary": [package, ...]}} of all known advisories.

    Example::

        salt-g pkg.list_patches
    """
    if is_true(refresh):
        refresh_db()
    found: dict[str, dict[str, Any]] = {}
    for line in yum(["--quiet", "updateinfo", "list", "all"], scope=False)["stdout"].splitlines():
        parts = _LINE.match(line)
        if parts:
            mark, advisory, _, package = parts.groups()
            about = found.setdefault(advisory, {"installed": True, "summary": []})
            about["summary"].append(package)
            about["installed"] = about["installed"] and mark == "i"
    return found


def list_installed_patches(**kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {advisory: {"installed": True, "summary": [package, ...]}} of installed advisories.

    Example::

        salt-g pkg.list_installed_patches
    """
    return {advisory: about for advisory, about in list_patches().items() if about["installed"]}
