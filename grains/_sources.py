"""Sources of raw facts for grain modules: files below a root directory, programs in the path.

Probes read small files of /proc, /sys and /etc that may be missing or unreadable; tests pass a recorded tree
instead of `/`. Programs are looked up first, so that a process is started only if the program exists.
"""

from __future__ import annotations

import os

from salt_g.errors import CommandExecutionError
from salt_g.process.command import run

#: Searched after PATH, because daemons are often started with a short one.
SYSTEM_DIRECTORIES = ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin")
#: Time limit of a program (s).
PROGRAM_LIMIT = 5.0


def below(root: str, path: str) -> str:
    """Return the absolute `path` moved below `root`."""
    return path if root == "/" else root.rstrip("/") + path


def text(path: str, root: str = "/") -> str | None:
    """Return the text of a file, or None when it is missing, forbidden or unreadable."""
    try:
        with open(below(root, path), "rb") as file:
            return file.read().decode("utf-8", "replace")
    except OSError:
        return None


def lines(path: str, root: str = "/") -> list[str]:
    """Return the lines of a file, or [] when it cannot be read."""
    return (text(path, root) or "").splitlines()


def is_directory(path: str, root: str = "/") -> bool:
    """Return whether `path` is a directory below `root`."""
    return os.path.isdir(below(root, path))


def is_file(path: str, root: str = "/") -> bool:
    """Return whether `path` is a file below `root`."""
    return os.path.isfile(below(root, path))


def names(path: str, root: str = "/") -> list[str]:
    """Return the names in a directory, sorted, or [] when it cannot be read."""
    try:
        return sorted(os.listdir(below(root, path)))
    except OSError:
        return []


def which(program: str) -> str | None:
    """Return the path of a program, or None if it is not installed."""
    searched = os.environ.get("PATH", "").split(os.pathsep)
    for directory in (*searched, *SYSTEM_DIRECTORIES):
        path = os.path.join(directory, program)
        if directory and os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return None


def output(*argv: str) -> str | None:
    """Return the output of a program, or None if it is missing, fails or times out."""
    path = which(argv[0])
    if path is None:
        return None
    try:
        finished = run([path, *argv[1:]], timeout=PROGRAM_LIMIT)
    except (CommandExecutionError, OSError):
        return None
    return finished.out.strip() if finished.retcode == 0 else None
