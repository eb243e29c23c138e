"""Stock's `salt.utils.validate.path`: permissions of this process on files."""

import os


def is_writeable(path: str, check_parent: bool = False) -> bool:
    """Return whether a file is writable; with `check_parent`, a missing file counts if it can be created."""
    if os.path.exists(path) or not check_parent:
        return os.access(path, os.W_OK)
    return os.access(os.path.dirname(path) or ".", os.W_OK)


def is_readable(path: str) -> bool:
    """Return whether a file exists and is readable."""
    return os.access(path, os.R_OK)


def is_executable(path: str) -> bool:
    """Return whether a file exists and is executable."""
    return os.access(path, os.X_OK)


__all__ = ["is_executable", "is_readable", "is_writeable"]
