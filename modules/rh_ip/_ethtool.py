"""Options of ethtool(8), the value of ETHTOOL_OPTS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.modules._network_settings import FALSE, TRUE, invalid

_SPEEDS = ("10", "100", "1000", "10000")
_DUPLEX = ("full", "half")
#: Masks of advertised speeds.
_ADVERTISE = (
    *("0x001", "0x002", "0x004", "0x008", "0x010", "0x020", "0x20000", "0x8000", "0x1000", "0x40000"),
    *("0x80000", "0x200000", "0x400000", "0x800000", "0x1000000", "0x2000000", "0x4000000"),
)
_CHANNELS = ("rx", "tx", "other", "combined")
_SWITCHES = ("rx", "tx", "sg", "tso", "ufo", "gso", "gro", "lro")


def options(iface: str, settings: Mapping[str, Any], processors: int) -> str:
    """Return the options, or '' if there are none; raise for more channels than `processors`."""
    found = _switches(iface, settings, ("autoneg",))
    if "duplex" in settings:
        found += ["duplex", _one_of(iface, "duplex", settings["duplex"], _DUPLEX)]
    if "speed" in settings:
        found += ["speed", _one_of(iface, settings["speed"], str(settings["speed"]), _SPEEDS)]
    if "advertise" in settings:
        found += ["advertise", _one_of(iface, "advertise", settings["advertise"], _ADVERTISE)]
    if settings.get("channels"):
        found += _channels(iface, settings["channels"], processors)
    return " ".join([*found, *_switches(iface, settings, _SWITCHES)])


def _switches(iface: str, settings: Mapping[str, Any], names: tuple[str, ...]) -> list[str]:
    found = []
    for name in names:
        if name in settings:
            value = _one_of(iface, name, settings[name], (*TRUE, *FALSE))
            found += [name, "on" if value in TRUE else "off"]
    return found


def _channels(iface: str, channels: Any, processors: int) -> list[str]:
    if not isinstance(channels, Mapping):
        raise invalid(iface, "channels", _CHANNELS)
    allowed = range(1, processors + 1)
    known = {name: channels[name] for name in _CHANNELS if name in channels}
    found = [f"{name} {_one_of(iface, count, count, allowed)}" for name, count in known.items()]
    return [f"-L {iface}", *found] if found else []


def _one_of(iface: str, named: Any, value: Any, allowed: Any) -> Any:
    if isinstance(value, (list, dict)) or value not in allowed:
        raise invalid(iface, named, allowed)
    return value
