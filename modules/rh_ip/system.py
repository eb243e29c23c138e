"""Network settings of the whole machine: /etc/sysconfig/network and the host name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import salt_g.modules.rh_ip._files as _files
from salt_g.api import call
from salt_g.modules._network_settings import FALSE, TRUE, invalid_network, text_of, write

#: Settings in the order of the file, after NETWORKING and around HOSTNAME.
_BEFORE = ("networking_ipv6",)
_AFTER = ("gateway", "gatewaydev", "nisdomain", "networkdelay", "devtimeout")
_SWITCHES = (*TRUE, *FALSE)
_SERVICE = "NetworkManager"


def get_network_settings() -> list[str]:
    """Return the lines of /etc/sysconfig/network, or [] if there is no such file.

    Example::

        salt-g ip.get_network_settings
    """
    return _files.read(_files.NETWORK)


def build_network_settings(**settings: Any) -> list[str]:
    """Write /etc/sysconfig/network and return its lines; `test=True` only returns them.

    Settings: `enabled`, `hostname`, `gateway`, `gatewaydev`, `nisdomain`, `nozeroconf`, `networkdelay`,
    `devtimeout`, `networking_ipv6`, `enable_ipv6`, `ipv6gateway`. An omitted `enabled` or `hostname`
    is taken from the file, with `retain_settings` also any other omitted setting except `enable_ipv6` and
    `ipv6gateway`. All other settings in the file are dropped.

    Example::

        salt-g ip.build_network_settings enabled=True hostname=m1.example.com test=True
    """
    given = {name.lower(): value for name, value in settings.items() if value is not None}
    present = _present()
    kept = present if given.get("retain_settings") else {}
    networking = _networking(given, present)
    quote = networking[0] if networking[0] in "\"'" else ""

    def line(name: str) -> list[str]:
        if name in given:
            return [f"{name.upper()}={quote}{_bare(given[name])}{quote}"]
        return [f"{name.upper()}={kept[name]}"] if name in kept else []

    hostname = given.get("hostname", present.get("hostname"))
    if not hostname:
        raise invalid_network("hostname", ["server1.example.com"])
    if "nozeroconf" in given:
        if given["nozeroconf"] not in _SWITCHES:
            raise invalid_network("nozeroconf", _SWITCHES)
        given["nozeroconf"] = "yes" if given["nozeroconf"] in TRUE else "no"
    found = [
        f"NETWORKING={networking}",
        *(text for name in _BEFORE for text in line(name)),
        f"HOSTNAME={quote}{_bare(hostname)}{quote}",
        *(text for name in (*_AFTER, "nozeroconf") for text in line(name)),
        *(['IPV6INIT="yes"'] if "enable_ipv6" in given else ()),
        *([f'IPV6_DEFAULTGW="{_bare(given["ipv6gateway"])}"'] if "ipv6gateway" in given else ()),
    ]
    if not given.get("test"):
        write(_files.NETWORK, _files.text(found))
    return found


def apply_network_settings(**settings: Any) -> bool:
    """Apply the settings: the host name with `apply_hostname`, the rest by restarting NetworkManager.

    With `require_reboot` nothing is restarted. Returns whether that succeeded.

    Example::

        salt-g ip.apply_network_settings require_reboot=True apply_hostname=True hostname=m1
    """
    is_named = True
    if settings.get("apply_hostname") in TRUE:
        is_named = "hostname" in settings and bool(call("network.mod_hostname", settings["hostname"]))
    if settings.get("require_reboot") in TRUE:
        return is_named
    return bool(call("service.restart", _SERVICE)) and is_named


def _networking(given: Mapping[str, Any], present: Mapping[str, str]) -> str:
    """Return the value of NETWORKING; if it comes from the file, its quotes are used in all lines."""
    if "enabled" not in given and present.get("networking"):
        return present["networking"]
    if given.get("enabled") not in _SWITCHES:
        raise invalid_network("networking", _SWITCHES)
    return "yes" if given["enabled"] in TRUE else "no"


def _present() -> dict[str, str]:
    """Return the settings of the file, {name in lower case: value with its quotes}."""
    pairs = (line.partition("=") for line in text_of(_files.NETWORK).splitlines() if not line.startswith("#"))
    return {name.strip().lower(): value.strip() for name, sign, value in pairs if sign}


def _bare(value: Any) -> str:
    """Return a value without the quotes around it."""
    text = str(value)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
