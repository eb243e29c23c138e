"""Mailbox of a master in the store, with jobs that wait for minions which are away.

An order is a job kept for some minions; a letter is one order for one minion, kept until the minion returns.
Shapes: an order's id is a jid, so that ids sort by time; a letter's `jid` is '' until it is sent.
Content and minions of an order are sealed, so that write access to the database is not enough to make a
master publish a job.
Units: `made`, `until` and `now` in seconds since the epoch.
Errors: StoreError from reads and through futures, StoreBusy from writes.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from salt_g.cache import bulk_sql
from salt_g.cache.futures import Future
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.store import Store
from salt_g.errors import WireError
from salt_g.wire.packing import pack_bus, unpack

log = logging.getLogger(__name__)

_LANE = 5
#: Maximum number of orders read at once; each may have a megabyte.
PAGE = 100


class MailLimits(NamedTuple):
    """Limits of a mailbox: number of letters and bytes of orders; one owner may use the fraction `share`."""

    letters: int
    bytes: int
    share: float = 1.0


class Order(NamedTuple):
    """Job kept for some minions until `until`; orders with the same owner and digest replace each other."""

    id: str
    made: float
    until: float
    digest: str
    owner: str
    load: Mapping[str, Any]
    minions: frozenset[str] = frozenset()


class Letter(NamedTuple):
    """Order for one minion; `jid` belongs to the job sent to the minion, '' before it is sent."""

    minion: str
    order: str
    jid: str


class OrderSealing(Protocol):
    """Interface that seals values with the key pair of this master or of a cluster's masters."""

    def seal(self, packed: bytes) -> bytes:
        """Return sealed bytes."""

    def open(self, sealed: bytes) -> bytes:
        """Return the sealed content; raise WireError if another key pair sealed it."""


class Mail:
    """Interface to the tables of the mailbox."""

    def __init__(self, store: Store, sealing: OrderSealing) -> None:
        self._store = store
        self._sealing = sealing

    def add(self, order: Order, letters: Sequence[Letter], limits: MailLimits) -> Future[str]:
        """Keep an order, replacing unsent orders with the same owner and digest for these minions.

        The future returns '' or, if nothing was changed, the limit that the order would exceed.
        """
        minions = sorted({letter.minion for letter in letters})
        packed = self._sealing.seal(pack_bus([list(order[:5]), minions, dict(order.load)]))
        return self._store.write(_ADD, (order, packed, list(letters), limits), len(packed))

    def claim(self, letter: Letter, jid: str) -> Future[bool]:
        """Store the jid of the job for an unsent letter; the future returns False if it was already sent."""
        return self._store.write(_CLAIM, (jid, letter.minion, letter.order))

    def remove(self, letters: Sequence[Letter]) -> Future[None]:
        """Remove letters, and orders that have no letters left."""
        return self._store.write(_REMOVE, [(one.minion, one.order) for one in letters])

    def remove_order(self, id: str) -> Future[None]:
        """Remove an order with all its letters."""
        return self._store.write(_REMOVE_ORDER, id)

    def forget(self, minion: str) -> Future[None]:
        """Remove all letters for a minion."""
        return self._store.write(_FORGET, minion)

    def minions(self) -> set[str]:
        """Return the minions that have letters."""
        return {minion for (minion,) in self._store.read("SELECT DISTINCT minion FROM mail")}

    def first_of(self, minion: str, without: Collection[str] = ()) -> Letter | None:
        """Return the oldest letter for a minion, except letters of the orders `without`."""
        left_out = f" AND order_id NOT IN ({', '.join('?' * len(without))})" if without else ""
        sql = f"SELECT minion, order_id, jid FROM mail WHERE minion = ?{left_out} ORDER BY order_id LIMIT 1"
        found = self._store.read(sql, (minion, *without))
        return Letter(*found[0]) if found else None

    def order(self, id: str) -> Order | None:
        """Return an order, or None if it does not exist or is unreadable."""
        found = self._store.read(f"{_SELECT} WHERE id = ?", (id,))
        return self._order(found[0]) if found else None

    def orders(self, owner: str | None = None) -> Iterator[Order]:
        """Yield the orders, all or of one owner, oldest first; they are read in pages."""
        wanted, values = ("", ()) if owner is None else (" AND owner = ?", (owner,))
        last = ""
        while rows := self._store.read(
            f"{_SELECT} WHERE id > ?{wanted} ORDER BY id LIMIT ?", (last, *values, PAGE)
        ):
            last = str(rows[-1][0])
            yield from (order for row in rows if (order := self._order(row)) is not None)

    def letters(self, order: str) -> list[Letter]:
        """Return the letters of an order, by minion."""
        sql = "SELECT minion, order_id, jid FROM mail WHERE order_id = ? ORDER BY minion"
        return [Letter(*row) for row in self._store.read(sql, (order,))]

    def returned(self) -> list[Letter]:
        """Return the sent letters whose return is stored."""
        sql = (
            "SELECT m.minion, m.order_id, m.jid FROM mail m JOIN returns r ON r.jid = m.jid"
            " AND r.id = m.minion WHERE m.jid <> ''"
        )
        return [Letter(*row) for row in self._store.read(sql)]

    def expired(self, now: float) -> list[Letter]:
        """Return the letters of expired orders."""
        sql = (
            "SELECT m.minion, m.order_id, m.jid FROM orders o JOIN mail m ON m.order_id = o.id"
            " WHERE o.until <= ?"
        )
        return [Letter(*row) for row in self._store.read(sql, (now,))]

    def _order(self, row: Sequence[Any]) -> Order | None:
        """Return the order of a row, or None (logged) if it was changed or sealed with another key pair."""
        id, made, until, digest, owner = row[:5]
        try:
            sealed, minions, load = unpack(self._sealing.open(bytes(row[5])))
        except (WireError, TypeError, ValueError) as exc:
            log.error("order %s in %s is not readable: %s", id, self._store.path, exc)
            return None
        if sealed != [id, made, until, digest, owner] or not isinstance(load, dict):
            log.error("order %s in %s was changed by another program", id, self._store.path)
            return None
        return Order(id, made, until, digest, owner, load, frozenset(map(str, minions)))


_SELECT = "SELECT id, made, until, digest, owner, load FROM orders"
_NO_LETTERS = "DELETE FROM orders WHERE NOT EXISTS (SELECT 1 FROM mail WHERE mail.order_id = orders.id)"

_Added = tuple[Order, bytes, list[Letter], MailLimits]


def _add(connection: DatabaseConnection, items: Sequence[_Added]) -> Sequence[str]:
    return [_add_one(connection, *item) for item in items]


def _add_one(
    connection: DatabaseConnection, order: Order, packed: bytes, letters: list[Letter], limits: MailLimits
) -> str:
    connection.execute("SAVEPOINT mail")
    connection.executemany(
        "DELETE FROM mail WHERE minion = ? AND jid = '' AND order_id IN"
        " (SELECT id FROM orders WHERE digest = ? AND owner = ?)",
        [(letter.minion, order.digest, order.owner) for letter in letters if not letter.jid],
    )
    connection.execute(_NO_LETTERS)
    row = (order.id, order.made, order.until, order.digest, order.owner, packed)
    bulk_sql.insert(connection, "orders (id, made, until, digest, owner, load)", [row])
    bulk_sql.insert(connection, "mail (minion, order_id, jid)", [tuple(letter) for letter in letters])
    problem = _above(connection, limits) or _above_share(connection, limits, order.owner)
    if problem:
        connection.execute("ROLLBACK TO SAVEPOINT mail")
    connection.execute("RELEASE SAVEPOINT mail")
    return problem


def _above(connection: DatabaseConnection, limits: MailLimits) -> str:
    letters = int(connection.execute("SELECT count(*) FROM mail").fetchone()[0])
    size = int(connection.execute("SELECT coalesce(sum(length(load)), 0) FROM orders").fetchone()[0])
    if letters > limits.letters:
        return f"{letters:,} jobs would wait, but mailbox_jobs allows {limits.letters:,}"
    if size > limits.bytes:
        return f"orders would take {size:,} bytes, but mailbox_bytes allows {limits.bytes:,}"
    return ""


def _above_share(connection: DatabaseConnection, limits: MailLimits, owner: str) -> str:
    """Return the problem if an owner exceeds the share of a limit, else ''."""
    if limits.share >= 1.0:
        return ""
    counted = "SELECT count(*) FROM mail m JOIN orders o ON o.id = m.order_id WHERE o.owner = ?"
    letters = int(connection.execute(counted, (owner,)).fetchone()[0])
    summed = "SELECT coalesce(sum(length(load)), 0) FROM orders WHERE owner = ?"
    size = int(connection.execute(summed, (owner,)).fetchone()[0])
    part = f"{limits.share:.0%} of"
    if letters > limits.letters * limits.share:
        return f"{letters:,} jobs of one user would wait, but the limit is {part} mailbox_jobs"
    if size > limits.bytes * limits.share:
        return f"orders of one user would take {size:,} bytes, but the limit is {part} mailbox_bytes"
    return ""


def _claim(connection: DatabaseConnection, claims: Sequence[tuple[str, str, str]]) -> Sequence[bool]:
    sql = "UPDATE mail SET jid = ? WHERE minion = ? AND order_id = ? AND jid = ''"
    return [connection.execute(sql, claim).rowcount == 1 for claim in claims]


def _remove(connection: DatabaseConnection, lists: Sequence[list[tuple[str, str]]]) -> Sequence[None]:
    for letters in lists:
        connection.executemany("DELETE FROM mail WHERE minion = ? AND order_id = ?", letters)
    connection.execute(_NO_LETTERS)
    return [None] * len(lists)


def _remove_orders(connection: DatabaseConnection, ids: Sequence[str]) -> Sequence[None]:
    for id in ids:
        connection.execute("DELETE FROM mail WHERE order_id = ?", (id,))
        connection.execute("DELETE FROM orders WHERE id = ?", (id,))
    return [None] * len(ids)


def _forget(connection: DatabaseConnection, minions: Sequence[str]) -> Sequence[None]:
    connection.executemany("DELETE FROM mail WHERE minion = ?", [(minion,) for minion in minions])
    connection.execute(_NO_LETTERS)
    return [None] * len(minions)


_ADD = Operation("keep an order", _LANE, _add)
_CLAIM = Operation("claim a letter", _LANE, _claim)
_REMOVE = Operation("remove letters", _LANE, _remove)
_REMOVE_ORDER = Operation("remove an order", _LANE, _remove_orders)
_FORGET = Operation("forget a minion's letters", _LANE, _forget)
