"""Backups of a host's files, kept on the host.

Shapes: a copy of /etc/hosts is `/var/cache/salt/minion/file_backup/etc/hosts_<time>`, as on a minion.
"""

from __future__ import annotations

import datetime
import posixpath
from typing import Any

from salt_g.api import opts

#: Backup directory that a minion on the host would use.
ROOT = "/var/cache/salt/minion/file_backup"
_STAMP = "%a_%b_%d_%H:%M:%S_%f_%Y"


def place_of_copy(path: str, backup: str) -> str:
    """Return the path for a backup, '' unless `backup` (default: `backup_mode`) is `minion` or `both`."""
    if (backup or str(opts.get("backup_mode") or "")) not in ("minion", "both"):
        return ""
    return _dated(path)


def place_beside(path: str, backup: Any, *, dated: bool = False) -> str:
    """Return the path of an edited file's backup, '' for none; `backup` is its suffix (True: `.bak`).

    With `dated`, the backup is in the directory of `place_of_copy`.
    """
    if not backup:
        return ""
    return _dated(path) if dated else f"{path}{'.bak' if backup is True else backup}"


def _dated(path: str) -> str:
    return f"{ROOT}{posixpath.normpath(path)}_{datetime.datetime.now().strftime(_STAMP)}"
