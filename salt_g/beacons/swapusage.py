"""Beacon: swap usage beyond a threshold.

    beacons:
      swapusage:
        - percent: 13%

Without swap the usage is 0.
"""

from __future__ import annotations

from typing import Any

from salt_g.beacons._settings import VALID, merged, must_be_list, percent


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and the error.

    Example::

        salt-g beacons.add swapusage '[{"percent": "13%"}]'
    """
    valid, comment = must_be_list(config, "swapusage")
    if not valid:
        return valid, comment
    if "percent" not in merged(config):
        return False, "Configuration for swapusage beacon requires percent."
    return VALID


def beacon(config: Any) -> list[dict[str, Any]]:
    """Return the swap usage in percent when it has reached the threshold.

    Example::

        salt-g beacons.list
    """
    used = _used_percent()
    return [{"swapusage": used}] if used >= percent(merged(config)["percent"]) else []


def _used_percent() -> float:
    """Return the used percentage of the swap, 0 without swap."""
    with open("/proc/meminfo", encoding="ascii") as file:
        figures = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in file)}
    total, free = figures.get("SwapTotal", 0), figures.get("SwapFree", 0)
    return round(100 * (total - free) / total, 1) if total else 0.0
