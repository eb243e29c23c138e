"""Shared functions of the `kernelpkg` modules: the running kernel compared with installed and available ones.

apt has a package for each kernel, dnf has versions of one package; the comparisons are the same. The
provider's functions are called as `kernelpkg.…`.
"""

from __future__ import annotations

import logging
from typing import Any

from salt_g.api import call, grains
from salt_g.errors import CommandExecutionError

log = logging.getLogger(__name__)


def active() -> str:
    """Return the release of the running kernel.

    Example::

        salt-g kernelpkg.active
    """
    return str(call("pkg.normalize_name", grains["kernelrelease"]))


def latest_installed() -> str | None:
    """Return the release of the newest installed kernel, or None if no package provides one.

    Example::

        salt-g kernelpkg.latest_installed
    """
    installed = call("kernelpkg.list_installed")
    return installed[-1] if installed else None


def needs_reboot() -> bool:
    """Return whether a newer kernel than the running one is installed.

    Example::

        salt-g kernelpkg.needs_reboot
    """
    return _is_newer(latest_installed(), active())


def upgrade_available() -> bool:
    """Return whether the repositories have a newer kernel than the installed ones.

    Example::

        salt-g kernelpkg.upgrade_available
    """
    return _is_newer(call("kernelpkg.latest_available"), latest_installed())


def cleanup(keep_latest: bool = True) -> dict[str, list[str]]:
    """Remove the kernels that are not running, by default except the newest; return {"removed": packages}.

    keep_latest
        Keep the newest installed kernel even if it is not running (True).

    Example::

        salt-g kernelpkg.cleanup
    """
    kept = {active(), *([latest_installed()] if keep_latest else [])}
    unused = [release for release in call("kernelpkg.list_installed") if release not in kept]
    return {"removed": [name for release in unused for name in call("kernelpkg.remove", release)["removed"]]}


def upgraded(changes: Any, reboot: bool, at_time: Any) -> dict[str, Any]:
    """Reboot if requested and needed; return the result of an upgrade that made these changes."""
    is_needed = needs_reboot()
    made = {
        "upgrades": changes,
        "active": active(),
        "latest_installed": latest_installed(),
        "reboot_requested": reboot,
        "reboot_required": is_needed,
    }
    if reboot and is_needed:
        log.warning("rebooting for kernel %s", made["latest_installed"])
        call("system.reboot", at_time=at_time)
    return made


def refuse_needed(release: str) -> None:
    """Raise CommandExecutionError if a kernel is running or not installed."""
    if release not in call("kernelpkg.list_installed"):
        raise CommandExecutionError(f"Kernel release '{release}' is not installed")
    if release == active():
        raise CommandExecutionError("Active kernel cannot be removed")


def _is_newer(first: str | None, second: str | None) -> bool:
    """Return whether one release is newer than another; any release is newer than None."""
    if not first or not second:
        return bool(first)
    return int(call("pkg.version_cmp", first, second) or 0) > 0
