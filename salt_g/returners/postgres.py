"""Job cache, returns and events in PostgreSQL, in stock's tables.

    returner.postgres.host: localhost
    returner.postgres.user: salt
    returner.postgres.passwd: salt
    returner.postgres.db: salt
    returner.postgres.port: 5432

The tables, to be created once:

    CREATE TABLE jids (jid varchar(20) PRIMARY KEY, load text NOT NULL);
    CREATE TABLE salt_returns (
        fun varchar(50) NOT NULL, jid varchar(255) NOT NULL, return text NOT NULL, full_ret text,
        id varchar(255) NOT NULL, success varchar(10) NOT NULL,
        alter_time TIMESTAMP WITH TIME ZONE DEFAULT now());
    CREATE SEQUENCE seq_salt_events_id;
    CREATE TABLE salt_events (
        id BIGINT NOT NULL UNIQUE DEFAULT nextval('seq_salt_events_id'), tag varchar(255) NOT NULL,
        data text NOT NULL, alter_time TIMESTAMP WITH TIME ZONE DEFAULT NOW(),
        master_id varchar(255) NOT NULL);
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from salt_g.api import opts
from salt_g.returners._options import as_json, listed, options, prepared_jid

_DEFAULTS: dict[str, Any] = {
    "host": "localhost",
    "user": "salt",
    "passwd": "salt",
    "db": "salt",
    "port": 5432,
}
#: Time limit for connecting to the server (s).
_TIMEOUT = 10


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

        salt-g '*' test.ping --return postgres
    """
    fun = ret["fun"] if isinstance(ret["fun"], str) else ",".join(ret["fun"])
    row = (fun, ret["jid"], as_json(ret["return"]), ret["id"], str(ret.get("success", False)), as_json(ret))
    with _cursor(ret) as cursor:
        cursor.execute(
            "INSERT INTO salt_returns (fun, jid, return, id, success, full_ret)"
            " VALUES (%s, %s, %s, %s, %s, %s)",
            row,
        )


def event_return(events: list[dict[str, Any]]) -> None:
    """Store events.

    Example::

        salt-g master    # with `event_return: postgres`
    """
    rows = [(event.get("tag", ""), as_json(event.get("data", "")), opts["id"]) for event in events]
    with _cursor() as cursor:
        cursor.executemany("INSERT INTO salt_events (tag, data, master_id) VALUES (%s, %s, %s)", rows)


def save_load(jid: str, load: dict[str, Any], minions: Iterable[str] | None = None) -> None:
    """Store the load of a job, once.

    Example::

        salt-g master    # with `master_job_cache: postgres`
    """
    with _cursor() as cursor:
        cursor.execute(
            "INSERT INTO jids (jid, load) VALUES (%s, %s) ON CONFLICT DO NOTHING", (jid, as_json(load))
        )


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Do nothing: expected minions are not stored.

    Example::

        salt-g master    # with `master_job_cache: postgres`
    """


def get_load(jid: str) -> dict[str, Any]:
    """Return the load of a job, {} for an unknown one.

    Example::

        salt-g run jobs.list_job 20260102030405678901
    """
    rows = _rows("SELECT load FROM jids WHERE jid = %s", (jid,))
    return dict(json.loads(rows[0][0])) if rows else {}


def get_jid(jid: str) -> dict[str, Any]:
    """Return the returns of a job, by minion.

    Example::

        salt-g run jobs.lookup_jid 20260102030405678901
    """
    rows = _rows("SELECT id, full_ret FROM salt_returns WHERE jid = %s", (jid,))
    return {minion: json.loads(ret) for minion, ret in rows}


def get_fun(fun: str) -> dict[str, Any]:
    """Return the last return of a function, by minion.

    Example::

        salt-g run jobs.list_jobs
    """
    rows = _rows(
        "SELECT DISTINCT ON (id) id, full_ret FROM salt_returns WHERE fun = %s ORDER BY id, jid DESC", (fun,)
    )
    return {minion: json.loads(ret) for minion, ret in rows}


def get_jids() -> dict[str, Any]:
    """Return all jobs.

    Example::

        salt-g run jobs.list_jobs
    """
    return {jid: listed(jid, json.loads(load)) for jid, load in _rows("SELECT jid, load FROM jids", ())}


def get_minions() -> list[str]:
    """Return the minions that have returned at least once.

    Example::

        salt-g run jobs.list_jobs
    """
    return [minion for (minion,) in _rows("SELECT DISTINCT id FROM salt_returns ORDER BY id", ())]


def prep_jid(nocache: bool = False, passed_jid: str | None = None) -> str:
    """Return the jid of a new job.

    Example::

        salt-g master    # with `master_job_cache: postgres`
    """
    return prepared_jid(passed_jid)


def _rows(sql: str, values: tuple[Any, ...]) -> list[Any]:
    with _cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


@contextlib.contextmanager
def _cursor(ret: Any = None) -> Iterator[Any]:
    """Open a transaction: committed at the end of the block, rolled back on an error."""
    import psycopg

    chosen = options("returner.postgres", ret, _DEFAULTS)
    connection = psycopg.connect(
        host=chosen["host"],
        user=chosen["user"],
        password=chosen["passwd"],
        dbname=chosen["db"],
        port=int(chosen["port"]),
        connect_timeout=_TIMEOUT,
    )
    with connection, connection.cursor() as cursor:
        yield cursor
