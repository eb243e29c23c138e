"""Job cache, returns and events in PostgreSQL as `jsonb`, in stock's tables.

    returner.pgjsonb.host: localhost
    returner.pgjsonb.user: salt
    returner.pgjsonb.pass: salt
    returner.pgjsonb.db: salt
    returner.pgjsonb.port: 5432

Further options are `connect_timeout` (10 s), `sslmode`, `sslcert`, `sslkey`, `sslrootcert` and `sslcrl`. As
the master's job cache it removes jobs older than `keep_jobs_seconds`; with `archive_jobs` they move
into tables named `…_archive`. The tables, to be created once:

    CREATE TABLE jids (jid varchar(255) NOT NULL PRIMARY KEY, load jsonb NOT NULL);
    CREATE INDEX idx_jids_jsonb ON jids USING gin (load);
    CREATE TABLE salt_returns (
        fun varchar(50) NOT NULL, jid varchar(255) NOT NULL, return jsonb NOT NULL,
        id varchar(255) NOT NULL, success varchar(10) NOT NULL, full_ret jsonb NOT NULL,
        alter_time TIMESTAMP WITH TIME ZONE DEFAULT NOW());
    CREATE INDEX idx_salt_returns_id ON salt_returns (id);
    CREATE INDEX idx_salt_returns_jid ON salt_returns (jid);
    CREATE INDEX idx_salt_returns_fun ON salt_returns (fun);
    CREATE INDEX idx_salt_returns_full_ret ON salt_returns USING gin (full_ret);
    CREATE SEQUENCE seq_salt_events_id;
    CREATE TABLE salt_events (
        id BIGINT NOT NULL UNIQUE DEFAULT nextval('seq_salt_events_id'), tag varchar(255) NOT NULL,
        data jsonb NOT NULL, alter_time TIMESTAMP WITH TIME ZONE DEFAULT NOW(),
        master_id varchar(255) NOT NULL);
    CREATE INDEX idx_salt_events_tag ON salt_events (tag);
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.returners._options import as_json, listed, options, prepared_jid

_DEFAULTS: dict[str, Any] = {
    "host": "localhost",
    "user": "salt",
    "pass": "salt",
    "db": "salt",
    "port": 5432,
    # Time limit for connecting to the server (s).
    "connect_timeout": 10,
    **dict.fromkeys(("sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl")),
}
#: An escaped zero byte in JSON, which jsonb does not support; preceding backslashes belong to the text.
_ZERO = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")
#: Conditions on rows older than so many seconds; a job is as old as its newest return.
_OLD = {
    "jids": """EXISTS (SELECT 1 FROM salt_returns r WHERE r.jid = jids.jid) AND NOT EXISTS (
        SELECT 1 FROM salt_returns r
        WHERE r.jid = jids.jid AND r.alter_time >= NOW() - %s * INTERVAL '1 second')""",
    "salt_returns": "alter_time < NOW() - %s * INTERVAL '1 second'",
    "salt_events": "alter_time < NOW() - %s * INTERVAL '1 second'",
}


def __virtual__() -> Any:
    """Return whether the library is available."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return False, "the library psycopg is missing: install salt-g[postgres]"
    return True


def returner(ret: dict[str, Any]) -> None:
    """Store a return.

    Example::

        salt-g '*' test.ping --return pgjsonb
    """
    fun = ret["fun"] if isinstance(ret["fun"], str) else ",".join(ret["fun"])
    row = (fun, ret["jid"], _jsonb(ret["return"]), ret["id"], str(ret.get("success", False)), _jsonb(ret))
    with _cursor(ret) as cursor:
        cursor.execute(
            "INSERT INTO salt_returns (fun, jid, return, id, success, full_ret)"
            " VALUES (%s, %s, %s::jsonb, %s, %s, %s::jsonb)",
            row,
        )


def event_return(events: list[dict[str, Any]]) -> None:
    """Store events.

    Example::

        salt-g master    # with `event_return: pgjsonb`
    """
    rows = [(event.get("tag", ""), _jsonb(event.get("data", "")), opts["id"]) for event in events]
    with _cursor() as cursor:
        cursor.executemany("INSERT INTO salt_events (tag, data, master_id) VALUES (%s, %s::jsonb, %s)", rows)


def save_load(jid: str, load: dict[str, Any], minions: Iterable[str] | None = None) -> None:
    """Store the load of a job, replacing an earlier one.

    Example::

        salt-g master    # with `master_job_cache: pgjsonb`
    """
    with _cursor() as cursor:
        cursor.execute(
            "INSERT INTO jids (jid, load) VALUES (%s, %s::jsonb)"
            " ON CONFLICT (jid) DO UPDATE SET load = EXCLUDED.load",
            (jid, _jsonb(load)),
        )


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Do nothing: expected minions are not stored.

    Example::

        salt-g master    # with `master_job_cache: pgjsonb`
    """


def get_load(jid: str) -> dict[str, Any]:
    """Return the load of a job, {} for an unknown one.

    Example::

        salt-g run jobs.list_job 20260102030405678901
    """
    rows = _rows("SELECT load FROM jids WHERE jid = %s", (jid,))
    return dict(rows[0][0]) if rows else {}


def get_jid(jid: str) -> dict[str, Any]:
    """Return the returns of a job, by minion.

    Example::

        salt-g run jobs.lookup_jid 20260102030405678901
    """
    return dict(_rows("SELECT id, full_ret FROM salt_returns WHERE jid = %s", (jid,)))


def get_fun(fun: str) -> dict[str, Any]:
    """Return the last return of a function, by minion.

    Example::

        salt-g run jobs.list_jobs
    """
    sql = "SELECT DISTINCT ON (id) id, full_ret FROM salt_returns WHERE fun = %s ORDER BY id, alter_time DESC"
    return dict(_rows(sql, (fun,)))


def get_jids() -> dict[str, Any]:
    """Return all jobs.

    Example::

        salt-g run jobs.list_jobs
    """
    return {jid: listed(jid, load) for jid, load in _rows("SELECT jid, load FROM jids", ())}


def get_minions() -> list[str]:
    """Return the minions that have returned at least once.

    Example::

        salt-g run jobs.list_jobs
    """
    return [minion for (minion,) in _rows("SELECT DISTINCT id FROM salt_returns ORDER BY id", ())]


def prep_jid(nocache: bool = False, passed_jid: str | None = None) -> str:
    """Return the jid of a new job.

    Example::

        salt-g master    # with `master_job_cache: pgjsonb`
    """
    return prepared_jid(passed_jid)


def clean_old_jobs() -> None:
    """Remove jobs older than `keep_jobs_seconds`; with `archive_jobs` move them to archive tables.

    Example::

        salt-g master    # with `master_job_cache: pgjsonb` and `archive_jobs: True`
    """
    seconds = float(opts.get("keep_jobs_seconds") or 0)
    if not seconds:
        return
    # One transaction: the time is the same for all tables, and the archived rows are the removed ones.
    with _cursor() as cursor:
        for table, is_old in _OLD.items():
            if opts.get("archive_jobs"):
                cursor.execute(f"CREATE TABLE IF NOT EXISTS {table}_archive (LIKE {table})")
                cursor.execute(
                    f"INSERT INTO {table}_archive SELECT * FROM {table} WHERE {is_old}", (seconds,)
                )
            cursor.execute(f"DELETE FROM {table} WHERE {is_old}", (seconds,))


def _jsonb(value: Any) -> str:
    """Return a value as text for a column of jsonb; a zero byte becomes the replacement character."""
    return _ZERO.sub(r"\1\\ufffd", as_json(value))


def _rows(sql: str, values: tuple[Any, ...]) -> list[Any]:
    with _cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


@contextlib.contextmanager
def _cursor(ret: Any = None) -> Iterator[Any]:
    """Open a transaction: committed at the end of the block, rolled back on an error."""
    import psycopg

    chosen = options("returner.pgjsonb", ret, _DEFAULTS)
    # Stock's documentation shows `None` for unused options, which YAML reads as text.
    tls = {
        name: value
        for name, value in chosen.items()
        if name.startswith("ssl") and value not in (None, "None")
    }
    try:
        connection = psycopg.connect(
            host=chosen["host"],
            user=chosen["user"],
            password=chosen["pass"],
            dbname=chosen["db"],
            port=int(chosen["port"]),
            connect_timeout=int(chosen["connect_timeout"]),
            **tls,
        )
    except psycopg.OperationalError as exc:
        where = f"{chosen['host']} port {chosen['port']}, database {chosen['db']!r}"
        raise CommandExecutionError(
            f"pgjsonb: no connection to {where}: {' '.join(str(exc).split())}"
        ) from exc
    with connection, connection.cursor() as cursor:
        yield cursor
