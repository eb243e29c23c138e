"""Files from here to the master."""

from __future__ import annotations

import logging
import os

from salt_g.errors import CommandExecutionError

log = logging.getLogger(__name__)


def push(
    path: str, keep_symlinks: bool = False, upload_path: str | None = None, remove_source: bool = False
) -> bool:
    """Send a file to the master, which keeps it in the folder of this minion.

    Returns False for a path that is not absolute or not a file. Raises CommandExecutionError
    where there is no master.

    Example::

        salt-g cp.push /etc/fstab
    """
    if not _is_clean(path) or not os.path.isfile(path) or "../" in (upload_path or ""):
        log.error("%r cannot be pushed: it has to be the absolute path of a file", path)
        return False
    raise CommandExecutionError(f"{path!r} cannot be pushed: this minion has no master")


def push_dir(path: str, glob: str | None = None, upload_path: str | None = None) -> bool:
    """Send all files beneath a directory (those whose names match `glob`) to the master.

    Example::

        salt-g cp.push_dir /etc/modprobe.d/ glob='*.conf'
    """
    if not _is_clean(path) or not os.path.isdir(path):
        return False
    raise CommandExecutionError(f"{path!r} cannot be pushed: this minion has no master")


def _is_clean(path: str) -> bool:
    return os.path.isabs(path) and "../" not in path
