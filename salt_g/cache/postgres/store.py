"""Store on a PostgreSQL server.

Reads use a few separate connections, each of which serves one greenlet at a time; other greenlets run while
one waits for the server.
Errors: StoreError from reads and through futures, StoreBusy from writes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg

from salt_g.cache.futures import Waiting
from salt_g.cache.operation import DatabaseConnection
from salt_g.cache.postgres import schema, server
from salt_g.cache.postgres.connection import READ, PostgresConnection, connect
from salt_g.cache.store import Store
from salt_g.errors import StoreError
from salt_g.process.offload import offload_in_daemon

#: Maximum number of reading connections, and how long to wait for a free one (s).
CONNECTIONS = 4
WAIT_FOR_CONNECTION = 20.0


class PostgresStore(Store):
    """Store in the schema `salt_g` of a PostgreSQL database."""

    def __init__(self, url: str, *, waiting: Waiting | None = None, member: str = "") -> None:
        """Initialize; `member` is the id of a master in a cluster, "" for a master without a cluster."""
        super().__init__(server.PostgresServer(url, member=member), waiting=waiting)
        self._url = url
        self._free: list[PostgresConnection] = []
        self._places = threading.BoundedSemaphore(CONNECTIONS)
        self._seen = 0

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query on committed data; may yield to the hub."""
        try:
            with self._connection() as connection:
                rows: list[Any] = connection.execute(sql, values).fetchall()
                return rows
        except (psycopg.Error, OSError) as exc:
            raise StoreError(self.path, self._advice(exc)) from exc

    def open_in_thread(self) -> DatabaseConnection:
        """Return a new read-only connection for use by one native thread at a time; raises StoreError."""
        try:
            connection = open_reader(self._url, self.path)
            connection.of_thread = True
            connection.execute("SET default_transaction_read_only = on")
        except (psycopg.Error, OSError) as exc:
            raise StoreError(self.path, self._advice(exc)) from exc
        return connection

    def _advice(self, error: Exception) -> str:
        """Return why a read failed: the writer's problem, if it has one and tables are missing."""
        is_ours = isinstance(error, psycopg.errors.UndefinedTable) and self._writer.problem
        return self._writer.problem if is_ours else server.advice(error)

    @contextmanager
    def _connection(self) -> Iterator[PostgresConnection]:
        """Yield a connection from the pool; close it if the block fails or is interrupted."""
        if not self._places.acquire(timeout=WAIT_FOR_CONNECTION):
            raise StoreError(
                self.path, f"{CONNECTIONS} connections are already busy with reads; try again later"
            )
        try:
            connection = self._taken()
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
            self._free.append(connection)
        finally:
            self._places.release()

    def _taken(self) -> PostgresConnection:
        self._forget_old_readers()
        while self._free:
            connection = self._free.pop()
            if connection.is_usable():
                return connection
            connection.close()
        return offload_in_daemon(open_reader, self._url, self.path)

    def _forget_readers(self) -> None:
        free, self._free = self._free, []
        for connection in free:
            connection.close()

    def _forget_old_readers(self) -> None:
        if self._seen != self._writer.generation:
            self._seen = self._writer.generation
            self._forget_readers()


def open_reader(url: str, place: str) -> PostgresConnection:
    """Return a connection for reads in greenlets; must be called in a native thread."""
    connection = connect(url, limit=READ, of_thread=False)
    connection.of_thread = True
    try:
        schema.use_schema(connection)
        schema.checked_version(connection, place)
    except BaseException:
        connection.close()
        raise
    connection.of_thread = False
    return connection
