"""Stock's `salt.fileserver`: what backends for the file server share."""

import contextlib
import os
import time
from collections.abc import Mapping
from typing import Any

from salt_g.files.roots import RootsRules

#: Seconds to wait for a file that grows.
_LONGEST_WAIT = 600


def is_file_ignored(opts: Mapping[str, Any], fname: str) -> bool:
    """Return whether `file_ignore_regex` or `file_ignore_glob` exclude a file."""
    return RootsRules.from_opts(opts).is_ignored(fname)


def diff_mtime_map(map1: Mapping[str, Any], map2: Mapping[str, Any]) -> bool:
    """Return whether two mappings of files to times differ."""
    return dict(map1) != dict(map2)


def wait_lock(lk_fn: str, dest: str, wait_timeout: float = 0) -> bool:
    """Wait until the lock of a file is gone (`wait_timeout` in s, 0: ten minutes); return whether it is.

    A lock beside a file that does not grow for a second is removed: its owner is gone.
    """
    deadline = time.monotonic() + (wait_timeout or _LONGEST_WAIT)
    size = -1
    while os.path.exists(lk_fn):
        if time.monotonic() > deadline:
            return False
        now = os.path.getsize(dest) if os.path.exists(dest) else 0
        if now == size:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(lk_fn)
            return True
        size = now
        time.sleep(1)
    return True


__all__ = ["diff_mtime_map", "is_file_ignored", "wait_lock"]
