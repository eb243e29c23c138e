"""Writer thread: takes all queued writes, commits once, settles the futures.

With group commit a thousand returns cost one flush of the disk. A full, read-only or damaged disk is
handled here for every kind of write.
Shapes: an operation applies many items of its kind to a connection and returns a result for each.
Errors: StoreError through the future; StoreBusy when the queue is full.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from typing import Any

from salt_g.cache import database
from salt_g.cache.futures import Future, Waiting
from salt_g.cache.write_queue import WriteQueue
from salt_g.errors import StoreBusy, StoreError
from salt_g.process.offload import unpatched

log = logging.getLogger(__name__)

#: Maximum number of queued writes, and of bytes in them.
MAX_ENTRIES = 20_000
MAX_BYTES = 128 * 1024 * 1024


@dataclasses.dataclass(frozen=True)
class Operation:
    """A kind of write.

    `apply(connection, items)` returns one result for each item. Writes of one `lane` stay in order;
    those of different lanes use different tables and may be reordered.
    """

    name: str
    lane: int
    apply: Callable[[sqlite3.Connection, Sequence[Any]], Sequence[Any]]


@dataclasses.dataclass(frozen=True)
class _Write:
    operation: Operation
    item: Any
    future: Future[Any]


@dataclasses.dataclass(frozen=True)
class _Stop:
    future: Future[Any]


#: (future, result, error)
_Outcome = tuple[Future[Any], Any, "Exception | None"]
#: Exceptions of SQLite's binding for a value that cannot be stored: a number too large, invalid text.
_BAD_VALUES = (sqlite3.Error, OverflowError, ValueError, TypeError)


class Writer:
    """Owner of the thread and of the writing connection.

    Life: `start`, `submit` from any number of callers, `stop` writes the queue and ends. `generation`
    counts how often the file was opened, replaced or unwritable, so that readers reopen it; `commits`,
    `written` and `failed` count transactions, and writes by their outcome.
    """

    def __init__(
        self, path: str, waiting: Waiting, *, max_entries: int = MAX_ENTRIES, max_bytes: int = MAX_BYTES
    ) -> None:
        self.path = path
        self.generation = 0
        self.commits = 0
        self.written = 0
        self.failed = 0
        self._waiting = waiting
        self._intake = WriteQueue(max_entries=max_entries, max_bytes=max_bytes)
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] = (0, 0)
        self._in_trouble = False

    def __len__(self) -> int:
        """Return the number of queued writes."""
        return len(self._intake)

    def start(self) -> None:
        """Start the thread."""
        unpatched("start_new_thread")(self._run, ())

    def submit(self, operation: Operation, item: Any, size: int) -> Future[Any]:
        """Queue a write of about `size` bytes; raises StoreBusy when the queue is full."""
        future: Future[Any] = self._waiting.future()
        if not self._intake.put(_Write(operation, item, future), size):
            raise StoreBusy(self.path, f"{len(self)} writes are queued already; try again later")
        return future

    def stop(self) -> Future[None]:
        """Write the queue and stop; the future is settled when the file is closed."""
        future: Future[None] = self._waiting.future()
        self._intake.put_always(_Stop(future))
        return future

    def _run(self) -> None:
        stop = None
        while stop is None:
            batch = self._intake.take_all()
            writes = [entry for entry in batch if isinstance(entry, _Write)]
            stop = next((entry for entry in batch if isinstance(entry, _Stop)), None)
            self._settle(self._written(writes))
        self._checkpoint()
        self._close()
        self._settle([(stop.future, None, None)])

    def _settle(self, outcomes: list[_Outcome]) -> None:
        self._waiting.post(self._settle_here, outcomes)

    def _settle_here(self, outcomes: list[_Outcome]) -> None:
        for future, value, error in outcomes:
            self._waiting.settle(future, value, error)

    def _written(self, writes: list[_Write]) -> list[_Outcome]:
        """Commit these writes; each gets an outcome in any case, and the thread continues."""
        try:
            outcomes = self._commit(writes)
        except StoreError as exc:
            return self._all_fail(writes, type(exc), exc.problem)
        except (sqlite3.OperationalError, OSError) as exc:
            return self._all_fail(
                writes, StoreError, f"cannot be written: {exc}; check space and rights there"
            )
        except _BAD_VALUES as exc:
            self._roll_back()
            if len(writes) > 1:
                # Retried one by one, so that only the faulty one fails.
                middle = len(writes) // 2
                return self._written(writes[:middle]) + self._written(writes[middle:])
            self.failed += len(writes)
            return _failures(writes, StoreError, self.path, f"a value cannot be stored: {exc}")
        except Exception as exc:
            # This thread has no other guard: without an outcome all callers would wait endlessly.
            self._log_safely(functools.partial(log.error, exc_info=exc), "%s: writing failed", self.path)
            return self._all_fail(writes, StoreError, f"writing failed: {exc!r}")
        self._log_recovery()
        return outcomes

    def _commit(self, writes: list[_Write]) -> list[_Outcome]:
        try:
            return self._transaction(writes)
        except sqlite3.DatabaseError as exc:
            if not database.is_damage(exc):
                raise
            self._replace(exc)
        return self._transaction(writes)

    def _transaction(self, writes: list[_Write]) -> list[_Outcome]:
        connection = self._opened()
        if not writes:
            return []
        outcomes: list[_Outcome] = []
        connection.execute("BEGIN IMMEDIATE")
        by_lane = sorted(writes, key=lambda write: write.operation.lane)
        for operation, group in itertools.groupby(by_lane, key=lambda write: write.operation):
            same = list(group)
            results = operation.apply(connection, [write.item for write in same])
            outcomes += ((write.future, value, None) for write, value in zip(same, results, strict=True))
        connection.execute("COMMIT")
        self.commits += 1
        self.written += len(writes)
        return outcomes

    def _opened(self) -> sqlite3.Connection:
        if self._connection is not None and not _is_at(self._file, self.path):
            self._log_safely(log.error, "%s was removed or replaced; what it held is lost", self.path)
            self._close()
            self.generation += 1
        if self._connection is None:
            self._connection, (before, now) = database.open_for_writing(self.path)
            if 0 < before < now:
                self._log_safely(
                    log.warning, "store %s: migrated from version %d to %d", self.path, before, now
                )
            self._file = _identity(self.path)
            # Readers of a read-only disk take the file for unchangeable.
            self.generation += 1
        return self._connection

    def _replace(self, damage: Exception) -> None:
        """Set a damaged file aside; the next transaction creates a new one."""
        self._close()
        name = database.set_aside(self.path, time.time())
        self.generation += 1
        self._log_safely(
            log.error, "%s is damaged (%s): moved to %s, a new one is created", self.path, damage, name
        )

    def _all_fail(self, writes: list[_Write], kind: type[StoreError], problem: str) -> list[_Outcome]:
        # A connection that saw a full or read-only disk is reopened, to notice when that ends. Readers
        # reopen as well: SQLite shares open files with them, among them a read-only log.
        self._roll_back()
        self._close()
        self.generation += 1
        self.failed += len(writes)
        if not self._in_trouble:
            self._in_trouble = True
            self._log_safely(
                log.error, "store %s: %s; writes fail until this is resolved", self.path, problem
            )
        return _failures(writes, kind, self.path, problem)

    def _log_recovery(self) -> None:
        if self._in_trouble:
            self._in_trouble = False
            self._log_safely(log.warning, "store %s can be written again", self.path)

    def _log_safely(self, level: Callable[..., None], *words: Any) -> None:
        # Log handlers hold locks that belong to the callers' thread.
        self._waiting.post(level, *words)

    def _roll_back(self) -> None:
        if self._connection is not None and self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except sqlite3.Error as exc:
                self._log_safely(log.debug, "%s: rolling back: %s", self.path, exc)

    def _checkpoint(self) -> None:
        """Move the log's content into the file: a copy of the file alone is complete then."""
        if self._connection is not None:
            try:
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as exc:
                self._log_safely(log.debug, "%s: checkpoint: %s", self.path, exc)

    def _close(self) -> None:
        if self._connection is not None:
            try:
                self._connection.close()
            except sqlite3.Error as exc:
                self._log_safely(log.debug, "%s: closing: %s", self.path, exc)
            self._connection = None


def _failures(writes: list[_Write], kind: type[StoreError], path: str, problem: str) -> list[_Outcome]:
    # One exception per write: a shared one would collect the tracebacks of all callers.
    return [(write.future, None, kind(path, problem)) for write in writes]


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _is_at(file: tuple[int, int], path: str) -> bool:
    try:
        return _identity(path) == file
    except OSError:
        return False


def _do_nothing(connection: sqlite3.Connection, items: Sequence[None]) -> Sequence[None]:
    return items


def _examine(connection: sqlite3.Connection, items: Sequence[None]) -> Sequence[None]:
    """Raise DatabaseError when any part of the file is damaged."""
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)
    return items


#: Opens the file, and does nothing else.
OPEN = Operation("open", 0, _do_nothing)
#: Reads the whole file for damage.
EXAMINE = Operation("examine", 0, _examine)
