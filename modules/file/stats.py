"""File system metadata of a path: kind, owner, mode, times, links.

Units: times in seconds since the epoch, sizes in bytes, modes as text of four octal digits.
"""

from __future__ import annotations

import os
import stat
from typing import Any

from salt_g import safe_files
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.file.accounts import group_name, user_name
from salt_g.modules.file.hashes import get_hash
from salt_g.process.disk import mode_text

#: Names of file kinds in results.
_KINDS = {
    stat.S_IFDIR: "dir",
    stat.S_IFCHR: "char",
    stat.S_IFBLK: "block",
    stat.S_IFREG: "file",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
}
_LSTAT_KEYS = ("st_atime", "st_ctime", "st_gid", "st_mode", "st_mtime", "st_nlink", "st_size", "st_uid")
_STATVFS_KEYS = (
    *("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_favail"),
    *("f_ffree", "f_files", "f_flag", "f_frsize", "f_namemax"),
)
_ACCESS = {"f": os.F_OK, "r": os.R_OK, "w": os.W_OK, "x": os.X_OK}


def stats(path: str, hash_type: str | None = None, follow_symlinks: bool = True) -> dict[str, Any]:
    """Return metadata of a path: inode, uid, gid, user, group, times, size, mode, type, target.

    `hash_type` adds the content's hash as `sum`. For a dangling link, the metadata are those of the link.
    Raises CommandExecutionError if the path is missing.

    Example::

        salt-g file.stats /etc/passwd
    """
    path = os.path.expanduser(path)
    found = stat_result(path, follow_symlinks)
    said = {
        "inode": found.st_ino,
        "uid": found.st_uid,
        "gid": found.st_gid,
        "group": group_name(found.st_gid),
        "user": user_name(found.st_uid),
        "atime": found.st_atime,
        "mtime": found.st_mtime,
        "ctime": found.st_ctime,
        "size": found.st_size,
        "mode": permissions_text(found),
    }
    if hash_type:
        said["sum"] = get_hash(path, hash_type)
    said["type"] = _KINDS.get(stat.S_IFMT(found.st_mode), "file")
    said["target"] = os.path.realpath(path) if follow_symlinks else os.path.abspath(path)
    return said


def stat_result(path: str, follow_symlinks: bool) -> os.stat_result:
    """Return the result of `os.stat`, for a dangling link that of the link itself."""
    try:
        return os.stat(path, follow_symlinks=follow_symlinks)
    except OSError:
        try:
            return os.lstat(path)
        except OSError:
            raise CommandExecutionError(f"Path not found: {path}") from None


def permissions_text(found: os.stat_result) -> str:
    """Return the permission bits as four octal digits."""
    return mode_text(oct(stat.S_IMODE(found.st_mode))) or ""


def lstat(path: str) -> dict[str, Any]:
    """Return the `st_` fields of `lstat(2)`, or {} if the path is missing.

    Example::

        salt-g file.lstat /etc/localtime
    """
    path = _absolute(path, "Path to file must be absolute.")
    try:
        found = os.lstat(path)
    except OSError:
        return {}
    return {key: getattr(found, key) for key in _LSTAT_KEYS}


def statvfs(path: str) -> dict[str, int]:
    """Return the fields of `statvfs(2)` for the file system of a path.

    Example::

        salt-g file.statvfs /
    """
    path = _absolute(path, "File path must be absolute.")
    try:
        found = os.statvfs(path)
    except OSError as exc:
        raise CommandExecutionError(f"Could not statvfs '{path}': {exc}") from exc
    return {key: getattr(found, key) for key in _STATVFS_KEYS}


def get_mode(path: str, follow_symlinks: bool = True) -> str:
    """Return the mode of a path as four octal digits.

    Example::

        salt-g file.get_mode /etc/passwd
    """
    return permissions_text(stat_result(os.path.expanduser(path), follow_symlinks))


def set_mode(path: str, mode: str | int) -> str:
    """Set the mode of a path (octal digits); return the new mode, or a text about an invalid mode.

    Example::

        salt-g file.set_mode /etc/passwd 0644
    """
    path = os.path.expanduser(path)
    digits = str(mode).lstrip("0Oo") or "0"
    if not os.path.exists(path):
        raise CommandExecutionError(f"{path}: File not found")
    try:
        safe_files.change_mode(path, int(digits, 8))
    except safe_files.UntrustedPath:
        raise
    except (OSError, ValueError, OverflowError):
        return "Invalid Mode " + digits
    return get_mode(path)


def access(path: str, mode: str | int) -> bool:
    """Return whether salt-g has access to a path: `f` exists, `r` read, `w` write, `x` execute.

    Example::

        salt-g file.access /etc/passwd r
    """
    path = _absolute(path, "Path to link must be absolute.")
    if mode in _ACCESS:
        return os.access(path, _ACCESS[str(mode)])
    if mode in _ACCESS.values():
        return os.access(path, int(mode))
    raise InvocationError("Invalid mode specified.")


def file_exists(path: str) -> bool:
    """Return whether a path is a regular file.

    Example::

        salt-g file.file_exists /etc/passwd
    """
    return os.path.isfile(os.path.expanduser(path))


def directory_exists(path: str) -> bool:
    """Return whether a path is a directory.

    Example::

        salt-g file.directory_exists /etc
    """
    return os.path.isdir(os.path.expanduser(path))


def is_chrdev(name: str) -> bool:
    """Return whether a path is a character device.

    Example::

        salt-g file.is_chrdev /dev/null
    """
    return _is_kind(name, stat.S_IFCHR)


def is_blkdev(name: str) -> bool:
    """Return whether a path is a block device.

    Example::

        salt-g file.is_blkdev /dev/sda
    """
    return _is_kind(name, stat.S_IFBLK)


def is_fifo(name: str) -> bool:
    """Return whether a path is a named pipe.

    Example::

        salt-g file.is_fifo /run/initctl
    """
    return _is_kind(name, stat.S_IFIFO)


def get_devmm(name: str) -> tuple[int, int]:
    """Return the major and minor number of a device, (0, 0) for anything else.

    Example::

        salt-g file.get_devmm /dev/null
    """
    name = os.path.expanduser(name)
    if not (is_chrdev(name) or is_blkdev(name)):
        return (0, 0)
    device = os.stat(name).st_rdev
    return (os.major(device), os.minor(device))


def _is_kind(name: str, kind: int) -> bool:
    try:
        return stat.S_IFMT(os.stat(os.path.expanduser(name)).st_mode) == kind
    except FileNotFoundError:
        return False


def _absolute(path: str, complaint: str) -> str:
    path = os.path.expanduser(path)
    if not os.path.isabs(path):
        raise InvocationError(complaint)
    return path
