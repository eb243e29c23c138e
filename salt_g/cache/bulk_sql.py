"""Bulk statements for many rows.

SQLite releases the interpreter lock at each step of a statement, and a busy hub keeps the lock for its switch
interval (5 ms). So a batch is written faster in few statements.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from salt_g.cache.operation import DatabaseConnection

#: Numbers of rows per statement. They are few so that SQLite's statement cache is hit.
_SIZES = (256, 32, 4, 1)
#: Maximum number of rows in a statement that receives each column as an array.
MOST_ROWS = 1000
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
    connection: DatabaseConnection,
    into: str,
    rows: Sequence[tuple[Any, ...]],
    rest: str,
    *,
    key_columns: int = 1,
) -> None:
    """Insert rows, or update those with the same key: `INSERT INTO <into> VALUES ... <rest>`.

    The key is the first `key_columns` columns. Of several rows with the same key only the last is written,
    because PostgreSQL refuses a statement that changes a row twice.
    """
    newest = {row[:key_columns]: row for row in rows}
    insert(connection, into, list(newest.values()), rest)


def insert(
    connection: DatabaseConnection, into: str, rows: Sequence[tuple[Any, ...]], rest: str = ""
) -> None:
    """Insert rows: `INSERT INTO <into> VALUES ... <rest>`."""
    for places, values in in_statements(rows):
        connection.execute(f"INSERT INTO {into} VALUES {places} {rest}", values)


def insert_absent(
    connection: DatabaseConnection,
    table: str,
    columns: Mapping[str, str],
    rows: Sequence[tuple[Any, ...]],
    *,
    key_columns: int,
) -> set[tuple[Any, ...]]:
    """Insert rows whose key is not in the table; return the keys of the inserted rows.

    `columns` maps column names to their PostgreSQL types, key columns first. Of several rows with the same
    key only the first is inserted.
    """
    first: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for row in rows:
        first.setdefault(row[:key_columns], row)
    names, key = ", ".join(columns), list(columns)[:key_columns]
    if isinstance(connection, sqlite3.Connection):
        present = {place for place, *_ in found(connection, table, key, list(first))}
        absent = [row for place, row in first.items() if place not in present]
        insert(connection, f"{table} ({names})", absent)
        return {row[:key_columns] for row in absent}
    arrays = ", ".join(f"?::{kind}[]" for kind in columns.values())
    # One statement for any number of rows, because each statement costs a round trip and a run of the table's
    # trigger.
    sql = (
        f"INSERT INTO {table} ({names}) SELECT * FROM unnest({arrays})"
        f" ON CONFLICT ({', '.join(key)}) DO NOTHING RETURNING {', '.join(key)}"
    )
    inserted: set[tuple[Any, ...]] = set()
    unique = list(first.values())
    for start in range(0, len(unique), MOST_ROWS):
        values = [list(column) for column in zip(*unique[start : start + MOST_ROWS], strict=True)]
        inserted.update(tuple(place) for place in connection.execute(sql, values))
    return inserted


def found(
    connection: DatabaseConnection,
    table: str,
    key: Sequence[str],
    places: Sequence[tuple[Any, ...]],
    *more: str,
) -> Iterator[tuple[Any, ...]]:
    """Yield (key, *values of the columns `more`) of the rows whose key is in `places`."""
    names = ", ".join(f"r.{name}" for name in (*key, *more))
    same = " AND ".join(f"r.{name} = asked.{name}" for name in key)
    for asked, values in in_statements(places):
        # A cross join, because SQLite scans the whole table for `IN (VALUES ...)` with more than one row.
        sql = (
            f"WITH asked ({', '.join(key)}) AS (VALUES {asked})"
            f" SELECT {names} FROM asked CROSS JOIN {table} r WHERE {same}"
        )
        for row in connection.execute(sql, values):
            yield (tuple(row[: len(key)]), *row[len(key) :])


def return_pages(connection: DatabaseConnection) -> None:
    """Return some freed pages of a SQLite file to the file system; do nothing for PostgreSQL."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute(f"PRAGMA incremental_vacuum({_PAGES_BACK})").fetchall()
