"""Calls of systemctl, a reload of unit files that have changed, and lookups of units and init scripts.

Errors: CommandExecutionError with the message of systemctl.
"""

from __future__ import annotations

import os
import shlex
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules import _init_scripts, _systemd
from salt_g.modules._programs import run
from salt_g.modules._units import canonical, unit_names
from salt_g.shapes import Completed

#: Directory of the units of this machine's administrator.
LOCAL_UNITS = "/etc/systemd/system"
#: Units of the daemons that may run this code; to wait for their own end would be a deadlock.
_OWN_UNITS = ("salt-minion.service", "salt-g-minion.service")
#: Lowest return code of `systemctl status` that means that there is no such unit.
_NO_SUCH_UNIT = 4


def systemctl_reload() -> bool:
    """Reload all unit files (`daemon-reload`).

    Example::

        salt-g service.systemctl_reload
    """
    finished = systemctl("--system daemon-reload", redirect_stderr=True)
    if finished["retcode"] != 0:
        raise CommandExecutionError(f"Problem performing systemctl daemon-reload: {finished['stdout']}")
    return True


def systemctl(
    action: str,
    name: str | None = None,
    *,
    scope: bool = False,
    no_block: bool = False,
    root: str | None = None,
    more: list[str] | None = None,
    **options: Any,
) -> Completed:
    """Run systemctl; `more` are further arguments, `options` those of `cmd.run_all`."""
    words = [*(_systemd.scope_prefix() if scope else []), "systemctl"]
    words += ["--no-block"] if no_block else []
    words += ["--root", root] if root else []
    words += shlex.split(action)
    words += [canonical(name)] if name is not None else []
    words += ["-n", "0"] if action == "status" else []
    return run([*words, *(more or [])], **options)


def reload_if_changed(name: str) -> None:
    """Reload all unit files if the file of this unit is new or has changed."""
    path = os.path.join(LOCAL_UNITS, canonical(name))
    is_new = os.access(path, os.R_OK) and not is_available(name)
    if is_new or _is_outdated(path, systemctl("status", name, redirect_stderr=True)["stdout"]):
        systemctl_reload()


def _is_outdated(path: str, status: str) -> bool:
    """Return whether a unit's files have changed since systemd read them, judged by the unit's status.

    systemd itself overlooks a file that replaces the distribution's, and the first drop-in of a unit, because
    it checks only files that existed at its last reload.
    """
    if "'systemctl daemon-reload'" in status:
        return True
    if "Loaded: loaded (" not in status:
        return False
    # The status of an alias shows the file to which its link leads.
    is_replaced = os.path.isfile(path) and not os.path.islink(path) and f"{path};" not in status
    return is_replaced or (f"{path}.d" not in status and _has_drop_in(f"{path}.d"))


def _has_drop_in(directory: str) -> bool:
    try:
        return any(name.endswith(".conf") for name in os.listdir(directory))
    except OSError:
        return False


def is_available(name: str) -> bool:
    """Return whether a unit of this name exists; raise CommandExecutionError if systemd is not running."""
    if _systemd.is_offline():
        raise CommandExecutionError(f"Cannot run in offline mode. Failed to get information on unit '{name}'")
    return 0 <= systemctl("status", name, redirect_stderr=True)["retcode"] < _NO_SUCH_UNIT


def is_not_waited_for(name: str, no_block: bool | None) -> bool:
    """Return whether to skip waiting for a unit; by default only salt-g's own units are not waited for."""
    return canonical(name) in _OWN_UNITS if no_block is None else no_block


def scripts(root: str | None) -> list[str]:
    """Return the scripts in /etc/init.d without a corresponding unit."""
    units = unit_names(root)
    return [name for name in _init_scripts.executable_scripts(root) if name not in units]


def without_scope(text: str) -> str:
    """Return the output of systemctl without systemd-run's messages about its scope."""
    return "\n".join(line for line in text.splitlines() if not line.endswith(".scope")).strip()
