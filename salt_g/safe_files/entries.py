"""Operations on one file or directory: open, change, create, rename, remove.

Units: modes are ints as `os.chmod` expects them; a user or group id of -1 means no change.
Errors: see the package.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator

from salt_g.safe_files.links import O_PATH, DirectoryEntry, UntrustedPath, is_exposed, located, with_path
from salt_g.safe_files.recording import (
    before_change,
    before_change_at,
    before_link,
    before_removal,
    before_temporary,
    is_recording,
)

#: Mode of files that `open(..., opener=opener)` creates, before the umask.
_USER_FILE = 0o666
#: Flags that open a file for changes.
_CHANGING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
#: Name prefix of temporary files.
_TEMPORARY = ".salt-g-"


def open_file(path: str, flags: int, mode: int = 0o600, *, follow: bool = True) -> int:
    """Open a file as `os.open` does and return the descriptor.

    In a directory that other users can write to, root opens only regular files and directories, and opens for
    writing only files without further hard links (see `DirectoryEntry.check_links`).
    """
    with located(path, follow=follow) as place:
        return open_at(place, flags, mode)


def opener(path: str, flags: int) -> int:
    """Open a file for `open(path, ..., opener=opener)`."""
    return open_file(path, flags, _USER_FILE)


def open_at(place: DirectoryEntry, flags: int, mode: int = 0o600) -> int:
    """Open a file in an open directory; implements `open_file`."""
    if flags & _CHANGING:
        before_change(place)
    exposed = is_exposed(os.fstat(place.parent))
    # Without O_NONBLOCK, opening a user's pipe could block root.
    waiting = os.O_NONBLOCK if exposed else 0
    plain = flags & ~os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC | waiting
    try:
        descriptor = os.open(place.name, plain, mode, dir_fd=place.parent)
    except OSError as exc:
        raise with_path(exc, place.path) from None
    try:
        found = os.fstat(descriptor)
        if exposed and not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            raise UntrustedPath(
                place.path, "it is not a regular file and its directory is writable by others; remove it"
            )
        if flags & (os.O_WRONLY | os.O_RDWR):
            place.check_links(found)
        if flags & os.O_TRUNC and stat.S_ISREG(found.st_mode):
            os.ftruncate(descriptor, 0)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def temporary_file(place: DirectoryEntry, suffix: str = "") -> tuple[int, str]:
    """Create a private file in the directory of an entry; return its descriptor and its name."""
    name = f"{_TEMPORARY}{os.urandom(8).hex()}{suffix}"
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    before_temporary(place.parent, name)
    try:
        return os.open(name, flags, 0o600, dir_fd=place.parent), name
    except OSError as exc:
        raise with_path(exc, place.path) from None


def change_owner(path: str, uid: int, gid: int, *, follow: bool = True) -> None:
    """Change owner and group of a file, directory or (without `follow`) link."""
    with located(path, follow=follow) as place:
        _change(place, lambda target: os.chown(target, uid, gid), new_owner=uid, of_link=not follow)


def change_mode(path: str, mode: int) -> None:
    """Change the mode of a file or directory."""
    with located(path) as place:
        _change(place, lambda target: os.chmod(target, mode))


def _change(
    place: DirectoryEntry,
    act: Callable[[str | int], None],
    new_owner: int | None = None,
    of_link: bool = False,
) -> None:
    """Apply a change to the inode that was checked, through its descriptor."""
    try:
        entry = os.open(place.name, O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place.parent)
    except OSError as exc:
        raise with_path(exc, place.path) from None
    try:
        found = os.fstat(entry)
        if stat.S_ISLNK(found.st_mode) and not of_link:
            raise UntrustedPath(place.path, "it was just replaced by a link; run the state again")
        place.check_links(found, new_owner=new_owner)
        before_change(place)
        try:
            # The descriptor's path leads to the inode that was checked, even if it is a link.
            act(f"/proc/self/fd/{entry}")
        except FileNotFoundError:
            _change_opened(place, found, act)
        except OSError as exc:
            raise with_path(exc, place.path) from None
    finally:
        os.close(entry)


def _change_opened(place: DirectoryEntry, expected: os.stat_result, act: Callable[[str | int], None]) -> None:
    """Apply a change without /proc; raise OSError if the entry was replaced or cannot be opened."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(place.name, flags, dir_fd=place.parent)
    try:
        if not os.path.samestat(os.fstat(descriptor), expected):
            raise OSError(errno.ESTALE, "was replaced while it was being changed", place.path)
        act(descriptor)
    finally:
        os.close(descriptor)


def announce_change(path: str) -> None:
    """Record a file or tree that a program is about to change, for `state.undo`."""
    if is_recording():
        with contextlib.suppress(FileNotFoundError), located(path) as place:
            before_removal(place)


def change_times(path: str, times: tuple[float, float] | None = None) -> None:
    """Set the access and modification times; None means now."""
    with located(path) as place, _naming(path):
        os.utime(place.name, times, dir_fd=place.parent, follow_symlinks=False)


def copy_file(source: str, path: str, *, whole: bool = False) -> None:
    """Copy the content of a file to another one; `whole` also copies owner, mode and times."""
    import shutil

    with (
        os.fdopen(open_file(source, os.O_RDONLY), "rb") as old,
        os.fdopen(open_file(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _USER_FILE), "wb") as new,
    ):
        shutil.copyfileobj(old, new)
        if not whole:
            return
        new.flush()
        found = os.fstat(old.fileno())
        with contextlib.suppress(PermissionError):
            os.fchown(new.fileno(), found.st_uid, found.st_gid)
        os.fchmod(new.fileno(), stat.S_IMODE(found.st_mode))
        os.utime(new.fileno(), ns=(found.st_atime_ns, found.st_mtime_ns))


def make_node(path: str, mode: int, device: int) -> None:
    """Create a device or pipe as `os.mknod` does."""
    with located(path, follow=False) as place, _naming(path):
        before_change(place)
        os.mknod(place.name, mode, device, dir_fd=place.parent)


def make_directory(path: str, mode: int = 0o777) -> None:
    """Create a directory as `os.mkdir` does."""
    with located(path.rstrip("/") or "/", follow=False) as place, _naming(path):
        before_change(place)
        os.mkdir(place.name, mode, dir_fd=place.parent)


def make_directories(path: str, mode: int = 0o777) -> None:
    """Create a directory, with `mode`, and its missing parents; existing directories are unchanged."""
    missing: list[str] = []
    current = os.path.normpath(path)
    while True:
        with contextlib.suppress(FileNotFoundError), located(current) as place:
            if place.is_directory:
                break
            if place.found is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), current)
        missing.append(current)
        current = os.path.dirname(current) or "."
    for directory in reversed(missing):
        with contextlib.suppress(FileExistsError):
            make_directory(directory, mode if directory == missing[0] else 0o777)


def remove_file(path: str) -> None:
    """Remove a file or a link."""
    with located(path, follow=False) as place, _naming(path):
        before_change(place)
        os.unlink(place.name, dir_fd=place.parent)


def remove_directory(path: str) -> None:
    """Remove an empty directory."""
    with located(path.rstrip("/") or "/", follow=False) as place, _naming(path):
        before_change(place)
        os.rmdir(place.name, dir_fd=place.parent)


def symlink(target: str, path: str) -> None:
    """Create a symbolic link at `path`."""
    with located(path, follow=False) as place, _naming(path):
        before_change(place)
        os.symlink(target, place.name, dir_fd=place.parent)


def link(source: str, path: str) -> None:
    """Create the hard link `path` to a file; a symbolic link as source is not followed."""
    with located(source, follow=False) as old, located(path, follow=False) as new, _naming(path):
        before_link(old)
        before_change(new)
        os.link(old.name, new.name, src_dir_fd=old.parent, dst_dir_fd=new.parent, follow_symlinks=False)


def rename(source: str, path: str) -> None:
    """Rename an entry within its file system, replacing any entry at the target."""
    with located(source, follow=False) as old, located(path, follow=False) as new, _naming(path):
        before_move(old, new)
        os.rename(old.name, new.name, src_dir_fd=old.parent, dst_dir_fd=new.parent)


def move(source: str, path: str) -> None:
    """Move a file or tree as `shutil.move` does, also to another file system.

    If `path` is a directory, or a link to one, the source is moved into it.
    """
    with located(path) as target:
        inside = target.is_directory
    goal = os.path.join(path, os.path.basename(source.rstrip("/"))) if inside else path
    with (
        located(source.rstrip("/"), follow=False) as old,
        located(goal, follow=False) as new,
        _naming(goal),
    ):
        if inside and new.found is not None:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        before_move(old, new)
        try:
            os.rename(old.name, new.name, src_dir_fd=old.parent, dst_dir_fd=new.parent)
        except OSError as exc:
            if exc.errno != errno.EXDEV:
                raise
            _copy_over(old, new)


def before_move(old: DirectoryEntry, new: DirectoryEntry) -> None:
    """Record the source and target of a move; for a directory, also the entries created at the target."""
    before_removal(old)
    before_removal(new)
    if old.is_directory:
        before_copy(old, new)


def before_copy(old: DirectoryEntry, new: DirectoryEntry) -> None:
    """Record the entries that a copy of a tree creates or replaces."""
    if not is_recording():
        return
    for folder, folders, names in os.walk(old.pinned):
        below = folder[len(old.pinned) :].lstrip("/")
        for name in (*folders, *names):
            # The target directory may not exist yet, so give the path relative to the parent of the target.
            before_change_at(new.parent, os.path.join(new.name, below, name))


def _copy_over(old: DirectoryEntry, new: DirectoryEntry) -> None:
    import shutil

    if new.found is not None and not new.is_directory:
        os.unlink(new.name, dir_fd=new.parent)
    shutil.move(old.pinned, new.pinned)


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    """Replace descriptors in error messages with the requested path."""
    try:
        yield
    except UntrustedPath:
        raise
    except OSError as exc:
        raise with_path(exc, path) from None
