"""Protocols of file servers, as clients of `salt://` files use them, and of their listings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import IO, Protocol


class Listed(Protocol):
    """Content of an environment, like `roots.Listing`; parts may be fetched on first access."""

    @property
    def files(self) -> Sequence[str]:
        """The paths of all files, relative, sorted."""

    @property
    def directories(self) -> Sequence[str]:
        """The paths of all directories."""

    @property
    def empty_directories(self) -> Sequence[str]:
        """The empty directories."""

    @property
    def links(self) -> Mapping[str, str]:
        """The link targets by path."""


class FileSource(Protocol):
    """Source of `salt://` files."""

    def envs(self) -> list[str]:
        """Return the file environments."""

    def listing(self, saltenv: str) -> Listed:
        """Return the listing of an environment."""

    def refresh(self, path: str, saltenv: str, dest: str) -> bool:
        """Update `dest`, a private copy of a file; return False when the file does not exist."""

    def write(self, path: str, saltenv: str, file: IO[bytes], *, gzip: int | None = None) -> bool:
        """Write the content of a file into `file`; return False when it does not exist."""

    def hash_file(self, path: str, saltenv: str) -> dict[str, str]:
        """Return {'hsum': hex digest, 'hash_type': name}, or {} when the file does not exist."""

    def stat_file(self, path: str, saltenv: str) -> os.stat_result | None:
        """Return the status of a file, or None when it does not exist."""
