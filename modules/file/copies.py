"""Backup copies of edited files (`backup: .bak`)."""

from __future__ import annotations

from salt_g import safe_files
from salt_g.errors import CommandExecutionError


def keep_copy(path: str, target: str) -> None:
    """Copy a file with owner, mode and times to `target`, replacing it."""
    try:
        safe_files.copy_file(path, target, whole=True)
    except OSError as exc:
        raise CommandExecutionError(
            f"Unable to copy file '{path}' to the backup file '{target}'. Exception: {exc}"
        ) from exc
