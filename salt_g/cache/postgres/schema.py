"""Tables of the store in PostgreSQL, their version and migrations.

All tables are in a schema of their own (`salt_g`), so that the database may serve others too. Text sorts by
its bytes, as in the embedded store.
Units: `expires`, `updated`, `ended`, `since` in seconds since the epoch; `bytes` is the size of all jobs.
Errors: StoreTooNew for tables of a newer salt-g, which are left unchanged.
"""

from __future__ import annotations

import psycopg

from salt_g.cache.postgres.connection import PostgresConnection
from salt_g.errors import StoreInUse, StoreTooNew

SCHEMA = "salt_g"
#: Key of the advisory lock under which one master migrates: "salt-g" as a number.
_LOCK = 0x73616C742D67
#: Key of the advisory lock of the one master that writes, and how long to wait for it (s): a connection of
#: a master that was killed takes a moment to end.
_WRITER, _WRITER_WAIT = _LOCK + 1, 5
#: Overhead of a row besides its blob, as in the embedded store.
_ROW = 100

_TABLES = """
CREATE TABLE jobs (
    jid text COLLATE "C" PRIMARY KEY, fun text NOT NULL, load bytea NOT NULL, ended double precision
);
CREATE TABLE expected (
    jid text COLLATE "C" NOT NULL, source text COLLATE "C" NOT NULL, ids bytea NOT NULL,
    PRIMARY KEY (jid, source)
);
CREATE TABLE returns (
    jid text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, data bytea NOT NULL, PRIMARY KEY (jid, id)
);
CREATE TABLE entries (
    bank text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, data bytea NOT NULL,
    updated double precision NOT NULL, expires double precision, PRIMARY KEY (bank, key)
);
CREATE TABLE resources (
    srn text COLLATE "C" PRIMARY KEY, minion text NOT NULL, standby bytea NOT NULL,
    takes_leases integer NOT NULL, since double precision NOT NULL
);
CREATE TABLE held (bytes bigint NOT NULL);
INSERT INTO held VALUES (0);
"""


def _counted(table: str, column: str) -> str:
    """Return triggers that maintain the sum of one table's bytes, once for each statement."""
    total = f"coalesce(sum(length({column}) + {_ROW}), 0)"
    events = {
        "insert": (f"(SELECT {total} FROM after)", "NEW TABLE AS after"),
        "delete": (f"-(SELECT {total} FROM before)", "OLD TABLE AS before"),
        "update": (
            f"(SELECT {total} FROM after) - (SELECT {total} FROM before)",
            "OLD TABLE AS before NEW TABLE AS after",
        ),
    }
    return "".join(
        f"""
CREATE FUNCTION count_{table}_{event}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN UPDATE {SCHEMA}.held SET bytes = bytes + {change}; RETURN NULL; END $$;
CREATE TRIGGER {table}_{event} AFTER {event} ON {table} REFERENCING {tables}
    FOR EACH STATEMENT EXECUTE FUNCTION count_{table}_{event}();
"""
        for event, (change, tables) in events.items()
    )


_COUNTED = {"jobs": "load", "expected": "ids", "returns": "data"}
#: Step n leads from version n to n + 1.
STEPS = (_TABLES + "".join(_counted(table, column) for table, column in _COUNTED.items()),)
#: The version that this salt-g reads and writes.
VERSION = len(STEPS)


def use_schema(connection: PostgresConnection) -> None:
    """Resolve names without a schema to our tables."""
    connection.execute(f"SET search_path = {SCHEMA}")


def migrate(connection: PostgresConnection, place: str) -> tuple[int, int]:
    """Bring the tables to the newest version; return the version before and after.

    Masters that start together do this one after the other.
    """
    with connection.transaction():
        connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        connection.execute("CREATE TABLE IF NOT EXISTS version (number integer NOT NULL)")
        before = checked_version(connection, place)
        for step in STEPS[before:]:
            connection.execute(step)
        if before < VERSION:
            connection.execute("DELETE FROM version")
            connection.execute("INSERT INTO version VALUES (?)", (VERSION,))
    return before, VERSION


def take_place(connection: PostgresConnection, place: str) -> None:
    """Become the one writer of the tables for the life of the connection; raise StoreInUse."""
    connection.execute(f"SET lock_timeout = '{_WRITER_WAIT}s'")
    try:
        connection.execute(f"SELECT pg_advisory_lock({_WRITER})")
    except psycopg.errors.LockNotAvailable as exc:
        raise StoreInUse(place, f"is in use by {_writer(connection)}; each master needs its own") from exc
    connection.execute("SET lock_timeout = 0")


def _writer(connection: PostgresConnection) -> str:
    """Return where the program is that writes the tables."""
    sql = (
        "SELECT coalesce(host(a.client_addr), 'this host'), a.backend_start FROM pg_locks l"
        " JOIN pg_stat_activity a USING (pid)"
        " WHERE l.locktype = 'advisory' AND l.granted AND (l.classid::bigint << 32 | l.objid::bigint) = ?"
    )
    found = connection.execute(sql, (_WRITER,)).fetchone()
    return f"a program on {found[0]} since {found[1]:%Y-%m-%d %H:%M}" if found else "another program"


def checked_version(connection: PostgresConnection, place: str) -> int:
    """Return the version of the tables, or 0 without any; raise StoreTooNew for an unknown one."""
    exists = connection.execute("SELECT to_regclass('version') IS NOT NULL").fetchone()[0]
    found = connection.execute("SELECT number FROM version").fetchone() if exists else None
    version = found[0] if found else 0
    if version > VERSION:
        raise StoreTooNew(
            place,
            f"has version {version} and was written by a newer salt-g; this one knows versions up to"
            f" {VERSION}. Start the newer salt-g, or restore the database from before the upgrade",
        )
    return version
