"""States of services: running, dead, enabled or disabled at boot, masked. Begin with `running`.

The platform's `service` module (systemd, scripts in /etc/init.d, …) does the work.
"""

from __future__ import annotations

from salt_g.api import functions, grains
from salt_g.states.service.boot import disabled, enabled
from salt_g.states.service.evidence import mod_evidence
from salt_g.states.service.mask import masked, unmasked
from salt_g.states.service.planning import mod_plan
from salt_g.states.service.running import dead, running
from salt_g.states.service.watch import mod_beacon, mod_watch

__virtualname__ = "service"

__all__ = [
    "dead",
    "disabled",
    "enabled",
    "masked",
    "mod_beacon",
    "mod_evidence",
    "mod_plan",
    "mod_watch",
    "running",
    "unmasked",
]


def __virtual__() -> str | tuple[bool, str]:
    if "service.start" in functions:
        return __virtualname__
    system = grains.get("osfinger", grains.get("os"))
    return (
        False,
        f"No service execution module loaded: check support for service management on {system} ",
    )
