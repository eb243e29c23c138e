"""Executor that spreads the start of a job over the fleet, with a fixed delay for each minion.

Units: seconds; `executor_opts: {splaytime: 300}` is the longest delay.
Source: stock docs; the delay of a minion is derived from its id.
"""

from __future__ import annotations

import logging
import time
import zlib
from collections.abc import Callable, Mapping
from typing import Any

log = logging.getLogger(__name__)

#: Default maximum delay (s).
SPLAYTIME = 300
#: Number of steps into which the maximum delay is divided.
_STEPS = 8192


def execute(
    opts: Mapping[str, Any], data: Mapping[str, Any], func: Callable[..., Any], args: list[Any], kwargs: Any
) -> None:
    """Wait, then pass the job on."""
    options = data.get("executor_opts") or {}
    wait = delay(str(opts["id"]), float(options.get("splaytime", opts.get("splaytime", SPLAYTIME))))
    log.debug("%s starts in %.1f s", data.get("fun"), wait)
    time.sleep(wait)


def delay(id: str, longest: float) -> float:
    """Return the delay of a minion in seconds."""
    return longest * (zlib.crc32(id.encode()) % _STEPS) / _STEPS
