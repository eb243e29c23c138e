"""File server of the file client for local files.

The alternative is `remote.py`, which uses a master. Both have the same interface for `client.py`.
"""

from __future__ import annotations

import os
import stat
from typing import IO, Protocol

from salt_g.files.atomic_write import clear_way, placed
from salt_g.files.hashes import HashCache
from salt_g.files.roots import FoundFile, Listing
from salt_g.process.disk import copy_content
from salt_g.process.offload import offload_large


class LocalSource(Protocol):
    """A source of local files: `Roots`, or a chain of backends."""

    def envs(self) -> list[str]:
        """Return the environments."""

    def find(self, path: str, saltenv: str) -> FoundFile | None:
        """Return a file, or None when it does not exist."""

    def listing(self, saltenv: str) -> Listing:
        """Return the listing of an environment."""


class LocalServer:
    """File server for local files; implements `protocols.FileSource`."""

    def __init__(self, roots: LocalSource, *, hash_type: str = "sha256") -> None:
        self._roots = roots
        self._hash_type = hash_type
        self._hashes = HashCache()

    def envs(self) -> list[str]:
        """Return the file environments."""
        return self._roots.envs()

    def listing(self, saltenv: str) -> Listing:
        """Return the listing of an environment."""
        return self._roots.listing(saltenv)

    def refresh(self, path: str, saltenv: str, dest: str) -> bool:
        """Update `dest`, a private copy of a file; return False when the file does not exist.

        A copy gets the time stamp of its source, so that size and time stamp show whether it is up to
        date, and an unchanged file costs two `stat` calls.
        """
        found = self._roots.find(path, saltenv)
        if found is None:
            return False
        if not _is_copy(found.path, dest):
            _copy(found.path, dest)
        return True

    def write(self, path: str, saltenv: str, file: IO[bytes], *, gzip: int | None = None) -> bool:
        """Write the content of a file into `file`; return False when it does not exist. `gzip` is ignored."""
        found = self._roots.find(path, saltenv)
        if found is None:
            return False
        with open(found.path, "rb") as source:
            offload_large(os.fstat(source.fileno()).st_size, copy_content, source, file)
        return True

    def hash_file(self, path: str, saltenv: str) -> dict[str, str]:
        """Return {'hsum': hex digest, 'hash_type': name}, or {} when the file does not exist."""
        found = self._roots.find(path, saltenv)
        if found is None:
            return {}
        return {"hsum": self._hashes.hash_of(found.path, self._hash_type), "hash_type": self._hash_type}

    def stat_file(self, path: str, saltenv: str) -> os.stat_result | None:
        """Return the status of a file, or None when it does not exist."""
        found = self._roots.find(path, saltenv)
        if found is None:
            return None
        status = os.stat(found.path)
        return status if found.mode is None else os.stat_result([found.mode, *status[1:]])


def _is_copy(source: str, dest: str) -> bool:
    try:
        copy = os.lstat(dest)
    except OSError:
        return False
    status = os.stat(source)
    return (
        stat.S_ISREG(copy.st_mode)
        and copy.st_size == status.st_size
        and copy.st_mtime_ns == status.st_mtime_ns
    )


def _copy(source: str, dest: str) -> None:
    clear_way(dest)
    with open(source, "rb") as original, placed(dest) as copy:
        # The status is taken from the open file, because the path may be replaced during the copy.
        status = os.fstat(original.fileno())
        offload_large(status.st_size, copy_content, original, copy)
        copy.flush()
        os.utime(copy.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))
