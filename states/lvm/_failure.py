"""Tell why LVM did not do it.

Why its own file: creating and removing fail in the same words, with what the program wrote behind them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def with_reason(comment: str, told: Any) -> str:
    """Return a comment and the reason in what an execution function returned, if there is one."""
    if isinstance(told, Mapping):
        told = next((text for key, text in told.items() if key.startswith("Output from ")), "")
    return f"{comment}. Error: {told}" if isinstance(told, str) and told else comment
