"""What the `kernelpkg` modules share: a running kernel compared with installed and offered ones.

Why its own file: apt has a package for each kernel, dnf versions of one package; which kernel is the newest,
whether to reboot and what may go is asked in the same way. The parts are reached by `kernelpkg.…`.
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
    """Return the newest installed kernel, None when no package brought one.

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
    """Return whether the repositories have a newer kernel than those that are installed.

    Example::

        salt-g kernelpkg.upgrade_available
    """
    return _is_newer(call("kernelpkg.latest_available"), latest_installed())


def cleanup(keep_latest: bool = True) -> dict[str, list[str]]:
    """Remove the kernels that do not run; return {removed: packages}.

    keep_latest
        The newest one stays, whether it runs or not.

    Example::

        salt-g kernelpkg.cleanup
    """
    kept = {active(), *([latest_installed()] if keep_latest else [])}
    unused = [release for release in call("kernelpkg.list_installed") if release not in kept]
    return {"removed": [name for release in unused for name in call("kernelpkg.remove", release)["removed"]]}


def upgraded(changes: Any, reboot: bool, at_time: Any) -> dict[str, Any]:
    """Reboot when that is wanted and needed; return what became of an upgrade."""
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
    """Refuse to remove a kernel that runs, or that is not installed."""
    if release not in call("kernelpkg.list_installed"):
        raise CommandExecutionError(f"Kernel release '{release}' is not installed")
    if release == active():
        raise CommandExecutionError("Active kernel cannot be removed")


def _is_newer(first: str | None, second: str | None) -> bool:
    """Return whether one release is newer than another; any is newer than none."""
    if not first or not second:
        return bool(first)
    return int(call("pkg.version_cmp", first, second) or 0) > 0
