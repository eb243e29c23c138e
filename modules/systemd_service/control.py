"""Starting and stopping of units."""

from __future__ import annotations

import fnmatch
import re
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules.systemd_service._systemctl import (
    is_not_waited_for,
    reload_if_changed,
    systemctl,
    without_scope,
)
from salt_g.modules.systemd_service.listing import get_all
from salt_g.modules.systemd_service.masking import unmask_if


def start(name: str, no_block: bool = False, unmask: bool = False, unmask_runtime: bool = False) -> bool:
    """Start a unit; return True. Raises CommandExecutionError on failure.

    no_block
        Do not wait until the unit has started.
    unmask, unmask_runtime
        First remove a permanent mask of the unit, or a mask that lasts until the next boot.

    Example::

        salt-g service.start cron
    """
    return _act("start", name, no_block, unmask, unmask_runtime)


def stop(name: str, no_block: bool | None = None) -> bool:
    """Stop a unit; return whether that succeeded.

    no_block
        Do not wait until the unit has stopped; by default, only salt-g's own units are not waited for.

    Example::

        salt-g service.stop cron
    """
    reload_if_changed(name)
    finished = systemctl(
        "stop", name, scope=True, no_block=is_not_waited_for(name, no_block), ignore_retcode=False
    )
    return finished["retcode"] == 0


def restart(
    name: str, no_block: bool | None = None, unmask: bool = False, unmask_runtime: bool = False
) -> bool:
    """Restart a unit; return True. Raises CommandExecutionError on failure.

    no_block
        Do not wait until the unit has restarted; by default, only salt-g's own units are not waited for.

    `unmask` and `unmask_runtime` are as in `service.start`.

    Example::

        salt-g service.restart cron
    """
    return _act("restart", name, is_not_waited_for(name, no_block), unmask, unmask_runtime)


def reload_(name: str, no_block: bool = False, unmask: bool = False, unmask_runtime: bool = False) -> bool:
    """Reload the configuration of a unit; return True. Raises CommandExecutionError on failure.

    `no_block`, `unmask` and `unmask_runtime` are as in `service.start`.

    Example::

        salt-g service.reload cron
    """
    return _act("reload", name, no_block, unmask, unmask_runtime)


def force_reload(
    name: str, no_block: bool = True, unmask: bool = False, unmask_runtime: bool = False
) -> bool:
    """Reload the configuration of a unit, or restart the unit if it cannot reload; return True.

    Raises CommandExecutionError on failure. `no_block`, `unmask` and `unmask_runtime` are as in
    `service.start`, but by default the end is not waited for.

    Example::

        salt-g service.force_reload cron
    """
    return _act("force-reload", name, no_block, unmask, unmask_runtime)


def status(name: str, sig: str | None = None) -> Any:
    """Return whether a unit is active; {name: bool} for a glob. `sig` is ignored.

    Example::

        salt-g service.status cron
    """
    if re.search(r"[*?]|\[.+\]", name):
        return {each: status(each) for each in fnmatch.filter(get_all(), name)}
    reload_if_changed(name)
    return systemctl("is-active", name)["retcode"] == 0


def _act(action: str, name: str, no_block: bool, unmask_: bool, unmask_runtime: bool) -> bool:
    reload_if_changed(name)
    unmask_if(name, unmask_, unmask_runtime, None)
    finished = systemctl(action, name, scope=True, no_block=no_block)
    if finished["retcode"] != 0:
        raise CommandExecutionError(without_scope(finished["stderr"]))
    return True
