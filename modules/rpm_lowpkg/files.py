"""Packages and their files.

Shapes: the argument `root` is the root directory of another system to query.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules._package_file import local_copy
from salt_g.modules._packages import one_or_all
from salt_g.modules._programs import output, succeeds
from salt_g.modules._rpm_packages import QUERY_FORMAT, parse_line, rooted

_NAME_AND_VERSION = "%{NAME} %{VERSION}\\n"


def bin_pkg_info(path: str, saltenv: str = "base") -> dict[str, Any] | None:
    """Return name, version, arch, ... of a package file (path or URL), or None if it is not a package.

    Example::

        salt-g lowpkg.bin_pkg_info /root/salt-2015.5.1-2.el7.noarch.rpm
    """
    words = ["rpm", "-qp", "--queryformat", QUERY_FORMAT, local_copy(path, saltenv)]
    package = parse_line(output(words))
    return None if package is None else {**package._asdict(), "repoid": "none"}


def list_pkgs(*packages: str, **kwargs: Any) -> dict[str, str]:
    """Return {name: version} of the installed packages, or of these; `root` queries another system.

    Example::

        salt-g lowpkg.list_pkgs httpd
    """
    return {name: version for name, version in _named(packages, kwargs.get("root")) if version}


def file_list(*packages: str, **kwargs: Any) -> dict[str, list[str]]:
    """Return {"errors", "files"} of these packages, or of all packages if none are named.

    Example::

        salt-g lowpkg.file_list httpd postfix
    """
    words = [*rooted(kwargs.get("root")), "-ql" if packages else "-qla", *packages]
    return {"errors": [], "files": output(words).splitlines()}


def file_dict(*packages: str, **kwargs: Any) -> dict[str, Any]:
    """Return {"errors", "packages": {name: [file, ...]}} of these packages, or of all packages.

    Example::

        salt-g lowpkg.file_dict httpd
    """
    root = kwargs.get("root")
    answers = list(_named(packages, root))
    return {
        "errors": [line for line, version in answers if not version],
        "packages": {
            name: output([*rooted(root), "-ql", name]).splitlines() for name, version in answers if version
        },
    }


def owner(*paths: str, **kwargs: Any) -> Any:
    """Return the package that owns a file, or '' if there is none; {file: package} for several files.

    Example::

        salt-g lowpkg.owner /usr/bin/apachectl
    """
    start = [*rooted(kwargs.get("root")), "-qf", "--queryformat", "%{name}"]
    found = {path: output([*start, path]) for path in paths}
    owners = {path: "" if "not owned" in text.lower() else text for path, text in found.items()}
    return one_or_all(owners) if owners else ""


def checksum(*paths: str, **kwargs: Any) -> dict[str, bool]:
    """Return {path: whether the digests and signatures of the package file are valid}.

    Example::

        salt-g lowpkg.checksum /path/to/package1.rpm
    """
    if not paths:
        raise CommandExecutionError("No package files has been specified.")
    start = [*rooted(kwargs.get("root")), "-K", "--quiet"]
    return {path: os.path.isfile(path) and succeeds([*start, path]) for path in paths}


def _named(packages: tuple[str, ...], root: str | None) -> list[tuple[str, str]]:
    """Return [(name, version)], with (line, '') for a line about a package that is not installed."""
    how = "-q" if packages else "-qa"
    lines = output([*rooted(root), how, "--queryformat", _NAME_AND_VERSION, *packages]).splitlines()
    words = [(line, line.split()) for line in lines if line.strip()]
    return [
        (line, "") if "is not installed" in line else (parts[0], parts[1])
        for line, parts in words
        if parts[1:]
    ]
