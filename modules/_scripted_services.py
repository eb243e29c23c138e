"""What services are told that are scripts in /etc/init.d: those of OpenRC, and of Debian without systemd.

Why its own file: both `service` modules start, stop and ask them alike; they differ in how services are
switched on for the next boot, and in what `service.get_all` knows.
"""

from __future__ import annotations

import fnmatch
import re
from typing import Any

from salt_g.api import call
from salt_g.modules._init_scripts import DIRECTORY
from salt_g.modules._programs import is_installed, succeeds


def start(name: str) -> bool:
    """Start a service; return whether that went well.

    Example::

        salt-g service.start cron
    """
    return does(name, "start")


def stop(name: str) -> bool:
    """Stop a service; return whether that went well.

    Example::

        salt-g service.stop cron
    """
    return does(name, "stop")


def restart(name: str) -> bool:
    """Restart a service; return whether that went well.

    Example::

        salt-g service.restart cron
    """
    return does(name, "restart")


def reload_(name: str) -> bool:
    """Make a service read its configuration anew; return whether that went well.

    Example::

        salt-g service.reload cron
    """
    return does(name, "reload")


def status(name: str, sig: str | None = None) -> Any:
    """Return whether a service runs; {name: bool} for a glob.

    `sig` looks for a process whose command line matches instead.

    Example::

        salt-g service.status cron
    """
    if sig:
        return bool(call("status.pid", sig))
    if re.search(r"[*?]|\[.+\]", name):
        return {each: does(each, "status") for each in fnmatch.filter(call("service.get_all"), name)}
    return does(name, "status")


def available(name: str) -> bool:
    """Return whether there is a service of this name.

    Example::

        salt-g service.available cron
    """
    return name in call("service.get_all")


def missing(name: str) -> bool:
    """Return whether there is no service of this name.

    Example::

        salt-g service.missing cron
    """
    return not available(name)


def disabled(name: str) -> bool:
    """Return whether a service is there and not started at boot.

    Example::

        salt-g service.disabled cron
    """
    return name in call("service.get_disabled")


def does(name: str, action: str) -> bool:
    """Return whether a service did what it was told; Debian's `service` gives scripts a clean environment."""
    words = ["service", name] if is_installed("update-rc.d") else [f"{DIRECTORY}/{name}"]
    return succeeds([*words, action])
