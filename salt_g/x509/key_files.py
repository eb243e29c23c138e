"""Access to files of keys and certificates on another machine, for calls about a host without a minion.

By default, paths are files of this machine. In a call on a host (`salt-g ssh`) they are files of the host;
keys and certificates are then read from the host, created here and written to the host, because a host may
lack Python.
Errors: CommandExecutionError with the host's message.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Protocol


class HostFiles(Protocol):
    """Access to files of a host by absolute paths."""

    def is_file(self, path: str) -> bool:
        """Return whether a path is a regular file, after following links."""

    def is_link(self, path: str) -> bool:
        """Return whether a path is a symbolic link."""

    def glob(self, pattern: str) -> list[str]:
        """Return the paths of the files that match a shell pattern."""

    def read(self, path: str) -> bytes:
        """Return the content of a file."""

    def write(self, path: str, data: bytes, *, mode: int, keeps_old: bool = False) -> None:
        """Write a file atomically; `mode` is for a new file, while an existing one keeps its owner and mode.

        `keeps_old` keeps the replaced version on the host.
        """

    def write_private(self, path: str, data: bytes) -> None:
        """Write a file atomically that only its owner can read; an existing file keeps its owner."""

    def remove(self, path: str) -> None:
        """Remove a file or link."""

    def move(self, source: str, path: str) -> None:
        """Move a file to a path, where it gets the owner and mode of the file it replaces."""


_CURRENT: ContextVar[HostFiles | None] = ContextVar("host_files", default=None)


def of_host() -> HostFiles | None:
    """Return access to the host that the call is about, or None for this machine."""
    return _CURRENT.get()


@contextlib.contextmanager
def use(files: HostFiles | None) -> Iterator[None]:
    """Let paths refer to files of a host, or of this machine (None), during the block."""
    token = _CURRENT.set(files)
    try:
        yield
    finally:
        _CURRENT.reset(token)
