"""Store: interface for reading and writing rows, independent of the database.

Jobs, banks and the other tables use only this class. Its implementations are `embedded_store.py` (SQLite) and
`postgres/` (a server); `store_choice.py` selects one by the setting `store`.
Shapes: SQL has `?` for each value and is valid in both databases. Values are bytes, numbers, and text, which
is sorted bytewise.
Errors: StoreError from reads and through futures, StoreBusy from writes.
"""

from __future__ import annotations

import abc
import logging
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, NoReturn, TypeVar

from salt_g.cache.commit_thread import MAX_BYTES, MAX_ENTRIES, Writer
from salt_g.cache.database import Database, DatabaseFailure
from salt_g.cache.futures import Future, Waiting
from salt_g.cache.operation import OPEN, DatabaseConnection, Operation
from salt_g.cache.thread_futures import ThreadWaiting
from salt_g.errors import StoreError, StoreForeign, StoreInUse, StoreTooNew, WireError
from salt_g.process.offload import offload_heavy, yield_to_hub
from salt_g.wire.packing import unpack

log = logging.getLogger(__name__)

S = TypeVar("S", bound="Store")
#: Number of rows per step of a long read; greenlets can switch between steps.
PAGE = 200
#: Size from which a native thread unpacks a value (bytes), because such a value may consist of maps of one
#: byte each.
LARGE = 32 * 1024
#: Time limit for queued writes when closing (s).
CLOSE_TIMEOUT = 30.0


class Store(abc.ABC):
    """Store of one daemon.

    Lifecycle: `start` starts the writer and creates the tables, `stop` writes the queue. Without `start` the
    store is read-only, as in command line programs. `path` identifies it in messages.
    """

    def __init__(
        self,
        database: Database,
        *,
        waiting: Waiting | None = None,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.path = database.path
        self._database = database
        self._waiting = waiting or ThreadWaiting()
        self._writer = Writer(database, self._waiting, max_entries=max_entries, max_bytes=max_bytes)
        self._is_writing = False
        self._refuse_write: Callable[[], NoReturn] | None = None

    def __enter__(self: S) -> S:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def waiting_writes(self) -> int:
        """Number of writes in the queue."""
        return len(self._writer)

    @property
    def writes(self) -> tuple[int, int, int]:
        """Numbers of committed transactions, of committed writes and of failed writes."""
        return self._writer.commits, self._writer.written, self._writer.failed

    @property
    def committed_at(self) -> float:
        """Moment of the last commit, in seconds of the monotonic clock."""
        return self._writer.committed_at

    def start(self, *, timeout: float = CLOSE_TIMEOUT) -> None:
        """Start the writer, and wait until the tables exist.

        An unwritable disk or an unreachable server is logged and tolerated; writes fail until it recovers.
        Raises StoreTooNew, StoreForeign, and StoreInUse if another master uses the store.
        """
        self._writer.start()
        self._is_writing = True
        try:
            self.write(OPEN, None).result(timeout)
        except (StoreTooNew, StoreForeign, StoreInUse):
            self.stop()
            raise
        except (StoreError, TimeoutError) as exc:
            log.debug("starting without the store: %s", exc)

    def check_writable(self) -> None:
        """Open and close the database to find problems that `start` would tolerate; raises StoreError."""
        try:
            connection, _ = self._database.open()
        except StoreError:
            raise
        except Exception as exc:
            meaning = self._database.failure(exc)
            if meaning is DatabaseFailure.UNAVAILABLE:
                raise StoreError(self.path, self._database.advice(exc)) from exc
            if meaning is DatabaseFailure.DAMAGE:
                raise StoreError(self.path, f"is damaged: {exc}; start its master, or restore it") from exc
            raise
        connection.close()

    def stop(self, *, timeout: float = CLOSE_TIMEOUT) -> None:
        """Write the queue, then close the database."""
        # A reader's snapshot would keep the writer's log from being emptied.
        self._forget_readers()
        try:
            if self._is_writing:
                self._is_writing = False
                self._writer.stop().result(timeout)
        finally:
            self._forget_readers()
            self._waiting.close()

    def only_read(self, refuse: Callable[[], NoReturn]) -> None:
        """Make `write` call `refuse`, which raises; for a store that is not started."""
        self._refuse_write = refuse

    def write(self, operation: Operation, item: Any, size: int = 0) -> Future[Any]:
        """Queue a write of about `size` bytes; the future is settled after the commit. Raises StoreBusy."""
        if self._refuse_write is not None:
            self._refuse_write()
        self._forget_old_readers()
        return self._writer.submit(operation, item, size)

    @abc.abstractmethod
    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query on committed data; may yield to the hub."""

    @abc.abstractmethod
    def open_in_thread(self) -> DatabaseConnection:
        """Return a new read-only connection for use by one native thread at a time; raises StoreError."""

    def check(self) -> None:
        """Raise StoreError unless the tables can be read."""
        self.read("SELECT bytes FROM held")

    def pages(self, sql: str, first: str, *more: Any, page: int = PAGE) -> Iterator[Any]:
        """Yield the rows of a query, read in pages of `page` rows, between which greenlets can switch.

        The parameters bound to `sql` are the last key seen, `more` and a limit; the query returns rows in the
        order of the key, with the key as first column. `first` sorts before all keys.
        """
        last = first
        while rows := self.read(sql, (last, *more, page)):
            yield from rows
            last = rows[-1][0]
            yield_to_hub()

    def unpacked(self, data: bytes, what: str) -> Any:
        """Unpack a value; return None (logged) if it is unreadable.

        A native thread unpacks large values while other greenlets run.
        """
        try:
            return offload_heavy(len(data) < LARGE, unpack, unpack, data)
        except WireError as exc:
            log.error("%s in %s is unreadable and treated as missing: %s", what, self.path, exc)
            return None

    @abc.abstractmethod
    def _forget_readers(self) -> None:
        """Close the reading connections."""

    @abc.abstractmethod
    def _forget_old_readers(self) -> None:
        """Close reading connections to a database that has been replaced."""
