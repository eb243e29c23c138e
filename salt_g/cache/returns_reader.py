"""Cursor-based reader of new returns, for a native thread with a separate read-only connection.

The reader adds no cost to writes of returns. SQLite numbers rows in the order of insertion, starting above
the largest existing number. So rows above a known row are newer as long as that row exists; otherwise all
rows are read again. PostgreSQL records the transaction of each row once `WATCH` has been applied; rows of
transactions that may still be running are read later.
Shapes: a place is [row, jid, minion], on PostgreSQL [transaction, jid, minion]; [] is the beginning.
Errors: StoreError.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from salt_g.cache.operation import DatabaseConnection, Operation

#: Maximum number of returns in one step, and size of state runs that ends the step (bytes).
STEP, STEP_BYTES = 200, 4 * 1024 * 1024


class NewReturn(NamedTuple):
    """New return; `data` is packed, and b'' unless the return may come from a state run."""

    jid: str
    minion: str
    data: bytes


class NewReturns(NamedTuple):
    """New returns, the place after the last one, and whether more may follow."""

    returns: list[NewReturn]
    place: list[Any]
    has_more: bool


def read_new(connection: DatabaseConnection, place: Sequence[Any]) -> NewReturns:
    """Return the next returns after a place."""
    rows = (
        _of_file(connection, place)
        if isinstance(connection, sqlite3.Connection)
        else _of_server(connection, place)
    )
    found, size, last = [], 0, list(place)
    for row, jid, minion, data in rows:
        found.append(NewReturn(jid, minion, bytes(data)))
        last = [int(row), jid, minion]
        size += len(data)
        if size > STEP_BYTES:
            break
    return NewReturns(found, last, len(found) < len(rows) or len(rows) == STEP)


#: Condition for jobs that run states, or that have no load; a job with several functions has their names
#: joined by commas.
_RUNS_STATES = "j.fun IS NULL OR j.fun LIKE 'state.%' OR j.fun LIKE '%,state.%'"
_DATA = f"CASE WHEN {_RUNS_STATES} THEN r.data ELSE {{empty}} END"


def _of_file(connection: sqlite3.Connection, place: Sequence[Any]) -> list[Any]:
    connection.execute("BEGIN")
    try:
        row = int(place[0]) if place else 0
        if row:
            known = connection.execute("SELECT jid, id FROM returns WHERE rowid = ?", (row,)).fetchone()
            # The row was removed, so its number, and lower ones, may be in use again.
            row = row if known == (place[1], place[2]) else 0
        data = _DATA.format(empty="x''")
        return connection.execute(
            f"SELECT r.rowid, r.jid, r.id, {data} FROM returns r LEFT JOIN jobs j ON j.jid = r.jid"
            " WHERE r.rowid > ? ORDER BY r.rowid LIMIT ?",
            (row, STEP),
        ).fetchall()
    finally:
        connection.execute("COMMIT")


def _of_server(connection: DatabaseConnection, place: Sequence[Any]) -> list[Any]:
    now = int(connection.execute("SELECT txid_snapshot_xmin(txid_current_snapshot())").fetchone()[0])
    at = (int(place[0]), str(place[1]), str(place[2])) if place else (0, "", "")
    if at[0] > now:
        # The server was restored from a backup, so its transaction numbers are lower than the recorded one.
        at = (0, "", "")
    data = _DATA.format(empty="''::bytea")
    return connection.execute(
        f"SELECT r.tx, r.jid, r.id, {data} FROM returns r LEFT JOIN jobs j ON j.jid = r.jid"
        " WHERE r.tx >= ? AND (r.tx, r.jid, r.id) > (?, ?, ?) AND r.tx < ?"
        " ORDER BY r.tx, r.jid, r.id LIMIT ?",
        (at[0], *at, now, STEP),
    ).fetchall()


def _watch(connection: DatabaseConnection, items: Sequence[None]) -> Sequence[None]:
    if not isinstance(connection, sqlite3.Connection):
        sql = (
            "SELECT column_default FROM information_schema.columns"
            " WHERE table_schema = 'salt_g' AND table_name = 'returns' AND column_name = 'tx'"
        )
        if connection.execute(sql).fetchone()[0] is None:
            connection.execute("ALTER TABLE returns ALTER COLUMN tx SET DEFAULT txid_current()")
            connection.execute("CREATE INDEX IF NOT EXISTS returns_tx ON returns (tx) WHERE tx IS NOT NULL")
    return items


#: Operation that begins to record the transactions of returns, if the server needs that.
WATCH = Operation("note the transactions of returns", 0, _watch)
