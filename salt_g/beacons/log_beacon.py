"""Beacon: lines of a log file that match a regular expression.

    beacons:
      log:
        - file: /var/log/messages
        - tags:
            goodbye/world:
              regex: .*good-bye.*

Lines written before the first round are ignored. A file that was replaced or truncated is read
from its beginning.
"""

from __future__ import annotations

import os
import re
from collections.abc import MutableMapping
from typing import Any

from salt_g.beacons._settings import memory, merged, validated
from salt_g.errors import TargetError
from salt_g.regex.bounded import compile_bounded
from salt_g.shapes.loads import BeaconEvent

__virtualname__ = "log"

#: Maximum number of bytes read per round; the rest is read in the next round.
MOST = 4 << 20


def __virtual__() -> str:
    """Return the virtual name `log`."""
    return __virtualname__


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add log '[{"file": "/var/log/syslog"}, {"tags": {"oom": {"regex": ".*OOM"}}}]'
    """
    return validated(config, "log", _error)


def _error(settings: dict[str, Any]) -> str:
    if "file" not in settings:
        return "Configuration for log beacon must contain file option."
    return ""


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {tag, match, raw, error} of each line that matches.

    Example::

        salt-g beacons.list
    """
    settings = merged(config)
    if "file" not in settings:
        return [_event_data("global", error="file not defined in config")]
    patterns: dict[str, re.Pattern[str]] = {}
    events = []
    for tag, wanted in settings.get("tags", {}).items():
        try:
            if wanted.get("regex"):
                patterns[tag] = compile_bounded(wanted["regex"])
        except (TargetError, re.error):
            events.append(_event_data(tag, error="bad regex"))
    lines = _new_lines(settings["file"], memory(config, "log"))
    return events + [
        _event_data(tag, match="yes", raw=line)
        for line in lines
        for tag, regex in patterns.items()
        if regex.match(line)
    ]


def _event_data(tag: str, *, match: str = "no", raw: str = "", error: str = "") -> BeaconEvent:
    return {"tag": tag, "match": match, "raw": raw, "error": error}


def _new_lines(path: str, remembered: MutableMapping[str, Any]) -> list[str]:
    """Return the complete lines added since the last round."""
    with open(path, "rb") as file:
        found = os.fstat(file.fileno())
        place, inode = remembered.get("place"), remembered.get("inode")
        if place is None:
            remembered.update(place=found.st_size, inode=found.st_ino)
            return []
        if inode != found.st_ino or found.st_size < place:
            place = 0
        file.seek(place)
        text = file.read(MOST)
    # The last line may be incomplete.
    whole = text[: text.rfind(b"\n") + 1] if len(text) < MOST or b"\n" in text else text
    remembered.update(place=place + len(whole), inode=found.st_ino)
    return whole.decode(errors="replace").splitlines()
