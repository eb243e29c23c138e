"""Returner that appends returns and events to a file, one line of JSON each.

rawfile_json.filename: /var/log/salt/events
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterable
from typing import Any

from salt_g import safe_files
from salt_g.returners._options import as_json, options
from salt_g.shapes.loads import EventData, ReturnLoad

_DEFAULTS = {"filename": "/var/log/salt/events"}


def returner(ret: ReturnLoad) -> None:
    """Append a return.

    Example::

        salt-g '*' test.ping --return rawfile_json
    """
    _append(options("rawfile_json", ret, _DEFAULTS)["filename"], [ret])


def event_return(events: list[EventData]) -> None:
    """Append events.

    Example::

        salt-g master    # with `event_return: rawfile_json`
    """
    if events:
        _append(options("rawfile_json", None, _DEFAULTS)["filename"], events)


def _append(path: str, values: Iterable[Any]) -> None:
    with open(path, "a", encoding="utf-8", opener=_private) as file:
        # Concurrent jobs must not mix their lines.
        fcntl.flock(file, fcntl.LOCK_EX)
        file.writelines(f"{as_json(value)}\n" for value in values)


def _private(path: str, flags: int) -> int:
    """Open a file; a new one is readable by its owner only, because returns may hold secrets."""
    return safe_files.open_file(path, flags, 0o600)
