"""Control of services that are scripts in /etc/init.d: OpenRC, and Debian without systemd.

The two `service` modules differ in enablement at boot and in `service.get_all`.
"""

from __future__ import annotations

import fnmatch
import re
from typing import Any

from salt_g.api import call
from salt_g.modules._init_scripts import DIRECTORY
from salt_g.modules._programs import acts, is_installed, succeeds
from salt_g.process import command


def start(name: str) -> bool:
    """Start a service; return whether that succeeded.

    Example::

        salt-g service.start cron
    """
    return run_action(name, "start")


def stop(name: str) -> bool:
    """Stop a service; return whether that succeeded.

    Example::

        salt-g service.stop cron
    """
    return run_action(name, "stop")


def restart(name: str) -> bool:
    """Restart a service; return whether that succeeded.

    Example::

        salt-g service.restart cron
    """
    return run_action(name, "restart")


def reload_(name: str) -> bool:
    """Reload the configuration of a service; return whether that succeeded.

    Example::

        salt-g service.reload cron
    """
    return run_action(name, "reload")


def status(name: str, sig: str | None = None) -> Any:
    """Return whether a service is running; {name: bool} for a glob.

    `sig` searches for a process by its command line instead.

    Example::

        salt-g service.status cron
    """
    if sig:
        return bool(call("status.pid", sig))
    if re.search(r"[*?]|\[.+\]", name):
        return {each: run_action(each, "status") for each in fnmatch.filter(call("service.get_all"), name)}
    return run_action(name, "status")


def available(name: str) -> bool:
    """Return whether a service of this name exists.

    Example::

        salt-g service.available cron
    """
    return name in call("service.get_all")


def missing(name: str) -> bool:
    """Return whether no service of this name exists.

    Example::

        salt-g service.missing cron
    """
    return not available(name)


def disabled(name: str) -> bool:
    """Return whether a service exists and is not started at boot.

    Example::

        salt-g service.disabled cron
    """
    return name in call("service.get_disabled")


def run_action(name: str, action: str) -> bool:
    """Run an action of a service; return whether it succeeded.

    Debian's `service` gives scripts a clean environment.
    """
    words = ["service", name] if is_installed("update-rc.d") else [f"{DIRECTORY}/{name}"]
    if action == "status":
        return succeeds([*words, action])
    # The service is meant to run when the job has ended, however it ends.
    with command.outliving():
        return acts([*words, action])
