"""Writer of archive members below one directory, safe against links in the archive.

Each member's directory is opened component by component on descriptors. A link in it is followed as long as
it stays below the top; an existing link at a member's path is replaced and never written through.
Units: modes are octal ints, `mtime` is in seconds.
Errors: UnsafeMember names the member that would leave the directory.
"""

from __future__ import annotations

import contextlib
import errno
import os
import posixpath
import shutil
import stat
from collections.abc import Iterator
from typing import IO

from salt_g import safe_files
from salt_g.errors import UnsafeMember
from salt_g.safe_files.recording import before_change_at

#: Maximum number of links in the path of one member.
_MAX_LINKS = 40
#: Maximum length of a link target in bytes, as in Linux.
MAX_TARGET = 4096
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_MODE = 0o666
_DIRECTORY_MODE = 0o777


@contextlib.contextmanager
def open_below(directory: str) -> Iterator[ArchiveWriter]:
    """Yield a writer of archive members below a directory, which is created if missing."""
    safe_files.make_directories(directory)
    descriptor = safe_files.open_file(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield ArchiveWriter(descriptor, directory)
    finally:
        os.close(descriptor)


def inner_name(name: str, directory: str) -> str:
    """Return a member's name relative to the top, without `..`; raise UnsafeMember if it leaves the top."""
    inner = posixpath.normpath(name.lstrip("/") or ".")
    if inner == ".." or inner.startswith("../"):
        raise UnsafeMember(name, directory)
    return inner


class ArchiveWriter:
    """Writer of archive members into an open directory; member names are relative to the directory."""

    def __init__(self, top: int, directory: str) -> None:
        self._top = top
        self._directory = directory

    def make_directory(self, name: str, *, mode: int | None = None, mtime: float | None = None) -> None:
        """Create a directory and its missing parents."""
        with self._entered(name, name) as chain:
            if mode is not None:
                before_change_at(chain[-1], ".")
                os.fchmod(chain[-1], mode)
            if mtime is not None:
                os.utime(chain[-1], (mtime, mtime))

    def write(
        self, name: str, content: IO[bytes], *, mode: int | None = None, mtime: float | None = None
    ) -> None:
        """Write a file; if `mode` is None, the umask determines the mode."""
        with (
            self._parent(name) as (chain, last),
            os.fdopen(self._open(chain[-1], last, name), "wb") as file,
        ):
            shutil.copyfileobj(content, file)
            file.flush()
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            if mtime is not None:
                os.utime(file.fileno(), (mtime, mtime))

    def symlink(self, name: str, target: str) -> None:
        """Create a symbolic link; raise UnsafeMember for a target that can leave the top."""
        with self._parent(name) as (chain, last):
            self.check_target(name, target, len(chain) - 1, self._directory)
            self._remove_existing(chain[-1], last)
            os.symlink(target, last, dir_fd=chain[-1])

    def hard_link(self, name: str, target: str) -> bool:
        """Create a hard link to a file below the top; return False if the target does not exist."""
        with self._parent(target) as (source, old), self._parent(name) as (chain, last):
            try:
                found = os.stat(old, dir_fd=source[-1], follow_symlinks=False)
            except FileNotFoundError:
                return False
            if stat.S_ISLNK(found.st_mode):
                # From another directory the link target may lead elsewhere, so `symlink` checks it again.
                self.symlink(name, os.readlink(old, dir_fd=source[-1]))
                return True
            if not stat.S_ISREG(found.st_mode):
                raise UnsafeMember(name, self._directory)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(found, os.stat(last, dir_fd=chain[-1], follow_symlinks=False)):
                    return True
            self._remove_existing(chain[-1], last)
            os.link(old, last, src_dir_fd=source[-1], dst_dir_fd=chain[-1], follow_symlinks=False)
            return True

    @staticmethod
    def check_target(name: str, target: str, depth: int, directory: str) -> None:
        """Raise UnsafeMember for a target that is absolute, climbs above the top, or has `..` after a name.

        After a name that is a link, `..` is the parent of the link's target, which is unknown until it is
        resolved.
        """
        parts = [part for part in target.split("/") if part not in ("", ".")]
        climbs = next((number for number, part in enumerate(parts) if part != ".."), len(parts))
        if not target or target.startswith("/") or climbs > depth or ".." in parts[climbs:]:
            raise UnsafeMember(name, directory)

    def _open(self, parent: int, last: str, name: str) -> int:
        """Open a file for new content; an existing one keeps its owner, unless it has several hard links."""
        before_change_at(parent, last)
        flags = os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
        with contextlib.suppress(FileNotFoundError):
            found = os.stat(last, dir_fd=parent, follow_symlinks=False)
            if stat.S_ISDIR(found.st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), self._path(name))
            if stat.S_ISREG(found.st_mode) and found.st_nlink == 1:
                descriptor = os.open(last, flags | os.O_NONBLOCK, dir_fd=parent)
                opened = os.fstat(descriptor)
                if os.path.samestat(found, opened) and opened.st_nlink == 1:
                    os.ftruncate(descriptor, 0)
                    return descriptor
                os.close(descriptor)
        self._remove_existing(parent, last)
        return os.open(last, flags | os.O_CREAT | os.O_EXCL, _FILE_MODE, dir_fd=parent)

    def _remove_existing(self, parent: int, last: str) -> None:
        """Remove a file or link at a member's path to make room for the member."""
        before_change_at(parent, last)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(last, dir_fd=parent)

    @contextlib.contextmanager
    def _parent(self, name: str) -> Iterator[tuple[list[int], str]]:
        inner = inner_name(name, self._directory)
        parent, last = posixpath.split(inner)
        if last == ".":
            raise UnsafeMember(name, self._directory)
        with self._entered(parent, name) as chain:
            yield chain, last

    @contextlib.contextmanager
    def _entered(self, path: str, name: str) -> Iterator[list[int]]:
        """Yield the descriptors from the top down to a directory, creating it if missing."""
        chain = [os.dup(self._top)]
        try:
            self._enter_all(chain, inner_name(path, self._directory), name)
            yield chain
        finally:
            for descriptor in chain:
                os.close(descriptor)

    def _enter_all(self, chain: list[int], path: str, name: str) -> None:
        parts = path.split("/")[::-1]
        links = 0
        while parts:
            part = parts.pop()
            if part in ("", "."):
                continue
            if part == "..":
                if len(chain) == 1:
                    raise UnsafeMember(name, self._directory)
                os.close(chain.pop())
                continue
            target = self._enter(chain, part, name)
            if target is None:
                continue
            links += 1
            if target.startswith("/") or links > _MAX_LINKS:
                raise UnsafeMember(name, self._directory)
            parts.extend(target.split("/")[::-1])

    def _enter(self, chain: list[int], part: str, name: str) -> str | None:
        """Open or create a directory and append its descriptor to `chain`; for a link, return its target."""
        try:
            chain.append(os.open(part, _DIRECTORY, dir_fd=chain[-1]))
        except FileNotFoundError:
            before_change_at(chain[-1], part)
            os.mkdir(part, _DIRECTORY_MODE, dir_fd=chain[-1])
            chain.append(os.open(part, _DIRECTORY, dir_fd=chain[-1]))
        except OSError as exc:
            if exc.errno not in (errno.ELOOP, errno.ENOTDIR):
                raise
            try:
                return os.readlink(part, dir_fd=chain[-1])
            except OSError:
                raise NotADirectoryError(
                    errno.ENOTDIR, os.strerror(errno.ENOTDIR), self._path(name)
                ) from None
        return None

    def _path(self, name: str) -> str:
        return os.path.join(self._directory, name)
