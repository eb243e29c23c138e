"""Masking and unmasking of units."""

from __future__ import annotations

import os

from salt_g.errors import CommandExecutionError
from salt_g.modules import _init_scripts
from salt_g.modules._units import canonical
from salt_g.modules.systemd_service._systemctl import reload_if_changed, systemctl, without_scope


def mask(name: str, runtime: bool = False, root: str | None = None) -> bool:
    """Mask a unit, so that it cannot be started; with `runtime` only until the next boot.

    Example::

        salt-g service.mask cron
    """
    return _mask("mask", name, runtime, root)


def unmask(name: str, runtime: bool = False, root: str | None = None) -> bool:
    """Unmask a unit; `runtime` is as in `service.masked`.

    Example::

        salt-g service.unmask cron
    """
    return not masked(name, runtime, root=root) or _mask("unmask", name, runtime, root)


def masked(name: str, runtime: bool = False, root: str | None = None) -> bool:
    """Return whether a unit is masked permanently, or with `runtime`, until the next boot.

    Example::

        salt-g service.masked cron
    """
    reload_if_changed(name)
    directory = "/run/systemd/system" if runtime else "/etc/systemd/system"
    link = os.path.join(_init_scripts.below(directory, root), canonical(name))
    return os.path.islink(link) and os.readlink(link) == "/dev/null"


def unmask_if(name: str, permanent: bool, runtime: bool, root: str | None) -> None:
    """Remove a unit's permanent mask, its runtime mask, or both, as requested."""
    if permanent:
        unmask(name, runtime=False, root=root)
    if runtime:
        unmask(name, runtime=True, root=root)


def _mask(action: str, name: str, runtime: bool, root: str | None) -> bool:
    reload_if_changed(name)
    words = f"{action} --runtime" if runtime else action
    finished = systemctl(words, name, scope=True, root=root, redirect_stderr=True)
    if finished["retcode"] != 0:
        reason = without_scope(finished["stdout"])
        raise CommandExecutionError(f"Failed to {action} service '{name}': {reason}", info=reason)
    return True
