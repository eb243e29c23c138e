"""Beacon: load averages out of bounds.

    beacons:
      load:
        - averages:
            1m: [0.0, 2.0]
            5m: [0.0, 1.5]
            15m: [0.1, 1.0]
        - onchangeonly: True
        - emitatstartup: False

`onchangeonly` fires only if a bound has been crossed since the last round (default: False), so never in
the first one, whatever `emitatstartup` is.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.beacons._settings import memory, merged, validated
from salt_g.shapes.loads import BeaconEvent

AVERAGES = ("1m", "5m", "15m")


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add load '[{"averages": {"1m": [0, 2], "5m": [0, 2], "15m": [0, 2]}}]'
    """
    return validated(config, "load", _error)


def _error(settings: dict[str, Any]) -> str:
    for option in ("emitatstartup", "onchangeonly"):
        if not isinstance(settings.get(option, True), bool):
            return f"Configuration for load beacon option {option} must be a boolean."
    if "averages" not in settings:
        return "Averages configuration is required for load beacon."
    averages = settings["averages"]
    if not isinstance(averages, dict) or not any(key in averages for key in AVERAGES):
        return "Averages configuration for load beacon must contain 1m, 5m or 15m items."
    for key in AVERAGES:
        if not isinstance(averages.get(key, [0, 0]), list):
            return "Averages configuration for load beacon: 1m, 5m and 15m items must be a list of two items."
        if len(averages.get(key, [0, 0])) != 2:
            return "Configuration for load beacon: 1m, 5m and 15m items must be a list of two items."
    return ""


def beacon(config: Any) -> list[BeaconEvent]:
    """Return the averages when one of them is out of bounds.

    Example::

        salt-g beacons.list
    """
    settings = merged(config)
    now = dict(zip(AVERAGES, os.getloadavg(), strict=True))
    bounds = {key: [float(end) for end in ends] for key, ends in settings.get("averages", {}).items()}
    if not settings.get("onchangeonly", False):
        return [now] if any(not low <= now[key] <= high for key, (low, high) in bounds.items()) else []
    remembered = memory(config, "load")
    before = remembered.get("averages")
    remembered["averages"] = now
    if before is None:
        if not settings.get("emitatstartup", True):
            return []
        before = now
    crossed = any(
        before[key] < high < now[key] or now[key] < low < before[key] for key, (low, high) in bounds.items()
    )
    return [now] if crossed else []
