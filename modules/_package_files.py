"""Cached package files, and differences between installed files and their packages.

The caches of dnf and zypper are both trees of `.rpm` files.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from typing import Any

from salt_g.api import call


def downloaded_in(directory: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the `.rpm` files below a directory.

    The result is {name: {version: {"path", "size", "creation_date_time", "creation_date_time_t"}}}.
    """
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for top, _, names in os.walk(directory):
        for path in (os.path.join(top, name) for name in names if name.endswith(".rpm")):
            package = call("lowpkg.bin_pkg_info", path)
            if package:
                found.setdefault(package["name"], {})[package["version"]] = _about(path)
    return found


def differences(paths: tuple[str, ...], download: Callable[..., dict[str, Any]]) -> dict[str, str]:
    """Return {path: difference between the file and its package}.

    The value is `Unchanged` without a difference, `Not managed` for a file of no package, and `N/A` for a
    path without a file or package. `download` fetches packages and returns {package: path, or a mapping with
    "path"}.
    """
    owners = {path: call("lowpkg.owner", path) for path in paths}
    found = {
        path: "Not managed" if os.path.exists(path) else "N/A" for path, owner in owners.items() if not owner
    }
    packages = sorted({owner for owner in owners.values() if owner})
    files = download(*packages) if packages else {}
    for path, owner in owners.items():
        if owner:
            file = files[owner]
            source = file["path"] if isinstance(file, dict) else file
            found[path] = call("lowpkg.diff", source, path) or "Unchanged"
    return found


def _about(path: str) -> dict[str, Any]:
    seconds = int(os.path.getctime(path))
    return {
        "path": path,
        "size": os.path.getsize(path),
        "creation_date_time_t": seconds,
        "creation_date_time": datetime.datetime.fromtimestamp(seconds).isoformat(),
    }
