"""Interface through which the writer's thread opens a database and classifies its errors.

Implementations: `sqlite_file.SqliteFile` and `postgres.server.PostgresServer`.
"""

from __future__ import annotations

import enum
from typing import Protocol

from salt_g.cache.operation import DatabaseConnection


class DatabaseFailure(enum.Enum):
    """Meaning of an exception for the writer."""

    #: One of the values cannot be stored; the other writes can.
    BAD_VALUE = "bad value"
    #: The database is full, locked, read-only or unreachable, so nothing can be written at present.
    UNAVAILABLE = "unavailable"
    #: The file is no longer a valid database.
    DAMAGE = "damage"
    #: The error is a bug of salt-g.
    OTHER = "other"


class Database(Protocol):
    """Database that one thread writes to."""

    #: Name of the database in messages: a path, or a URL without the password.
    path: str
    #: Statement that begins a transaction of a writer.
    begin: str
    #: Whether each statement costs a round trip, including those that begin and end a transaction.
    is_remote: bool

    def open(self) -> tuple[DatabaseConnection, tuple[int, int]]:
        """Open or create the database with all tables; return (connection, (version before, version now))."""

    def loss(self) -> str:
        """Return why the opened database is no longer usable, "" if it is still usable."""

    def failure(self, error: Exception) -> DatabaseFailure:
        """Classify an exception."""

    def advice(self, error: Exception) -> str:
        """Return the problem of an unavailable database and what to do about it."""

    def set_aside(self) -> str:
        """Move a damaged database away and return its new path."""

    def finish(self, connection: DatabaseConnection) -> None:
        """Complete the database on disk, before its last connection is closed."""
