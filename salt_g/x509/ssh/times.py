"""Time spans as users write them: `30d`, `1.5h`, seconds."""

from __future__ import annotations

import re
from typing import Any

from salt_g.errors import InvocationError

#: Length of each unit (s).
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_SPAN = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)", re.ASCII)


def seconds(span: Any) -> float | None:
    """Return the seconds of a span, or None for None."""
    if span is None:
        return None
    match = _SPAN.fullmatch(str(span))
    if match is None:
        raise InvocationError(f"Invalid time string format: {span}; write seconds, or 30d, 12h, 90m, 30s")
    return float(match[1]) * _UNITS[match[2] or "s"]
