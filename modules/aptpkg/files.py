"""Packages and their files: owners of paths, contents of packages, downloads."""

from __future__ import annotations

import logging
import os
import time
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandNotFound
from salt_g.modules._programs import is_installed, output
from salt_g.modules.aptpkg._apt import apt

log = logging.getLogger(__name__)

#: apt's directory of downloaded packages.
CACHE_DIRECTORY = "/var/cache/apt"

#: Names of dpkg's fields in `info_installed`, the same on all platforms.
_FIELD_NAMES = {
    "package": "name",
    "origin": "vendor",
    "section": "group",
    "maintainer": "packager",
    "homepage": "url",
}


def file_list(*packages: str, **kwargs: Any) -> Any:
    """Return {"errors": [...], "files": [...]} of the packages, of all packages if none is named.

    Example::

        salt-g pkg.file_list bash
    """
    return call("lowpkg.file_list", *packages)


def file_dict(*packages: str, **kwargs: Any) -> Any:
    """Return {"errors": [...], "packages": {name: [path, ...]}} of the packages, of all if none is named.

    Example::

        salt-g pkg.file_dict bash
    """
    return call("lowpkg.file_dict", *packages)


def info_installed(*names: str, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {name: {field: value}} of installed packages, of all if none is named.

    `failhard=False` returns {} instead of raising an error for an unknown package.

    Example::

        salt-g pkg.info_installed bash
    """
    details = call("lowpkg.info", *names, failhard=kwargs.get("failhard", True))
    return {
        name: {_FIELD_NAMES.get(key, key): value for key, value in fields.items() if key != "status"}
        for name, fields in details.items()
        if fields.get("status", "ii")[1] == "i"
    }


def list_downloaded(root: str | None = None, **kwargs: Any) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the packages in apt's cache, below `root` if given.

    The result is {name: {version: {"path", "size", "creation_date_time", "creation_date_time_t"}}}.

    Example::

        salt-g pkg.list_downloaded
    """
    top = os.path.join(root, CACHE_DIRECTORY.lstrip("/")) if root else CACHE_DIRECTORY
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for directory, _, names in os.walk(top):
        for path in (os.path.join(directory, name) for name in names if name.endswith(".deb")):
            package = call("lowpkg.bin_pkg_info", path)
            found.setdefault(package["name"], {})[package["version"]] = _downloaded(path)
    return found


def owner(*paths: str, **kwargs: Any) -> Any:
    """Return the package that owns a path, or '' if none does; a mapping for several paths.

    Example::

        salt-g pkg.owner /usr/bin/apt
    """
    found = {path: _owner(path) for path in paths}
    if len(found) == 1:
        return next(iter(found.values()))
    return found or ""


def which(path: str) -> str | bool | None:
    """Return the package that owns a file, or None if none does.

    The result is False if the file does not exist or its path is relative.

    Example::

        salt-g pkg.which /usr/bin/apt
    """
    if not os.path.isabs(path) or not os.path.exists(path):
        log.debug("%s is not the absolute path of a file", path)
        return False
    return _owner(path) or None


def services_need_restart(**kwargs: Any) -> list[str]:
    """Return the services that still use files which an upgrade has replaced; needs `checkrestart`.

    Example::

        salt-g pkg.services_need_restart
    """
    if not is_installed("checkrestart"):
        raise CommandNotFound(
            "'checkrestart' is needed. It is part of the 'debian-goodies' package which can be "
            "installed from official repositories."
        )
    lines = output(["checkrestart", "--machine", "--package"]).splitlines()
    return sorted({line[8:].partition(",")[0] for line in lines if line.startswith("SERVICE:")})


def _owner(path: str) -> str:
    finished = apt(["dpkg", "-S", path], scope=False)
    return finished["stdout"].partition(":")[0] if finished["retcode"] == 0 else ""


def _downloaded(path: str) -> dict[str, Any]:
    seconds = int(os.path.getctime(path))
    return {
        "path": path,
        "size": os.path.getsize(path),
        "creation_date_time_t": seconds,
        "creation_date_time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)),
    }
