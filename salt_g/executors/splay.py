"""Spread the beginning of a job over the fleet: each minion waits its own time, always the same.

Units: seconds; `executor_opts: {splaytime: 300}` is the longest wait.
Source: stock docs; the waiting time of a minion follows from its id.
"""

from __future__ import annotations

import logging
import time
import zlib
from collections.abc import Callable, Mapping
from typing import Any

log = logging.getLogger(__name__)

#: Longest wait when the job does not say.
SPLAYTIME = 300
#: Into how many steps the longest wait is cut.
_STEPS = 8192


def execute(
    opts: Mapping[str, Any], data: Mapping[str, Any], func: Callable[..., Any], args: list[Any], kwargs: Any
) -> None:
    """Wait, then hand the job on."""
    options = data.get("executor_opts") or {}
    wait = delay(str(opts["id"]), float(options.get("splaytime", opts.get("splaytime", SPLAYTIME))))
    log.debug("%s waits %.1f s before it begins", data.get("fun"), wait)
    time.sleep(wait)


def delay(id: str, longest: float) -> float:
    """Return how long a minion waits."""
    return longest * (zlib.crc32(id.encode()) % _STEPS) / _STEPS
