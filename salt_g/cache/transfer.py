"""Transfer of all rows from one store to another, between databases of any kind.

An interrupted transfer can be repeated, because the target stays marked as unfinished until the digests of
both stores agree. The masters of both stores must be stopped.
Errors: StoreError from either store; TransferRefused for a target with other data.
"""

from __future__ import annotations

import collections
import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from salt_g.cache import bulk_sql
from salt_g.cache.futures import Future
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.store import Store
from salt_g.errors import SaltGError
from salt_g.wire.packing import pack_bus

#: Number of rows in one step (few, because a return may have 60 MiB), and number of steps written
#: concurrently.
PAGE, AT_ONCE = 20, 8
#: Bank of the entry that marks an unfinished target; the entry's key is the source.
_MARK = ".transfer"


class TransferRefused(SaltGError):
    """Transfer refused because the target already has data from elsewhere."""


class Table(NamedTuple):
    """Table of the store: name, key columns and other columns.

    `first` sorts before all keys; by default it is '' for each key column.
    """

    name: str
    key: tuple[str, ...]
    rest: tuple[str, ...]
    first: tuple[Any, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns, key columns first."""
        return self.key + self.rest


TABLES = (
    Table("jobs", ("jid",), ("fun", "load", "ended")),
    Table("expected", ("jid", "source"), ("ids",)),
    Table("returns", ("jid", "id"), ("data",)),
    Table("entries", ("bank", "key"), ("data", "updated", "expires")),
    Table("resources", ("srn",), ("minion", "standby", "takes_leases", "since")),
    Table("orders", ("id",), ("made", "until", "digest", "owner", "load")),
    Table("mail", ("minion", "order_id"), ("jid",)),
    Table(
        "changes",
        ("jid", "minion", "number"),
        ("at", "id", "name", "fun", "cause", "is_test", "who", "added", "removed", "text"),
        ("", "", -1),
    ),
    Table("texts", ("digest",), ("text", "last"), (b"",)),
    Table("tested", ("minion",), ("at", "digests")),
    Table("history_held", ("one",), ("bytes",), (0,)),
    Table("read_runs", ("minion", "ran"), ("at", "jid", "digest")),
    Table("read_sets", ("digest",), ("body", "bytes", "last"), (b"",)),
    Table("read_items", ("name", "digest"), (), ("", b"")),
)
#: Tables that have a row even in an empty store.
_NEVER_EMPTY = ("history_held",)


class Content(NamedTuple):
    """Number of rows of a table, and the SHA-256 of all rows in the order of their keys."""

    rows: int
    digest: str


def prepare(source: Store, target: Store, *, replace: bool = False) -> None:
    """Mark the target, a started store, as unfinished; `replace` removes its data first.

    Raises TransferRefused if the target has other data.
    """
    if replace:
        for table in TABLES:
            target.write(_CLEAR, table.name).result()
    marks = {key for (key,) in target.read("SELECT key FROM entries WHERE bank = ?", (_MARK,))}
    names = [table.name for table in TABLES if table.name not in _NEVER_EMPTY]
    filled = [name for name in names if target.read(f"SELECT 1 FROM {name} LIMIT 1")]
    if filled and marks != {source.path}:
        raise TransferRefused(
            f"store {target.path} already has other data ({', '.join(filled)}); choose an empty one, or"
            " remove its data with --replace"
        )
    target.write(_PUT, (_ENTRIES, [(_MARK, source.path, b"", 0.0, None)])).result()


def copy(source: Store, target: Store, table: Table) -> Content:
    """Copy all rows of a table; return the count and the digest of the rows read."""
    pending: collections.deque[Future[Any]] = collections.deque()
    count, digest = 0, hashlib.sha256()
    for rows in _pages(source, table):
        if len(pending) == AT_ONCE:
            pending.popleft().result()
        pending.append(target.write(_PUT, (table, rows)))
        count += len(rows)
        _add(digest, rows)
    for written in pending:
        written.result()
    return Content(count, digest.hexdigest())


def content(store: Store, table: Table) -> Content:
    """Return the count and the digest of the rows of a store's table."""
    count, digest = 0, hashlib.sha256()
    for rows in _pages(store, table):
        count += len(rows)
        _add(digest, rows)
    return Content(count, digest.hexdigest())


def finish(target: Store) -> None:
    """Remove the mark of an unfinished transfer from the target."""
    target.write(_UNMARK, None).result()


def _pages(store: Store, table: Table) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of a table in the order of their keys, without the mark."""
    key = ", ".join(table.key)
    places = ", ".join("?" * len(table.key))
    sql = (
        f"SELECT {', '.join(table.columns)} FROM {table.name}"
        f" WHERE ({key}) > ({places}) ORDER BY {key} LIMIT ?"
    )
    last: Sequence[Any] = table.first or ("",) * len(table.key)
    while rows := store.read(sql, (*last, PAGE)):
        last = rows[-1][: len(table.key)]
        yield [tuple(row) for row in rows if table is not _ENTRIES or row[0] != _MARK]


def _add(digest: Any, rows: list[tuple[Any, ...]]) -> None:
    for row in rows:
        digest.update(pack_bus([bytes(value) if isinstance(value, memoryview) else value for value in row]))


_ENTRIES = next(table for table in TABLES if table.name == "entries")


def _put(
    connection: DatabaseConnection, pages: Sequence[tuple[Table, list[tuple[Any, ...]]]]
) -> Sequence[None]:
    for table, rows in pages:
        changes = ", ".join(f"{name} = excluded.{name}" for name in table.rest)
        action = f"UPDATE SET {changes}" if changes else "NOTHING"
        bulk_sql.upsert(
            connection,
            f"{table.name} ({', '.join(table.columns)})",
            rows,
            f"ON CONFLICT ({', '.join(table.key)}) DO {action}",
            key_columns=len(table.key),
        )
    return [None] * len(pages)


def _clear(connection: DatabaseConnection, names: Sequence[str]) -> Sequence[None]:
    for name in names:
        connection.execute(f"DELETE FROM {name}")
    return [None] * len(names)


def _unmark(connection: DatabaseConnection, items: Sequence[None]) -> Sequence[None]:
    connection.execute("DELETE FROM entries WHERE bank = ?", (_MARK,))
    return items


_PUT = Operation("transfer rows", 1, _put)
_CLEAR = Operation("remove all rows", 1, _clear)
_UNMARK = Operation("finish a transfer", 1, _unmark)
