"""Beacon: memory usage beyond a threshold.

beacons:
  memusage:
    - percent: 63%
"""

from __future__ import annotations

from typing import Any

from salt_g.beacons._meminfo import figures, percent_used
from salt_g.beacons._settings import merged, percent, validated
from salt_g.shapes.loads import BeaconEvent


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add memusage '[{"percent": "63%"}]'
    """
    return validated(config, "memusage", _error)


def _error(settings: dict[str, Any]) -> str:
    if "percent" not in settings:
        return "Configuration for memusage beacon requires percent."
    return ""


def beacon(config: Any) -> list[BeaconEvent]:
    """Return the memory usage in percent when it has reached the threshold.

    Example::

        salt-g beacons.list
    """
    used = _used_percent()
    return [{"memusage": used}] if used >= percent(merged(config)["percent"]) else []


def _used_percent() -> float:
    """Return the memory unavailable to new programs, in percent of all memory."""
    found = figures()
    return percent_used(found["MemTotal"], found["MemAvailable"])
