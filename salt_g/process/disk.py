"""Atomic file writes, private by default.

Caches, keys, config and managed files need the same steps (temporary file next to the target, fsync, rename),
because a full disk must never leave an incomplete file.
Units: modes are ints as `os.chmod` expects them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from io import BufferedReader
from typing import IO

from salt_g.safe_files.entries import make_directory, open_at, temporary_file
from salt_g.safe_files.links import DirectoryEntry, located, with_path
from salt_g.safe_files.recording import before_change

#: Maximum size of a copy buffer (bytes).
_BUFFER = 1 << 20
#: Mode of files that salt-g creates for itself.
PRIVATE_FILE = 0o600
#: Mode of directories that salt-g creates for itself.
PRIVATE_DIRECTORY = 0o700
#: Mode of the parents of private directories; the parents themselves hold nothing secret.
PASSED_DIRECTORY = 0o755


def make_private_directory(path: str) -> None:
    """Create `path` and its parents if missing, accessible to the owner only."""
    _make_directory(path, PRIVATE_DIRECTORY, PRIVATE_DIRECTORY)


def make_private_leaf(path: str) -> None:
    """Create `path` if missing, accessible to the owner only; missing parents are traversable by everyone.

    Use it for a daemon's own directories, which root may create for another user. The umask is overridden.
    """
    _make_directory(path, PRIVATE_DIRECTORY, PASSED_DIRECTORY)


def make_passed_directory(path: str) -> None:
    """Create `path` and its parents if missing, traversable by everyone, whatever the umask."""
    _make_directory(path, PASSED_DIRECTORY, PASSED_DIRECTORY)


def _make_directory(path: str, mode: int, parents_mode: int) -> None:
    if os.path.isdir(path):
        return
    # os.makedirs would give its mode to the last directory only.
    parent = os.path.dirname(path.rstrip(os.sep))
    if parent and not os.path.lexists(parent):
        _make_directory(parent, parents_mode, parents_mode)
    try:
        make_directory(path, mode)
    except FileExistsError:
        if not os.path.isdir(path):
            raise
        return
    if mode != PRIVATE_DIRECTORY:
        _set_mode(path, mode)


def _set_mode(path: str, mode: int) -> None:
    """Set the mode of a new directory despite the umask, unless another user has replaced it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if os.fstat(descriptor).st_uid == os.geteuid():
            os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


def write_whole(path: str, data: bytes | str, *, mode: int = PRIVATE_FILE) -> None:
    """Replace `path` by `data` atomically.

    Raises OSError when the disk is full or the directory not writable; the old file is then unchanged
    and no temporary file remains.
    """
    _write(path, data, mode, _move)


def write_first(path: str, data: bytes | str, *, mode: int = PRIVATE_FILE) -> None:
    """Create a file atomically.

    Raises FileExistsError when the file exists, and otherwise the errors of `write_whole`.
    """
    _write(path, data, mode, _move_to_free)


def _move(temporary: str, place: DirectoryEntry) -> None:
    before_change(place)
    try:
        os.replace(temporary, place.name, src_dir_fd=place.parent, dst_dir_fd=place.parent)
    except OSError as exc:
        raise with_path(exc, place.path) from exc


def _move_to_free(temporary: str, place: DirectoryEntry) -> None:
    before_change(place)
    try:
        os.link(temporary, place.name, src_dir_fd=place.parent, dst_dir_fd=place.parent)
    except OSError as exc:
        if exc.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
            raise
        # The file system has no hard links: check, then rename, with a small race in between.
        if place.is_taken():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), place.path) from exc
        _move(temporary, place)
    else:
        os.unlink(temporary, dir_fd=place.parent)


def _write(
    path: str, data: bytes | str, mode: int, take_place: Callable[[str, DirectoryEntry], None]
) -> None:
    content = data.encode() if isinstance(data, str) else data
    with located(path, follow=False) as place:
        descriptor, temporary = temporary_file(place)
        try:
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(file.fileno(), mode)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            take_place(temporary, place)
        except BaseException:
            _discard(temporary, place)
            raise


def _discard(temporary: str, place: DirectoryEntry) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary, dir_fd=place.parent)


@contextlib.contextmanager
def replacing(path: str, *, new_mode: int | None = None) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces a user's file when the block succeeds.

    An existing file's owner and mode are kept; a new one gets `new_mode` (None: by the umask). There is no
    fsync, because after a power failure a state is simply applied again, and a thousand files would cost a
    thousand disk flushes.
    """
    with located(path, follow=False) as place:
        descriptor, temporary = temporary_file(place)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
                _copy_ownership(file.fileno(), place, new_mode)
            _take_place(temporary, place)
        except BaseException:
            _discard(temporary, place)
            raise


def write_new_or_replace(path: str, content: bytes) -> None:
    """Write a private file whose readers ignore incomplete content.

    A new file is written in place, because a rename costs milliseconds on a busy file system.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
    except FileExistsError:
        with replacing(path, new_mode=PRIVATE_FILE) as file:
            file.write(content)
        return
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        file.write(content)


def rewrite(path: str, content: bytes) -> None:
    """Replace the content of a user's file atomically, keeping owner and mode."""
    with replacing(path) as file:
        file.write(content)


def copy_content(source: BufferedReader, target: IO[bytes]) -> None:
    """Copy an open file into another.

    One buffer is used for the whole file, because the kernel clears the pages of each new buffer, which costs
    several times as much as the copying.
    """
    size = os.fstat(source.fileno()).st_size
    buffer = memoryview(bytearray(min(size + 1, _BUFFER)))
    while length := source.readinto(buffer):
        target.write(buffer[:length])


def current_umask() -> int:
    """Return the process's umask, which can be read only by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def mode_text(mode: int | str | None) -> str | None:
    """Format a mode as four octal digits, as in '0644'; None stays None.

    A number is read by its decimal digits, because YAML's `mode: 644` means rw-r--r--.
    """
    if mode is None:
        return None
    return str(mode).replace("0o", "0").strip("\"'").lstrip("0").zfill(4)


def _take_place(temporary: str, place: DirectoryEntry) -> None:
    try:
        _move(temporary, place)
    except OSError as exc:
        # A file mounted into a container (/etc/hosts) can be written but not replaced.
        if exc.errno != errno.EBUSY:
            raise
        with (
            os.fdopen(os.open(temporary, os.O_RDONLY, dir_fd=place.parent), "rb") as new,
            os.fdopen(open_at(place, os.O_WRONLY | os.O_TRUNC), "wb") as file,
        ):
            copy_content(new, file)
        _discard(temporary, place)


def _copy_ownership(descriptor: int, place: DirectoryEntry, new_mode: int | None) -> None:
    """Give a new file the owner and mode of the file that it replaces."""
    found = _replaced(place)
    if found is None:
        os.fchmod(descriptor, 0o666 & ~current_umask() if new_mode is None else new_mode)
        return
    made = os.fstat(descriptor)
    if (found.st_uid, found.st_gid) != (made.st_uid, made.st_gid):
        os.fchown(descriptor, found.st_uid, found.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(found.st_mode))


def _replaced(place: DirectoryEntry) -> os.stat_result | None:
    """Return the status of the file being replaced (for a link: of its target), or None if there is none."""
    if not place.is_link:
        return place.found
    with contextlib.suppress(OSError), located(place.pinned) as target:
        return target.found
    return None
