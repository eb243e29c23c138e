"""Write operations for jobs, run by the writer's thread.

The operations run outside the hub and use only connections and rows; `jobs.py` is the interface for callers.
`commit_thread.py` commits them; for a return, `master/returns/return_intake.py` waits for the commit before
it acknowledges.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

from salt_g.cache import bulk_sql
from salt_g.cache.operation import Connection, Operation
from salt_g.errors import WireError
from salt_g.wire.packing import pack_bus, unpack

_LANE = 1
#: Maximum number of jobs removed in one step of pruning.
SLICE = 50
#: Fields with the content of a return; two returns that agree in all of them are the same return, sent twice.
RESULT = ("return", "retcode", "success", "out")

_Return = tuple[str, str, bytes]
#: Columns of a return, and their types on a database server.
_COLUMNS = {"jid": "text", "id": "text", "data": "bytea"}


class Saved(enum.Enum):
    """Outcome of saving a return."""

    FIRST = "first"
    #: The same return was already stored, because its sender did not receive the master's answer.
    REPEATED = "repeated"
    #: A different return was already stored and is kept.
    DIFFERENT = "different"


def _save_returns(connection: Connection, returns: Sequence[_Return]) -> Sequence[Saved]:
    new = bulk_sql.insert_absent(connection, "returns", _COLUMNS, returns, key_columns=2)
    others = [row[:2] for row in returns if row[:2] not in new]
    known = dict(bulk_sql.found(connection, "returns", ("jid", "id"), others, "data")) if others else {}
    results = []
    for jid, id, data in returns:
        place = (jid, id)
        if place in new:
            new.remove(place)
            known[place] = data
            results.append(Saved.FIRST)
        else:
            # A missing row means that another master has just removed the job; the sender need not send the
            # return again.
            is_same = _is_same_return(known.get(place, data), data)
            results.append(Saved.REPEATED if is_same else Saved.DIFFERENT)
    return results


def _is_same_return(one: bytes, other: bytes) -> bool:
    if one == other:
        return True
    try:
        first, second = unpack(one), unpack(other)
    except WireError:
        return False
    return all(first.get(field) == second.get(field) for field in RESULT)


def _save_loads(connection: Connection, loads: Sequence[tuple[str, str, bytes]]) -> Sequence[None]:
    bulk_sql.upsert(
        connection,
        "jobs (jid, fun, load)",
        loads,
        "ON CONFLICT (jid) DO UPDATE SET fun = excluded.fun, load = excluded.load",
    )
    return [None] * len(loads)


def _save_expected(connection: Connection, lists: Sequence[tuple[str, str, list[str]]]) -> Sequence[None]:
    for jid, source, ids in lists:
        new = "INSERT INTO expected VALUES (?, ?, ?) ON CONFLICT (jid, source) DO NOTHING"
        # Most lists are the first of their job, so the insert is tried first.
        while not connection.execute(new, (jid, source, pack_bus(sorted(set(ids))))).rowcount:
            if _extend_expected(connection, jid, source, ids):
                break
    return [None] * len(lists)


def _extend_expected(connection: Connection, jid: str, source: str, ids: list[str]) -> bool:
    """Add ids to a list; return False if another master changed or removed the list meanwhile."""
    row = connection.execute(
        "SELECT ids FROM expected WHERE jid = ? AND source = ?", (jid, source)
    ).fetchone()
    if row is None:
        return False
    after = pack_bus(sorted({*_ids(row[0]), *ids}))
    change = "UPDATE expected SET ids = ? WHERE jid = ? AND source = ? AND ids = ?"
    return bool(connection.execute(change, (after, jid, source, row[0])).rowcount)


def _ids(packed: bytes) -> list[str]:
    try:
        return list(unpack(packed))
    except (WireError, TypeError):
        # The stored list is unreadable, so the new list replaces it.
        return []


def _save_ends(connection: Connection, ends: Sequence[tuple[float, str]]) -> Sequence[None]:
    connection.executemany("UPDATE jobs SET ended = ? WHERE jid = ?", ends)
    return [None] * len(ends)


def _prune(connection: Connection, limits: Sequence[tuple[str, int]]) -> Sequence[int]:
    return [_prune_one(connection, oldest, keep_bytes) for oldest, keep_bytes in limits]


def _prune_one(connection: Connection, oldest: str, keep_bytes: int) -> int:
    # Jids are times, so the oldest jobs sort first; returns may exist without their job.
    victims = connection.execute(
        "SELECT jid FROM (SELECT * FROM (SELECT jid FROM jobs ORDER BY jid LIMIT ?) AS j"
        " UNION SELECT * FROM (SELECT DISTINCT jid FROM returns ORDER BY jid LIMIT ?) AS r"
        " UNION SELECT * FROM (SELECT DISTINCT jid FROM expected ORDER BY jid LIMIT ?) AS e) AS oldest"
        " ORDER BY jid LIMIT ?",
        (SLICE,) * 4,
    ).fetchall()
    removed = 0
    for (jid,) in victims:
        if jid >= oldest and not (keep_bytes and _held(connection) > keep_bytes):
            break
        for table in ("jobs", "expected", "returns"):
            connection.execute(f"DELETE FROM {table} WHERE jid = ?", (jid,))
        removed += 1
    if removed:
        bulk_sql.return_pages(connection)
    return removed


def _held(connection: Connection) -> int:
    return int(connection.execute("SELECT bytes FROM held").fetchone()[0])


def _remove_own(connection: Connection, spans: Sequence[tuple[str, str, str]]) -> Sequence[int]:
    removed = []
    for source, first, last in spans:
        found = connection.execute(
            "SELECT jid FROM expected WHERE jid BETWEEN ? AND ? AND source = ?", (first, last, source)
        ).fetchall()
        for table in ("jobs", "expected", "returns"):
            connection.executemany(f"DELETE FROM {table} WHERE jid = ?", found)
        removed.append(len(found))
    return removed


REMOVE_OWN = Operation("remove own returns", _LANE, _remove_own)
RETURN = Operation("save a return", _LANE, _save_returns, in_one_statement=bulk_sql.MOST_ROWS)
LOAD = Operation("save a load", _LANE, _save_loads)
EXPECTED = Operation("save expected ids", _LANE, _save_expected)
END = Operation("save the end of a job", _LANE, _save_ends)
PRUNE = Operation("remove old jobs", _LANE, _prune)
