"""Stock's `salt.utils.files`."""

import os
from typing import IO, Any


def fopen(path: str, mode: str = "r", **kwargs: Any) -> IO[Any]:
    """Open a file; text is UTF-8 unless the caller says otherwise."""
    if "b" not in mode:
        kwargs.setdefault("encoding", "utf-8")
    return open(path, mode, **kwargs)


def rm_rf(path: str) -> None:
    """Remove a file or a whole directory."""
    # Late: few plugins remove anything.
    import shutil

    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def safe_rm(path: str) -> None:
    """Remove a file if it is there."""
    if os.path.lexists(path):
        os.unlink(path)


def is_empty(path: str) -> bool:
    """Return whether a file has no bytes; a file that is not there has some."""
    return os.path.isfile(path) and os.path.getsize(path) == 0
