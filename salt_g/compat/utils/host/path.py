"""Stock's `salt.utils.path`: paths and the search for programs."""

import os
import re
import shutil
from collections.abc import Iterator
from typing import Any

from salt_g.errors import CommandNotFound


def which(exe: str | None = None) -> str | None:
    """Return the path of a program, or None if not found."""
    return shutil.which(exe) if exe else None


def which_bin(exes: list[str]) -> str | None:
    """Return the path of the first of these programs that exists, or None."""
    return next((path for exe in exes if (path := shutil.which(exe))), None)


def join(*parts: str) -> str:
    """Join the parts of a path; a leading slash in a later part does not make it absolute."""
    first, *rest = parts
    return os.path.normpath(os.path.join(first, *(part.lstrip("/") for part in rest)))


def os_walk(top: str, *args: Any, **kwargs: Any) -> Iterator[tuple[str, list[str], list[str]]]:
    """Walk a directory tree like `os.walk`."""
    yield from os.walk(os.fsdecode(top), *args, **kwargs)


def islink(path: str) -> bool:
    """Return whether a path is a link."""
    return os.path.islink(path)


def readlink(path: str) -> str:
    """Return the target of a link."""
    return os.readlink(path)


def check_or_die(command: str | None) -> None:
    """Raise CommandNotFoundError unless a program is found."""
    if command is None:
        raise CommandNotFound("'None' is not a valid command.")
    if not which(command):
        raise CommandNotFound(f"'{command}' is not in the path")


def sanitize_win_path(winpath: str) -> str:
    """Return a path with `_` in place of characters that are invalid on Windows."""
    return re.sub(r"[:*?<>|]", "_", winpath)


def safe_path(path: str, allow_path: Any = None) -> bool:
    """Return True, because stock checks only paths on Windows."""
    return True


def expand(path: str) -> str:
    """Return an absolute path, with environment variables and `~` expanded."""
    return os.path.abspath(os.path.expanduser(os.path.expandvars(path)))
