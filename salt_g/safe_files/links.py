"""Resolution of paths on descriptors, and the rules for links and hard links.

Units: descriptors are ints; owners are user ids.
Source: the idea of the kernel's protected_symlinks and protected_hardlinks (proc(5)), applied to every
component and to every directory that other users can write to.
"""

from __future__ import annotations

import contextlib
import errno
import os
import pwd
import stat
from collections import deque
from collections.abc import Iterator

# gevent's `os.close` checks for waiting greenlets, but no greenlet ever waits for a directory.
from posix import close
from typing import NamedTuple

#: Flag that opens an entry without read permission; platforms without O_PATH open the entry for reading.
O_PATH = getattr(os, "O_PATH", os.O_RDONLY)
_ENTRY = O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
_DIRECTORY = O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
#: Maximum number of links in one path, as in the kernel.
_MAX_LINKS = 40
#: Directory with the descriptors of this process.
_DESCRIPTORS = "/proc/self/fd"
#: Suffix of the path of a descriptor whose entry has been removed.
_DELETED = " (deleted)"
#: Last components of a path that are not names of entries.
_NO_NAMES = ("", ".", "..")


class UntrustedPath(PermissionError):
    """Error for a path that root refuses to use, because another user can control its target."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(errno.EPERM, f"{path}: {problem}", path)

    def __str__(self) -> str:
        return str(self.strerror)


class DirectoryEntry(NamedTuple):
    """Entry of a directory: the directory's descriptor, the entry's name, and its status (None: missing)."""

    path: str
    parent: int
    name: str
    found: os.stat_result | None

    @property
    def pinned(self) -> str:
        """Path through the directory's descriptor, for functions that need one; it cannot be redirected."""
        return self.beside(self.name)

    def beside(self, name: str) -> str:
        """Return the path of another entry of the directory, through the directory's descriptor."""
        if os.path.isdir(_DESCRIPTORS):
            return f"{_DESCRIPTORS}/{self.parent}/{name}"
        return os.path.join(os.path.dirname(self.path), name)

    def is_taken(self) -> bool:
        """Return whether an entry with this name exists now."""
        try:
            os.stat(self.name, dir_fd=self.parent, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    @property
    def is_link(self) -> bool:
        """Whether the entry is a symbolic link."""
        return self.found is not None and stat.S_ISLNK(self.found.st_mode)

    @property
    def is_directory(self) -> bool:
        """Whether the entry is a directory."""
        return self.found is not None and stat.S_ISDIR(self.found.st_mode)

    def check_links(self, found: os.stat_result, *, new_owner: int | None = None) -> None:
        """Raise UntrustedPath for a file with several hard links in a directory that others can write to.

        The file is accepted when its owner is `new_owner`, or is not root and also owns the directory.
        """
        if not stat.S_ISREG(found.st_mode) or found.st_nlink < 2 or found.st_uid == new_owner:
            return
        directory = os.fstat(self.parent)
        if is_exposed(directory) and not found.st_uid == directory.st_uid != 0:
            raise UntrustedPath(
                self.path,
                f"the file has {found.st_nlink} hard links, belongs to {user_name(found.st_uid)}, and its "
                "directory is writable by others; replace it by a copy",
            )


@contextlib.contextmanager
def located(path: str | os.PathLike[str], *, follow: bool = True) -> Iterator[DirectoryEntry]:
    """Find the entry of a path and keep its directory open during the block.

    With `follow` a link as the last component is followed too. Raises UntrustedPath for an untrusted
    link, FileNotFoundError when a directory of the path is missing.
    """
    descent = _Descent(os.fsdecode(os.fspath(path)), follow)
    try:
        yield descent.place()
    finally:
        close(descent.here)


def check(path: str | os.PathLike[str], *, follow: bool = True) -> None:
    """Raise UntrustedPath for an untrusted link in the path; missing components are ignored."""
    if _has_no_links(os.fsdecode(os.fspath(path))):
        return
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), located(path, follow=follow):
        pass


def check_for_program(path: str | os.PathLike[str]) -> None:
    """Raise UntrustedPath if a program run by root must not change a file; a missing file passes."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), located(path) as place:
        if place.found is not None:
            place.check_links(place.found)


def keeps_files(directory: str) -> bool:
    """Return whether only root can replace or remove what root creates in a directory.

    Other users can do so where they have write permission, unless root's directory is sticky. Raises
    UntrustedPath.
    """
    with located(directory) as place:
        found = place.found or os.fstat(place.parent)
    return not is_exposed(found) or (found.st_uid == 0 and bool(found.st_mode & stat.S_ISVTX))


def resolved(path: str | os.PathLike[str]) -> str:
    """Return a path without links, as `os.path.realpath` does. Raises UntrustedPath."""
    if _has_no_links(os.fsdecode(os.fspath(path))):
        return os.fsdecode(os.fspath(path))
    descent = _Descent(os.fsdecode(os.fspath(path)), follow=True)
    try:
        descent.place()
    except (FileNotFoundError, NotADirectoryError):
        pass  # `realpath` keeps missing components.
    finally:
        close(descent.here)
    return os.path.realpath(path)


def real_path(path: str) -> str:
    """Resolve an existing path as `os.path.realpath` does, in three system calls at any depth."""
    try:
        entry = os.open(path, O_PATH | os.O_CLOEXEC) if O_PATH else -1
    except OSError:
        entry = -1
    if entry == -1:
        return os.path.realpath(path)
    try:
        found = os.readlink(f"{_DESCRIPTORS}/{entry}")
    except OSError:
        found = ""  # /proc is not mounted.
    finally:
        close(entry)
    is_usable = found.startswith("/") and not found.endswith(_DELETED)
    return found if is_usable else os.path.realpath(path)


def with_path(exc: OSError, path: str) -> OSError:
    """Return a system error with the requested path; an error without a number is returned unchanged."""
    return exc if exc.errno is None else OSError(exc.errno, exc.strerror, path)


def is_exposed(directory: os.stat_result) -> bool:
    """Return whether users other than root can create entries in a directory; False unless we are root."""
    if os.geteuid() != 0:
        return False
    shared = directory.st_mode & (stat.S_IWOTH | (stat.S_IWGRP if directory.st_gid else 0))
    return directory.st_uid != 0 or bool(shared)


def user_name(uid: int) -> str:
    """Return the quoted name of a user, or the number of a user without a name."""
    try:
        return repr(pwd.getpwuid(uid).pw_name)
    except KeyError:
        return str(uid)


class _Descent:
    """Walk along a path; `here` is the open directory, `_links` are (path, owner) of the links met so far."""

    def __init__(self, path: str, follow: bool) -> None:
        self._path = path
        # As in the kernel, `link/` is the link's target.
        self._follow = follow or path.endswith("/")
        self._links: list[tuple[str, int]] = []
        self._count = 0
        parent, _, name = path.rpartition("/")
        here = _open_without_links(parent) if name not in _NO_NAMES else None
        if here is None:
            self._parts = deque(_parts(path))
            self.here = os.open("/" if path.startswith("/") else ".", _DIRECTORY)
        else:
            self._parts = deque([name])
            self.here = here

    def place(self) -> DirectoryEntry:
        """Walk down and return the entry of the last component."""
        if not self._path:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self._path)
        try:
            name, found = self._walk_parts(self._parts)
        except UntrustedPath:
            raise
        except OSError as exc:
            self._check_owners(os.fstat(self.here))
            raise with_path(exc, self._path) from None
        if self._links:
            self._check_owners(found or os.fstat(self.here))
        return DirectoryEntry(self._path, self.here, name, found)

    def _walk_parts(self, parts: deque[str]) -> tuple[str, os.stat_result | None]:
        while parts:
            name = parts.popleft()
            if parts or name == "..":
                self._enter(name, parts)
                continue
            try:
                found = os.stat(name, dir_fd=self.here, follow_symlinks=False)
            except FileNotFoundError:
                return name, None
            if not (stat.S_ISLNK(found.st_mode) and self._follow):
                return name, found
            self._enter(name, parts)
        return ".", os.fstat(self.here)

    def _enter(self, name: str, parts: deque[str]) -> None:
        """Enter a directory, or prepend the components of a link to the remaining path."""
        entry = os.open(name, _ENTRY, dir_fd=self.here)
        found = os.fstat(entry)
        if stat.S_ISDIR(found.st_mode):
            self._move_to(entry)
            return
        try:
            if not stat.S_ISLNK(found.st_mode):
                if not parts:  # The link was just replaced by a file.
                    parts.append(name)
                    return
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            self._read_link(name, entry, found, parts)
        finally:
            close(entry)

    def _read_link(self, name: str, entry: int, found: os.stat_result, parts: deque[str]) -> None:
        self._count += 1
        if self._count > _MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if parts and _is_proc(found):
            # The text of a link such as /proc/1/root does not name its target; only the kernel can follow it.
            self._move_to(os.open(name, _DIRECTORY, dir_fd=self.here))
            return
        target = os.readlink("", dir_fd=entry)
        self._links.append((os.path.join(self._current_path(), name), found.st_uid))
        parts.extendleft(reversed(_parts(target)))
        if target.startswith("/"):
            self._move_to(os.open("/", _DIRECTORY))

    def _move_to(self, descriptor: int) -> None:
        close(self.here)
        self.here = descriptor

    def _check_owners(self, target: os.stat_result) -> None:
        """Raise UntrustedPath when a link on the way belongs to neither root nor the target's owner."""
        if not self._links or os.geteuid() != 0:
            return
        for link, owner in self._links:
            if owner not in (0, target.st_uid):
                raise UntrustedPath(
                    self._path,
                    f"the link {link} belongs to {user_name(owner)} and leads to a target owned by "
                    f"{user_name(target.st_uid)}; root follows links of root or of the target's owner: "
                    "remove the link, or give it to root",
                )

    def _current_path(self) -> str:
        try:
            return os.readlink(f"{_DESCRIPTORS}/{self.here}")
        except OSError:
            return ""


def _open_without_links(directory: str) -> int | None:
    """Open a directory by its absolute path if the path has no links; return None if a walk is needed.

    This takes two system calls at any depth. The kernel's path of the opened directory has no links, so if
    that equals `directory`, no link was followed, or the directory is now at that path.
    """
    if not directory.startswith("/"):
        return None
    try:
        opened = os.open(directory, _DIRECTORY)
    except OSError:
        return None
    try:
        if os.readlink(f"{_DESCRIPTORS}/{opened}") == directory:
            return opened
    except OSError:
        pass  # /proc is not mounted.
    close(opened)
    return None


def _has_no_links(path: str) -> bool:
    """Return whether a path has no links; also False where only the whole walk can decide.

    Called for each file of a state run, so it makes as few system calls as possible.
    """
    parent, _, name = path.rpartition("/")
    if name in _NO_NAMES:
        return False
    here = _open_without_links(parent)
    if here is None:
        return False
    try:
        return not stat.S_ISLNK(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    finally:
        close(here)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def _is_proc(found: os.stat_result) -> bool:
    try:
        return found.st_dev == os.stat("/proc/self").st_dev
    except OSError:
        return False
