"""Change a small text file of the system: read it whole, write it whole, keep mode and owner.

Why its own file: hosts, ini files, authorized keys and known hosts are edited alike.
Errors: OSError; CommandExecutionError where the caller has to read it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat

from salt_g import disk


def read(path: str, encoding: str = "utf-8") -> str:
    """Return the text of a file, '' when it is not there; bytes that do not fit survive a rewrite."""
    try:
        with open(path, encoding=encoding, errors="surrogateescape", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def rewrite(path: str, text: str, *, mode: int = 0o644, encoding: str = "utf-8") -> None:
    """Replace a file in one step; a new one gets `mode`, one that is there keeps mode and owner."""
    data = text.encode(encoding, "surrogateescape")
    target = os.path.realpath(path)
    before = None
    with contextlib.suppress(FileNotFoundError):
        before = os.stat(target)
    try:
        disk.write_whole(target, data, mode=stat.S_IMODE(before.st_mode) if before else mode)
    except OSError as exc:
        # A file that a container has mounted (/etc/hosts) can be written and not replaced.
        if exc.errno != errno.EBUSY:
            raise
        with open(target, "r+b") as file:
            file.write(data)
            file.truncate()
    if before and (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
        os.chown(target, before.st_uid, before.st_gid)
