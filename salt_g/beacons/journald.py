"""Beacon: entries of systemd's journal that match field values.

beacons:
  journald:
    - services:
        sshd:
          SYSLOG_IDENTIFIER: sshd
          PRIORITY: 6
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from typing import Any

from salt_g.api import call
from salt_g.beacons._settings import memory, merged, validated
from salt_g.shapes.loads import BeaconEvent

#: Maximum number of entries per round.
MOST = 10_000


def __virtual__() -> Any:
    """Return whether `journalctl` is installed."""
    return True if shutil.which("journalctl") else (False, "the program journalctl is not installed")


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add journald '[{"services": {"sshd": {"SYSLOG_IDENTIFIER": "sshd"}}}]'
    """
    return validated(config, "journald", _error)


def _error(settings: dict[str, Any]) -> str:
    if not all(isinstance(wanted, dict) for wanted in settings.get("services", {}).values()):
        return "Services configuration for journald beacon must be a list of dictionaries."
    return ""


def beacon(config: Any) -> list[BeaconEvent]:
    """Return the fields of each new entry that matches a service, with the service as `tag`.

    Example::

        salt-g beacons.list
    """
    remembered = memory(config, "journald")
    events = []
    for entry in _new_entries(remembered):
        for name, wanted in merged(config).get("services", {}).items():
            # Journal fields are text, but users write numbers in the settings.
            if all(str(entry.get(field)) == str(value) for field, value in wanted.items()):
                events.append({**entry, "tag": name})
    return events


def _new_entries(remembered: Any) -> Iterator[dict[str, Any]]:
    cursor = remembered.get("cursor")
    place = ["--after-cursor", cursor, "-n", str(MOST)] if cursor else ["-n", "1"]
    text = call(
        "cmd.run_stdout",
        ["journalctl", "-q", "-o", "json", "--no-pager", *place],
        python_shell=False,
        ignore_retcode=True,
        # A log line about the command would itself become a new journal entry.
        output_loglevel="quiet",
    )
    for line in text.splitlines():
        entry = json.loads(line)
        remembered["cursor"] = entry.get("__CURSOR")
        if cursor:
            yield entry
