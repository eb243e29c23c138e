"""Pid file of a daemon: records its process id and prevents a second instance.

The file is locked for the daemon's lifetime, so a stale file left by a crash blocks nothing.
Errors: OSError if the file cannot be written or another process holds the lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator

from salt_g import safe_files
from salt_g.process import disk


@contextlib.contextmanager
def held(path: str) -> Iterator[None]:
    """Hold the locked pid file for the duration of the block."""
    disk.make_passed_directory(os.path.dirname(path) or ".")
    descriptor = safe_files.open_file(path, os.O_RDWR | os.O_CREAT, 0o644, follow=False)
    try:
        _lock(descriptor, path)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, b"%d\n" % os.getpid())
        yield
        with contextlib.suppress(OSError):
            safe_files.remove_file(path)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, path: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(descriptor, 32).decode("ascii", "replace").strip() or "unknown"
        raise OSError(f"it is already running with process id {holder} ({path} is locked)") from None
