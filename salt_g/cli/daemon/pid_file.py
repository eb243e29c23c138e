"""The pid file: says which process it is, and keeps a second one from starting beside it.

Why its own file: it is locked for as long as the daemon lives, so a file that a crash left behind
stops nobody.
Errors: OSError when the file cannot be written or another process holds it.
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
    """Hold the pid file for the time of the block."""
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
        raise OSError(f"it runs already, with process id {holder} ({path} is locked)") from None
