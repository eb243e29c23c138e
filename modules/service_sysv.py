"""`service` on Debian without systemd: scripts in /etc/init.d, enabled by update-rc.d.

Containers and small systems run Debian without systemd. If systemctl is installed but systemd is not running,
the functions missing here (`show`, `masked`, `offline`) come from the systemd module.
"""

from __future__ import annotations

import glob
import os
import re
from typing import Any

from salt_g.api import grains
from salt_g.modules import _init_scripts, _systemd
from salt_g.modules._programs import acts, is_installed
from salt_g.modules._scripted_services import (
    available,
    disabled,
    missing,
    reload_,
    restart,
    run_action,
    start,
    status,
    stop,
)

__virtualname__ = "service"
__func_alias__ = {"reload_": "reload"}

__all__ = [
    "available",
    "disable",
    "disabled",
    "enable",
    "enabled",
    "force_reload",
    "get_all",
    "get_disabled",
    "get_enabled",
    "missing",
    "reload_",
    "restart",
    "start",
    "status",
    "stop",
]

_SYSTEMS = ("Debian", "Raspbian", "Devuan", "NILinuxRT")


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os") in _SYSTEMS and not _systemd.is_booted():
        return __virtualname__
    return (
        False,
        "The debian_service module could not be loaded: unsupported OS family and/or systemd running.",
    )


def force_reload(name: str) -> bool:
    """Reload the configuration of a service, by a restart if needed.

    Example::

        salt-g service.force_reload cron
    """
    return run_action(name, "force-reload")


def enable(name: str, **kwargs: Any) -> bool:
    """Enable a service at boot; return whether that succeeded.

    Example::

        salt-g service.enable cron
    """
    if is_installed("insserv") and not acts(["insserv", name]):
        return False
    return acts(["update-rc.d", name, "defaults"]) and acts(["update-rc.d", name, "enable"])


def disable(name: str, **kwargs: Any) -> bool:
    """Disable a service at boot; return whether that succeeded.

    Example::

        salt-g service.disable cron
    """
    return acts(["update-rc.d", name, "disable"])


def enabled(name: str, **kwargs: Any) -> bool:
    """Return whether a service is started at boot.

    Example::

        salt-g service.enabled cron
    """
    return name in get_enabled()


def get_all() -> list[str]:
    """Return the names of all services.

    Example::

        salt-g service.get_all
    """
    return sorted({*_init_scripts.scripts(), *get_enabled()})


def get_enabled() -> list[str]:
    """Return the names of the services that are started at boot.

    Example::

        salt-g service.get_enabled
    """
    links = glob.glob(f"/etc/rc[S{_init_scripts.runlevel()}].d/S*")
    return sorted({re.split(r"\d+", os.path.basename(link), maxsplit=1)[-1] for link in links})


def get_disabled() -> list[str]:
    """Return the names of the services that are not started at boot.

    Example::

        salt-g service.get_disabled
    """
    return sorted({*get_all()} - {*get_enabled()})
