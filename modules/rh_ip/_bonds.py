"""Options of a bond, the value of BONDING_OPTS.

As in stock, link monitoring by MII is accepted for all modes, by ARP for two.
Units: milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.modules._network_settings import FALSE, TRUE, invalid

_MODES = (
    *("balance-rr", "active-backup", "balance-xor", "broadcast", "802.3ad", "balance-tlb"),
    "balance-alb",
)
_NUMBERS = tuple(str(number) for number in range(len(_MODES)))
#: Modes for which link monitoring by ARP is accepted.
_BY_ARP = ("0", "2")
_WITH_PRIMARY = ("1", "5", "6")
_HASHES = {
    "2": ("layer2", "layer2+3", "layer3+4"),
    "4": ("layer2", "layer2+3", "layer3+4", "encap2+3", "encap3+4", "vlan+srcmac"),
}
_RATES = {"fast": "1", "1": "1", "slow": "0", "0": "0"}
_MAX_TARGETS = 16


def options(iface: str, settings: Mapping[str, Any]) -> str:
    """Return the options of a bond, in the order of the file."""
    mode = _mode(iface, settings)
    found: dict[str, Any] = {"mode": mode, **_by_mii(iface, mode, settings)}
    if mode in _BY_ARP:
        found |= _by_arp(iface, settings)
        if "miimon" not in settings and "arp_interval" not in settings:
            raise invalid(iface, "miimon or arp_interval", ["at least one of these is required"])
    if mode == "4":
        found |= _aggregation(iface, settings)
    if mode in _WITH_PRIMARY and settings.get("primary"):
        found["primary"] = settings["primary"]
    if mode in _HASHES and "hashing-algorithm" in settings:
        if settings["hashing-algorithm"] not in _HASHES[mode]:
            raise invalid(iface, "hashing-algorithm", _HASHES[mode])
        found["xmit_hash_policy"] = settings["hashing-algorithm"]
    return " ".join(f"{name}={value}" for name, value in found.items())


def _mode(iface: str, settings: Mapping[str, Any]) -> str:
    if "mode" not in settings:
        raise AttributeError("mode is required for bond interfaces")
    mode = str(settings["mode"])
    if mode in _MODES:
        return str(_MODES.index(mode))
    if mode not in _NUMBERS:
        raise invalid(iface, "mode", (*_NUMBERS, *_MODES))
    return mode


def _by_mii(iface: str, mode: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of MII monitoring, with each delay checked to be a multiple of the interval."""
    if mode not in _BY_ARP or "miimon" in settings:
        interval = _integer(iface, "miimon", settings.get("miimon"))
        if not interval:
            raise invalid(iface, "miimon", ["nonzero integer"])
    else:
        interval = 0
    found: dict[str, Any] = {"miimon": settings["miimon"]} if interval else {}
    for name in ("downdelay", "updelay"):
        if name in settings:
            delay = _integer(iface, name, settings[name])
            if interval and delay % interval:
                raise invalid(iface, name, [f"0 or a multiple of miimon ({settings['miimon']})"])
            found[name] = settings[name]
    if interval:
        found.setdefault("downdelay", 2 * interval)
        found["use_carrier"] = _carrier(iface, settings)
    return found


def _carrier(iface: str, settings: Mapping[str, Any]) -> str:
    value = settings.get("use_carrier", False)
    if value not in (*TRUE, *FALSE):
        raise invalid(iface, "use_carrier", (*TRUE, *FALSE))
    return "1" if value in TRUE else "0"


def _by_arp(iface: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    if "arp_interval" not in settings:
        return {}
    _integer(iface, "arp_interval", settings["arp_interval"])
    targets = settings.get("arp_ip_target")
    if not isinstance(targets, list) or not 1 <= len(targets) <= _MAX_TARGETS:
        raise invalid(iface, "arp_ip_target", ["list of ips (up to 16)"])
    return {"arp_interval": settings["arp_interval"], "arp_ip_target": ",".join(map(str, targets))}


def _aggregation(iface: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    rate = settings.get("lacp_rate", "0")
    if not isinstance(rate, str) or rate not in _RATES:
        raise invalid(iface, "lacp_rate", _RATES)
    selection = settings.get("ad_select", "0")
    _integer(iface, "ad_select", selection)
    return {"lacp_rate": _RATES[rate], "ad_select": selection}


def _integer(iface: str, name: str, value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError) as exc:
        raise invalid(iface, name, ["integer"]) from exc
