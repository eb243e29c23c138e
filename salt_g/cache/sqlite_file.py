"""SQLite database file: private creation, configuration, recovery from damage.

Everything about the file is handled here, so that the writer only deals with connections. Used from the
writer's thread; readers use `open_for_reading`.
Errors: StoreError, which names the file, the problem and the remedy.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Sequence
from typing import Any

from salt_g.cache.database import DatabaseFailure
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.schema import checked_version, migrate
from salt_g.errors import StoreError
from salt_g.process import disk
from salt_g.process.offload import unpatched

#: How long to wait while another process (a command line program, a backup) locks the file (ms).
BUSY_MS = 5000
#: Pause between attempts where SQLite does not wait on its own (s).
_RETRY_S = 0.01
#: Maximum size of the write-ahead log after a checkpoint (bytes).
LOG_BYTES = 16 * 1024 * 1024
#: Suffixes of the files of one database.
_PARTS = ("", "-wal", "-shm")


class SqliteFile:
    """SQLite file as a database of the store; see `database.Database`."""

    begin = "BEGIN IMMEDIATE"
    is_remote = False

    def __init__(self, path: str) -> None:
        self.path = path
        self._file: tuple[int, int] = (0, 0)

    def open(self) -> tuple[DatabaseConnection, tuple[int, int]]:
        """Open or create the file with all tables; return (connection, (version before, version now))."""
        opened = open_for_writing(self.path)
        self._file = _identity(self.path)
        return opened

    def loss(self) -> str:
        """Return why the opened file is no longer usable, "" if it still exists at its path."""
        try:
            is_there = _identity(self.path) == self._file
        except OSError:
            is_there = False
        return "" if is_there else "was removed or replaced; what it held is lost"

    def failure(self, error: Exception) -> DatabaseFailure:
        """Classify an exception; bad values include numbers that are too large and invalid text."""
        if isinstance(error, (sqlite3.OperationalError, OSError)):
            return DatabaseFailure.UNAVAILABLE
        if is_damage(error):
            return DatabaseFailure.DAMAGE
        is_value = isinstance(error, (sqlite3.Error, OverflowError, ValueError, TypeError))
        return DatabaseFailure.BAD_VALUE if is_value else DatabaseFailure.OTHER

    def advice(self, error: Exception) -> str:
        """Return why the file cannot be written."""
        return f"cannot be written: {error}; check disk space and permissions there"

    def set_aside(self) -> str:
        """Rename the damaged file; return its new name."""
        return set_aside(self.path, time.time())

    def finish(self, connection: Any) -> None:
        """Move the write-ahead log's content into the file, so that a copy of the file alone is complete."""
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def open_for_writing(path: str) -> tuple[sqlite3.Connection, tuple[int, int]]:
    """Open or create the database at `path` with all tables; return (connection, (old version, new version)).

    Raises sqlite3.Error and OSError unchanged, StoreError for a file that salt-g must not change.
    """
    disk.make_private_directory(os.path.dirname(path))
    _make_private(path)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        versions = _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection, versions


def open_for_reading(path: str) -> sqlite3.Connection:
    """Open the database at `path` read-only.

    Raises sqlite3.Error if it does not exist, StoreTooNew if a newer salt-g has written it.
    """
    place = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    mode = "immutable=1" if _is_frozen(path) else "mode=ro"
    connection = sqlite3.connect(
        f"file:{place}?{mode}", uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        connection.execute("PRAGMA trusted_schema = OFF")
        checked_version(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _is_frozen(path: str) -> bool:
    """Return whether the file is on a read-only disk, where SQLite needs `immutable` to open it."""
    try:
        read_only = os.statvfs(path).f_flag & os.ST_RDONLY
    except OSError:
        return False
    return bool(read_only) and not os.path.exists(f"{path}-wal")


def is_damage(error: Exception) -> bool:
    """Return whether an error means that the file is not a database, or is damaged.

    Python maps "malformed" and "not a database" to DatabaseError itself, and all errors of disks, locks and
    permissions to a subclass.
    """
    return type(error) is sqlite3.DatabaseError


def set_aside(path: str, now: float) -> str:
    """Rename a damaged database and its companion files; return its new name."""
    moment = time.strftime("%Y%m%d%H%M%S", time.gmtime(now))
    name, count = f"{path}.damaged-{moment}", 0
    while os.path.lexists(name):
        count += 1
        name = f"{path}.damaged-{moment}-{count}"
    for part in _PARTS:
        with contextlib.suppress(FileNotFoundError):
            os.rename(path + part, name + part)
    return name


def _make_private(path: str) -> None:
    """Create `path` if it is missing, and ensure that it is no link and accessible only to its owner."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, disk.PRIVATE_FILE)
    except OSError as exc:
        if os.path.islink(path):
            raise StoreError(path, "is a link; remove it, and salt-g creates its own file") from exc
        raise
    try:
        found = os.fstat(descriptor)
        # SQLite gives the companion files the mode of the database.
        if stat.S_ISREG(found.st_mode) and stat.S_IMODE(found.st_mode) & 0o077:
            os.fchmod(descriptor, disk.PRIVATE_FILE)
    finally:
        os.close(descriptor)


def _prepare(connection: sqlite3.Connection, path: str) -> tuple[int, int]:
    """Configure a connection and migrate the file; return its version before and now."""
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA trusted_schema = OFF")
    # Takes effect only before the first table is created.
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    _use_log(connection)
    # A commit must survive a power failure, because an acknowledged return is not sent again.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
    return migrate(connection, path)


def _use_log(connection: sqlite3.Connection) -> None:
    """Turn on the write-ahead log.

    SQLite does not apply its busy timeout here. Without retries, two programs that open a new file at the
    same time would get "database is locked" immediately.
    """
    # Called in the writer's thread, which has no hub.
    sleep = unpatched("sleep", "time")
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as exc:
            if not _is_locked(exc) or time.monotonic() > deadline:
                raise
            sleep(_RETRY_S)
        else:
            return


def _is_locked(error: sqlite3.OperationalError) -> bool:
    # Python 3.10 has no error codes; SQLite never translates this text.
    return "locked" in str(error)


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _examine(connection: DatabaseConnection, items: Sequence[None]) -> Sequence[None]:
    """Raise DatabaseError if any part of the file is damaged."""
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)
    return items


#: Operation that examines the whole file for damage.
EXAMINE = Operation("examine", 0, _examine)
