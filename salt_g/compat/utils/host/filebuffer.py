"""Stock's `salt.utils.filebuffer`: reading of large files in overlapping windows."""

from collections.abc import Iterator
from typing import Any

from salt_g.errors import SaltGError


class InvalidFileMode(SaltGError):
    """Raised for a mode that would change the file."""


class BufferedReader:
    """Reader that yields overlapping windows of up to `max_in_mem` characters, advancing by `chunk_size`."""

    def __init__(
        self, path: str, max_in_mem: int = 256 * 1024, chunk_size: int = 32 * 1024, mode: str = "r"
    ) -> None:
        if any(letter in mode for letter in "wa+"):
            raise InvalidFileMode("Cannot open file in write or append mode")
        self._file = open(path, mode, encoding=None if "b" in mode else "utf-8")  # noqa: SIM115
        self._max_in_mem = max_in_mem
        self._chunk_size = chunk_size
        self._buffered: Any = None

    @property
    def buffered(self) -> Any:
        """The current window, or None before the first one."""
        return self._buffered

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        """Return the next window; the first one has the full size `max_in_mem`."""
        size = self._max_in_mem if self._buffered is None else self._chunk_size
        read = self._file.read(size)
        if not read:
            self._file.close()
            raise StopIteration
        before = read[:0] if self._buffered is None else self._buffered
        # Each read drops one chunk from a full window, also at the end of the file.
        kept = before[self._chunk_size :] if len(before) >= self._max_in_mem else before
        self._buffered = kept + read
        return self._buffered

    next = __next__

    def __enter__(self) -> "BufferedReader":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


__all__ = ["BufferedReader", "InvalidFileMode"]
