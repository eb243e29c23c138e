"""Path computations, and directory contents; nothing here changes a file."""

from __future__ import annotations

import glob
import os

from salt_g.errors import InvocationError


def basename(path: str) -> str:
    """Return the last component of a path.

    Example::

        salt-g file.basename /etc/ssh/sshd_config
    """
    return os.path.basename(path)


def dirname(path: str) -> str:
    """Return a path without its last component.

    Example::

        salt-g file.dirname /etc/ssh/sshd_config
    """
    return os.path.dirname(path)


def join(*args: str) -> str:
    """Return the parts joined into a path; an absolute part discards the preceding ones.

    Example::

        salt-g file.join / etc hosts
    """
    return os.path.join(*args)


def normpath(path: str) -> str:
    """Return a path without `//`, `.` and `..`, by text alone.

    Example::

        salt-g file.normpath /etc/../etc/hosts
    """
    return os.path.normpath(path)


def pardir() -> str:
    """Return the name of the parent directory, `..`.

    Example::

        salt-g file.pardir
    """
    return os.path.pardir


def path_exists_glob(path: str) -> bool:
    """Return whether a path with wildcards matches anything.

    Example::

        salt-g file.path_exists_glob '/etc/pam*/pass*'
    """
    return bool(glob.glob(os.path.expanduser(path)))


def readdir(path: str) -> list[str]:
    """Return the names in a directory, `.` and `..` first.

    Example::

        salt-g file.readdir /etc
    """
    path = os.path.expanduser(path)
    if not os.path.isabs(path):
        raise InvocationError("Dir path must be absolute.")
    if not os.path.isdir(path):
        raise InvocationError(f"A valid directory was not specified: {path}")
    return [".", "..", *os.listdir(path)]


def diskusage(path: str) -> int:
    """Return the size in bytes of a file or tree; hard links count once.

    Example::

        salt-g file.diskusage /var/log
    """
    if os.path.isfile(path):
        return os.stat(path).st_size
    sizes: dict[int, int] = {}
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                found = os.stat(os.path.join(folder, name))
            except OSError:
                continue
            sizes.setdefault(found.st_ino, found.st_size)
    return sum(sizes.values())
