"""Beacon: counters of network interfaces that reach thresholds.

    beacons:
      network_info:
        - interfaces:
            eth0:
              type: greater
              bytes_sent: 100000
              errin: 100

`type` is `equal` (the default) or `greater`.
"""

from __future__ import annotations

import operator
from typing import Any

from salt_g.beacons._settings import merged, validated
from salt_g.shapes.loads import BeaconEvent

#: {counter: column in /proc/net/dev}
COUNTERS = {
    "bytes_sent": 8,
    "bytes_recv": 0,
    "packets_sent": 9,
    "packets_recv": 1,
    "errin": 2,
    "errout": 10,
    "dropin": 3,
    "dropout": 11,
}


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add network_info '[{"interfaces": {"eth0": {"type": "greater", "errin": 10}}}]'
    """
    return validated(config, "network_info", _error)


def _error(settings: dict[str, Any]) -> str:
    for wanted in settings.get("interfaces", {}).values():
        if not isinstance(wanted, dict):
            return "Configuration for network_info beacon must be a list of dictionaries."
        if not wanted.keys() & {"type", *COUNTERS}:
            return "Invalid configuration item in Beacon configuration."
    return ""


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {interface, network_info: {counter: value}} of each interface that reached a threshold.

    Example::

        salt-g beacons.list
    """
    counted = _counters()
    return [
        {"interface": name, "network_info": counted[name]}
        for name, wanted in merged(config).get("interfaces", {}).items()
        if name in counted and _is_reached(wanted, counted[name])
    ]


def _is_reached(wanted: dict[str, Any], counted: dict[str, int]) -> bool:
    compare = operator.gt if wanted.get("type") == "greater" else operator.eq
    return any(compare(counted[name], int(wanted[name])) for name in COUNTERS if name in wanted)


def _counters() -> dict[str, dict[str, int]]:
    with open("/proc/net/dev", encoding="ascii") as file:
        lines = file.readlines()[2:]
    found = {}
    for line in lines:
        name, _, rest = line.partition(":")
        columns = rest.split()
        found[name.strip()] = {counter: int(columns[column]) for counter, column in COUNTERS.items()}
    return found
