"""Beacon: system statistics in each round, as returned by `status.*` functions.

    beacons:
      status:
        - loadavg: [1-min, 5-min]
        - time: [all]
        - interval: 60

Without functions: loadavg, cpustats, meminfo, vmstats and time.
"""

from __future__ import annotations

import datetime
import logging
from typing import Any

from salt_g.api import call
from salt_g.beacons._settings import must_be_list, own
from salt_g.errors import CommandExecutionError, NoSuchFunction
from salt_g.shapes.loads import BeaconEvent

log = logging.getLogger(__name__)

_USUAL = {name: ["all"] for name in ("loadavg", "cpustats", "meminfo", "vmstats", "time")}


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add status '[{"loadavg": ["all"]}]'
    """
    return must_be_list(config, "status")


def beacon(config: Any) -> list[BeaconEvent]:
    """Return one event with {function: figures}.

    Example::

        salt-g beacons.list
    """
    now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None).isoformat()
    asked = own(config) or _USUAL
    return [
        {"tag": now, "data": {function: _figures(function, wanted) for function, wanted in asked.items()}}
    ]


def _figures(function: str, wanted: Any) -> Any:
    try:
        data = call(f"status.{function}")
    except (CommandExecutionError, NoSuchFunction) as exc:
        log.warning("beacon status: status.%s failed: %s", function, exc)
        return {}
    items = wanted if isinstance(wanted, list) else [wanted]
    if "all" in items:
        return data
    chosen: dict[Any, Any] = {}
    for item in items:
        try:
            chosen[item] = data[item] if isinstance(data, dict) else data[int(item)]
        except (KeyError, IndexError, TypeError, ValueError) as exc:
            return f"Status beacon is incorrectly configured: {exc}"
    return chosen
