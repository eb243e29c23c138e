"""Tables of the store in PostgreSQL, their version and migrations.

All tables are in a separate schema (`salt_g`), so that other programs can use the same database. Text is
sorted bytewise, as in the embedded store.
Units: `expires`, `updated`, `ended`, `since` in seconds since the epoch; `bytes` is the size of all jobs.
Errors: StoreTooNew for tables of a newer salt-g, StoreForeign for damaged tables and tables of another
program; all of them are left unchanged.
"""

from __future__ import annotations

import psycopg

from salt_g.cache.postgres.connection import PostgresConnection
from salt_g.errors import StoreForeign, StoreInUse, StoreTooNew

SCHEMA = "salt_g"
#: Key of the advisory lock under which one master migrates: "salt-g" as a number.
_LOCK = 0x73616C742D67
#: Key of the advisory lock for writing (held by a single master, or shared by the masters of a cluster), and
#: how long to wait for it (s), because the connection of a killed master takes a moment to end.
_WRITER, _WRITER_WAIT = _LOCK + 1, 5
#: First part of the lock keys of a cluster's members; the second part is the hash of a member's id.
_MEMBER = 0x73676D
#: Overhead of a row in addition to its blob (bytes), as in the embedded store.
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


def _counted(table: str, column: str, rule: str) -> str:
    """Return SQL of triggers that maintain the sum of a table's bytes, fired once per statement."""
    return "".join(
        f"""{function}
CREATE TRIGGER {table}_{event} AFTER {event} ON {table} REFERENCING {_SEEN[event]}
    FOR EACH STATEMENT EXECUTE FUNCTION count_{table}_{event}();
"""
        for event, function in _counting(table, column, rule).items()
    )


def _counting(table: str, column: str, rule: str) -> dict[str, str]:
    """Return SQL of the trigger functions by event; `rule` contains {change}, the change in bytes."""
    total = f"coalesce(sum(length({column}) + {_ROW}), 0)"
    changes = {
        "insert": f"(SELECT {total} FROM after)",
        "delete": f"-(SELECT {total} FROM before)",
        "update": f"(SELECT {total} FROM after) - (SELECT {total} FROM before)",
    }
    return {
        event: f"""
CREATE OR REPLACE FUNCTION count_{table}_{event}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN {rule.format(change=change)}; RETURN NULL; END $$;"""
        for event, change in changes.items()
    }


#: Rows that a trigger of an event sees.
_SEEN = {
    "insert": "NEW TABLE AS after",
    "delete": "OLD TABLE AS before",
    "update": "OLD TABLE AS before NEW TABLE AS after",
}
_COUNTED = {"jobs": "load", "expected": "ids", "returns": "data"}
_IN_ONE_ROW = f"UPDATE {SCHEMA}.held SET bytes = bytes + {{change}}"
#: Tables of a cluster. `log` has the masters' announcements to each other. Returns announce themselves: `n`
#: grows in the order in which a master commits; a single master leaves `master` and `n` empty.
_CLUSTER = """
CREATE SEQUENCE log_n;
CREATE TABLE masters (
    id text COLLATE "C" PRIMARY KEY, slot integer NOT NULL UNIQUE, epoch bigint NOT NULL,
    beat bigint NOT NULL, host text NOT NULL, release text NOT NULL, minions integer NOT NULL,
    seen timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE leases (
    name text COLLATE "C" PRIMARY KEY, holder text NOT NULL, epoch bigint NOT NULL, beat bigint NOT NULL
);
CREATE TABLE counter (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), serial bigint NOT NULL, generation bigint NOT NULL,
    sealed bytea NOT NULL, fingerprint text NOT NULL
);
CREATE TABLE publications (
    serial bigint PRIMARY KEY, generation bigint NOT NULL, job bytea NOT NULL, ids bytea NOT NULL,
    by_topic boolean NOT NULL, made timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE keys (
    id text COLLATE "C" NOT NULL, state text NOT NULL, pem text NOT NULL, version bigint NOT NULL,
    changed double precision NOT NULL, PRIMARY KEY (id, state)
);
CREATE TABLE shared (name text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL);
CREATE TABLE connected (
    master text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, address text NOT NULL,
    PRIMARY KEY (master, id)
);
CREATE TABLE log (
    master text COLLATE "C" NOT NULL, n bigint NOT NULL DEFAULT nextval('log_n'), kind text NOT NULL,
    name text NOT NULL, body bytea NOT NULL, made timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (master, n)
);
CREATE TABLE positions (
    reader text COLLATE "C" NOT NULL, master text COLLATE "C" NOT NULL, n bigint NOT NULL,
    PRIMARY KEY (reader, master)
);
ALTER TABLE returns ADD COLUMN master text COLLATE "C", ADD COLUMN n bigint;
ALTER TABLE returns ALTER COLUMN master SET DEFAULT nullif(current_setting('salt_g.master', true), ''),
    ALTER COLUMN n SET DEFAULT
    CASE WHEN nullif(current_setting('salt_g.master', true), '') IS NOT NULL THEN nextval('salt_g.log_n') END;
CREATE UNIQUE INDEX returns_log ON returns (master, n) WHERE master IS NOT NULL;
"""
#: Login tokens of a cluster by their digests; `owner` is the digest of a user, `body` is sealed.
_TOKENS = """
CREATE TABLE tokens (
    digest text COLLATE "C" PRIMARY KEY, owner text COLLATE "C" NOT NULL, start double precision NOT NULL,
    expire double precision NOT NULL, body bytea NOT NULL
);
CREATE INDEX tokens_owner ON tokens (owner, start);
"""
#: Jobs that wait for minions which are away, as in the embedded store.
_MAIL = """
CREATE TABLE orders (
    id text COLLATE "C" PRIMARY KEY, made double precision NOT NULL, until double precision NOT NULL,
    digest text NOT NULL, owner text NOT NULL, load bytea NOT NULL
);
CREATE TABLE mail (
    minion text COLLATE "C" NOT NULL, order_id text COLLATE "C" NOT NULL, jid text COLLATE "C" NOT NULL,
    PRIMARY KEY (minion, order_id)
);
CREATE INDEX mail_orders ON mail (order_id);
CREATE INDEX mail_sent ON mail (jid) WHERE jid <> '';
"""
#: Changes of state runs, as in the embedded store. `tx` is the transaction of a return, which the server
#: records for masters that keep a history.
_HISTORY = """
ALTER TABLE returns ADD COLUMN tx bigint;
CREATE TABLE changes (
    jid text COLLATE "C" NOT NULL, minion text COLLATE "C" NOT NULL, number integer NOT NULL,
    at double precision NOT NULL, id text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
    fun text NOT NULL, cause integer NOT NULL, is_test integer NOT NULL, who text NOT NULL,
    added integer, removed integer, text bytea NOT NULL, PRIMARY KEY (jid, minion, number)
);
CREATE INDEX changes_name ON changes (name, at);
CREATE INDEX changes_id ON changes (id, at);
CREATE INDEX changes_at ON changes (at, cause);
CREATE TABLE texts (digest bytea PRIMARY KEY, text bytea NOT NULL, last double precision NOT NULL);
CREATE INDEX texts_last ON texts (last);
CREATE TABLE tested (
    minion text COLLATE "C" PRIMARY KEY, at double precision NOT NULL, digests bytea NOT NULL
);
CREATE TABLE indexed (one integer PRIMARY KEY, place bytea NOT NULL);
CREATE TABLE history_held (one integer PRIMARY KEY, bytes bigint NOT NULL);
INSERT INTO history_held VALUES (1, 0);
"""
#: Read-sets of state runs, as in the embedded store.
_READ_SETS = """
CREATE TABLE read_runs (
    minion text COLLATE "C" NOT NULL, ran text COLLATE "C" NOT NULL, at double precision NOT NULL,
    jid text NOT NULL, digest bytea NOT NULL, PRIMARY KEY (minion, ran)
);
CREATE INDEX read_runs_digest ON read_runs (digest);
CREATE INDEX read_runs_at ON read_runs (at);
CREATE TABLE read_sets (
    digest bytea PRIMARY KEY, body bytea NOT NULL, bytes bigint NOT NULL, last double precision NOT NULL
);
CREATE INDEX read_sets_last ON read_sets (last, bytes);
CREATE TABLE read_items (name text COLLATE "C" NOT NULL, digest bytea NOT NULL, PRIMARY KEY (name, digest));
"""
#: Sum of bytes with one row per master: with a single row, each transaction with returns would wait for the
#: commits of the other masters. Older masters still read the sum, and the triggers belong to the server.
_OWN_ROW = (
    f"INSERT INTO {SCHEMA}.held_by AS known"
    " VALUES ({change}, coalesce(current_setting('salt_g.master', true), ''))"
    " ON CONFLICT (master) DO UPDATE SET bytes = known.bytes + excluded.bytes"
)
_HELD_BY = """
ALTER TABLE held RENAME TO held_by;
ALTER TABLE held_by ADD COLUMN master text COLLATE "C" PRIMARY KEY DEFAULT '';
CREATE VIEW held AS SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM held_by;
"""
#: Migration steps; step n leads from version n to n + 1.
STEPS = (
    _TABLES + "".join(_counted(table, column, _IN_ONE_ROW) for table, column in _COUNTED.items()),
    _CLUSTER,
    _TOKENS,
    _MAIL,
    _HISTORY,
    _READ_SETS,
    _HELD_BY
    + "".join("".join(_counting(table, column, _OWN_ROW).values()) for table, column in _COUNTED.items()),
)
#: The version that this salt-g reads and writes.
VERSION = len(STEPS)

#: Queries for the tables, views and sequences of a schema, and for a table `version` like ours.
_RELATIONS = (
    "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') ORDER BY 1"
)
_HAS_NUMBER = (
    "SELECT 1 FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
    " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relname = 'version'"
    " AND c.relkind = 'r' AND a.attname = 'number' AND a.atttypid = 'integer'::regtype AND NOT a.attisdropped"
)
#: Maximum number of foreign tables that an error names.
_NAMED = 5


def use_schema(connection: PostgresConnection) -> None:
    """Set the search path of a connection, so that names without a schema mean our tables."""
    connection.execute(f"SET search_path = {SCHEMA}")


def migrate(connection: PostgresConnection, place: str) -> tuple[int, int]:
    """Migrate the tables to the newest version; return the version before and after.

    Masters that start at the same time do this one after the other. Raises StoreTooNew and StoreForeign.
    """
    with connection.transaction():
        connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        before = checked_version(connection, place)
        connection.execute("CREATE TABLE IF NOT EXISTS version (number integer NOT NULL)")
        for number, step in enumerate(STEPS[before:], before + 1):
            _apply(connection, place, number, step)
        if before < VERSION:
            connection.execute("DELETE FROM version")
            connection.execute("INSERT INTO version VALUES (?)", (VERSION,))
    return before, VERSION


def _apply(connection: PostgresConnection, place: str, number: int, step: str) -> None:
    """Execute one step of the migration; raise StoreForeign if the tables do not fit the step."""
    try:
        connection.execute(step)
    except psycopg.errors.InsufficientPrivilege:
        raise
    except psycopg.ProgrammingError as exc:
        problem = " ".join(str(exc).splitlines()[:1])
        raise _foreign(place, f"cannot be brought to version {number} ({problem})") from exc


def _foreign(place: str, what: str) -> StoreForeign:
    return StoreForeign(
        place,
        f"the schema {SCHEMA} {what}; name another database, restore the schema from a backup, or, if nothing"
        f" in it is needed, remove it: DROP SCHEMA {SCHEMA} CASCADE",
    )


def take_place(connection: PostgresConnection, place: str, member: str = "") -> None:
    """Lock the tables for this writer as long as the connection exists; raise StoreInUse if they are locked.

    A `member` shares the tables with the other masters of its cluster, but its id must be unique.
    """
    connection.execute(f"SET lock_timeout = '{_WRITER_WAIT}s'")
    try:
        if member:
            connection.execute(f"SELECT pg_advisory_lock_shared({_WRITER})")
            _take_id(connection, place, member)
        else:
            connection.execute(f"SELECT pg_advisory_lock({_WRITER})")
    except psycopg.errors.LockNotAvailable as exc:
        raise StoreInUse(place, f"is in use by {_writer(connection)}", _remedy(member)) from exc
    connection.execute("SET lock_timeout = 0")


def _take_id(connection: PostgresConnection, place: str, member: str) -> None:
    """Lock the id `member` in the cluster for this master; raise StoreInUse if another master has it."""
    try:
        connection.execute("SELECT pg_advisory_lock(?, hashtext(?))", (_MEMBER, member))
    except psycopg.errors.LockNotAvailable as exc:
        use = f"has a master with the id {member!r} already"
        raise StoreInUse(place, use, "give each its own with the setting id") from exc
    connection.execute("SELECT set_config('salt_g.master', ?, false)", (member,))


def _remedy(member: str) -> str:
    """Return the advice for tables that another writer has locked."""
    if member:
        return "it runs without cluster: true, which all masters of a database need"
    return "each master needs its own, or cluster: true in the files of all"


def _writer(connection: PostgresConnection) -> str:
    """Return the host and start time of the program that has locked the tables, for a message."""
    sql = (
        "SELECT coalesce(host(a.client_addr), 'this host'), a.backend_start FROM pg_locks l"
        " JOIN pg_stat_activity a USING (pid)"
        " WHERE l.locktype = 'advisory' AND l.granted AND (l.classid::bigint << 32 | l.objid::bigint) = ?"
    )
    found = connection.execute(sql, (_WRITER,)).fetchone()
    return f"a program on {found[0]} since {found[1]:%Y-%m-%d %H:%M}" if found else "another program"


def checked_version(connection: PostgresConnection, place: str) -> int:
    """Return the version of the tables, or 0 if there are none.

    Raises StoreTooNew for an unknown version, StoreForeign for tables without a valid version.
    """
    names = [name for (name,) in connection.execute(_RELATIONS, (SCHEMA,)).fetchall()]
    if not names:
        return 0
    if "version" not in names or not connection.execute(_HAS_NUMBER, (SCHEMA,)).fetchone():
        more = ", ..." if len(names) > _NAMED else ""
        raise _foreign(place, f"has tables that are not salt-g's ({', '.join(names[:_NAMED])}{more})")
    numbers = [number for (number,) in connection.execute("SELECT number FROM version LIMIT 2").fetchall()]
    if len(numbers) != 1 or numbers[0] < 1:
        said = ", ".join(map(str, numbers)) or "no number"
        raise _foreign(place, f"is damaged: its table version has {said}, but needs one positive number")
    version: int = numbers[0]
    if version > VERSION:
        raise StoreTooNew(
            place,
            f"has version {version} and was written by a newer salt-g; this one knows versions up to"
            f" {VERSION}. Start the newer salt-g, or restore the database from before the upgrade",
        )
    return version
