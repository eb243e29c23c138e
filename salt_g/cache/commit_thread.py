"""Writer thread, which commits all queued writes in one transaction and settles their futures.

With group commit a thousand returns cost one flush of the disk. A full, read-only or damaged disk, or an
unreachable server, is handled here for every kind of write; the statements are in `job_writes.py` and similar
modules.
Errors: StoreError through the future; StoreBusy when the queue is full.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import logging
import time
from collections.abc import Callable
from typing import Any

from salt_g.cache.database import Database, DatabaseFailure
from salt_g.cache.futures import Future, Waiting
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.write_queue import WriteQueue
from salt_g.errors import StoreBusy, StoreError
from salt_g.process.offload import unpatched

log = logging.getLogger(__name__)

#: Maximum number of queued writes, and their maximum total size (bytes).
MAX_ENTRIES = 20_000
MAX_BYTES = 128 * 1024 * 1024


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


class Writer:
    """Owner of the writer thread and its connection.

    Lifecycle: `start`, `submit` from any number of callers, `stop` writes the queue and ends the thread.
    `generation` counts how often the database was opened, replaced or unwritable, so that readers reopen it;
    `commits` counts transactions, `written` and `failed` count writes; `committed_at` is the moment of the
    last commit (seconds of the monotonic clock).
    """

    def __init__(
        self,
        database: Database,
        waiting: Waiting,
        *,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.path = database.path
        self.generation = 0
        self.commits = 0
        self.committed_at = 0.0
        self.written = 0
        self.failed = 0
        self._database = database
        self._waiting = waiting
        self._queue = WriteQueue(max_entries=max_entries, max_bytes=max_bytes)
        self._connection: DatabaseConnection | None = None
        #: Reason why writes fail at present, "" while they succeed.
        self.problem = ""

    def __len__(self) -> int:
        """Return the number of queued writes."""
        return len(self._queue)

    def start(self) -> None:
        """Start the thread."""
        unpatched("start_new_thread")(self._run, ())

    def submit(self, operation: Operation, item: Any, size: int) -> Future[Any]:
        """Queue a write of about `size` bytes; raises StoreBusy when the queue is full."""
        future: Future[Any] = self._waiting.future()
        if not self._queue.put(_Write(operation, item, future), size):
            raise StoreBusy(self.path, f"{len(self)} writes are queued already; try again later")
        return future

    def stop(self) -> Future[None]:
        """Write the queue and stop; the future is settled when the file is closed."""
        future: Future[None] = self._waiting.future()
        self._queue.put_always(_Stop(future))
        return future

    def _run(self) -> None:
        stop = None
        while stop is None:
            batch = self._queue.take_all()
            writes = [entry for entry in batch if isinstance(entry, _Write)]
            stop = next((entry for entry in batch if isinstance(entry, _Stop)), None)
            self._settle(self._written(writes))
        if self._connection is not None:
            self._try(self._database.finish, self._connection)
        self._close()
        self._settle([(stop.future, None, None)])

    def _settle(self, outcomes: list[_Outcome]) -> None:
        self._waiting.post(self._settle_here, outcomes)

    def _settle_here(self, outcomes: list[_Outcome]) -> None:
        for future, value, error in outcomes:
            self._waiting.settle(future, value, error)

    def _written(self, writes: list[_Write]) -> list[_Outcome]:
        """Commit these writes and return an outcome for each; never raise, so that the thread continues."""
        try:
            outcomes = self._commit(writes)
        except StoreError as exc:
            return self._all_fail(writes, type(exc), exc.problem)
        except Exception as exc:
            # This thread has no other guard, and without an outcome all callers would wait forever.
            return self._failed(writes, exc)
        self._log_recovery()
        return outcomes

    def _failed(self, writes: list[_Write], error: Exception) -> list[_Outcome]:
        meaning = self._database.failure(error)
        if meaning is DatabaseFailure.UNAVAILABLE:
            return self._all_fail(writes, StoreError, self._database.advice(error))
        if meaning is not DatabaseFailure.BAD_VALUE:
            self._log_safely(functools.partial(log.error, exc_info=error), "%s: writing failed", self.path)
            return self._all_fail(writes, StoreError, f"writing failed: {error!r}")
        self._roll_back()
        if len(writes) > 1:
            # Retried in halves, so that in the end only the faulty write fails.
            middle = len(writes) // 2
            return self._written(writes[:middle]) + self._written(writes[middle:])
        self.failed += len(writes)
        return _failures(writes, StoreError, self.path, f"a value cannot be stored: {error}")

    def _commit(self, writes: list[_Write]) -> list[_Outcome]:
        try:
            return self._transaction(writes)
        except Exception as exc:
            if self._database.failure(exc) is not DatabaseFailure.DAMAGE:
                raise
            self._replace(exc)
        return self._transaction(writes)

    def _transaction(self, writes: list[_Write]) -> list[_Outcome]:
        connection = self._opened()
        if not writes:
            return []
        by_lane = sorted(writes, key=lambda write: write.operation.lane)
        groups = [
            (operation, list(group))
            for operation, group in itertools.groupby(by_lane, key=lambda write: write.operation)
        ]
        if self._database.is_remote and len(groups) == 1 and len(writes) <= groups[0][0].in_one_statement:
            outcomes = _applied(connection, groups)
        else:
            connection.execute(self._database.begin)
            outcomes = _applied(connection, groups)
            connection.execute("COMMIT")
        self.commits += 1
        self.committed_at = time.monotonic()
        self.written += len(writes)
        return outcomes

    def _opened(self) -> DatabaseConnection:
        if self._connection is not None and (loss := self._database.loss()):
            self._log_safely(log.error, "%s %s", self.path, loss)
            self._close()
            self.generation += 1
        if self._connection is None:
            self._connection, (before, now) = self._database.open()
            if 0 < before < now:
                self._log_safely(
                    log.warning, "store %s: migrated from version %d to %d", self.path, before, now
                )
            # Readers reopen the database: on a read-only disk, they assumed that the file never changes.
            self.generation += 1
        return self._connection

    def _replace(self, damage: Exception) -> None:
        """Set a damaged database aside; the next transaction creates a new one."""
        self._close()
        name = self._database.set_aside()
        self.generation += 1
        self._log_safely(
            log.error,
            "%s is damaged (%s): it was moved to %s, and a new one is created",
            self.path,
            damage,
            name,
        )

    def _all_fail(self, writes: list[_Write], kind: type[StoreError], problem: str) -> list[_Outcome]:
        # A connection that saw a full or read-only disk is reopened, so that the end of this state is
        # noticed. Readers reopen as well, because SQLite shares open files with them, including a log opened
        # read-only.
        self._roll_back()
        self._close()
        self.generation += 1
        self.failed += len(writes)
        if not self.problem:
            self._log_safely(
                log.error, "store %s: %s; writes fail until this is resolved", self.path, problem
            )
        self.problem = problem
        return _failures(writes, kind, self.path, problem)

    def _log_recovery(self) -> None:
        if self.problem:
            self.problem = ""
            self._log_safely(log.warning, "store %s can be written again", self.path)

    def _log_safely(self, level: Callable[..., None], *words: Any) -> None:
        # Log handlers hold locks of the callers' thread, so the callers' thread writes the log line.
        self._waiting.post(level, *words)

    def _roll_back(self) -> None:
        if self._connection is not None and self._connection.in_transaction:
            self._try(self._connection.execute, "ROLLBACK")

    def _close(self) -> None:
        if self._connection is not None:
            self._try(self._connection.close)
            self._connection = None

    def _try(self, function: Callable[..., Any], *args: Any) -> None:
        """Call a function of a connection that is no longer needed, and ignore the database's errors."""
        try:
            function(*args)
        except Exception as exc:
            if self._database.failure(exc) is DatabaseFailure.OTHER:
                raise
            self._log_safely(log.debug, "%s: ending: %s", self.path, exc)


def _applied(connection: DatabaseConnection, groups: list[tuple[Operation, list[_Write]]]) -> list[_Outcome]:
    outcomes: list[_Outcome] = []
    for operation, same in groups:
        results = operation.apply(connection, [write.item for write in same])
        outcomes += ((write.future, value, None) for write, value in zip(same, results, strict=True))
    return outcomes


def _failures(writes: list[_Write], kind: type[StoreError], path: str, problem: str) -> list[_Outcome]:
    # One exception per write: a shared one would collect the tracebacks of all callers.
    return [(write.future, None, kind(path, problem)) for write in writes]
