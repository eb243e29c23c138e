"""Old versions of files that a state replaces (`backup: minion`).

Shapes: a copy of /etc/hosts is `<root>/etc/hosts_<Day_Month_dd_HH:MM:SS_microseconds_YYYY>`, as in stock, so
both programs find each other's copies.
"""

from __future__ import annotations

import datetime
import os
import stat

from salt_g import safe_files
from salt_g.process.disk import make_private_directory

#: Directory of all copies, below the cache directory.
DIRECTORY = "file_backup"
STAMP = "%a_%b_%d_%H:%M:%S_%f_%Y"
#: Values of `backup` and `backup_mode` that keep a copy on the minion.
ON_MINION = ("minion", "both")


def keep_old_version(path: str, root: str) -> str:
    """Copy a file, with owner and mode, to the directory of its old versions; return the copy's path."""
    stamp = datetime.datetime.now().strftime(STAMP)
    target = os.path.join(root, os.path.dirname(path)[1:], f"{os.path.basename(path)}_{stamp}")
    make_private_directory(os.path.dirname(target))
    found = os.stat(path)
    safe_files.copy_file(path, target)
    safe_files.change_owner(target, found.st_uid, found.st_gid, follow=False)
    safe_files.change_mode(target, stat.S_IMODE(found.st_mode))
    return target
