"""Embedded store: one SQLite file in `cachedir`, which needs no server.

Errors: StoreError from reads and through futures, StoreBusy from writes.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from typing import Any

from salt_g.cache import sqlite_file
from salt_g.cache.commit_thread import MAX_BYTES, MAX_ENTRIES
from salt_g.cache.futures import Waiting
from salt_g.cache.operation import DatabaseConnection
from salt_g.cache.sqlite_file import EXAMINE, SqliteFile
from salt_g.cache.store import Store
from salt_g.errors import StoreError

#: Name of the database in `cachedir`.
FILE_NAME = "store.sqlite"
#: Error text for a store that no master has created yet.
NEVER_WRITTEN = (
    "does not exist: no master has run with these settings; start one (salt-g master -d), or name the"
    " directory of its settings (-c DIR)"
)
#: Suffixes of the database's files, all of which a reader needs if they exist.
_ENDS = ("", "-wal", "-shm")
#: Error text for a store that belongs to another user.
DENIED = "cannot be read: permission denied; run as root or as the master's user"


class EmbeddedStore(Store):
    """Store in the file `store.sqlite` of a directory."""

    def __init__(
        self,
        cachedir: str,
        *,
        waiting: Waiting | None = None,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        database = SqliteFile(os.path.join(cachedir, FILE_NAME))
        super().__init__(database, waiting=waiting, max_entries=max_entries, max_bytes=max_bytes)
        self._reader: sqlite3.Connection | None = None
        self._seen = 0

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query on committed data."""
        try:
            return self._connection().execute(sql, values).fetchall()
        except sqlite3.Error as exc:
            self._forget_readers()
            if self._is_writing and sqlite_file.is_damage(exc):
                # The writer also examines the file, and sets a damaged one aside.
                self._writer.submit(EXAMINE, None, 0)
            raise StoreError(self.path, self._why_unreadable(exc)) from exc

    def open_in_thread(self) -> DatabaseConnection:
        """Return a new read-only connection for use by one native thread at a time; raises StoreError."""
        try:
            return sqlite_file.open_for_reading(self.path)
        except sqlite3.Error as exc:
            raise StoreError(self.path, self._why_unreadable(exc)) from exc

    def _why_unreadable(self, exc: sqlite3.Error) -> str:
        if any(_is_denied(self.path + end) for end in _ENDS):
            return DENIED
        if not os.path.exists(self.path):
            return NEVER_WRITTEN
        remedy = (
            "; at its start, the master sets it aside and creates a new one"
            if sqlite_file.is_damage(exc)
            else ""
        )
        return f"cannot be read: {exc}{remedy}"

    def _connection(self) -> sqlite3.Connection:
        self._forget_old_readers()
        if self._reader is None:
            self._seen = self._writer.generation
            self._reader = sqlite_file.open_for_reading(self.path)
        return self._reader

    def _forget_old_readers(self) -> None:
        if self._seen != self._writer.generation:
            self._forget_readers()

    def _forget_readers(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()


def _is_denied(path: str) -> bool:
    """Return whether this user is not allowed to open a file, or to enter a directory above it."""
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except PermissionError:
        return True
    except OSError:
        return False
    return False
