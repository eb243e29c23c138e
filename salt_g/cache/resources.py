"""Persistent table of resources and the minions that manage them.

A master's registry is in memory (`master/resources/registry.py`) and is rebuilt from these rows. Rows are
written in bulk, because one minion can register thousands.
Shapes: a ResourceRow is the record of one SRN; its grains are in the bank `resource_grains`, with the SRN as
key.
Units: `since` in seconds since the epoch.
Errors: StoreError from reads and through futures, StoreBusy from writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.cache import bulk_sql as rows
from salt_g.cache.futures import Future
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.store import Store
from salt_g.shapes import GrainsDict
from salt_g.wire.packing import pack_bus

#: Bank of grains.
GRAINS = "resource_grains"
_LANE = 3
_GRAINS_LANE = 2
#: Maximum number of SRNs in one write: tens of kilobytes, about 2 ms to prepare.
SLICE = 500


class ResourceRow(NamedTuple):
    """Record of one SRN: minion, standby minions, whether the minion uses leases, time of the last change."""

    srn: str
    minion: str
    standby: tuple[str, ...]
    takes_leases: bool
    since: float


class ResourceTable:
    """Interface to the table of resources."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(self, changed: Iterable[ResourceRow]) -> list[Future[Any]]:
        """Store rows, replacing earlier rows of the same SRN."""
        return self._write(_PUT, [_packed(row) for row in changed])

    def drop(self, srns: Iterable[str]) -> list[Future[Any]]:
        """Remove the rows and grains of SRNs."""
        gone = [(srn,) for srn in srns]
        return [*self._write(_DROP, gone), *self._write(_DROP_GRAINS, gone)]

    def put_grains(self, grains: Mapping[str, bytes], *, now: float) -> list[Future[Any]]:
        """Store packed grains by SRN."""
        return self._write(_PUT_GRAINS, [(GRAINS, srn, data, now, None) for srn, data in grains.items()])

    def rows(self) -> Iterator[ResourceRow]:
        """Yield all rows; may yield to the hub."""
        sql = (
            "SELECT srn, minion, standby, takes_leases, since FROM resources"
            " WHERE srn > ? ORDER BY srn LIMIT ?"
        )
        for srn, minion, standby, takes_leases, since in self._store.pages(sql, ""):
            others = self._store.unpacked(standby, f"standby of {srn}")
            yield ResourceRow(srn, minion, tuple(map(str, others or ())), bool(takes_leases), since)

    def grains(self) -> Iterator[tuple[str, GrainsDict]]:
        """Yield (SRN, grains); may yield to the hub."""
        sql = f"SELECT key, data FROM entries WHERE key > ? AND bank = '{GRAINS}' ORDER BY key LIMIT ?"
        for srn, data in self._store.pages(sql, ""):
            found = self._store.unpacked(data, f"{GRAINS}/{srn}")
            if isinstance(found, dict):
                yield srn, found

    def _write(self, operation: Operation, items: Sequence[Any]) -> list[Future[Any]]:
        slices = [items[start : start + SLICE] for start in range(0, len(items), SLICE)]
        return [self._store.write(operation, part, sum(map(_size, part))) for part in slices]


def _packed(row: ResourceRow) -> tuple[Any, ...]:
    return row.srn, row.minion, pack_bus(list(row.standby)), int(row.takes_leases), row.since


def _size(item: tuple[Any, ...]) -> int:
    return sum(len(part) for part in item if isinstance(part, (str, bytes)))


_Slices = Sequence[Sequence[Any]]


def _put(connection: DatabaseConnection, slices: _Slices) -> Sequence[None]:
    for part in slices:
        rows.upsert(
            connection,
            "resources (srn, minion, standby, takes_leases, since)",
            part,
            "ON CONFLICT (srn) DO UPDATE SET minion = excluded.minion, standby = excluded.standby,"
            " takes_leases = excluded.takes_leases, since = excluded.since",
        )
    return [None] * len(slices)


def _drop(connection: DatabaseConnection, slices: _Slices) -> Sequence[None]:
    for part in slices:
        connection.executemany("DELETE FROM resources WHERE srn = ?", part)
    return [None] * len(slices)


def _put_grains(connection: DatabaseConnection, slices: _Slices) -> Sequence[None]:
    for part in slices:
        rows.upsert(
            connection,
            "entries",
            part,
            "ON CONFLICT (bank, key) DO UPDATE SET data = excluded.data, updated = excluded.updated",
            key_columns=2,
        )
    return [None] * len(slices)


def _drop_grains(connection: DatabaseConnection, slices: _Slices) -> Sequence[None]:
    for part in slices:
        connection.executemany(f"DELETE FROM entries WHERE bank = '{GRAINS}' AND key = ?", part)
    return [None] * len(slices)


def apply(
    connection: DatabaseConnection,
    changed: Iterable[ResourceRow],
    gone: Iterable[str],
    grains: Mapping[str, bytes],
    now: float,
) -> None:
    """Store and remove resources in the transaction of another operation."""
    dropped = [(srn,) for srn in gone]
    _put(connection, [[_packed(row) for row in changed]])
    _drop(connection, [dropped])
    _drop_grains(connection, [dropped])
    _put_grains(connection, [[(GRAINS, srn, data, now, None) for srn, data in grains.items()]])


# One lane for rows and one for grains, so that writes and removals of one SRN stay in order.
_PUT = Operation("keep resources", _LANE, _put)
_DROP = Operation("remove resources", _LANE, _drop)
_PUT_GRAINS = Operation("keep grains of resources", _GRAINS_LANE, _put_grains)
_DROP_GRAINS = Operation("remove grains of resources", _GRAINS_LANE, _drop_grains)
