"""State of a host: files, links, its init system. Read-only.

Shapes: paths are the host's own; `root` is the local directory that represents its `/`.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from collections.abc import Iterator

#: Timeout of systemctl (s).
_TIMEOUT = 30.0
SYSTEMD, OPENRC, SYSV, NONE = "systemd", "openrc", "sysv", ""


class Host:
    """Host with its file system below `root`."""

    def __init__(self, root: str = "/") -> None:
        self.root = os.path.abspath(root)

    @property
    def is_here(self) -> bool:
        """Whether this is the running machine, whose services can be started."""
        return self.root == "/"

    def place(self, path: str) -> str:
        """Return the local path of a path on the host."""
        return path if self.is_here else os.path.join(self.root, path.lstrip("/"))

    def exists(self, path: str) -> bool:
        """Return whether a path exists, including a broken link."""
        return os.path.lexists(self.place(path))

    def is_directory(self, path: str) -> bool:
        """Return whether a path is a directory."""
        return os.path.isdir(self.place(path))

    def names(self, path: str) -> list[str]:
        """Return the names in a directory."""
        return os.listdir(self.place(path))

    def read(self, path: str) -> bytes:
        """Return the content of a file."""
        with open(self.place(path), "rb") as file:
            return file.read()

    def mode(self, path: str) -> int:
        """Return the mode of a path."""
        return stat.S_IMODE(os.stat(self.place(path)).st_mode)

    def digest(self, path: str) -> str:
        """Return the digest of a path's content, or "" if it does not exist; equal for equal content."""
        return digest(self.place(path))

    def init(self) -> str:
        """Return the name of the init system, or NONE."""
        if self.is_directory("/run/systemd/system") or self.exists("/lib/systemd/systemd"):
            return SYSTEMD
        if self.exists("/sbin/openrc-run"):
            return OPENRC
        return SYSV if self.is_directory("/etc/init.d") else NONE

    def runs_systemd(self) -> bool:
        """Return whether systemd is running and accepts commands."""
        return self.is_here and self.is_directory("/run/systemd/system")

    def is_active(self, unit: str) -> bool:
        """Return whether a systemd unit is running."""
        if not self.runs_systemd():
            return False
        words = ["systemctl", "is-active", "--quiet", unit]
        return subprocess.run(words, timeout=_TIMEOUT, stdin=subprocess.DEVNULL).returncode == 0


def digest(path: str) -> str:
    """Return the digest of a file, a link or a tree of this machine, or "" if it does not exist."""
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
    """Return the digest of a file with this content."""
    return hashlib.sha256(content).hexdigest()


def of_link(target: str) -> str:
    """Return the digest of a link with this target."""
    return _hashed(b"link", target.encode())


def _entries(top: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield (path, with `x` appended for a program, and digest) of each file and link in a tree, sorted."""
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
