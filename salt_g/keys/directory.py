"""Directory of keys, with one file for each id.

All access to these files goes through this module, so that ids are checked, links are not followed and writes
are atomic.
Units: bytes.
Errors: WireError for an invalid id; KeysError when the path is not a directory; KeysUnavailable when a file
cannot be read at the moment (only a missing file means that there is no key); OSError when a change fails.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import stat
import time
from collections.abc import Callable, Iterator

from salt_g.errors import KeysError, KeysUnavailable, WireError
from salt_g.process import disk
from salt_g.process.offload import offload_in_daemon
from salt_g.wire.ids import check_id, is_valid_id, misread
from salt_g.wire.pem import MAX_PEM, clean_pem

log = logging.getLogger(__name__)

#: Age (s) of the last change from which a listing is cached: time stamps of files are coarse, and a change
#: right after a listing could carry the same one.
SETTLED = 0.1
#: Maximum age of a count (s). New keys arrive in bursts, and each changes the directory.
COUNT_AGE = 5.0
#: Errors when opening a link, a socket or a device without a driver: not a file written by salt-g.
_NO_FILE = (errno.ELOOP, errno.ENXIO, errno.ENODEV)


class Directory:
    """Directory of keys in one state; `write(path, text)` writes a file atomically."""

    def __init__(self, path: str, write: Callable[[str, str], None] = disk.write_whole) -> None:
        self.path = path
        self._write = write
        self._listed: tuple[int, int] = (0, 0)
        self._names: frozenset[str] = frozenset()
        self._odd: frozenset[str] = frozenset()
        self._count = 0
        self._counted = -COUNT_AGE

    def __contains__(self, id: str) -> bool:
        return self._is_file(id)

    def names(self) -> frozenset[str]:
        """Return the ids that have a key in this directory.

        This takes one `stat`, unless the directory has changed.
        """
        found = self._stat(self.path)
        if found is None:
            return frozenset()
        self._check(found)
        stamp = (found.st_ino, found.st_mtime_ns)
        if stamp != self._listed:
            with _Reading(self.path):
                self._names = self._read_names()
            is_settled = time.time() - found.st_mtime > SETTLED
            self._listed = stamp if is_settled else (0, 0)
        return self._names

    def about(self) -> int:
        """Return the approximate number of keys: a count at most COUNT_AGE s old, plus keys written since."""
        now = time.monotonic()
        if now - self._counted >= COUNT_AGE:
            self._count, self._counted = len(self.names()), now
        return self._count

    def read(self, id: str) -> str | None:
        """Return the cleaned PEM text of an id, or None if the id has no key in this directory.

        '' stands for a file that is too long, not text or not a regular file, because no key equals ''.
        Raises KeysUnavailable if the file cannot be read.
        """
        path = self._path(id)
        with _Reading(path):
            content = _content(path)
        if content is None:
            return None
        try:
            return clean_pem(content) if len(content) <= MAX_PEM else ""
        except WireError:
            return ""

    def write(self, id: str, pem: str) -> None:
        """Store a key, replacing any other."""
        self._make()
        self._count += not self._is_file(id)
        self._write(self._path(id), clean_pem(pem) + "\n")

    def remove(self, id: str) -> bool:
        """Remove the key of an id; return whether there was one."""
        if not self._is_there(id):
            return False
        with _flushed(self.path):
            try:
                os.unlink(self._path(id))
            except FileNotFoundError:
                return False
        return True

    def move(self, id: str, other: Directory) -> None:
        """Move a key to another directory, replacing any key there, atomically for readers."""
        other._make()
        with _flushed(self.path), _flushed(other.path):
            os.replace(self._path(id), other._path(id))

    def changed(self, id: str) -> float:
        """Return the time when an id's key was written (s since the epoch), or 0.0 if there is no key."""
        found = self._stat(self._path(id))
        return found.st_mtime if found is not None else 0.0

    def _path(self, id: str) -> str:
        return os.path.join(self.path, check_id(id))

    def _is_file(self, id: str) -> bool:
        found = self._stat(self._path(id))
        return found is not None and stat.S_ISREG(found.st_mode)

    def _is_there(self, id: str) -> bool:
        return self._stat(self._path(id)) is not None

    def _stat(self, path: str) -> os.stat_result | None:
        """Return the status of a path, or None when it does not exist."""
        with _Reading(path):
            try:
                return os.stat(path, follow_symlinks=False)
            except FileNotFoundError:
                return None

    def _read_names(self) -> frozenset[str]:
        """Return the ids in the directory; only new names are validated."""
        with os.scandir(self.path) as entries:
            files = {entry.name for entry in entries if entry.is_file(follow_symlinks=False)}
        fresh = {name for name in files - self._names if not name.startswith(".")}
        odd = frozenset(name for name in fresh if not is_valid_id(name))
        for name in sorted(odd - self._odd):
            log.warning("%s: %.100r is not a valid id, so its key is ignored", self.path, name)
        self._odd = odd
        for name in sorted(name for name in fresh - odd if misread(name)):
            log.warning(
                "%s: targets misread the id %r (%s); rename that minion",
                self.path,
                name,
                misread(name),
            )
        return frozenset((self._names & files) | (fresh - odd))

    def _make(self) -> None:
        disk.make_private_directory(self.path)
        self._check(os.stat(self.path, follow_symlinks=False))

    def _check(self, found: os.stat_result) -> None:
        if not stat.S_ISDIR(found.st_mode):
            raise KeysError(
                self.path,
                "is a link or a file, not a directory; move it away, or put the directory itself here",
            )


class _Reading:
    """Context manager that turns OSError into KeysUnavailable; a class because it is used at each sign-in."""

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise KeysUnavailable(self._path, error) from error


def _content(path: str) -> bytes | None:
    """Return the first bytes of a file, b'' if it is not a regular file, or None if missing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as exc:
        if exc.errno not in _NO_FILE:
            raise
        log.error("the key %s is not a regular file: %s", path, exc.strerror)
        return b""
    try:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return os.read(descriptor, MAX_PEM + 1) if is_file else b""
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _flushed(path: str) -> Iterator[None]:
    """Flush a directory to the disk after the block, so that a revoked key does not reappear after a crash.

    The directory is opened before the change, because a completed change must not fail for lack of
    descriptors.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield
        # An operator may remove a thousand keys, and each removal costs a flush to disk.
        offload_in_daemon(os.fsync, descriptor)
    finally:
        os.close(descriptor)
