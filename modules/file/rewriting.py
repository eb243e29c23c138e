"""Put new content in place of a file's old one, in one step.

Why its own file: every function that edits a file must leave the old one whole when the disk is
full, and keep its owner and mode. There is no fsync: a run that is cut off by a power failure is
simply applied again, and a thousand files would cost a thousand disk flushes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from typing import IO

from salt_g.errors import CommandExecutionError

#: Names of temporary files beside a target begin so; a leftover is recognised by it.
_PREFIX = ".salt-g-"


@contextlib.contextmanager
def replacing(path: str, *, new_mode: int | None = None) -> Iterator[IO[bytes]]:
    """Open a temporary file that takes the place of `path` when the block ends without an error.

    An existing file's owner and mode are kept; a new one gets `new_mode` (None: what the umask allows).
    """
    descriptor, temporary = tempfile.mkstemp(prefix=_PREFIX, dir=os.path.dirname(path) or ".")
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            _dress(file.fileno(), path, new_mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def rewrite(path: str, content: bytes) -> None:
    """Replace a file's content; its owner and mode stay."""
    with replacing(path) as file:
        file.write(content)


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


def current_umask() -> int:
    """Return the process's umask; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _dress(descriptor: int, path: str, new_mode: int | None) -> None:
    try:
        found = os.stat(path)
    except OSError:
        os.fchmod(descriptor, 0o666 & ~current_umask() if new_mode is None else new_mode)
        return
    made = os.fstat(descriptor)
    if (found.st_uid, found.st_gid) != (made.st_uid, made.st_gid):
        os.fchown(descriptor, found.st_uid, found.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(found.st_mode))
