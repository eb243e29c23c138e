"""`service` on machines with systemd, through systemctl. Begin with `control.py`.

Names of services are given and returned without `.service`, names of other units with their type.
`root` is another root directory (an image), for functions that work without a running systemd.
"""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules import _systemd
from salt_g.modules.systemd_service._systemctl import systemctl_reload
from salt_g.modules.systemd_service.control import force_reload, reload_, restart, start, status, stop
from salt_g.modules.systemd_service.enablement import disable, disabled, enable, enabled, firstboot
from salt_g.modules.systemd_service.listing import (
    available,
    execs,
    get_all,
    get_disabled,
    get_enabled,
    get_running,
    get_static,
    missing,
    offline,
    show,
)
from salt_g.modules.systemd_service.masking import mask, masked, unmask

__virtualname__ = "service"
__func_alias__ = {"reload_": "reload"}

__all__ = [
    "available",
    "disable",
    "disabled",
    "enable",
    "enabled",
    "execs",
    "firstboot",
    "force_reload",
    "get_all",
    "get_disabled",
    "get_enabled",
    "get_running",
    "get_static",
    "mask",
    "masked",
    "missing",
    "offline",
    "reload_",
    "restart",
    "show",
    "start",
    "status",
    "stop",
    "systemctl_reload",
    "unmask",
]


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("kernel") == "Linux" and (_systemd.is_booted() or _systemd.is_offline()):
        return __virtualname__
    return (
        False,
        "The systemd execution module failed to load: only available on Linux systems which have "
        "been booted with systemd.",
    )
