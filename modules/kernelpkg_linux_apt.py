"""Kernel packages on Debian and its family (`kernelpkg.*`).

Each kernel is a separate package with its release in the name; a package without a number in its name
depends on the newest kernel.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from salt_g.api import call, grains
from salt_g.errors import CommandExecutionError
from salt_g.modules import _debian_versions
from salt_g.modules._kernels import (
    active,
    cleanup,
    latest_installed,
    needs_reboot,
    refuse_needed,
    upgrade_available,
    upgraded,
)
from salt_g.modules._programs import output

__virtualname__ = "kernelpkg"

__all__ = [
    "active",
    "cleanup",
    "latest_available",
    "latest_installed",
    "list_installed",
    "needs_reboot",
    "remove",
    "upgrade",
    "upgrade_available",
]

_PREFIX = "linux-image"
#: The number of a release (`6.1.0-18`, `6.12.38+deb13`) and its kind (`amd64`, `cloud-amd64`, `generic`).
_RELEASE = re.compile(r"(\d[^-]*(?:-\d[^-]*)?)-([a-z].*)")


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") in ("Debian", "Kali", "Cumulus"):
        return __virtualname__
    return False, "Module kernelpkg_linux_apt: no APT based system detected"


def list_installed() -> list[str]:
    """Return the releases of the installed kernels of the running kernel's kind, newest last.

    Example::

        salt-g kernelpkg.list_installed
    """
    names = call("pkg.list_pkgs", versions_as_list=True)
    releases = [name.removeprefix(f"{_PREFIX}-") for name in names if name.startswith(f"{_PREFIX}-")]
    ours = [release for release in releases if _kind(release) == _own_kind()]
    return sorted(ours, key=functools.cmp_to_key(_debian_versions.compare))


def latest_available() -> str:
    """Return the release of the newest kernel of the running kernel's kind in the repositories.

    If no repository has one, return the newest installed one. Raises CommandExecutionError if none is
    installed either.

    Example::

        salt-g kernelpkg.latest_available
    """
    package = f"{_PREFIX}-{_own_kind()}"
    call("pkg.latest_version", package)
    depends = re.findall(rf"Depends: {_PREFIX}-(\S+)", output(["apt-cache", "depends", package]))
    offered = [release for release in depends if _kind(release) == _own_kind()]
    newest = offered[-1] if offered else latest_installed()
    if newest is None:
        raise CommandExecutionError(
            f"no repository has a package {package!r}, and no such kernel is installed"
        )
    return newest


def upgrade(reboot: bool = False, at_time: Any = None) -> dict[str, Any]:
    """Install the newest kernel.

    Returns {"upgrades", "active", "latest_installed", "reboot_requested", "reboot_required"}.

    reboot
        Reboot the machine if needed.
    at_time
        Delay of the reboot in minutes, or a time (`22:00`).

    Example::

        salt-g kernelpkg.upgrade reboot=True at_time=1
    """
    return upgraded(call("pkg.install", name=f"{_PREFIX}-{latest_available()}"), reboot, at_time)


def remove(release: str) -> dict[str, list[str]]:
    """Remove a kernel, which must not be the running one; return {"removed": [package]}.

    Example::

        salt-g kernelpkg.remove 6.1.0-17-amd64
    """
    refuse_needed(release)
    package = f"{_PREFIX}-{release}"
    call("pkg.purge", package)
    return {"removed": [package]}


def _own_kind() -> str:
    """Return the kind of the running kernel.

    Raises CommandExecutionError if its release is not named like that of a packaged kernel.
    """
    release = active()
    kind = _kind(release)
    if kind is None:
        raise CommandExecutionError(
            f"the running kernel {release!r} does not have the name of a packaged kernel"
        )
    return kind


def _kind(release: str) -> str | None:
    found = _RELEASE.fullmatch(release)
    return found[2] if found else None
