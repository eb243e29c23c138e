"""Failure comments of the LVM states, with the output of the LVM program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def with_reason(comment: str, returned: Any) -> str:
    """Return a comment with the reason from the return of an execution function, if there is one."""
    if isinstance(returned, Mapping):
        returned = next((text for key, text in returned.items() if key.startswith("Output from ")), "")
    return f"{comment}. Error: {returned}" if isinstance(returned, str) and returned else comment
