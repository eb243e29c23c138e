"""Private directories of connections, each with a configuration and a control socket.

A killed process leaves its directories behind; the next process removes them.
Shapes: `salt-g-ssh-<pid>-<random>` in the directory for temporary files.
Errors: none; directories that cannot be removed stay.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import time

#: Prefix of the directories' names.
PREFIX = "salt-g-ssh-"
_NAME = re.compile(rf"{PREFIX}(\d+)-\w+")
#: Minimum age of directories to remove (s): a younger one may belong to a connection that a process invisible
#: from here is opening.
_YOUNG = 60.0


def new_place() -> str:
    """Create a directory for a connection."""
    return tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")


def sweep() -> list[str]:
    """Remove the directories of ended processes; return their paths."""
    swept = []
    with os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if (found := _NAME.fullmatch(entry.name)) and _is_left(entry.path, int(found.group(1))):
                shutil.rmtree(entry.path, ignore_errors=True)
                swept.append(entry.path)
    return swept


def _is_left(path: str, pid: int) -> bool:
    try:
        seen = os.lstat(path)
    except OSError:
        return False
    is_ours = stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.geteuid()
    is_old = time.time() - seen.st_mtime > _YOUNG
    return is_ours and is_old and not _lives(pid) and not _is_served(os.path.join(path, "s"))


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _is_served(path: str) -> bool:
    """Return whether a process serves the control socket, for instance one in another container."""
    import socket  # Imported lazily: only needed for directories that another process has left

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(path)
        except OSError:
            return False
    return True
