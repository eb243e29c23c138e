"""Bulk statements for many rows.

SQLite releases the interpreter's lock at each step of a statement, and a busy hub returns it only after
its switch interval (5 ms). A batch in few steps is written without waiting for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from salt_g.cache.operation import Connection

#: Rows per statement. Few distinct sizes, so that SQLite's statement cache is hit.
_SIZES = (256, 32, 4, 1)
#: Number of freed pages of a file that one call returns to the file system.
_PAGES_BACK = 1000


def in_statements(rows: Sequence[tuple[Any, ...]]) -> Iterator[tuple[str, list[Any]]]:
    """Yield (placeholders, flat values) that cover `rows` together: ("(?,?),(?,?)", [1, 2, 3, 4])."""
    start = 0
    for size in _SIZES:
        while len(rows) - start >= size:
            some = rows[start : start + size]
            one = "(" + ",".join("?" * len(some[0])) + ")"
            yield ",".join([one] * size), [value for row in some for value in row]
            start += size


def upsert(
    connection: Connection, into: str, rows: Sequence[tuple[Any, ...]], rest: str, *, key_columns: int = 1
) -> None:
    """Insert rows, or replace those of the same key: `INSERT INTO <into> VALUES ... <rest>`.

    The key is the first `key_columns` columns. Of several rows with one key the last counts: PostgreSQL
    refuses a statement that changes a row twice.
    """
    newest = {row[:key_columns]: row for row in rows}
    insert(connection, into, list(newest.values()), rest)


def insert(connection: Connection, into: str, rows: Sequence[tuple[Any, ...]], rest: str = "") -> None:
    """Insert rows: `INSERT INTO <into> VALUES ... <rest>`."""
    for places, values in in_statements(rows):
        connection.execute(f"INSERT INTO {into} VALUES {places} {rest}", values)


def return_pages(connection: Connection) -> None:
    """Return some freed pages to the file system after a removal; a server does that on its own."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute(f"PRAGMA incremental_vacuum({_PAGES_BACK})").fetchall()
