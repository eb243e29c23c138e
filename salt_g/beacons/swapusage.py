"""Beacon: swap usage beyond a threshold.

    beacons:
      swapusage:
        - percent: 13%

Without swap the usage is 0.
"""

from __future__ import annotations

from typing import Any

from salt_g.beacons._meminfo import figures, percent_used
from salt_g.beacons._settings import merged, percent, validated
from salt_g.shapes.loads import BeaconEvent


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add swapusage '[{"percent": "13%"}]'
    """
    return validated(config, "swapusage", _error)


def _error(settings: dict[str, Any]) -> str:
    if "percent" not in settings:
        return "Configuration for swapusage beacon requires percent."
    return ""


def beacon(config: Any) -> list[BeaconEvent]:
    """Return the swap usage in percent when it has reached the threshold.

    Example::

        salt-g beacons.list
    """
    used = _used_percent()
    return [{"swapusage": used}] if used >= percent(merged(config)["percent"]) else []


def _used_percent() -> float:
    """Return the used percentage of the swap, or 0 without swap."""
    found = figures()
    return percent_used(found.get("SwapTotal", 0), found.get("SwapFree", 0))
