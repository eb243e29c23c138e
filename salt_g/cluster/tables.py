"""SQL statements on the tables of a cluster, except those for calls, resources and tokens.

Writes are operations of the store's writer, so they are executed in the order in which a master requested
them. Each change of a shared row names the version that it replaces.
Shapes: rows as tuples; `n` and `version` are places in the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from salt_g.cache.operation import DatabaseConnection, Operation
from salt_g.cluster.observed_beats import Member
from salt_g.process.offload import unpatched

#: Lanes after those of jobs and banks, so that a row of the log is committed with the data that it announces,
#: or later.
LANE, _LOG_LANE = 8, 9
#: Number of slots of masters; dividing the microseconds of a jid by it leaves the slot as the remainder.
SLOTS = 32
#: Maximum number of rows of the log read in one step.
PAGE = 500
#: Retention of publications and of rows of the log.
_KEPT = "interval '15 minutes'"
#: Kind of log row for a former member; its name is the one under which `connected` has the member's minions.
_ENDED = "ended"
#: SQL condition: the row `c` of `connected` belongs to a former member.
_OF_NO_MEMBER = (
    "NOT EXISTS (SELECT 1 FROM masters WHERE c.master IN (id, id || ' (before)', id || ' (left)'))"
)

MEMBERS = (
    "SELECT id, slot, epoch, beat, host, release, minions, to_char(seen, 'YYYY-MM-DD HH24:MI:SS')"
    " FROM masters ORDER BY id"
)
LEADER = "SELECT holder, epoch, beat FROM leases WHERE name = 'leader'"
#: A leader lease without a holder keeps its epoch, so that the next leader gets a new one; its beat is
#: raised, so that a master that has read the lease cannot renew it.
_END_LEAD = "UPDATE leases SET holder = '', beat = beat + 1 WHERE holder = ?"
COUNTER = "SELECT serial, generation, sealed, fingerprint FROM counter"
PUBLICATIONS = (
    "SELECT serial, generation, job, ids, by_topic, extract(epoch FROM clock_timestamp() - made)::float8"
    " FROM publications WHERE serial > ? AND serial <= ?"
    " ORDER BY serial LIMIT 100"
)
RECENT_PUBLICATIONS = (
    "SELECT job, ids, extract(epoch FROM now() - made)::float8 FROM publications"
    " WHERE made > now() - interval '3 minutes' ORDER BY serial"
)
LOG = f"SELECT n, kind, name, body FROM log WHERE master = ? AND n > ? ORDER BY n LIMIT {PAGE}"
#: Last places of the other masters in log and returns, and the last serial, all read at the same time. The
#: masters are those already known, which may have left, and those in the table, which may have joined since
#: the last beat.
ENDS = (
    "SELECT m.id, (SELECT coalesce(max(n), 0) FROM log WHERE master = m.id),"
    " (SELECT coalesce(max(n), 0) FROM returns WHERE master = m.id)"
    " FROM (SELECT unnest(?::text[]) UNION SELECT id FROM masters WHERE id <> ?) AS m (id)"
    " UNION ALL SELECT '', serial, 0 FROM counter"
)
LOG_ENDS = "SELECT master, max(n) FROM log GROUP BY master"
RETURN_PLACES = f"SELECT n, jid, id FROM returns WHERE master = ? AND n > ? ORDER BY n LIMIT {PAGE}"
RETURNS = "SELECT jid, id, data FROM returns WHERE master = ? AND n > ? AND n <= ? ORDER BY n"
#: Place that all later rows of any master come after.
LAST_PLACE = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM log_n"
RETURNED = "SELECT jid, id FROM returns WHERE jid = ANY(?::text[]) AND id = ANY(?::text[])"
RETURNS_END = "SELECT coalesce(max(n), 0) FROM returns WHERE master = ?"
KEYS = "SELECT id, state, pem, version, changed FROM keys"
KEYS_OF = f"{KEYS} WHERE id = ?"
SHARED = "SELECT version, body FROM shared WHERE name = ?"
POSITIONS = "SELECT reader, n FROM positions WHERE master = ?"
#: Minions at other masters and at masters that ended, but not those that have left a master.
CONNECTED = "SELECT id, address, master FROM connected WHERE master <> ? AND right(master, 7) <> ' (left)'"
#: Those of the given minions that another master has or had, that this one had before its start, or that
#: recently left any master; and whether they are connected, or were when that master ended.
ELSEWHERE = (
    "SELECT id, bool_or(right(master, 7) <> ' (left)') FROM connected"
    " WHERE id = ANY(?::text[]) AND master <> ? GROUP BY id"
)
RING = "SELECT pg_notify('salt_g', ?)"


class Join(NamedTuple):
    """Request of a master to join; `sealed` is a new publish key, used if the cluster is new."""

    id: str
    host: str
    release: str
    fingerprint: str
    sealed: bytes


class Joined(NamedTuple):
    """Answer to `Join`: the master's row, None after a refusal, and the row of `counter`."""

    member: Member | None
    serial: int
    generation: int
    sealed: bytes
    fingerprint: str


class KeyRowChange(NamedTuple):
    """Change of a key; an empty `pem` removes the key, or moves it to the state `moved_to`.

    `version` is the version of the key that the change replaces, 0 for a new key.
    """

    id: str
    state: str
    pem: str
    version: int
    changed: float = 0.0
    moved_to: str = ""


class Claim:
    """Claim on a write, which either its thread begins or its caller withdraws, whichever is first."""

    def __init__(self) -> None:
        self._lock: Any = unpatched("allocate_lock")()
        self._is_begun = False

    def begin(self) -> bool:
        """Claim the write for the writer's thread; return False if it was withdrawn. Can be repeated."""
        self._is_begun = self._is_begun or self._lock.acquire(False)
        return self._is_begun

    def withdraw(self) -> bool:
        """Withdraw the write; return False if it has already begun."""
        return bool(self._lock.acquire(False))


class Publication(NamedTuple):
    """Job for all masters to relay, unless `claim` is withdrawn."""

    member: str
    epoch: int
    job: bytes
    ids: bytes
    by_topic: bool
    claim: Claim


def _join(connection: DatabaseConnection, items: Sequence[Join]) -> Sequence[Joined]:
    return [_join_one(connection, item) for item in items]


def _join_one(connection: DatabaseConnection, item: Join) -> Joined:
    connection.execute(
        "INSERT INTO counter VALUES (true, 0, 1, ?, ?) ON CONFLICT DO NOTHING",
        (item.sealed, item.fingerprint),
    )
    found = connection.execute(f"{COUNTER} FOR UPDATE").fetchone()
    serial, generation, sealed, fingerprint = found
    if fingerprint != item.fingerprint:
        return Joined(None, 0, 0, b"", fingerprint)
    rows = connection.execute("SELECT id, slot FROM masters").fetchall()
    taken = {slot for id, slot in rows if id != item.id}
    free = [slot for slot in range(SLOTS) if slot not in taken]
    if not free:
        return Joined(None, 0, 0, b"", fingerprint)
    epoch = _next_epoch(connection)
    connection.execute("DELETE FROM masters WHERE id = ?", (item.id,))
    connection.execute(
        "INSERT INTO masters (id, slot, epoch, beat, host, release, minions) VALUES (?, ?, ?, 0, ?, ?, 0)",
        (item.id, free[0], epoch, item.host, item.release),
    )
    connection.execute("DELETE FROM positions WHERE reader = ? OR master = ?", (item.id, item.id))
    _set_aside(connection, item.id)
    sql = "DELETE FROM log WHERE kind = ? AND name = ANY(?::text[])"
    connection.execute(sql, (_ENDED, _names(item.id)))
    member = Member(item.id, free[0], epoch, 0, item.host, item.release)
    return Joined(member, serial, generation, bytes(sealed), fingerprint)


def _next_epoch(connection: DatabaseConnection) -> int:
    """Return the number of a start; it grows even if the master with the highest number was removed."""
    found = connection.execute(
        "INSERT INTO shared SELECT 'epoch', 1 + coalesce(max(epoch), 0), '' FROM masters"
        " ON CONFLICT (name) DO UPDATE SET version = greatest(shared.version + 1, excluded.version)"
        " RETURNING version"
    )
    return int(found.fetchone()[0])


def former(master: str) -> str:
    """Return the name in `connected` for minions that a master had before its start."""
    return f"{master} (before)"


def left(master: str) -> str:
    """Return the name in `connected` for minions that have left a running master."""
    return f"{master} (left)"


def _names(master: str) -> list[str]:
    """Return all names in `connected` for minions of a master."""
    return [master, former(master), left(master)]


def _set_aside(connection: DatabaseConnection, master: str) -> None:
    """Record the minions that a master has lost, which have missed jobs when they return to any master."""
    connection.execute(
        "INSERT INTO connected SELECT ?, id, address FROM connected WHERE master = ?"
        " ON CONFLICT (master, id) DO NOTHING",
        (former(master), master),
    )
    connection.execute("DELETE FROM connected WHERE master = ?", (master,))


def _is_member(connection: DatabaseConnection, master: str, epoch: int) -> bool:
    """Return whether a master is still a member with the start `epoch`."""
    sql = "SELECT 1 FROM masters WHERE id = ? AND epoch = ?"
    return connection.execute(sql, (master, epoch)).fetchone() is not None


def _set_aside_all(connection: DatabaseConnection, items: Sequence[tuple[str, int]]) -> Sequence[None]:
    for master, epoch in items:
        if _is_member(connection, master, epoch):
            _set_aside(connection, master)
    return [None] * len(items)


def _forget_former(connection: DatabaseConnection, items: Sequence[tuple[str, list[str]]]) -> Sequence[None]:
    """Remove the former minions of masters, and, except for the given ones, the minions that have left."""
    sql = "DELETE FROM connected WHERE master = ? OR master = ? AND NOT id = ANY(?::text[])"
    for master, kept in items:
        connection.execute(sql, (former(master), left(master), kept))
    return [None] * len(items)


def _forget_left(connection: DatabaseConnection, items: Sequence[tuple[str, list[str]]]) -> Sequence[None]:
    sql = "DELETE FROM connected WHERE master = ? AND id = ANY(?::text[])"
    for master, ids in items:
        connection.execute(sql, (left(master), ids))
    return [None] * len(items)


def _beat(connection: DatabaseConnection, items: Sequence[tuple[str, int, int]]) -> Sequence[int | None]:
    """Count a beat of each master; the result is the new count, None for a master that is not a member."""
    sql = (
        "UPDATE masters SET beat = beat + 1, minions = ?, seen = now() WHERE id = ? AND epoch = ?"
        " RETURNING beat"
    )
    found = [connection.execute(sql, (minions, id, epoch)).fetchone() for id, epoch, minions in items]
    return [row[0] if row else None for row in found]


def _leave(connection: DatabaseConnection, items: Sequence[tuple[str, int]]) -> Sequence[None]:
    for id, epoch in items:
        # The rows of its connected minions stay, because these minions move to other masters and have missed
        # jobs there.
        sql = "DELETE FROM masters WHERE id = ? AND epoch = ?"
        if connection.execute(sql, (id, epoch)).rowcount:
            connection.execute(_END_LEAD, (id,))
    return [None] * len(items)


def _lead(connection: DatabaseConnection, items: Sequence[tuple[str, int, int]]) -> Sequence[bool]:
    """Acquire or renew the leader lease if its epoch and beat have not changed since they were read."""
    return [_lead_one(connection, *item) for item in items]


def _lead_one(connection: DatabaseConnection, id: str, epoch: int, beat: int) -> bool:
    if not epoch:
        sql = "INSERT INTO leases VALUES ('leader', ?, 1, 0) ON CONFLICT DO NOTHING"
        return connection.execute(sql, (id,)).rowcount == 1
    sql = (
        "UPDATE leases SET epoch = epoch + (holder <> ?)::int, holder = ?, beat = beat + 1"
        " WHERE name = 'leader' AND epoch = ? AND beat = ?"
    )
    return connection.execute(sql, (id, id, epoch, beat)).rowcount == 1


def _publish(connection: DatabaseConnection, items: Sequence[Publication]) -> Sequence[int]:
    return [_publish_one(connection, item) for item in items]


def _publish_one(connection: DatabaseConnection, item: Publication) -> int:
    """Publish a job; return its serial, 0 if it was withdrawn or its master is no longer a member."""
    if not item.claim.begin():
        return 0
    # The row stays locked until the commit, so that serials are committed in ascending order.
    found = connection.execute(
        "UPDATE counter SET serial = serial + 1"
        " WHERE EXISTS (SELECT 1 FROM masters WHERE id = ? AND epoch = ?)"
        " RETURNING serial, generation",
        (item.member, item.epoch),
    ).fetchone()
    if found is None:
        return 0
    connection.execute(
        "INSERT INTO publications (serial, generation, job, ids, by_topic) VALUES (?, ?, ?, ?, ?)",
        (*found, item.job, item.ids, item.by_topic),
    )
    return int(found[0])


def _renew(connection: DatabaseConnection, items: Sequence[tuple[int, bytes]]) -> Sequence[int]:
    """Replace the publish key of a generation; the result is the place in the log, 0 if already replaced."""
    done = []
    for generation, sealed in items:
        sql = "UPDATE counter SET generation = generation + 1, sealed = ? WHERE generation = ?"
        is_ours = connection.execute(sql, (sealed, generation)).rowcount == 1
        done.append(add_to_log(connection, "publish key", "", b"") if is_ours else 0)
    return done


def _change_keys(connection: DatabaseConnection, items: Sequence[KeyRowChange]) -> Sequence[int]:
    return [_change_key(connection, item) for item in items]


def _change_key(connection: DatabaseConnection, item: KeyRowChange) -> int:
    """Change a key; return the place in the log, 0 if the key's version is not the expected one."""
    if not item.version:
        sql = "INSERT INTO keys VALUES (?, ?, ?, 0, ?) ON CONFLICT DO NOTHING"
        done = connection.execute(sql, (item.id, item.state, item.pem, item.changed)).rowcount
    elif item.pem:
        sql = "UPDATE keys SET pem = ?, changed = ? WHERE id = ? AND state = ? AND version = ?"
        values = (item.pem, item.changed, item.id, item.state, item.version)
        done = connection.execute(sql, values).rowcount
    elif item.moved_to:
        done = _move_key(connection, item)
    else:
        sql = "DELETE FROM keys WHERE id = ? AND state = ? AND version = ?"
        done = connection.execute(sql, (item.id, item.state, item.version)).rowcount
    if not done:
        return 0
    n = add_to_log(connection, "key", item.id, b"")
    state = item.moved_to or item.state
    connection.execute("UPDATE keys SET version = ? WHERE id = ? AND state = ?", (n, item.id, state))
    return n


def _move_key(connection: DatabaseConnection, item: KeyRowChange) -> int:
    """Move a key to another state, replacing any key there."""
    at = (item.id, item.state, item.version)
    found = connection.execute(
        "SELECT 1 FROM keys WHERE id = ? AND state = ? AND version = ? FOR UPDATE", at
    ).fetchone()
    if found is None:
        return 0
    connection.execute("DELETE FROM keys WHERE id = ? AND state = ?", (item.id, item.moved_to))
    return connection.execute(
        "UPDATE keys SET state = ?, changed = ? WHERE id = ? AND state = ? AND version = ?",
        (item.moved_to, item.changed, *at),
    ).rowcount


def _import_keys(connection: DatabaseConnection, items: Sequence[list[KeyRowChange]]) -> Sequence[bool]:
    """Import the keys of the first master; the result is False if keys were already imported."""
    taken = []
    for keys in items:
        mark = connection.execute(
            "INSERT INTO shared VALUES ('keys', 1, ?) ON CONFLICT DO NOTHING", (b"imported",)
        )
        if is_first := mark.rowcount == 1:
            for key in keys:
                _change_key(connection, key)
        taken.append(is_first)
    return taken


def _share(connection: DatabaseConnection, items: Sequence[tuple[str, int, bytes]]) -> Sequence[bool]:
    """Store a shared value if its version has not changed since it was read; a new value has version 0."""
    done = []
    for name, version, body in items:
        if version:
            sql = "UPDATE shared SET body = ?, version = version + 1 WHERE name = ? AND version = ?"
            found = connection.execute(sql, (body, name, version))
        else:
            sql = "INSERT INTO shared VALUES (?, 1, ?) ON CONFLICT DO NOTHING"
            found = connection.execute(sql, (name, body))
        done.append(found.rowcount == 1)
    return done


def _announce(connection: DatabaseConnection, items: Sequence[tuple[str, str, bytes]]) -> Sequence[None]:
    connection.executemany(
        "INSERT INTO log (master, kind, name, body) VALUES (current_setting('salt_g.master'), ?, ?, ?)", items
    )
    return [None] * len(items)


def add_to_log(connection: DatabaseConnection, kind: str, name: str, body: bytes) -> int:
    """Add a row for the other masters in the transaction of another operation; return the row's place."""
    found = connection.execute(
        "INSERT INTO log (master, kind, name, body) VALUES (current_setting('salt_g.master'), ?, ?, ?)"
        " RETURNING n",
        (kind, name, body),
    )
    return int(found.fetchone()[0])


def _note_positions(connection: DatabaseConnection, items: Sequence[tuple[str, str, int]]) -> Sequence[None]:
    connection.executemany(
        "INSERT INTO positions VALUES (?, ?, ?) ON CONFLICT (reader, master) DO UPDATE SET n = excluded.n",
        items,
    )
    return [None] * len(items)


def _note_connected(
    connection: DatabaseConnection, items: Sequence[tuple[str, int, dict[str, str], list[str]]]
) -> Sequence[None]:
    """Store the minions that have connected to a member, {id: address}, and those that have left it."""
    for master, epoch, came, gone in items:
        # Rows of a master that was forgotten would be taken for those of its successor.
        if not _is_member(connection, master, epoch):
            continue
        connection.execute(
            "INSERT INTO connected SELECT ?, id, address FROM connected"
            " WHERE master = ? AND id = ANY(?::text[]) ON CONFLICT (master, id) DO NOTHING",
            (left(master), master, gone),
        )
        connection.execute("DELETE FROM connected WHERE master = ? AND id = ANY(?::text[])", (master, gone))
        connection.executemany(
            "INSERT INTO connected VALUES (?, ?, ?)"
            " ON CONFLICT (master, id) DO UPDATE SET address = excluded.address",
            [(master, id, address) for id, address in came.items()],
        )
    return [None] * len(items)


def _forget_master(connection: DatabaseConnection, items: Sequence[tuple[str, int, int]]) -> Sequence[bool]:
    """Remove masters without a beat since they were read; each result is whether the master was removed."""
    return [_forget_one(connection, *item) for item in items]


def _forget_one(connection: DatabaseConnection, id: str, epoch: int, beat: int) -> bool:
    sql = f"DELETE FROM masters WHERE id = ? AND epoch = ? AND beat = ? RETURNING seen < now() - {_KEPT}"
    found = connection.execute(sql, (id, epoch, beat)).fetchone()
    if found is None:
        return False
    _remove_traces(connection, id, with_minions=found[0])
    return True


def _remove_traces(connection: DatabaseConnection, id: str, *, with_minions: bool) -> None:
    """Remove the rows of a former master, `with_minions` also those of its minions, which may be moving."""
    connection.execute(_END_LEAD, (id,))
    connection.execute("DELETE FROM positions WHERE reader = ? OR master = ?", (id, id))
    if with_minions:
        sql = "DELETE FROM connected WHERE master = ANY(?::text[])"
        connection.execute(sql, (_names(id),))


def _prune(connection: DatabaseConnection, items: Sequence[None]) -> Sequence[int]:
    """Remove old log rows and publications, and masters not seen for a day, together with their rows."""
    _prune_connected(connection)
    removed = 0
    for table in ("log", "publications"):
        removed += connection.execute(f"DELETE FROM {table} WHERE made < now() - {_KEPT}").rowcount
    sql = "DELETE FROM masters WHERE seen < now() - interval '1 day' RETURNING id"
    for (id,) in connection.execute(sql).fetchall():
        _remove_traces(connection, id, with_minions=True)
    return [removed] * len(items)


def _prune_connected(connection: DatabaseConnection) -> None:
    """Remove minions of former masters, some time after a master was first found not to be a member.

    A row of the log, which readers skip, has the time of that finding, because `connected` has no times.
    """
    old = f"SELECT name FROM log WHERE kind = ? AND made < now() - {_KEPT}"
    connection.execute(f"DELETE FROM connected c WHERE {_OF_NO_MEMBER} AND master IN ({old})", (_ENDED,))
    connection.execute(
        "INSERT INTO log (master, kind, name, body)"
        " SELECT DISTINCT current_setting('salt_g.master'), ?, master, ''::bytea FROM connected c"
        f" WHERE {_OF_NO_MEMBER} AND NOT EXISTS (SELECT 1 FROM log WHERE kind = ? AND name = c.master)",
        (_ENDED, _ENDED),
    )


JOIN = Operation("join the cluster", LANE, _join)
CHECK_IN = Operation("beat", LANE, _beat)
LEAVE = Operation("leave the cluster", LANE, _leave)
LEAD = Operation("lead the cluster", LANE, _lead)
PUBLISH = Operation("publish", LANE, _publish)
RENEW = Operation("renew the publish key", LANE, _renew)
CHANGE_KEY = Operation("change a key", LANE, _change_keys)
IMPORT_KEYS = Operation("import keys", LANE, _import_keys)
SHARE = Operation("share a value", LANE, _share)
NOTE_CONNECTED = Operation("note connected minions", LANE, _note_connected)
SET_ASIDE = Operation("set minions aside", LANE, _set_aside_all)
FORGET_FORMER = Operation("forget former minions", LANE, _forget_former)
FORGET_LEFT = Operation("forget minions that left", LANE, _forget_left)
FORGET_MASTER = Operation("forget a master", LANE, _forget_master)
PRUNE = Operation("remove old log rows", LANE, _prune)
ANNOUNCE = Operation("announce to other masters", _LOG_LANE, _announce)
NOTE_POSITIONS = Operation("note what was read", _LOG_LANE, _note_positions)
