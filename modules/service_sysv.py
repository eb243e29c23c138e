"""`service` on Debian without systemd: scripts in /etc/init.d, switched on by update-rc.d.

Why its own file: containers and small systems run Debian without systemd. Where systemctl is
installed but no systemd runs, the functions that are not here (`show`, `masked`, `offline`)
come from the systemd module.
"""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from typing import Any

from salt_g.api import call, grains
from salt_g.modules import _init_scripts, _systemd
from salt_g.modules._programs import is_installed, succeeds

__virtualname__ = "service"
__func_alias__ = {"reload_": "reload"}

_SYSTEMS = ("Debian", "Raspbian", "Devuan", "NILinuxRT")


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os") in _SYSTEMS and not _systemd.is_booted():
        return __virtualname__
    return (
        False,
        "The debian_service module could not be loaded: unsupported OS family and/or systemd running.",
    )


def start(name: str) -> bool:
    """Start a service; return whether that went well.

    Example::

        salt-g service.start cron
    """
    return _does(name, "start")


def stop(name: str) -> bool:
    """Stop a service; return whether that went well.

    Example::

        salt-g service.stop cron
    """
    return _does(name, "stop")


def restart(name: str) -> bool:
    """Restart a service; return whether that went well.

    Example::

        salt-g service.restart cron
    """
    return _does(name, "restart")


def reload_(name: str) -> bool:
    """Make a service read its configuration anew; return whether that went well.

    Example::

        salt-g service.reload cron
    """
    return _does(name, "reload")


def force_reload(name: str) -> bool:
    """Make a service read its configuration anew, by a restart if need be.

    Example::

        salt-g service.force_reload cron
    """
    return _does(name, "force-reload")


def status(name: str, sig: str | None = None) -> Any:
    """Return whether a service runs; {name: bool} for a glob.

    `sig` looks for a process whose command line matches instead.

    Example::

        salt-g service.status cron
    """
    if sig:
        return bool(call("status.pid", sig))
    if re.search(r"[*?]|\[.+\]", name):
        return {each: _does(each, "status") for each in fnmatch.filter(get_all(), name)}
    return _does(name, "status")


def enable(name: str, **kwargs: Any) -> bool:
    """Start a service at boot from now on; return whether that went well.

    Example::

        salt-g service.enable cron
    """
    if is_installed("insserv") and not succeeds(["insserv", name]):
        return False
    return succeeds(["update-rc.d", name, "defaults"]) and succeeds(["update-rc.d", name, "enable"])


def disable(name: str, **kwargs: Any) -> bool:
    """Do not start a service at boot any more; return whether that went well.

    Example::

        salt-g service.disable cron
    """
    return succeeds(["update-rc.d", name, "disable"])


def enabled(name: str, **kwargs: Any) -> bool:
    """Return whether a service is started at boot.

    Example::

        salt-g service.enabled cron
    """
    return name in get_enabled()


def disabled(name: str) -> bool:
    """Return whether a service is there and not started at boot.

    Example::

        salt-g service.disabled cron
    """
    return name in get_disabled()


def available(name: str) -> bool:
    """Return whether there is a service of this name.

    Example::

        salt-g service.available cron
    """
    return name in get_all()


def missing(name: str) -> bool:
    """Return whether there is no service of this name.

    Example::

        salt-g service.missing cron
    """
    return name not in get_all()


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
    """Return the names of the services that are there and not started at boot.

    Example::

        salt-g service.get_disabled
    """
    return sorted({*get_all()} - {*get_enabled()})


def _does(name: str, action: str) -> bool:
    return succeeds(["service", name, action])
