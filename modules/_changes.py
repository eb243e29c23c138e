"""Tell what changed between two mappings, and what a failed package run had changed before it failed.

Why its own file: installing, removing and upgrading all compare the package list before with
the one after.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return {key: {"old": ..., "new": ...}} of all that differs; '' stands for nothing."""
    return {
        key: {"old": old.get(key, ""), "new": new.get(key, "")}
        for key in sorted({*old, *new})
        if old.get(key, "") != new.get(key, "")
    }


def raise_problem(message: str, errors: list[str], changes: dict[str, Any]) -> None:
    """Raise CommandExecutionError with errors and changes when there are errors."""
    if errors:
        raise CommandExecutionError(message, info={"errors": errors, "changes": changes})
