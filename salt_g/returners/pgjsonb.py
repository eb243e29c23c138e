"""Job cache, returns and events in PostgreSQL as `jsonb`, in stock's tables.

    returner.pgjsonb.host: localhost
    returner.pgjsonb.user: salt
    returner.pgjsonb.pass: salt
    returner.pgjsonb.db: salt
    returner.pgjsonb.port: 5432

Further options are `connect_timeout` (default: 10 s), `sslmode`, `sslcert`, `sslkey`, `sslrootcert` and
`sslcrl`. As the master's job cache it removes jobs older than `keep_jobs_seconds`; with `archive_jobs` they
are moved into tables named `…_archive`. The tables, to be created once:

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

import re
from collections.abc import Iterable
from typing import Any

from salt_g.api import opts
from salt_g.net.postgres import DEFAULTS
from salt_g.returners._options import as_json, available, prepared_jid
from salt_g.returners._postgres_tables import Server, Tables
from salt_g.shapes.loads import Answers, EventData, JobLoad, JobSummary, ReturnLoad

#: An escaped NUL in JSON, which jsonb does not support; pairs of backslashes before it are part of the text.
_ZERO = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")
#: {table: condition for rows older than a number of seconds}; a job is as old as its newest return.
_OLD = {
    "jids": """EXISTS (SELECT 1 FROM salt_returns r WHERE r.jid = jids.jid) AND NOT EXISTS (
        SELECT 1 FROM salt_returns r
        WHERE r.jid = jids.jid AND r.alter_time >= NOW() - %s * INTERVAL '1 second')""",
    "salt_returns": "alter_time < NOW() - %s * INTERVAL '1 second'",
    "salt_events": "alter_time < NOW() - %s * INTERVAL '1 second'",
}


def _jsonb(value: Any) -> str:
    """Return a value as JSON for a `jsonb` column; NUL, which `jsonb` cannot store, becomes U+FFFD."""
    return _ZERO.sub(r"\1\\ufffd", as_json(value))


_SERVER = Server(
    "pgjsonb",
    "returner.pgjsonb",
    {**DEFAULTS, **dict.fromkeys(("sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl"))},
    "pass",
)
_TABLES = Tables(
    _SERVER,
    column="jsonb",
    encode=_jsonb,
    # The library decodes columns of this type.
    decode=lambda value: value,
)


def __virtual__() -> Any:
    """Return whether the library is available."""
    return available("psycopg", extra="postgres")


def returner(ret: ReturnLoad) -> None:
    """Store a return.

    Example::

        salt-g '*' test.ping --return pgjsonb
    """
    _TABLES.save_return(ret)


def event_return(events: list[EventData]) -> None:
    """Store events.

    Example::

        salt-g master    # with `event_return: pgjsonb`
    """
    _TABLES.save_events(events)


def save_load(jid: str, load: JobLoad, minions: Iterable[str] | None = None) -> None:
    """Store the load of a job, replacing an earlier one.

    Example::

        salt-g master    # with `master_job_cache: pgjsonb`
    """
    _TABLES.save_load(jid, load, on_conflict="(jid) DO UPDATE SET load = EXCLUDED.load")


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Do nothing: expected minions are not stored.

    Example::

        salt-g master    # with `master_job_cache: pgjsonb`
    """


def get_load(jid: str) -> JobLoad:
    """Return the load of a job, or {} for an unknown one.

    Example::

        salt-g run jobs.list_job 20260102030405678901
    """
    return _TABLES.load(jid)


def get_jid(jid: str) -> dict[str, ReturnLoad]:
    """Return the returns of a job, by minion.

    Example::

        salt-g run jobs.lookup_jid 20260102030405678901
    """
    return _TABLES.returns(jid)


def get_fun(fun: str) -> Answers:
    """Return the last return of a function, by minion; for users' code, salt-g never calls it."""
    return _TABLES.last_returns(fun, newest="alter_time")


def get_jids() -> dict[str, JobSummary]:
    """Return all jobs.

    Example::

        salt-g run jobs.list_jobs
    """
    return _TABLES.jobs()


def get_minions() -> list[str]:
    """Return the minions that have returned at least once; for users' code, salt-g never calls it."""
    return _TABLES.minions()


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
    # In one transaction `NOW()` is the same for all tables, and exactly the archived rows are removed.
    with _SERVER.cursor() as cursor:
        for table, is_old in _OLD.items():
            if opts.get("archive_jobs"):
                cursor.execute(f"CREATE TABLE IF NOT EXISTS {table}_archive (LIKE {table})")
                cursor.execute(
                    f"INSERT INTO {table}_archive SELECT * FROM {table} WHERE {is_old}", (seconds,)
                )
            cursor.execute(f"DELETE FROM {table} WHERE {is_old}", (seconds,))
