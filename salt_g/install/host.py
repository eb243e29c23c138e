"""What is on the host: files, links, its init system. Nothing here changes anything.

Shapes: paths are the host's own; `root` is the directory that stands for its `/` here.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from collections.abc import Iterator

#: How long systemctl may take to answer (s).
_TIMEOUT = 30.0
SYSTEMD, OPENRC, SYSV, NONE = "systemd", "openrc", "sysv", ""


class Host:
    """One host, seen below `root`."""

    def __init__(self, root: str = "/") -> None:
        self.root = os.path.abspath(root)

    @property
    def is_here(self) -> bool:
        """Whether it is the machine that this process runs on, so that its services can be started."""
        return self.root == "/"

    def place(self, path: str) -> str:
        """Return where a path of the host is on this machine."""
        return path if self.is_here else os.path.join(self.root, path.lstrip("/"))

    def exists(self, path: str) -> bool:
        """Return whether anything is at a path, a broken link too."""
        return os.path.lexists(self.place(path))

    def is_directory(self, path: str) -> bool:
        """Return whether a directory is at a path."""
        return os.path.isdir(self.place(path))

    def names(self, path: str) -> list[str]:
        """Return what a directory holds."""
        return os.listdir(self.place(path))

    def read(self, path: str) -> bytes:
        """Return the content of a file."""
        with open(self.place(path), "rb") as file:
            return file.read()

    def mode(self, path: str) -> int:
        """Return the mode of what is at a path."""
        return stat.S_IMODE(os.stat(self.place(path)).st_mode)

    def digest(self, path: str) -> str:
        """Return the digest of what is at a path, "" when there is nothing: equal for equal content."""
        return digest(self.place(path))

    def init(self) -> str:
        """Return which init system starts services."""
        if self.is_directory("/run/systemd/system") or self.exists("/lib/systemd/systemd"):
            return SYSTEMD
        if self.exists("/sbin/openrc-run"):
            return OPENRC
        return SYSV if self.is_directory("/etc/init.d") else NONE

    def runs_systemd(self) -> bool:
        """Return whether systemd is here and takes orders."""
        return self.is_here and self.is_directory("/run/systemd/system")

    def is_active(self, unit: str) -> bool:
        """Return whether systemd runs a unit."""
        if not self.runs_systemd():
            return False
        words = ["systemctl", "is-active", "--quiet", unit]
        return subprocess.run(words, timeout=_TIMEOUT, stdin=subprocess.DEVNULL).returncode == 0


def digest(path: str) -> str:
    """Return the digest of a file, a link or a tree of this machine, "" when there is nothing."""
    if os.path.islink(path):
        return _hashed(b"link", os.readlink(path).encode())
    if os.path.isdir(path):
        return _hashed(b"tree", *(part for entry in _entries(path) for part in entry))
    try:
        with open(path, "rb") as file:
            return of_content(file.read())
    except FileNotFoundError:
        return ""


def of_content(content: bytes) -> str:
    """Return the digest of a file that has this content."""
    return hashlib.sha256(content).hexdigest()


def of_link(target: str) -> str:
    """Return the digest of a link that leads there."""
    return _hashed(b"link", target.encode())


def _entries(top: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield (path and kind, digest) of everything in a tree, in order of the paths."""
    for directory, names, files in os.walk(top):
        names.sort()
        for name in sorted([*files, *(one for one in names if os.path.islink(os.path.join(directory, one)))]):
            path = os.path.join(directory, name)
            is_program = not os.path.islink(path) and bool(os.stat(path).st_mode & stat.S_IXUSR)
            yield os.path.relpath(path, top).encode() + b"x" * is_program, digest(path).encode()


def _hashed(*parts: bytes) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()
