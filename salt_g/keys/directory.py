"""One directory of keys: a file for each id.

Why its own file: whatever touches these files goes through here, so that ids are checked, links
are not followed and a key is there whole or not at all.
Units: bytes.
Errors: WireError for an id that cannot be one; KeysError for a directory that is none; OSError
for disks that are full or not ours.
"""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import time
from collections.abc import Callable

from salt_g import disk
from salt_g.errors import KeysError, WireError
from salt_g.offload import offload_in_daemon
from salt_g.wire.ids import check_id, is_valid_id, misread
from salt_g.wire.pem import MAX_PEM, clean_pem

log = logging.getLogger(__name__)

#: A listing is remembered when the directory had been left alone for this long (s): time stamps
#: of files are coarse, a change right after a listing could carry the same one.
SETTLED = 0.1
#: How old a count may be (s). New keys come in storms, and each changes the directory.
COUNT_AGE = 5.0


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
        try:
            found = os.stat(self.path, follow_symlinks=False)
        except FileNotFoundError:
            return frozenset()
        self._check(found)
        stamp = (found.st_ino, found.st_mtime_ns)
        if stamp != self._listed:
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
        """
        path = self._path(id)
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        except OSError as exc:
            log.error("%s: the key %s cannot be read: %s", id, path, exc.strerror)
            return ""
        try:
            is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            content = os.read(descriptor, MAX_PEM + 1) if is_file else b""
        finally:
            os.close(descriptor)
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
        try:
            os.unlink(self._path(id))
        except FileNotFoundError:
            return False
        self._sync()
        return True

    def move(self, id: str, other: Directory) -> None:
        """Move a key to another directory, in place of one that is there; both or neither see it."""
        other._make()
        os.replace(self._path(id), other._path(id))
        self._sync()
        other._sync()

    def changed(self, id: str) -> float:
        """Return when the key of an id was written, seconds since the epoch; 0.0 without one."""
        try:
            return os.stat(self._path(id), follow_symlinks=False).st_mtime
        except FileNotFoundError:
            return 0.0

    def _path(self, id: str) -> str:
        return os.path.join(self.path, check_id(id))

    def _is_file(self, id: str) -> bool:
        try:
            return stat.S_ISREG(os.stat(self._path(id), follow_symlinks=False).st_mode)
        except FileNotFoundError:
            return False

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

    def _sync(self) -> None:
        """Put the directory's change on the disk: a revoked key must not come back after a crash."""
        # An operator may remove a thousand, and each costs a flush of the disk.
        offload_in_daemon(_flush, self.path)


def _flush(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
