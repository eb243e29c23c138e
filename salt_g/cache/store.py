"""Open, write, read, close: the store as its users hold it.

Why its own file: the seam. Jobs and banks speak to this class only; a store that several
masters share takes its place one day.
Errors: StoreError from reads and through futures, StoreBusy from writes.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

from salt_g.cache import database
from salt_g.cache.futures import Future, ThreadWaiting, Waiting
from salt_g.cache.writer import EXAMINE, MAX_BYTES, MAX_ENTRIES, OPEN, Operation, Writer
from salt_g.errors import StoreError, StoreTooNew, WireError
from salt_g.process.offload import breathe, offload_heavy
from salt_g.wire.packing import unpack

log = logging.getLogger(__name__)

#: Name of the database in `cachedir`.
FILE_NAME = "store.sqlite"
#: How many rows one step of a long read takes; between steps others may run.
PAGE = 200
#: From this size on (bytes) a native thread reads a value: its entries may be maps of one byte each.
LARGE = 32 * 1024
#: How long closing waits for what is queued (s).
CLOSE_TIMEOUT = 30.0


class Store:
    """The database of one daemon.

    Life: made with the directory, `start` begins to write and makes the file, `stop` writes
    what is queued. Without `start` it only reads, as command line programs do.
    """

    def __init__(
        self,
        cachedir: str,
        *,
        waiting: Waiting | None = None,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.path = os.path.join(cachedir, FILE_NAME)
        self._waiting = waiting or ThreadWaiting()
        self._writer = Writer(self.path, self._waiting, max_entries=max_entries, max_bytes=max_bytes)
        self._reader: sqlite3.Connection | None = None
        self._seen = 0
        self._is_writing = False

    def __enter__(self) -> Store:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def waiting_writes(self) -> int:
        """How many writes are queued."""
        return len(self._writer)

    @property
    def writes(self) -> tuple[int, int, int]:
        """How many transactions were committed, how many writes with them, and how many writes failed."""
        return self._writer.commits, self._writer.written, self._writer.failed

    def start(self, *, timeout: float = CLOSE_TIMEOUT) -> None:
        """Begin to write, and wait until the file is there.

        A disk that cannot be written is logged and survived: writes fail until it can be.
        Raises StoreTooNew.
        """
        self._writer.start()
        self._is_writing = True
        try:
            self.write(OPEN, None).result(timeout)
        except StoreTooNew:
            self.stop()
            raise
        except StoreError as exc:
            log.debug("start goes on: %s", exc)

    def stop(self, *, timeout: float = CLOSE_TIMEOUT) -> None:
        """Write what is queued, then close."""
        try:
            if self._is_writing:
                self._is_writing = False
                self._writer.stop().result(timeout)
        finally:
            self._forget_reader()
            self._waiting.close()

    def write(self, operation: Operation, item: Any, size: int = 0) -> Future[Any]:
        """Queue a write; its future is settled after the commit. Raises StoreBusy."""
        self._forget_old_reader()
        return self._writer.submit(operation, item, size)

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query over what is committed."""
        try:
            return self._connection().execute(sql, values).fetchall()
        except sqlite3.Error as exc:
            self._forget_reader()
            if self._is_writing and database.is_damage(exc):
                # The writer looks at the file as well, and sets it aside when it agrees.
                self._writer.submit(EXAMINE, None, 0)
            raise StoreError(self.path, f"cannot be read: {exc}") from exc

    def pages(self, sql: str, first: str, *more: Any, page: int = PAGE) -> Iterator[Any]:
        """Yield the rows of a query in steps of `page`, each of them complete when others run.

        `sql` takes the last key seen, `more` and a limit, gives rows in the order of that key, and the
        key as first column; `first` comes before all keys.
        """
        last = first
        while rows := self.read(sql, (last, *more, page)):
            yield from rows
            last = rows[-1][0]
            breathe()

    def unpacked(self, data: bytes, what: str) -> Any:
        """Return a value that was kept, None (logged) when it cannot be read any more.

        A native thread reads what is large, and others run meanwhile.
        """
        try:
            return offload_heavy(len(data) < LARGE, unpack, unpack, data)
        except WireError as exc:
            log.error("%s in %s is unreadable and counts as missing: %s", what, self.path, exc)
            return None

    def _connection(self) -> sqlite3.Connection:
        self._forget_old_reader()
        if self._reader is None:
            self._seen = self._writer.generation
            self._reader = database.open_for_reading(self.path)
        return self._reader

    def _forget_old_reader(self) -> None:
        if self._seen != self._writer.generation:
            self._forget_reader()

    def _forget_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()
