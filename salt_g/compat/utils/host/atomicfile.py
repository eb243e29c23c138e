"""Stock's `salt.utils.atomicfile`: files that are replaced as a whole."""

import io
import os
from typing import IO, Any

from salt_g.process import disk


def safe_atomic_write(dst: str, data: str, backup_mode: str = "", cachedir: str = "") -> None:
    """Write text to a file atomically; a new file has mode 0600, an existing one keeps owner and mode.

    `backup_mode` and `cachedir` are ignored.
    """
    with disk.replacing(dst, new_mode=0o600) as file:
        file.write(data.encode("utf-8"))


class _AtomicText:
    """Open temporary file that replaces the target when it is closed without an error."""

    def __init__(self, path: str, mode: str) -> None:
        self._replacing = disk.replacing(os.path.abspath(path))
        binary = self._replacing.__enter__()
        self._file: Any = binary if "b" in mode else io.TextIOWrapper(binary, encoding="utf-8")

    def __enter__(self) -> "_AtomicText":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self._file.flush()
        self._replacing.__exit__(kind, error, trace)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def close(self) -> None:
        """Close the file and move it into place."""
        self.__exit__(None, None, None)


def atomic_open(filename: str, mode: str = "w") -> "_AtomicText | IO[Any]":
    """Open a file for writing; the target is replaced atomically on close."""
    return _AtomicText(filename, mode)


__all__ = ["atomic_open", "safe_atomic_write"]
