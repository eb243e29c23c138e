"""Old versions of files of the host, kept on the host.

Why its own file: states and functions that replace a file name the copy in the same way.
Shapes: a copy of /etc/hosts is `/var/cache/salt/minion/file_backup/etc/hosts_<time>`, as on a minion.
"""

from __future__ import annotations

import datetime
import posixpath
from typing import Any

from salt_g.api import opts

#: Where a minion of the host would keep them.
ROOT = "/var/cache/salt/minion/file_backup"
_STAMP = "%a_%b_%d_%H:%M:%S_%f_%Y"


def place_of_copy(path: str, backup: str) -> str:
    """Return where an old version goes by the option `backup` (else `backup_mode`), '' for none."""
    if (backup or str(opts.get("backup_mode") or "")) not in ("minion", "both"):
        return ""
    return _dated(path)


def place_beside(path: str, backup: Any, *, dated: bool = False) -> str:
    """Return where an edited file's old version goes: an ending (True: `.bak`), '' or False none.

    With `dated` it goes where `place_of_copy` has it.
    """
    if not backup:
        return ""
    return _dated(path) if dated else f"{path}{'.bak' if backup is True else backup}"


def _dated(path: str) -> str:
    return f"{ROOT}{posixpath.normpath(path)}_{datetime.datetime.now().strftime(_STAMP)}"
