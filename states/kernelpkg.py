"""States of the kernel: newest version installed, newest version running."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, refusal_fails, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "kernelpkg.upgrade" in functions else (False, "kernelpkg module could not be loaded")


@refusal_fails
def latest_installed(name: str) -> StateReturn:
    """Ensure that the newest kernel in the repositories is installed; it becomes active at the next reboot.

    `name` is any text.

    Example::

        salt-g state.single kernelpkg.latest_installed kernel
    """
    newest = call("kernelpkg.latest_available")
    if newest in call("kernelpkg.list_installed"):
        return as_wanted(name, f"The latest kernel package is already installed: {newest}")
    if opts["test"]:
        return would_change(name, f"The latest kernel package will be installed: {newest}")
    done = call("kernelpkg.upgrade")
    return changed(name, "The latest kernel package has been installed, but not activated.", done["upgrades"])


@refusal_fails
def latest_active(name: str, at_time: Any = None) -> StateReturn:
    """Reboot the machine when the running kernel is not the newest installed one.

    `name` is any text; `at_time` is passed to `system.reboot`: a delay in minutes, or a time (`22:00`). Set
    it so that the state can report its result before the reboot.

    Example::

        salt-g state.single kernelpkg.latest_active kernel at_time=1
    """
    running = call("kernelpkg.active")
    if not call("kernelpkg.needs_reboot"):
        return as_wanted(name, f"The latest installed kernel package is active: {running}")
    newest = call("kernelpkg.latest_installed")
    changes = {"kernel": {"old": running, "new": newest}}
    returned = f"The system will be booted to activate kernel: {newest}"
    if opts["test"]:
        return would_change(name, returned, changes)
    call("system.reboot", at_time=at_time)
    return changed(name, returned, changes)


def latest_wait(name: str, at_time: Any = None) -> StateReturn:
    """Reboot like `kernelpkg.latest_active`, but only when a watched or listened-to state has changed.

    Example::

        boot:
          kernelpkg.latest_wait:
            - at_time: 1
            - listen:
              - pkg: system-up-to-date
    """
    return as_wanted(name)


def mod_watch(name: str, sfun: str, **kwargs: Any) -> StateReturn:
    """Reboot if a watched state has changed and a newer kernel is installed."""
    if sfun not in ("latest_active", "latest_wait"):
        return failed(name, f"kernelpkg.{sfun} does not work with the watch requisite.")
    return latest_active(name, at_time=kwargs.get("at_time"))
