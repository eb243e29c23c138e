"""Tables for a trial: made in a database that has none of salt-g, and removed at its end.

What was there before stays, and so does what others made meanwhile: only the objects that were made here
are removed, and only while nothing else depends on them.
Errors: StoreError, with what to do; ConfigError for a URL that is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from salt_g.cache.postgres import address, schema, server
from salt_g.cache.postgres.connection import WRITE, PostgresConnection, connect
from salt_g.errors import StoreError, StoreFilled

#: Kinds of objects in a schema in the order in which they are removed: (query of {oid, name}, statement).
#: Triggers and indexes go with their tables.
_RELATION = "SELECT oid, oid::regclass::text FROM pg_class WHERE relnamespace = {schema} AND relkind = "
_KINDS = (
    (_RELATION + "'v'", "DROP VIEW"),
    (_RELATION + "'r'", "DROP TABLE"),
    (_RELATION + "'S'", "DROP SEQUENCE"),
    ("SELECT oid, oid::regprocedure::text FROM pg_proc WHERE pronamespace = {schema}", "DROP FUNCTION"),
)
_SCHEMA_OID = f"SELECT oid FROM pg_namespace WHERE nspname = '{schema.SCHEMA}'"


class TrialTables:
    """Tables of one trial; lifecycle: `make`, then `remove` when no master uses them any more."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._path = address.without_password(url)
        self._made: set[int] = set()
        self._makes_schema = False

    def make(self) -> None:
        """Make the tables; raise StoreFilled for a database that has some already."""
        with self._connected() as connection:
            if schema.relations(connection):
                raise StoreFilled(self._path, _FILLED)
            self._makes_schema = connection.execute(_SCHEMA_OID).fetchone() is None
            schema.migrate(connection, self._path)
            self._made = {oid for query, _ in _KINDS for oid, _ in _objects(connection, query)}

    def remove(self) -> None:
        """Remove what `make` has made; raise StoreError if something else needs it, or a master uses it."""
        if not self._made:
            return
        with self._connected() as connection, connection.transaction():
            for query, drop in _KINDS:
                names = [name for oid, name in _objects(connection, query) if oid in self._made]
                if names:
                    connection.execute(f"{drop} {', '.join(names)}")
            if self._makes_schema:
                connection.execute(f"DROP SCHEMA {schema.SCHEMA}")

    @contextmanager
    def _connected(self) -> Iterator[PostgresConnection]:
        """Yield a connection that is the one writer of the tables."""
        try:
            connection = connect(self._url, limit=WRITE, of_thread=True)
            try:
                schema.use_schema(connection)
                schema.take_place(connection, self._path)
                yield connection
            finally:
                connection.close()
        except psycopg.errors.DependentObjectsStillExist as exc:
            problem = " ".join(str(exc).split())
            raise StoreError(self._path, f"has something that needs these tables: {problem}") from exc
        except psycopg.Error as exc:
            raise StoreError(self._path, server.advice(exc)) from exc


def _objects(connection: PostgresConnection, query: str) -> list[tuple[int, str]]:
    """Return number and name of the objects of one kind in the schema."""
    found: list[tuple[int, str]] = connection.execute(query.format(schema=f"({_SCHEMA_OID})")).fetchall()
    return found


_FILLED = (
    "has tables of salt-g already, perhaps with a master's data; name a database without them, or, if nothing"
    f" in them is needed, remove them: DROP SCHEMA {schema.SCHEMA} CASCADE"
)
