r"""Beacon: file systems filled beyond a threshold.

    beacons:
      diskusage:
        - /: 63%
        - '^\/(?!home).*$': 90%

Mount points are regular expressions; all matching file systems are checked.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from typing import Any

from salt_g.beacons._settings import must_be_list, own, percent
from salt_g.regex.bounded import compile_bounded
from salt_g.shapes.loads import BeaconEvent

log = logging.getLogger(__name__)

#: Escape sequence for white space in paths in /proc/mounts.
_ESCAPE = re.compile(r"\\([0-7]{3})")


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add diskusage '[{"/": "63%"}]'
    """
    return must_be_list(config, "diskusage")


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {diskusage, mount} of each file system that has reached its threshold.

    Example::

        salt-g beacons.list
    """
    mounts = list(_mount_points())
    return [
        {"diskusage": used, "mount": mount}
        for wanted, threshold in own(config).items()
        for mount in mounts
        if _means(wanted, mount) and (used := _used_percent(mount)) is not None and used >= percent(threshold)
    ]


def _means(wanted: str, mount: str) -> bool:
    pattern = wanted if wanted.endswith("$") else f"{wanted}$"
    return compile_bounded(pattern).match(mount) is not None


def _mount_points() -> Iterator[str]:
    with open("/proc/self/mounts", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            yield _ESCAPE.sub(lambda found: chr(int(found[1], 8)), line.split(" ")[1])


def _used_percent(mount: str) -> float | None:
    """Return the used percentage of the space available to users, or None for an invalid mount point."""
    try:
        figures = os.statvfs(mount)
    except OSError:
        log.warning("%s is not a valid mount point.", mount)
        return None
    used = figures.f_blocks - figures.f_bfree
    return round(100 * used / (used + figures.f_bavail), 1) if used + figures.f_bavail else 0.0
