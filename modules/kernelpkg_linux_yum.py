"""Kernel packages on systems with dnf or yum (`kernelpkg.*`).

Kernels are versions of one package, of which several can be installed at the same time.
"""

from __future__ import annotations

import functools
from typing import Any

from salt_g.api import call, grains
from salt_g.modules import _rpm_versions
from salt_g.modules._kernels import (
    active,
    cleanup,
    latest_installed,
    needs_reboot,
    refuse_needed,
    upgrade_available,
    upgraded,
)

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

_PACKAGE = "kernel"


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") == "RedHat" or str(grains.get("os")).lower() in ("amazon", "xcp", "xenserver"):
        return __virtualname__
    return False, "Module kernelpkg_linux_yum: no YUM based system detected"


def list_installed() -> list[str]:
    """Return the versions of the installed kernels, the newest last.

    Example::

        salt-g kernelpkg.list_installed
    """
    found = call("pkg.version", _PACKAGE, versions_as_list=True) or []
    return sorted(found, key=functools.cmp_to_key(_rpm_versions.compare))


def latest_available() -> str | None:
    """Return the version of the newest kernel in the repositories, or of the newest installed one.

    The latter is returned if the repositories have no newer one; None if there is no kernel package at all.

    Example::

        salt-g kernelpkg.latest_available
    """
    return call("pkg.latest_version", _PACKAGE) or latest_installed()


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
    return upgraded(call("pkg.upgrade", name=_PACKAGE), reboot, at_time)


def remove(release: str) -> dict[str, list[str]]:
    """Remove a kernel, which must not be the running one; return {"removed": [package]}.

    Example::

        salt-g kernelpkg.remove 5.14.0-362.8.1.el9_3
    """
    refuse_needed(release)
    call("pkg.remove", pkgs=[{_PACKAGE: release}])
    return {"removed": [f"{_PACKAGE}-{release}"]}
