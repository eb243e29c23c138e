"""Files sent from the minion to the master."""

from __future__ import annotations

import fnmatch
import logging
import os
from typing import IO

from salt_g import safe_files
from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError
from salt_g.services.daemons import MinionServices

log = logging.getLogger(__name__)

#: Default chunk size.
PIECE = 256 * 1024


def push(
    path: str, keep_symlinks: bool = False, upload_path: str | None = None, remove_source: bool = False
) -> bool:
    """Send a file to the master, which stores it in the directory of this minion.

    Returns False if the path is not absolute or not a file, or if the master refuses the file because its
    setting `file_recv` is off, for example. `upload_path` is the path on the master, `keep_symlinks` sends a
    link's target under the link's name. Raises CommandExecutionError without a master.

    Example::

        salt-g cp.push /etc/fstab
    """
    if not _is_clean(path) or "../" in (upload_path or ""):
        log.error("cannot push %r: not the absolute path of a file", path)
        return False
    source = path if keep_symlinks else os.path.realpath(path)
    if not os.path.isfile(source):
        log.error("cannot push %r: no such file", path)
        return False
    if opts.get("file_client") != "remote":
        raise CommandExecutionError(f"{path!r} cannot be pushed: this minion has no master")
    if not _send(source, upload_path or source):
        log.error("cannot push %r: the master refused it; see its log and its settings file_recv*", path)
        return False
    if remove_source:
        safe_files.remove_file(source)
    return True


def push_dir(path: str, glob: str | None = None, upload_path: str | None = None) -> bool:
    """Send all files below a directory (or those whose names match `glob`) to the master.

    `upload_path` is the directory on the master. Returns False if no file is found, or at the first one that
    `cp.push` cannot send.

    Example::

        salt-g cp.push_dir /etc/modprobe.d/ glob='*.conf'
    """
    if not _is_clean(path):
        return False
    top = os.path.realpath(path)
    if os.path.isfile(top):
        return push(top, upload_path=upload_path)
    names = [
        os.path.join(parent, name)
        for parent, _, files in os.walk(top)
        for name in sorted(files)
        if glob is None or fnmatch.fnmatch(name, glob)
    ]
    return bool(names) and all(
        push(name, upload_path=upload_path and os.path.join(upload_path, os.path.relpath(name, top)))
        for name in names
    )


def _send(source: str, path: str) -> bool:
    """Send a file in chunks (an empty file as one chunk); return whether the master accepted all of them."""
    parts = [part for part in os.path.normpath(path).split(os.sep) if part]
    size = os.path.getsize(source)
    load = {"cmd": "_file_recv", "path": parts, "size": size}
    with open(source, "rb") as file:
        loc, piece = 0, _piece(file)
        while True:
            if not services(MinionServices).master.ask({**load, "loc": loc, "data": piece}):
                return False
            loc += len(piece)
            piece = _piece(file)
            if not piece:
                return True


def _piece(file: IO[bytes]) -> bytes:
    return file.read(int(opts.get("file_buffer_size") or PIECE))


def _is_clean(path: str) -> bool:
    return os.path.isabs(path) and "../" not in path
