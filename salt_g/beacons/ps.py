"""Beacon: running or stopped processes.

beacons:
  ps:
    - processes:
        salt-master: running
        mysql: stopped
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.beacons._settings import merged, validated
from salt_g.shapes.loads import BeaconEvent

#: Length to which the kernel truncates process names.
_CUT = 15


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add ps '[{"processes": {"sshd": "stopped"}}]'
    """
    return validated(config, "ps", _error)


def _error(settings: dict[str, Any]) -> str:
    if "processes" not in settings:
        return "Configuration for ps beacon requires processes."
    if not isinstance(settings["processes"], dict):
        return "Processes for ps beacon must be a dictionary."
    return ""


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {process: state} of each process in its configured state.

    Example::

        salt-g beacons.list
    """
    names = {_name(pid) for pid in os.listdir("/proc") if pid.isdigit()}
    events: list[BeaconEvent] = []
    for process, wanted in merged(config).get("processes", {}).items():
        is_running = process in names
        if wanted == "running" and is_running:
            events.append({process: "Running"})
        elif wanted == "stopped" and not is_running:
            events.append({process: "Stopped"})
        elif wanted not in ("running", "stopped") and not is_running:
            events.append({process: False})
    return events


def _name(pid: str) -> str:
    """Return the name of a process, or '' if it has ended; completed from the command line if truncated."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            name = file.read().rstrip("\n")
        if len(name) < _CUT:
            return name
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            command = file.read().split(b"\0")[0].decode(errors="replace")
    except OSError:
        return ""
    full = os.path.basename(command)
    return full if full.startswith(name) else name
