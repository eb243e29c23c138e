"""Filters for the local machine: files, programs, users."""

from __future__ import annotations

import hashlib
import os
import pwd
from collections.abc import Callable
from typing import Any

from salt_g.data.text_diff import is_binary
from salt_g.render.jinja.filters.text import to_bytes

#: Bytes read to distinguish text from binary.
_SAMPLE = 2048


def path_join(*parts: Any, use_posixpath: bool = True) -> str:
    """Join the parts into one normalized path; later parts are never treated as absolute.

    Raise TypeError for values other than text and bytes.

    `use_posixpath` is stock's; all paths are POSIX paths here.
    """
    del use_posixpath
    if not parts:
        return ""
    first, *others = (os.path.normpath(to_bytes(part).decode()) for part in parts)
    return os.path.normpath(os.path.join(first, *(other.lstrip("/") for other in others)))


def which(program: str = "") -> str | None:
    """Return the path of a program, or None if it is not found."""
    from salt_g.process import command  # Imported lazily: slow import, rarely used.

    return command.which(program) if program else None


def is_empty(path: str) -> bool:
    """Return whether a file exists and is empty."""
    try:
        return os.stat(path).st_size == 0
    except OSError:
        return False


def is_text_file(path: str, blocksize: int = 512) -> bool:
    """Return whether a file exists and its first `blocksize` bytes look like text."""
    sample = _sample(path, blocksize)
    return sample is not None and not is_binary(sample)


def is_bin_file(path: str) -> bool:
    """Return whether a file exists and does not look like text."""
    sample = _sample(path, _SAMPLE) if os.path.isfile(path) else None
    return sample is not None and is_binary(sample)


def list_files(directory: str) -> list[str]:
    """Return a directory and everything below it."""
    found = [directory]
    for top, directories, names in os.walk(directory):
        found += [os.path.join(top, name) for name in (*names, *directories)]
    return found


def file_hashsum(path: str, form: str = "sha256", chunk_size: int = 65536) -> str:
    """Return the hex digest of a file; raise ValueError for an unknown hash type, OSError if unreadable."""
    try:
        hashed = hashlib.new(form)
    except ValueError:
        raise ValueError(f"Invalid hash type: {form}") from None
    with open(path, "rb") as file:
        while chunk := file.read(chunk_size):
            hashed.update(chunk)
    return hashed.hexdigest()


def get_uid(user: str | None = None) -> int | None:
    """Return the numeric id of a user (None: the current user), or None if the user does not exist."""
    if user is None:
        return os.geteuid()
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return None


def _sample(path: Any, size: int) -> bytes | None:
    if path in (0, 1, 2):
        # A number given as a path is a mistake, and would read standard input.
        raise TypeError(f"{path} is not a permitted file descriptor")
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except OSError:
        return None


FILTERS: dict[str, Callable[..., Any]] = {"path_join": path_join}
VOLATILE: dict[str, Callable[..., Any]] = {
    "which": which,
    "is_empty": is_empty,
    "is_text_file": is_text_file,
    "is_bin_file": is_bin_file,
    "list_files": list_files,
    "file_hashsum": file_hashsum,
    "get_uid": get_uid,
}
