"""SQLite databases: queries and changes.

Shapes: rows are lists of columns, as msgpack returns them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from salt_g.errors import CommandExecutionError

if TYPE_CHECKING:
    import sqlite3

#: The module was a package of its own once; Python froze this number and deprecates asking for it.
_INTERFACE_VERSION = "2.6.0"
_SCHEMA = "SELECT {} FROM sqlite_master WHERE type = '{}' ORDER BY name;"


def version() -> str:
    """Return the version of Python's module for SQLite.

    Example::

        salt-g sqlite3.version
    """
    return _INTERFACE_VERSION


def sqlite_version() -> str:
    """Return the version of SQLite.

    Example::

        salt-g sqlite3.sqlite_version
    """
    import sqlite3  # Imported lazily: few calls need the library.

    return sqlite3.sqlite_version


def modify(db: str | None = None, sql: str | None = None) -> Any:
    """Run a statement that changes a database, creating it if missing; return True.

    Example::

        salt-g sqlite3.modify /root/test.db 'CREATE TABLE test(id INT, testdata TEXT);'
    """
    if not db or not sql:
        return False
    with _cursor(db) as cursor:
        cursor.execute(sql)
    return True


def fetch(db: str | None = None, sql: str | None = None) -> Any:
    """Return the rows of a query.

    Example::

        salt-g sqlite3.fetch /root/test.db 'SELECT * FROM test;'
    """
    if not db or not sql:
        return False
    with _cursor(db) as cursor:
        return [list(row) for row in cursor.execute(sql)]


def tables(db: str | None = None) -> Any:
    """Return the names of the tables, one per row.

    Example::

        salt-g sqlite3.tables /root/test.db
    """
    return fetch(db, _SCHEMA.format("name", "table"))


def indices(db: str | None = None) -> Any:
    """Return the names of the indices, one per row.

    Example::

        salt-g sqlite3.indices /root/test.db
    """
    return fetch(db, _SCHEMA.format("name", "index"))


def indexes(db: str | None = None) -> Any:
    """Return the names of the indices, as `sqlite3.indices` does.

    Example::

        salt-g sqlite3.indexes /root/test.db
    """
    return indices(db)


@contextlib.contextmanager
def _cursor(db: str) -> Iterator[sqlite3.Cursor]:
    """Open a cursor for the duration of the block."""
    import sqlite3

    try:
        # Use no transactions, because VACUUM and some other statements refuse to run in one.
        with contextlib.closing(sqlite3.connect(db, isolation_level=None)) as connection:
            yield connection.cursor()
    except sqlite3.Error as exc:
        raise CommandExecutionError(f"SQLite, {db}: {exc}") from exc
