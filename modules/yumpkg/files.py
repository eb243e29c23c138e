"""Package files in the cache, and services that run from replaced files."""

from __future__ import annotations

import os
from typing import Any

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import _systemd
from salt_g.modules._package_files import differences, downloaded_in
from salt_g.modules._programs import is_installed, output
from salt_g.modules.yumpkg._yum import is_dnf, program, yum

_CACHE = "/var/cache"


def list_downloaded(**kwargs: Any) -> dict[str, dict[str, dict[str, Any]]]:
    """Return {name: {version: {"path", "size", ...}}} of package files in the cache.

    Example::

        salt-g pkg.list_downloaded
    """
    return downloaded_in(os.path.join(_CACHE, program() or "yum"))


def download(*packages: str, **kwargs: Any) -> dict[str, Any]:
    """Download package files; return {name: path}, and failures under `_error`.

    Example::

        salt-g pkg.download httpd postfix
    """
    if not is_installed("yumdownloader"):
        raise CommandExecutionError("'yumdownloader' command not available")
    if not packages:
        raise InvocationError("No packages were specified")
    directory = os.path.join(_CACHE, program() or "yum", "packages")
    os.makedirs(directory, exist_ok=True)
    for package in packages:
        for path in _files_of(directory, package):
            os.unlink(path)
    output(["yumdownloader", "-q", f"--destdir={directory}", *packages])
    files = {package: _files_of(directory, package) for package in packages}
    found: dict[str, Any] = {package: paths[0] for package, paths in files.items() if paths}
    if not found:
        raise CommandExecutionError(
            f"Unable to download any of the following packages: {', '.join(packages)}"
        )
    failed = [package for package in packages if package not in found]
    if failed:
        found["_error"] = f"The following package(s) failed to download: {', '.join(failed)}"
    return found


def diff(*paths: str, **kwargs: Any) -> dict[str, str]:
    """Return {path: how it differs from the file in its package}.

    Example::

        salt-g pkg.diff /etc/httpd/httpd.conf
    """
    return differences(paths, download)


def services_need_restart(**kwargs: Any) -> list[str]:
    """Return the services that still use files replaced or removed since the services started.

    Example::

        salt-g pkg.services_need_restart
    """
    if not is_dnf():
        raise CommandExecutionError("dnf or dnf5 is required to list outdated services.")
    if not _systemd.is_booted():
        raise CommandExecutionError("systemd is required to list outdated services.")
    lines = yum(["--quiet", "needs-restarting"], scope=False)["stdout"].splitlines()
    pids = [line.partition(":")[0].strip() for line in lines if ":" in line]
    return sorted({service for service in map(_service_of, pids) if service})


def _service_of(pid: str) -> str:
    """Return the service that a process belongs to, or '' for none."""
    first = output(["systemctl", "--output", "json", "status", pid]).splitlines()[:1] if pid.isdigit() else []
    words = first[0].split() if first else []
    return words[1].removesuffix(".service") if len(words) > 1 and words[1].endswith(".service") else ""


def _files_of(directory: str, package: str) -> list[str]:
    names = sorted(name for name in os.listdir(directory) if name.startswith(f"{package}-"))
    return [os.path.join(directory, name) for name in names if name.endswith(".rpm")]
