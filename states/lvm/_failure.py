"""Failure comments of the LVM states, with the output of the LVM program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def with_reason(comment: str, told: Any) -> str:
    """Return a comment with the reason from the return of an execution function, if there is one."""
    if isinstance(told, Mapping):
        told = next((text for key, text in told.items() if key.startswith("Output from ")), "")
    return f"{comment}. Error: {told}" if isinstance(told, str) and told else comment
