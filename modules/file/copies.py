"""Keep the old content of a file that is edited (`backup: .bak`)."""

from __future__ import annotations

import contextlib
import os
import shutil

from salt_g.errors import CommandExecutionError


def keep_copy(path: str, target: str) -> None:
    """Copy a file with owner, mode and times to `target`, replacing it."""
    try:
        shutil.copy2(path, target)
        found = os.stat(path)
        with contextlib.suppress(PermissionError):
            os.chown(target, found.st_uid, found.st_gid)
    except OSError as exc:
        raise CommandExecutionError(
            f"Unable to copy file '{path}' to the backup file '{target}'. Exception: {exc}"
        ) from exc
