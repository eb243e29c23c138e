"""Stock's `salt.utils.files`."""

import os
from typing import IO, Any


def fopen(path: str, mode: str = "r", **kwargs: Any) -> IO[Any]:
    """Open a file; text is UTF-8 by default."""
    if "b" not in mode:
        kwargs.setdefault("encoding", "utf-8")
    return open(path, mode, **kwargs)


def rm_rf(path: str) -> None:
    """Remove a file or a whole directory."""
    # Imported lazily: few plugins remove files.
    import shutil

    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def safe_rm(path: str) -> None:
    """Remove a file if it exists."""
    if os.path.lexists(path):
        os.unlink(path)


def is_empty(path: str) -> bool:
    """Return whether a file is empty; False for a missing file."""
    return os.path.isfile(path) and os.path.getsize(path) == 0
