"""Differences between two mappings, and the error for a package run that failed halfway."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return {key: {"old": ..., "new": ...}} of all differences; '' means absent."""
    return {
        key: {"old": old.get(key, ""), "new": new.get(key, "")}
        for key in sorted({*old, *new})
        if old.get(key, "") != new.get(key, "")
    }


def raise_problem(message: str, errors: list[str], changes: dict[str, Any]) -> None:
    """Raise CommandExecutionError with errors and changes if there are errors."""
    if errors:
        raise CommandExecutionError(message, info={"errors": errors, "changes": changes})
