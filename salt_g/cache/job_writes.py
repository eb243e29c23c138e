"""Write operations for jobs, run by the writer's thread; those for returns are in `return_commit.py`.

The operations run outside the hub and use only connections and rows; `jobs.py` is the interface for callers,
and `commit_thread.py` commits.
"""

from __future__ import annotations

from collections.abc import Sequence

from salt_g.cache import bulk_sql
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.errors import WireError
from salt_g.wire.packing import pack_bus, unpack

#: Lane of all writes for jobs and their returns, which keeps their order.
LANE = 1
#: Maximum number of jobs removed in one step of pruning.
SLICE = 50


def _save_loads(connection: DatabaseConnection, loads: Sequence[tuple[str, str, bytes]]) -> Sequence[None]:
    bulk_sql.upsert(
        connection,
        "jobs (jid, fun, load)",
        loads,
        "ON CONFLICT (jid) DO UPDATE SET fun = excluded.fun, load = excluded.load",
    )
    return [None] * len(loads)


def _save_expected(
    connection: DatabaseConnection, lists: Sequence[tuple[str, str, list[str]]]
) -> Sequence[None]:
    for jid, source, ids in lists:
        new = "INSERT INTO expected VALUES (?, ?, ?) ON CONFLICT (jid, source) DO NOTHING"
        # Most lists are the first of their job, so the insert is tried first.
        while not connection.execute(new, (jid, source, pack_bus(sorted(set(ids))))).rowcount:
            if _extend_expected(connection, jid, source, ids):
                break
    return [None] * len(lists)


def _extend_expected(connection: DatabaseConnection, jid: str, source: str, ids: list[str]) -> bool:
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


def _save_ends(connection: DatabaseConnection, ends: Sequence[tuple[float, str]]) -> Sequence[None]:
    connection.executemany("UPDATE jobs SET ended = ? WHERE jid = ?", ends)
    return [None] * len(ends)


def _prune(connection: DatabaseConnection, limits: Sequence[tuple[str, int]]) -> Sequence[int]:
    return [_prune_one(connection, oldest, keep_bytes) for oldest, keep_bytes in limits]


def _prune_one(connection: DatabaseConnection, oldest: str, keep_bytes: int) -> int:
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


def _held(connection: DatabaseConnection) -> int:
    return int(connection.execute("SELECT bytes FROM held").fetchone()[0])


def _remove_own(connection: DatabaseConnection, spans: Sequence[tuple[str, str, str]]) -> Sequence[int]:
    removed = []
    for source, first, last in spans:
        found = connection.execute(
            "SELECT jid FROM expected WHERE jid BETWEEN ? AND ? AND source = ?", (first, last, source)
        ).fetchall()
        for table in ("jobs", "expected", "returns"):
            connection.executemany(f"DELETE FROM {table} WHERE jid = ?", found)
        removed.append(len(found))
    return removed


REMOVE_OWN = Operation("remove own returns", LANE, _remove_own)
LOAD = Operation("save a load", LANE, _save_loads)
EXPECTED = Operation("save expected ids", LANE, _save_expected)
END = Operation("save the end of a job", LANE, _save_ends)
PRUNE = Operation("remove old jobs", LANE, _prune)
