"""The directories of connections: one for each, ours alone, with its configuration and its control socket.

Why its own file: a process that is killed leaves them behind; the next one that begins takes them away.
Shapes: `salt-g-ssh-<number of the process>-<random>` in the directory for temporary files.
Errors: none; what cannot be taken away stays.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import time

_NAME = re.compile(r"salt-g-ssh-(\d+)-\w+")
#: A directory is left alone for so long (s): its connection may just be made, by a process that is not seen
#: from here.
_YOUNG = 60.0


def new_place() -> str:
    """Make a directory for a connection."""
    return tempfile.mkdtemp(prefix=f"salt-g-ssh-{os.getpid()}-")


def sweep() -> list[str]:
    """Take away what processes that are no more have left; return its paths."""
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
    """Return whether somebody listens: a process in another container, with numbers of its own."""
    import socket  # late: with a host alone there is nothing to sweep

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(path)
        except OSError:
            return False
    return True
