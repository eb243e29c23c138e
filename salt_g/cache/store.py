"""Store: open, write, read, close.

Jobs and banks use only this class, so that a store shared by several masters can replace it.
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
from salt_g.cache.commit_thread import EXAMINE, MAX_BYTES, MAX_ENTRIES, OPEN, Operation, Writer
from salt_g.cache.futures import Future, Waiting
from salt_g.cache.thread_futures import ThreadWaiting
from salt_g.errors import StoreError, StoreTooNew, WireError
from salt_g.process.offload import offload_heavy, yield_to_hub
from salt_g.wire.packing import unpack

log = logging.getLogger(__name__)

#: Name of the database in `cachedir`.
FILE_NAME = "store.sqlite"
#: Rows per step of a long read; greenlets may switch between steps.
PAGE = 200
#: Problem of a store that is read before a master has made it.
NEVER_WRITTEN = (
    "does not exist: no master has run with these settings; start one (salt-g master -d), or name the"
    " directory of its settings (-c DIR)"
)
#: Size (bytes) from which a native thread unpacks a value: its entries may be maps of one byte each.
LARGE = 32 * 1024
#: Time limit for queued writes when closing (s).
CLOSE_TIMEOUT = 30.0


class Store:
    """The database of one daemon.

    Life: constructed with the directory; `start` starts the writer and creates the file, `stop` writes
    the queue. Without `start` it only reads, as command line programs do.
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
        """Number of queued writes."""
        return len(self._writer)

    @property
    def writes(self) -> tuple[int, int, int]:
        """Numbers of committed transactions, of writes in them, and of failed writes."""
        return self._writer.commits, self._writer.written, self._writer.failed

    def start(self, *, timeout: float = CLOSE_TIMEOUT) -> None:
        """Start the writer, and wait until the file exists.

        An unwritable disk is logged and tolerated: writes fail until it recovers. Raises StoreTooNew.
        """
        self._writer.start()
        self._is_writing = True
        try:
            self.write(OPEN, None).result(timeout)
        except StoreTooNew:
            self.stop()
            raise
        except StoreError as exc:
            log.debug("starting without it: %s", exc)

    def stop(self, *, timeout: float = CLOSE_TIMEOUT) -> None:
        """Write the queue, then close."""
        # A reader's snapshot would keep the writer's log from being emptied.
        self._forget_reader()
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
        """Return the rows of a query on committed data."""
        try:
            return self._connection().execute(sql, values).fetchall()
        except sqlite3.Error as exc:
            self._forget_reader()
            if self._is_writing and database.is_damage(exc):
                # The writer examines the file as well, and sets it aside when it is damaged.
                self._writer.submit(EXAMINE, None, 0)
            raise StoreError(self.path, self._why_unreadable(exc)) from exc

    def _why_unreadable(self, exc: sqlite3.Error) -> str:
        if not os.path.exists(self.path):
            return NEVER_WRITTEN
        remedy = (
            "; a master that starts sets it aside and begins a new one" if database.is_damage(exc) else ""
        )
        return f"cannot be read: {exc}{remedy}"

    def pages(self, sql: str, first: str, *more: Any, page: int = PAGE) -> Iterator[Any]:
        """Yield the rows of a query in steps of `page`, each complete before greenlets switch.

        `sql` takes the last key seen, `more` and a limit, returns rows in the order of that key, and the
        key as first column; `first` sorts before all keys.
        """
        last = first
        while rows := self.read(sql, (last, *more, page)):
            yield from rows
            last = rows[-1][0]
            yield_to_hub()

    def unpacked(self, data: bytes, what: str) -> Any:
        """Return an unpacked value, None (logged) when it is unreadable.

        A native thread unpacks large values while other greenlets run.
        """
        try:
            return offload_heavy(len(data) < LARGE, unpack, unpack, data)
        except WireError as exc:
            log.error("%s in %s is unreadable, treated as missing: %s", what, self.path, exc)
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
