"""History of a fleet in the store: changes by state runs, with each diff stored once.

Rows and the place up to which returns were read are committed together, so that after a crash reading resumes
at that place, and no change is missing or stored twice.
Shapes: a row is a `StateChange` of `report/state_changes.py`; a place is a list that `returns_reader.py`
understands.
Units: seconds since the epoch, bytes.
Errors: StoreError from reads and through futures, StoreBusy from writes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.cache import bulk_sql
from salt_g.cache.futures import Future
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.store import Store
from salt_g.data import jid as jids
from salt_g.report.state_changes import MOST as MOST_OF_RUN
from salt_g.report.state_changes import Cause, StateChange
from salt_g.wire.packing import pack_bus

_LANE = 6
#: Overhead of a change and of a text in addition to the content (bytes): keys, indexes, pages.
CHANGE, TEXT = 400, 100
#: Maximum number of changes removed in one step, and of rows read by a query.
SLICE, MOST = 500, 5_000
_COLUMNS = ", ".join(StateChange._fields)


class Indexed(NamedTuple):
    """Rows extracted from some returns, and the place after these returns."""

    place: list[Any]
    rows: list[StateChange]
    texts: Mapping[bytes, str]
    #: {minion: (time of its last run or 0.0 if these returns have none, digests of its chunks)}
    tested: Mapping[str, tuple[float, Mapping[bytes, bytes]]]


class HistoryLimits(NamedTuple):
    """Retention limits: age (s) and size (bytes) above which the oldest changes are removed."""

    seconds: float
    bytes: int


class FleetHistory:
    """Interface to the tables of the history."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, indexed: Indexed) -> Future[None]:
        """Store the rows and the place of `indexed` in one commit."""
        return self._store.write(_ADD, indexed, sum(map(len, indexed.texts.values())))

    def forget(self, minion: str) -> Future[None]:
        """Forget a minion's last state run, because another minion may get its id; keep its changes."""
        return self._store.write(_FORGET, minion)

    def place(self) -> list[Any]:
        """Return the place up to which returns were read, [] at the beginning."""
        found = self._store.read("SELECT place FROM indexed WHERE one = 1")
        place = self._store.unpacked(found[0][0], "place of the history") if found else None
        return place if isinstance(place, list) else []

    def prune(self, limits: HistoryLimits, now: float) -> Future[int]:
        """Remove a slice of the oldest changes above the limits; the future returns their number."""
        oldest = now - limits.seconds if limits.seconds else 0.0
        return self._store.write(_PRUNE, (oldest, limits.bytes))

    def changes(self, name: str, *, since: float, most: int = MOST) -> list[StateChange]:
        """Return the changes of a path, name or state ID (`name`) since a time, newest first."""
        found = []
        for column in ("name", "id"):
            sql = f"SELECT {_COLUMNS} FROM changes WHERE {column} = ? AND at >= ? ORDER BY at DESC LIMIT ?"
            found += [StateChange(*row) for row in self._store.read(sql, (name, since, most))]
        unique = dict.fromkeys(found)
        return sorted(unique, key=lambda one: (one.jid, one.minion), reverse=True)[:most]

    def page(
        self,
        *,
        since: float,
        after: tuple[str, str, int] | None = None,
        name: str = "",
        cause: int | None = None,
        most: int = SLICE,
    ) -> list[StateChange]:
        """Return changes since a time, sorted by job, minion and number in descending order.

        `after` is (jid, minion, number) of the last change on the previous page; `name` is a whole path, name
        or state ID.
        """
        # A jid begins with its time, so a lower limit of jids ends the walk over the index.
        values: list[Any] = [jids.make(int(since * 1e9)), since]
        wanted = "jid >= ? AND at >= ?"
        if after is not None:
            wanted += " AND (jid, minion, number) < (?, ?, ?) AND at <= ?"
            values += [*after, _latest(after[0])]
        if cause is not None:
            wanted += " AND cause = ?"
            values.append(cause)
        if not name and cause is None:
            sql = f"SELECT {_COLUMNS} FROM changes WHERE {wanted}"
            sql += " ORDER BY jid DESC, minion DESC, number DESC LIMIT ?"
            return [StateChange(*row) for row in self._store.read(sql, (*values, most))]
        found = []
        for chosen in (" AND name = ?", " AND id = ?") if name else ("",):
            # This query uses an index by time; sorting by time gives the same order as sorting by jid.
            sql = f"SELECT {_COLUMNS} FROM changes WHERE {wanted}{chosen}"
            sql += " ORDER BY at DESC, jid DESC, minion DESC, number DESC LIMIT ?"
            more = (*values, name, most) if name else (*values, most)
            found += [StateChange(*row) for row in self._store.read(sql, more)]
        unique = dict.fromkeys(found)
        return sorted(unique, key=lambda one: (one.jid, one.minion, one.number), reverse=True)[:most]

    def drift(self, *, since: float, most: int = MOST) -> list[StateChange]:
        """Return the changes since a time that corrected drift, newest first."""
        sql = f"SELECT {_COLUMNS} FROM changes WHERE at >= ? AND cause = ? ORDER BY at DESC LIMIT ?"
        return [StateChange(*row) for row in self._store.read(sql, (since, int(Cause.CORRECTIVE), most))]

    def untested(self, before: float) -> list[str]:
        """Return the minions whose last state run is older than a time."""
        return [
            id
            for (id,) in self._store.read(
                "SELECT minion FROM tested WHERE at < ?  ORDER BY minion", (before,)
            )
        ]

    def text(self, digest: bytes) -> str:
        """Return a text by its digest, '' if it is not stored."""
        found = self._store.read("SELECT text FROM texts WHERE digest = ?", (digest,))
        return bytes(found[0][0]).decode(errors="replace") if found else ""

    def held_bytes(self) -> int:
        """Return the size of changes and texts in bytes."""
        return int(self._store.read("SELECT bytes FROM history_held")[0][0])


def changes_of_job(connection: DatabaseConnection, jid: str, minion: str) -> list[StateChange]:
    """Return the changes of a job on a minion; called in a native thread with a separate connection."""
    sql = f"SELECT {_COLUMNS} FROM changes WHERE jid = ? AND minion = ? LIMIT {MOST_OF_RUN}"
    return [StateChange(*row) for row in connection.execute(sql, (jid, minion)).fetchall()]


def _latest(jid: str) -> float:
    """Return an upper bound for the times of changes by a job and by all earlier jobs."""
    try:
        return jids.microseconds(jid) / 1e6 + 1.0
    except ValueError:
        return sys.float_info.max


def _add(connection: DatabaseConnection, batches: Sequence[Indexed]) -> Sequence[None]:
    for batch in batches:
        held = _add_rows(connection, batch.rows) + _add_texts(connection, batch)
        tested = [(id, at, pack_bus(dict(digests))) for id, (at, digests) in batch.tested.items()]
        bulk_sql.upsert(
            connection,
            "tested (minion, at, digests)",
            tested,
            "ON CONFLICT (minion) DO UPDATE SET digests = excluded.digests,"
            " at = CASE WHEN excluded.at > tested.at THEN excluded.at ELSE tested.at END",
        )
        connection.execute(
            "INSERT INTO indexed (one, place) VALUES (1, ?)"
            " ON CONFLICT (one) DO UPDATE SET place = excluded.place",
            (pack_bus(batch.place),),
        )
        _count(connection, held)
    return [None] * len(batches)


def _add_rows(connection: DatabaseConnection, rows: Iterable[StateChange]) -> int:
    added = 0
    for places, values in bulk_sql.in_statements([tuple(row) for row in rows]):
        sql = f"INSERT INTO changes ({_COLUMNS}) VALUES {places} ON CONFLICT (jid, minion, number) DO NOTHING"
        added += connection.execute(sql, values).rowcount
    return added * CHANGE


def _add_texts(connection: DatabaseConnection, batch: Indexed) -> int:
    last = {row.text: row.at for row in sorted(batch.rows, key=lambda row: row.at)}
    held = 0
    for digest, text in batch.texts.items():
        data = text.encode(errors="replace")
        at = last.get(digest, 0.0)
        changed = connection.execute(
            "UPDATE texts SET last = ? WHERE digest = ? AND last < ?", (at, digest, at)
        )
        if changed.rowcount:
            continue
        sql = "INSERT INTO texts (digest, text, last) VALUES (?, ?, ?) ON CONFLICT (digest) DO NOTHING"
        held += connection.execute(sql, (digest, data, at)).rowcount * (len(data) + TEXT)
    return held


def _forget(connection: DatabaseConnection, minions: Sequence[str]) -> Sequence[None]:
    connection.executemany("DELETE FROM tested WHERE minion = ?", [(minion,) for minion in minions])
    return [None] * len(minions)


def _prune(connection: DatabaseConnection, limits: Sequence[tuple[float, int]]) -> Sequence[int]:
    return [_prune_one(connection, oldest, most) for oldest, most in limits]


def _prune_one(connection: DatabaseConnection, oldest: float, most: int) -> int:
    held = int(connection.execute("SELECT bytes FROM history_held").fetchone()[0])
    number = SLICE
    if most and held > most:
        # Above the size limit, the oldest changes are removed, whatever their age.
        oldest, number = sys.float_info.max, min(SLICE, (held - most) // CHANGE + 1)
    victims = connection.execute(
        "SELECT jid, minion, number, at FROM changes WHERE at < ? ORDER BY at LIMIT ?", (oldest, number)
    ).fetchall()
    if not victims:
        return 0
    connection.executemany(
        "DELETE FROM changes WHERE jid = ? AND minion = ? AND number = ?", [row[:3] for row in victims]
    )
    first = connection.execute("SELECT at FROM changes ORDER BY at LIMIT 1").fetchone()
    gone = connection.execute(
        "SELECT digest, length(text) FROM texts WHERE last < ?", (first[0] if first else victims[-1][3] + 1,)
    ).fetchall()
    connection.executemany("DELETE FROM texts WHERE digest = ?", [(digest,) for digest, _ in gone])
    _count(connection, -len(victims) * CHANGE - sum(size + TEXT for _, size in gone))
    bulk_sql.return_pages(connection)
    return len(victims)


def _count(connection: DatabaseConnection, bytes: int) -> None:
    if bytes:
        connection.execute("UPDATE history_held SET bytes = bytes + ? WHERE one = 1", (bytes,))


_ADD = Operation("add to the history", _LANE, _add)
_FORGET = Operation("forget a minion's state runs", _LANE, _forget)
_PRUNE = Operation("remove old changes", _LANE, _prune)
