"""Debug lines of the command line, which loads `logging` only when a log is requested (`-l`)."""

from __future__ import annotations

import functools
import sys
from typing import Any


def debug(message: str, *values: object) -> None:
    """Log a line if the program has loaded `logging`."""
    if "logging" in sys.modules:
        _logger().debug(message, *values)


@functools.cache
def _logger() -> Any:
    """Return the logger, cached: a look-up costs more than a suppressed line."""
    return sys.modules["logging"].getLogger("salt_g.client")
