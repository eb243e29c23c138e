"""Beacon: memory usage beyond a threshold.

beacons:
  memusage:
    - percent: 63%
"""

from __future__ import annotations

from typing import Any

from salt_g.beacons._settings import VALID, merged, must_be_list, percent


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and the error.

    Example::

        salt-g beacons.add memusage '[{"percent": "63%"}]'
    """
    valid, comment = must_be_list(config, "memusage")
    if not valid:
        return valid, comment
    if "percent" not in merged(config):
        return False, "Configuration for memusage beacon requires percent."
    return VALID


def beacon(config: Any) -> list[dict[str, Any]]:
    """Return the memory usage in percent when it has reached the threshold.

    Example::

        salt-g beacons.list
    """
    used = _used_percent()
    return [{"memusage": used}] if used >= percent(merged(config)["percent"]) else []


def _used_percent() -> float:
    """Return the memory unavailable to new programs, in percent of all memory."""
    with open("/proc/meminfo", encoding="ascii") as file:
        figures = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in file)}
    total = figures["MemTotal"]
    return round(100 * (total - figures["MemAvailable"]) / total, 1)
