"""Package files in the cache, and services that run from replaced files."""

from __future__ import annotations

import os
from typing import Any

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import _systemd
from salt_g.modules._booleans import is_true
from salt_g.modules._package_files import differences, downloaded_in
from salt_g.modules.zypperpkg._zypper import elements, zypper
from salt_g.modules.zypperpkg.available import refresh_db

_CACHE = "/var/cache/zypp/packages/"


def list_downloaded(root: str | None = None, **kwargs: Any) -> dict[str, dict[str, dict[str, Any]]]:
    """Return {name: {version: {"path", "size", ...}}} of package files in the cache.

    Example::

        salt-g pkg.list_downloaded
    """
    return downloaded_in(os.path.join(root or "/", _CACHE.lstrip("/")))


def download(*packages: str, **kwargs: Any) -> dict[str, Any]:
    """Download package files; return {name: {"path", "repository-name", "repository-alias"}}.

    Failures are listed under `_error`; `refresh` refreshes the package lists first.

    Example::

        salt-g pkg.download httpd refresh=True
    """
    if not packages:
        raise InvocationError("No packages specified")
    root = kwargs.get("root")
    if is_true(kwargs.get("refresh")):
        refresh_db(root=root)
    found: dict[str, Any] = {}
    for result in elements("download-result", "download", *packages, root=root):
        solvable, repository, file = (result.find(tag) for tag in ("solvable", "repository", "localfile"))
        if solvable is not None and repository is not None and file is not None:
            found[solvable.attrib["name"]] = {
                "repository-name": repository.get("name"),
                "repository-alias": repository.get("alias"),
                "path": file.get("path"),
            }
    if not found:
        raise CommandExecutionError(f"Unable to download packages: {', '.join(packages)}")
    failed = [package for package in packages if package not in found]
    if failed:
        found["_error"] = f"The following package(s) failed to download: {', '.join(failed)}"
    return found


def diff(*paths: str, **kwargs: Any) -> dict[str, str]:
    """Return {path: how it differs from the file in its package}.

    Example::

        salt-g pkg.diff /etc/apache2/httpd.conf
    """
    return differences(paths, download)


def services_need_restart(root: str | None = None, **kwargs: Any) -> list[str]:
    """Return the services that use files replaced or removed since the services started.

    Example::

        salt-g pkg.services_need_restart
    """
    if not _systemd.is_booted():
        raise CommandExecutionError("systemd is required to list outdated services.")
    return zypper("ps", "-sss", root=root, read_only=True)["stdout"].split()
