"""One directory of keys: a file for each id.

Why its own file: whatever touches these files goes through here, so that ids are checked, links
are not followed and a key is there whole or not at all.
Units: bytes.
Errors: WireError for an id that cannot be one; KeysError for a directory that is none; KeysUnavailable for
what cannot be read now (only a missing file means that there is no key); OSError of a change that failed.
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

#: A listing is remembered when the directory had been left alone for this long (s): time stamps
#: of files are coarse, a change right after a listing could carry the same one.
SETTLED = 0.1
#: How old a count may be (s). New keys come in storms, and each changes the directory.
COUNT_AGE = 5.0
#: What opening says of a name that is a link, a socket or a device without a driver: no file of ours.
_NO_FILE = (errno.ELOOP, errno.ENXIO, errno.ENODEV)


class Directory:
    """The keys of one state; `write` puts a file on the disk, whole or not at all."""

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
        """Return the ids that have a key here.

        Costs one `stat` as long as nobody changed the directory, by whichever program.
        """
        found = self._stat(self.path)
        if found is None:
            return frozenset()
        self._check(found)
        stamp = (found.st_ino, found.st_mtime_ns)
        if stamp != self._listed:
            with _reading(self.path):
                self._names = self._read_names()
            is_settled = time.time() - found.st_mtime > SETTLED
            self._listed = stamp if is_settled else (0, 0)
        return self._names

    def about(self) -> int:
        """Return how many keys are here, as of COUNT_AGE ago and with what we wrote since."""
        now = time.monotonic()
        if now - self._counted >= COUNT_AGE:
            self._count, self._counted = len(self.names()), now
        return self._count

    def read(self, id: str) -> str | None:
        """Return the cleaned PEM text of an id, None when it has no key here.

        '' stands for a file that is too long, no text or no file at all: no key equals that.
        Raises KeysUnavailable when nobody can say what is there.
        """
        path = self._path(id)
        with _reading(path):
            content = _content(path)
        if content is None:
            return None
        try:
            return clean_pem(content) if len(content) <= MAX_PEM else ""
        except WireError:
            return ""

    def write(self, id: str, pem: str) -> None:
        """Keep a key, in place of another one."""
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
        """Move a key to another directory, in place of one that is there; both or neither see it."""
        other._make()
        with _flushed(self.path), _flushed(other.path):
            os.replace(self._path(id), other._path(id))

    def changed(self, id: str) -> float:
        """Return when the key of an id was written, seconds since the epoch; 0.0 without one."""
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
        """Return what a path is, None when there is nothing."""
        with _reading(path):
            try:
                return os.stat(path, follow_symlinks=False)
            except FileNotFoundError:
                return None

    def _read_names(self) -> frozenset[str]:
        """Return the ids that are here now; only names that were not here before are judged."""
        with os.scandir(self.path) as entries:
            files = {entry.name for entry in entries if entry.is_file(follow_symlinks=False)}
        fresh = {name for name in files - self._names if not name.startswith(".")}
        odd = frozenset(name for name in fresh if not is_valid_id(name))
        for name in sorted(odd - self._odd):
            log.warning("%s: %.100r cannot be an id, its key is ignored", self.path, name)
        self._odd = odd
        for name in sorted(name for name in fresh - odd if misread(name)):
            log.warning(
                "%s: targets misread the id %r (%s); give that minion another one",
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
                self.path, "is not a directory of its own; move it away, or what it links to here"
            )


@contextlib.contextmanager
def _reading(path: str) -> Iterator[None]:
    """Raise KeysUnavailable for what the disk or the system does not answer in the block."""
    try:
        yield
    except OSError as exc:
        raise KeysUnavailable(path, exc) from exc


def _content(path: str) -> bytes | None:
    """Return the first bytes of a file, one more than a key may have; None without one, b'' for no file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as exc:
        if exc.errno not in _NO_FILE:
            raise
        log.error("the key %s is no file: %s", path, exc.strerror)
        return b""
    try:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return os.read(descriptor, MAX_PEM + 1) if is_file else b""
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _flushed(path: str) -> Iterator[None]:
    """Put a directory's change on the disk: a revoked key must not come back after a crash.

    The directory is opened first: a change that was made must be reported, whatever runs out meanwhile.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield
        # An operator may remove a thousand, and each costs a flush of the disk.
        offload_in_daemon(os.fsync, descriptor)
    finally:
        os.close(descriptor)
