"""Beacon: running or stopped services.

    beacons:
      service:
        - services:
            nginx:
              onchangeonly: True
              delay: 30
              uncleanshutdown: /run/nginx.pid

`onchangeonly` fires only on changes (default: False), `delay` seconds after each; with it, `emitatstartup`
also fires in the first round (default: True). `is_running_state` fires only for that state;
`uncleanshutdown` is a pid file that remains after a crash of the service.
"""

from __future__ import annotations

import os
import time
from collections.abc import MutableMapping
from typing import Any

from salt_g.api import call
from salt_g.beacons._settings import memory, merged, validated
from salt_g.shapes.loads import BeaconEvent


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add service '[{"services": {"ssh": {"onchangeonly": true}}}]'
    """
    return validated(config, "service", _error)


def _error(settings: dict[str, Any]) -> str:
    if "services" not in settings:
        return "Configuration for service beacon requires services."
    services = settings["services"]
    if not isinstance(services, dict):
        return "Services configuration item for service beacon must be a dictionary."
    if not all(isinstance(wanted, dict) for wanted in services.values()):
        return "Configuration for service beacon must be a list of dictionaries."
    return ""


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {service: {running: bool}, service_name} of each service to report.

    Example::

        salt-g beacons.list
    """
    remembered = memory(config, "service")
    events = []
    for service, wanted in merged(config).get("services", {}).items():
        wanted = wanted or {}
        status: dict[str, Any] = {"running": call("service.status", service)}
        if "uncleanshutdown" in wanted and not status["running"]:
            status["uncleanshutdown"] = os.path.exists(wanted["uncleanshutdown"])
        if wanted.get("is_running_state", status["running"]) != status["running"]:
            continue
        if wanted.get("onchangeonly") is not True or _must_report(service, status, wanted, remembered):
            events.append({service: status, "service_name": service, "tag": service})
    return events


def _must_report(
    service: str, status: dict[str, Any], wanted: dict[str, Any], remembered: MutableMapping[str, Any]
) -> bool:
    """Return whether a service's state has differed from the last reported one for at least `delay` s."""
    now, before = time.monotonic(), remembered.get(service)
    delay = float(wanted.get("delay") or 0)
    if before is None or before["running"] != status["running"]:
        is_reported = before is not None or wanted.get("emitatstartup", True)
        waits = is_reported and delay > 0
        remembered[service] = {"running": status["running"], "since": now if waits else None}
        return is_reported and not waits
    if before["since"] is not None and now - before["since"] >= delay:
        before["since"] = None
        return True
    return False
