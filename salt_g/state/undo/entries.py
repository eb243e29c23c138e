"""Descriptions of paths: kind, owner, mode, link target, digest of the content.

Shapes: `shapes.undo.PathEntry`.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable

from salt_g.shapes.undo import PathEntry

MISSING, FILE, LINK, DIRECTORY, OTHER = "missing", "file", "link", "directory", "other"
#: Fields that must match for two entries to count as the same.
_COMPARED = ("kind", "uid", "gid", "mode", "sha256", "target")
_CHUNK = 1 << 20
_DIRECTORY = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def entry_of(path: str) -> PathEntry:
    """Describe a recorded path; it counts as missing if one of its directories has become a link.

    Below a directory that has become a link are the entries of another directory.
    """
    parent, name = os.path.split(path)
    try:
        directory = os.open(parent, _DIRECTORY)
    except OSError as exc:
        if exc.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            return {"kind": MISSING}
        raise
    try:
        is_there = os.readlink(f"/proc/self/fd/{directory}") == parent
        return entry_at(name, directory) if is_there else {"kind": MISSING}
    finally:
        os.close(directory)


def entry_at(
    name: str, parent: int | None = None, *, take: Callable[[bytes], object] | None = None
) -> PathEntry:
    """Describe a path, or a name in an open directory; `take` receives the file's content in parts."""
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return {"kind": MISSING}
    except OSError as exc:
        # A directory in the path has been replaced by a link to itself.
        if exc.errno != errno.ELOOP:
            raise
        return {"kind": MISSING}
    entry: PathEntry = {"uid": found.st_uid, "gid": found.st_gid, "mode": stat.S_IMODE(found.st_mode)}
    if stat.S_ISLNK(found.st_mode):
        # The mode of a link has no meaning.
        return {**entry, "kind": LINK, "mode": 0, "target": os.readlink(name, dir_fd=parent)}
    if stat.S_ISDIR(found.st_mode):
        return {**entry, "kind": DIRECTORY}
    if not stat.S_ISREG(found.st_mode):
        return {**entry, "kind": OTHER}
    return {
        **entry,
        "kind": FILE,
        "size": found.st_size,
        "inode": [found.st_dev, found.st_ino],
        "mtime": found.st_mtime_ns,
        "sha256": _digest(name, parent, take),
    }


def is_same(one: PathEntry, other: PathEntry) -> bool:
    """Return whether two entries have the same content, owner and mode."""
    return all(one.get(field) == other.get(field) for field in _COMPARED)


def _digest(name: str, parent: int | None, take: Callable[[bytes], object] | None) -> str:
    digest = hashlib.sha256()
    with open(os.open(name, _READ, dir_fd=parent), "rb", buffering=0) as file:
        while part := file.read(_CHUNK):
            digest.update(part)
            if take is not None:
                take(part)
    return digest.hexdigest()
