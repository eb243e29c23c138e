"""Read-sets of state runs in the store, one for each minion's last run of each call.

Equal sets are stored once. Queries use an index from names to sets, extended when a new set is stored.
Shapes: names and bodies are those of `report/recording/read_sets.py`, calls are texts of
`report/state_calls.py`.
Units: seconds since the epoch, bytes.
Errors: StoreError from reads and through futures, StoreBusy from writes.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from salt_g.cache import bulk_sql
from salt_g.cache.futures import Future
from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cache.store import Store
from salt_g.report.recording.read_sets import Question, names_of
from salt_g.report.recording.reads import ReadNames

log = logging.getLogger(__name__)

_LANE = 7
#: Overhead of a run, a set and a name in addition to the content (bytes): keys, indexes, pages.
RUN, SET, ITEM = 300, 200, 60
#: Maximum number of calls kept per minion, and of rows removed in one step.
CALLS, SLICE = 16, 500
#: How long a read-set that no run refers to is kept (s): minions do not resend a set that they sent within
#: the last day.
GRACE = 2 * 86400.0
#: Age after which the recorded time of a set is updated (s).
_TOUCH = 3600.0
#: Suffix that sorts a beginning of a name above all names with this beginning.
_ABOVE_ALL = chr(0x10FFFF)


class Ran(NamedTuple):
    """State run of a minion: call (text of `state_calls.py`), time, job, digest and body of the read-set.

    The body is b'' if the minion has sent it before. If `call` is empty, only the read-set is stored.
    """

    minion: str
    call: str
    at: float
    jid: str
    digest: bytes
    body: bytes = b""


class Reader(NamedTuple):
    """Minion whose last run of a call read `name`, one of the names in a question."""

    minion: str
    call: str
    at: float
    name: str
    digest: bytes


class ReadSetLimits(NamedTuple):
    """Retention limits: age (s) and size (bytes) above which the oldest runs are removed."""

    seconds: float
    bytes: int


class ReadSets:
    """Interface to the tables of read-sets."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, ran: Ran) -> Future[None]:
        """Store a run, replacing the minion's last run of the same call."""
        return self._store.write(_ADD, ran, len(ran.body))

    def forget(self, minion: str) -> Future[None]:
        """Remove the runs of a minion, because another minion may get its id."""
        return self._store.write(_FORGET, minion)

    def readers(self, question: Question) -> list[Reader]:
        """Return the minions that read a name in the question, once for each call and name."""
        conditions: list[tuple[str, tuple[str, ...]]] = [("i.name = ?", (name,)) for name in question.exact]
        conditions += [
            ("i.name >= ? AND i.name < ?", (begin, begin + _ABOVE_ALL)) for begin in question.beginnings
        ]
        found: dict[Reader, None] = {}
        for condition, values in conditions:
            sql = (
                "SELECT r.minion, r.ran, r.at, i.name, r.digest FROM read_items i"
                f" JOIN read_runs r ON r.digest = i.digest WHERE {condition}"
            )
            for minion, call, at, name, digest in self._store.read(sql, values):
                found[Reader(minion, call, at, name, bytes(digest))] = None
        return list(found)

    def runs_of(self, minion: str) -> list[Ran]:
        """Return the last runs of a minion, newest first, without bodies."""
        sql = "SELECT minion, ran, at, jid, digest FROM read_runs WHERE minion = ? ORDER BY at DESC"
        return [
            Ran(id, call, at, jid, bytes(digest))
            for id, call, at, jid, digest in self._store.read(sql, (minion,))
        ]

    def minions(self) -> int:
        """Return the number of minions with a stored run."""
        return int(self._store.read("SELECT count(DISTINCT minion) FROM read_runs")[0][0])

    def unknown(self) -> list[str]:
        """Return the minions with a run whose read-set is not stored."""
        sql = (
            "SELECT DISTINCT r.minion FROM read_runs r LEFT JOIN read_sets s ON s.digest = r.digest"
            " WHERE s.digest IS NULL ORDER BY r.minion"
        )
        return [minion for (minion,) in self._store.read(sql)]

    def names(self, digest: bytes) -> ReadNames:
        """Return the names in a read-set, {} if it is not stored."""
        found = self._store.read("SELECT body FROM read_sets WHERE digest = ?", (digest,))
        return names_of(bytes(found[0][0])) if found else {}

    def held_bytes(self) -> int:
        """Return the size of runs and read-sets in bytes."""
        sets = self._store.read("SELECT coalesce(sum(bytes), 0) FROM read_sets")[0][0]
        return int(sets) + RUN * int(self._store.read("SELECT count(*) FROM read_runs")[0][0])

    def prune(self, limits: ReadSetLimits, now: float) -> Future[int]:
        """Remove a slice of old runs and unused read-sets; the future returns the number removed."""
        return self._store.write(_PRUNE, (limits, now))


def _add(connection: DatabaseConnection, runs: Sequence[Ran]) -> Sequence[None]:
    rows = [(ran.minion, ran.call, ran.at, ran.jid, ran.digest) for ran in runs if ran.call]
    bulk_sql.upsert(
        connection,
        "read_runs (minion, ran, at, jid, digest)",
        rows,
        "ON CONFLICT (minion, ran) DO UPDATE SET at = excluded.at, jid = excluded.jid,"
        " digest = excluded.digest",
        key_columns=2,
    )
    newest = {ran.digest: ran for ran in sorted(runs, key=lambda ran: bool(ran.body))}
    for ran in newest.values():
        _keep_set(connection, ran)
    for minion in {ran.minion for ran in runs}:
        _forget_oldest(connection, minion)
    return [None] * len(runs)


def _keep_set(connection: DatabaseConnection, ran: Ran) -> None:
    """Store the read-set of a run unless it is already stored, and update the time of its last use."""
    found = connection.execute("SELECT last FROM read_sets WHERE digest = ?", (ran.digest,)).fetchone()
    if found is not None:
        if found[0] < ran.at - _TOUCH:
            connection.execute("UPDATE read_sets SET last = ? WHERE digest = ?", (ran.at, ran.digest))
        return
    if not ran.body:
        return
    try:
        names = {name for read in names_of(ran.body).values() for name in read}
    except ValueError as exc:
        log.warning("%s: cannot store the read-set of run %s: %s", ran.minion, ran.jid, exc)
        return
    size = SET + len(ran.body) + sum(len(name) + ITEM for name in names)
    bulk_sql.insert(
        connection,
        "read_sets (digest, body, bytes, last)",
        [(ran.digest, ran.body, size, ran.at)],
        "ON CONFLICT (digest) DO NOTHING",
    )
    bulk_sql.insert(
        connection,
        "read_items (name, digest)",
        [(name, ran.digest) for name in sorted(names)],
        "ON CONFLICT (name, digest) DO NOTHING",
    )


def _forget_oldest(connection: DatabaseConnection, minion: str) -> None:
    """Remove the oldest runs of a minion, beyond the number of calls that are kept."""
    sql = "SELECT ran FROM read_runs WHERE minion = ? ORDER BY at DESC LIMIT 100 OFFSET ?"
    for (call,) in connection.execute(sql, (minion, CALLS)).fetchall():
        connection.execute("DELETE FROM read_runs WHERE minion = ? AND ran = ?", (minion, call))


def _forget(connection: DatabaseConnection, minions: Sequence[str]) -> Sequence[None]:
    connection.executemany("DELETE FROM read_runs WHERE minion = ?", [(minion,) for minion in minions])
    return [None] * len(minions)


def _prune(connection: DatabaseConnection, limits: Sequence[tuple[ReadSetLimits, float]]) -> Sequence[int]:
    return [_prune_one(connection, limit, now) for limit, now in limits]


def _prune_one(connection: DatabaseConnection, limits: ReadSetLimits, now: float) -> int:
    held = int(connection.execute("SELECT coalesce(sum(bytes), 0) FROM read_sets").fetchone()[0])
    held += RUN * int(connection.execute("SELECT count(*) FROM read_runs").fetchone()[0])
    is_full = bool(limits.bytes) and held > limits.bytes
    oldest = now + 1 if is_full else now - limits.seconds if limits.seconds else 0.0
    gone = _remove_sets(connection, now + 1 if is_full else now - GRACE)
    if is_full and gone:
        return gone
    victims = connection.execute(
        "SELECT minion, ran FROM read_runs WHERE at < ? ORDER BY at LIMIT ?", (oldest, SLICE)
    ).fetchall()
    connection.executemany(
        "DELETE FROM read_runs WHERE minion = ? AND ran = ?", [tuple(row) for row in victims]
    )
    bulk_sql.return_pages(connection)
    return gone + len(victims)


def _remove_sets(connection: DatabaseConnection, before: float) -> int:
    """Remove a slice of the read-sets without a run that were last used before a time."""
    sql = (
        "SELECT digest, body FROM read_sets s WHERE last < ? AND NOT EXISTS"
        " (SELECT 1 FROM read_runs r WHERE r.digest = s.digest) LIMIT ?"
    )
    found = [
        (bytes(digest), bytes(body)) for digest, body in connection.execute(sql, (before, SLICE)).fetchall()
    ]
    items = ((name, digest) for digest, body in found for name in _names(body))
    connection.executemany("DELETE FROM read_items WHERE name = ? AND digest = ?", list(items))
    connection.executemany("DELETE FROM read_sets WHERE digest = ?", [(digest,) for digest, _ in found])
    return len(found)


def _names(body: bytes) -> Iterable[str]:
    return {name for read in names_of(body).values() for name in read}


_ADD = Operation("add what a state run read", _LANE, _add)
_FORGET = Operation("forget what a minion read", _LANE, _forget)
_PRUNE = Operation("remove old read-sets", _LANE, _prune)
