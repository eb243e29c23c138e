"""Errors recorded in a compiled pillar, under stock's key `_errors`.

A pillar file may use the key for its own data, so values of any type are accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Advice for a minion and the user of its job, without the cause, which may quote text that the minion must
#: not see.
ADVICE = "pillar does not compile: the master's log has the file, the line and the nearest names"


def errors_of(pillar: Mapping[str, Any]) -> list[str]:
    """Return the messages in a pillar: one for each item of a list, or one for any other value."""
    found = pillar.get("_errors")
    if not found:
        return []
    return [str(one) for one in found] if isinstance(found, (list, tuple)) else [str(found)]
