"""PostgreSQL server as the database of a store; see `database.Database`."""

from __future__ import annotations

import psycopg
import psycopg.conninfo

from salt_g.cache.database import DatabaseFailure
from salt_g.cache.operation import DatabaseConnection
from salt_g.cache.postgres import address, schema
from salt_g.cache.postgres.connection import WRITE, PostgresConnection, connect

#: Errors of a server that answers but cannot be used, or whose connection has ended.
_NO_USE = (
    psycopg.errors.IdleInTransactionSessionTimeout,
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.UndefinedTable,
    psycopg.errors.UndefinedColumn,
    psycopg.errors.ReadOnlySqlTransaction,
    psycopg.NotSupportedError,
)

#: Beginning of the library's message that names an unknown parameter.
_UNKNOWN_PARAMETER = "invalid URI query parameter:"


def checked_parameters(url: str, name: str = "store") -> str:
    """Return `url` if psycopg knows all of its parameters; else raise ConfigError for the setting `name`."""
    try:
        psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error as exc:
        # The library quotes text that it cannot parse; `from None` keeps that error out of tracebacks.
        problem = " ".join(str(exc).split())
        if problem.startswith(_UNKNOWN_PARAMETER):
            raise address.with_unknown_parameter(url, name, problem) from None
        raise address.malformed(url, name) from None
    return url


class PostgresServer:
    """Database on a PostgreSQL server, as used by the writer's thread of one daemon."""

    begin = "BEGIN"
    is_remote = True

    def __init__(self, url: str, *, member: str = "") -> None:
        """Initialize; `member` is the id of a master in a cluster, "" for a master without a cluster."""
        self._member = member
        self.path = address.without_password(url)
        self._url = url
        self._connection: PostgresConnection | None = None

    def open(self) -> tuple[DatabaseConnection, tuple[int, int]]:
        """Connect and create or migrate the tables; return (connection, (version before, version now))."""
        connection = connect(self._url, limit=WRITE, of_thread=True)
        try:
            schema.use_schema(connection)
            schema.take_place(connection, self.path, self._member)
            versions = schema.migrate(connection, self.path)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection, versions

    def loss(self) -> str:
        """Return why the connection is no longer usable, "" if it is still usable."""
        is_usable = self._connection is not None and self._connection.is_usable()
        return "" if is_usable else "closed the connection; connecting again"

    def failure(self, error: Exception) -> DatabaseFailure:
        """Classify an exception."""
        return failure(error)

    def advice(self, error: Exception) -> str:
        """Return why the server cannot be used, in one line."""
        return advice(error)

    def set_aside(self) -> str:
        """Raise NotImplementedError, because no server error means damage that salt-g could move away."""
        raise NotImplementedError

    def finish(self, connection: DatabaseConnection) -> None:
        """Do nothing, because committed data is already on the server's disk."""


def failure(error: Exception) -> DatabaseFailure:
    """Classify an exception of psycopg.

    Missing tables, missing permissions and a full disk count as unavailable, like an unreachable server.
    """
    if isinstance(error, psycopg.errors.DeadlockDetected):
        # Masters of a cluster wrote the same rows in a different order. Retrying in halves lets both succeed.
        return DatabaseFailure.BAD_VALUE
    if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError, OSError)):
        return DatabaseFailure.UNAVAILABLE
    if isinstance(error, _NO_USE):
        return DatabaseFailure.UNAVAILABLE
    is_value = isinstance(error, (psycopg.DataError, psycopg.IntegrityError, ValueError, TypeError))
    return (
        DatabaseFailure.BAD_VALUE if is_value or isinstance(error, OverflowError) else DatabaseFailure.OTHER
    )


def advice(error: Exception) -> str:
    """Return the problem of an unavailable server and what to do about it, in one line."""
    text = " ".join(str(error).split())
    if isinstance(error, psycopg.NotSupportedError):
        return f"is too old: {text}"
    if isinstance(error, psycopg.errors.DiskFull):
        return f"is full: {text}; make room on the disk of its server"
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return f"refuses: {text}; the user of the URL must own the database (CREATE DATABASE ... OWNER ...)"
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return f"is read-only: {text}; name the primary server (target_session_attrs=read-write)"
    if isinstance(error, psycopg.errors.UndefinedTable):
        return "has no tables of salt-g: no master has run with this setting; start one (salt-g master -d)"
    if isinstance(error, psycopg.errors.UndefinedColumn):
        return f"has damaged tables: {text}; restore the schema {schema.SCHEMA} from a backup"
    return f"cannot be reached: {text}; check that the server runs and accepts the setting store"
