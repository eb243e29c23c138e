"""`lowpkg` on Debian and its family: dpkg without apt."""

from __future__ import annotations

import logging
import os
import re
import time
from typing import Any

from salt_g.api import call, grains, scratch
from salt_g.errors import CommandExecutionError
from salt_g.modules._changes import compare
from salt_g.modules._package_file import local_copy
from salt_g.modules._programs import run
from salt_g.process.redaction import RedactedOutput

__virtualname__ = "lowpkg"

log = logging.getLogger(__name__)

#: Separator of packages in dpkg-query's output; it occurs in no package's text.
_END = "*/~^*"
#: {our name: dpkg's name}, in the order of the output.
_FIELDS = {
    "package": "Package",
    "revision": "binary:Revision",
    "architecture": "Architecture",
    "maintainer": "Maintainer",
    "summary": "Summary",
    "source": "source:Package",
    "version": "Version",
    "section": "Section",
    "size": "Size",
    "MD5": "MD5sum",
    "SHA1": "SHA1",
    "SHA256": "SHA256",
    "origin": "Origin",
    "homepage": "Homepage",
    "status": "db:Status-Abbrev",
    "install_date": "db-fsys:Last-Modified",
}


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") == "Debian":
        return __virtualname__
    return False, "The dpkg execution module cannot be loaded: only works on Debian family systems."


def bin_pkg_info(path: str, saltenv: str = "base") -> dict[str, str]:
    """Return {"name", "version", "arch"} of a package file (path or URL).

    Example::

        salt-g lowpkg.bin_pkg_info /root/foo-1.2.deb
    """
    finished = run(["dpkg", "-I", local_copy(path, saltenv)])
    if finished["retcode"] != 0:
        reason = f": {finished['stderr']}" if finished["stderr"] else ""
        raise CommandExecutionError(f"Unable to get info for {path}{reason}")
    fields = dict(re.findall(r"(?m)^\s*(Package|Version|Architecture) *: *(\S+)", finished["stdout"]))
    names = {"name": "Package", "version": "Version", "arch": "Architecture"}
    missing = [ours for ours, theirs in names.items() if theirs not in fields]
    if missing:
        raise CommandExecutionError(f"Unable to get {', '.join(missing)} for {path}")
    found = {ours: fields[theirs] for ours, theirs in names.items()}
    if found["arch"] not in ("all", "amd64") and grains.get("osarch") == "amd64":
        found["name"] += f":{found['arch']}"
    return found


def unpurge(*packages: str) -> dict[str, Any]:
    """Change the selection of packages from purge to install; return the changes.

    Example::

        salt-g lowpkg.unpurge curl
    """
    if not packages:
        return {}
    old = call("pkg.list_pkgs", purge_desired=True)
    run(["dpkg", "--set-selections"], stdin="\n".join(f"{name} install" for name in packages))
    scratch.pop("pkg.list_pkgs", None)
    return compare(old, call("pkg.list_pkgs", purge_desired=True))


def list_pkgs(*packages: str, **kwargs: Any) -> Any:
    """Return {name: version} of installed packages, or an error text if a named package is unknown.

    Example::

        salt-g lowpkg.list_pkgs bash
    """
    found = _installed(packages)
    return found if isinstance(found, str) else dict(found)


def file_list(*packages: str, **kwargs: Any) -> Any:
    """Return {"errors": [], "files": [path, ...]} of packages, or an error text if a package is unknown.

    Example::

        salt-g lowpkg.file_list bash
    """
    found = file_dict(*packages)
    if isinstance(found, str):
        return found
    return {"errors": [], "files": sorted({path for paths in found["packages"].values() for path in paths})}


def file_dict(*packages: str, **kwargs: Any) -> Any:
    """Return {"errors": [], "packages": {name: [path, ...]}}, or an error text if a package is unknown.

    Example::

        salt-g lowpkg.file_dict bash
    """
    found = _installed(packages)
    if isinstance(found, str):
        return found
    files = {name: run(["dpkg", "-L", name])["stdout"].splitlines() for name, _ in found}
    return {"errors": [], "packages": files}


def info(*packages: str, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {name: {field: value}} of packages that dpkg knows; fields without a value are left out.

    `failhard=False` returns {} instead of raising an error for an unknown package.

    Example::

        salt-g lowpkg.info bash
    """
    shown = "\n".join(f"{ours}:${{{theirs}}}" for ours, theirs in _FIELDS.items())
    form = f"-f={shown}\ndescription:${{Description}}\n\n{_END}\n"
    finished = run(["dpkg-query", "-W", form, *packages])
    if finished["retcode"] != 0:
        if kwargs.get("failhard", True):
            raise CommandExecutionError(f"Error getting packages information: {finished['stderr']}")
        return {}
    parts = [part for part in re.split(r"\n" + re.escape(_END) + r"\n?", finished["stdout"]) if part.strip()]
    return {package["package"]: package for package in map(_package, parts)}


def _package(text: str) -> dict[str, Any]:
    head, _, description = text.partition("\ndescription:")
    pairs = (line.strip().partition(":") for line in head.splitlines() if line.strip())
    package: dict[str, Any] = {key: value for key, _, value in pairs if value}
    if "install_date" in package:
        package["install_date"] = _iso_date(package["install_date"])
    package["description"] = description
    license_name = _license(package["package"])
    return {**package, "license": license_name} if license_name else package


def _iso_date(seconds: str) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds)))


def _license(package: str) -> str:
    path = f"/usr/share/doc/{package}/copyright"
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="ignore") as file:
        return ", ".join(sorted({line[8:].strip() for line in file if line.startswith("License:")}))


def _installed(packages: tuple[str, ...]) -> list[tuple[str, str]] | str:
    form = "-f=${db:Status-Status}\t${binary:Package}\t${Version}\n"
    finished = run(["dpkg-query", form, "-W", *packages])
    if finished["retcode"] != 0:
        log.error("Error:  %s", RedactedOutput(finished["stderr"]))
        return f"Error:  {finished['stderr']}"
    lines = (line.split("\t") for line in finished["stdout"].splitlines())
    return [(name, version) for status, name, version in lines if status == "installed"]
