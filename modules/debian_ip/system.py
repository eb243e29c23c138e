"""Network settings of the whole machine: configuration at boot and the host name."""

from __future__ import annotations

import re
import socket
from typing import Any

import salt_g.modules.debian_ip._files as _files
from salt_g.api import call
from salt_g.modules._network_settings import FALSE, TRUE, invalid_network, text_of, write

_SWITCH = re.compile(r"^CONFIGURE_INTERFACES=(.*)$", re.M)


def get_network_settings() -> list[str]:
    """Return the machine's network settings as lines: `NETWORKING=`, `HOSTNAME=`, `DOMAIN=`.

    Example::

        salt-g ip.get_network_settings
    """
    found = _SWITCH.search(text_of(_files.DEFAULTS))
    return _shown(found.group(1).strip() if found else "", _hostname(), _domain())


def build_network_settings(**settings: Any) -> list[str]:
    """Write whether interfaces are configured at boot (`enabled`) and return the settings as lines.

    `hostname` may include a domain; `ip.apply_network_settings` sets it. `test=True` writes nothing.

    Example::

        salt-g ip.build_network_settings enabled=True hostname=m1.example.com test=True
    """
    found = _SWITCH.search(text_of(_files.DEFAULTS))
    current = found.group(1).strip() if found else ""
    asked = current or True if settings.get("enabled") is None else settings["enabled"]
    if asked not in (*TRUE, *FALSE):
        raise invalid_network("networking", (*TRUE, *FALSE))
    networking = "yes" if asked in TRUE else "no"
    name, _, domain = str(settings.get("hostname") or _hostname()).partition(".")
    if not settings.get("test") and networking != current:
        write(_files.DEFAULTS, _switched(networking))
    return _shown(networking, name, domain or _domain())


def apply_network_settings(**settings: Any) -> bool:
    """Apply the settings: the host name with `apply_hostname`, the rest by restarting `networking`.

    With `require_reboot` nothing is restarted. Returns whether that succeeded.

    Example::

        salt-g ip.apply_network_settings require_reboot=True apply_hostname=True hostname=m1
    """
    is_named = True
    if settings.get("apply_hostname") in TRUE:
        is_named = "hostname" in settings and bool(call("network.mod_hostname", settings["hostname"]))
    if settings.get("require_reboot") in TRUE:
        return is_named
    return bool(call("service.restart", "networking")) and is_named


def _switched(networking: str) -> str:
    """Return the text of the defaults file with the switch set; the rest is unchanged."""
    text = text_of(_files.DEFAULTS)
    line = f"CONFIGURE_INTERFACES={networking}"
    return _SWITCH.sub(line, text) if _SWITCH.search(text) else f"{text}{line}\n"


def _shown(networking: str, hostname: str, domain: str) -> list[str]:
    known = {"NETWORKING": networking, "HOSTNAME": hostname, "DOMAIN": domain}
    return [f"{name}={value}\n" for name, value in known.items() if value]


def _hostname() -> str:
    return socket.gethostname().split(".", 1)[0]


def _domain() -> str:
    found = re.search(r"^domain\s+(\S+)", text_of("/etc/resolv.conf"), re.M)
    return found.group(1) if found else ""
