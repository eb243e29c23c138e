"""Beacon: processes that run, or do not.

beacons:
  ps:
    - processes:
        salt-master: running
        mysql: stopped
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.beacons._settings import VALID, merged, must_be_list

#: Length at which the kernel truncates names of processes.
_CUT = 15


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and the error.

    Example::

        salt-g beacons.add ps '[{"processes": {"sshd": "stopped"}}]'
    """
    valid, comment = must_be_list(config, "ps")
    if not valid:
        return valid, comment
    if "processes" not in merged(config):
        return False, "Configuration for ps beacon requires processes."
    if not isinstance(merged(config)["processes"], dict):
        return False, "Processes for ps beacon must be a dictionary."
    return VALID


def beacon(config: Any) -> list[dict[str, Any]]:
    """Return {process: state} of each process in its configured state.

    Example::

        salt-g beacons.list
    """
    names = {_name(pid) for pid in os.listdir("/proc") if pid.isdigit()}
    events: list[dict[str, Any]] = []
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
    """Return the name of a process, '' when it has ended; a truncated one is taken from its command line."""
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
