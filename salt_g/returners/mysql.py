"""Job cache, returns and events in MySQL or MariaDB, in stock's tables.

    mysql.host: salt
    mysql.user: salt
    mysql.pass: salt
    mysql.db: salt
    mysql.port: 3306
    mysql.ssl_ca: /etc/pki/mysql/ca.pem        # also ssl_cert, ssl_key

The tables, to be created once:

    CREATE TABLE jids (jid varchar(255) NOT NULL, `load` mediumtext NOT NULL, UNIQUE KEY jid (jid))
        CHARACTER SET utf8mb4;
    CREATE TABLE salt_returns (
        fun varchar(50) NOT NULL, jid varchar(255) NOT NULL, `return` mediumtext NOT NULL,
        id varchar(255) NOT NULL, success varchar(10) NOT NULL, full_ret mediumtext NOT NULL,
        alter_time TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
        KEY id (id), KEY jid (jid), KEY fun (fun)) CHARACTER SET utf8mb4;
    CREATE TABLE salt_events (
        id BIGINT NOT NULL AUTO_INCREMENT, tag varchar(255) NOT NULL, data mediumtext NOT NULL,
        alter_time TIMESTAMP DEFAULT CURRENT_TIMESTAMP, master_id varchar(255) NOT NULL,
        PRIMARY KEY (id), KEY tag (tag)) CHARACTER SET utf8mb4;

The library comes with the extra `salt-g[mysql]`. Errors: CommandExecutionError when the server cannot be
reached.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.returners._options import as_json, available, listed, options, prepared_jid
from salt_g.shapes.loads import Answers, EventData, JobLoad, JobSummary, ReturnLoad, is_job

#: Options below `mysql.`, and their defaults.
_DEFAULTS: dict[str, Any] = {
    "host": "salt",
    "user": "salt",
    "pass": "salt",
    "db": "salt",
    "port": 3306,
    "ssl_ca": None,
    "ssl_cert": None,
    "ssl_key": None,
}
#: Time limit of a connection attempt (s).
_CONNECT_TIMEOUT = 10
#: {table: condition for removal by `clean_old_jobs`}; a job is kept as long as any of its returns.
_OLD = {
    "jids": "jid IN (SELECT jid FROM salt_returns GROUP BY jid HAVING MAX(alter_time) < %s)",
    "salt_returns": "alter_time < %s",
    "salt_events": "alter_time < %s",
}


def __virtual__() -> Any:
    """Return whether the library is available."""
    return available("pymysql", extra="mysql")


def returner(ret: ReturnLoad) -> None:
    """Store a return.

    Example::

        salt-g '*' test.ping --return mysql
    """
    fun = ret["fun"] if isinstance(ret["fun"], str) else ",".join(ret["fun"])
    success = str(ret.get("success", False))
    with _cursor(ret) as cursor:
        cursor.execute(
            "INSERT INTO salt_returns (fun, jid, `return`, id, success, full_ret)"
            " VALUES (%s, %s, %s, %s, %s, %s)",
            (fun, ret["jid"], as_json(ret["return"]), ret["id"], success, as_json(ret)),
        )


def event_return(events: list[EventData]) -> None:
    """Store events.

    Example::

        salt-g master    # with `event_return: mysql`
    """
    rows = [(event.get("tag", ""), as_json(event.get("data", "")), opts["id"]) for event in events]
    with _cursor() as cursor:
        cursor.executemany("INSERT INTO salt_events (tag, data, master_id) VALUES (%s, %s, %s)", rows)


def save_load(jid: str, load: JobLoad, minions: Iterable[str] | None = None) -> None:
    """Store the load of a job, unless it is already stored.

    Example::

        salt-g master    # with `master_job_cache: mysql`
    """
    with _cursor() as cursor:
        cursor.execute("INSERT IGNORE INTO jids (jid, `load`) VALUES (%s, %s)", (jid, as_json(load)))


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Do nothing: expected minions are not stored.

    Example::

        salt-g master    # with `master_job_cache: mysql`
    """


def get_load(jid: str) -> JobLoad:
    """Return the load of a job, or {} for an unknown one.

    Example::

        salt-g run jobs.list_job 20260102030405678901
    """
    rows = _rows("SELECT `load` FROM jids WHERE jid = %s", jid)
    load = json.loads(rows[0][0]) if rows else None
    return load if is_job(load) else {}


def get_jid(jid: str) -> dict[str, ReturnLoad]:
    """Return the returns of a job, by minion.

    Example::

        salt-g run jobs.lookup_jid 20260102030405678901
    """
    rows = _rows("SELECT id, full_ret FROM salt_returns WHERE jid = %s", jid)
    return {minion: json.loads(ret) for minion, ret in rows}


def get_fun(fun: str) -> Answers:
    """Return the last return of a function, by minion; for users' code, salt-g never calls it."""
    rows = _rows(
        "SELECT s.id, s.full_ret FROM salt_returns s JOIN"
        " (SELECT id, MAX(jid) AS jid FROM salt_returns WHERE fun = %s GROUP BY id) newest"
        " ON s.id = newest.id AND s.jid = newest.jid WHERE s.fun = %s",
        fun,
        fun,
    )
    return {minion: json.loads(ret) for minion, ret in rows}


def get_jids() -> dict[str, JobSummary]:
    """Return all jobs.

    Example::

        salt-g run jobs.list_jobs
    """
    return {jid: listed(jid, json.loads(load)) for jid, load in _rows("SELECT jid, `load` FROM jids")}


def get_minions() -> list[str]:
    """Return the minions that have returned at least once; for users' code, salt-g never calls it."""
    return [minion for (minion,) in _rows("SELECT DISTINCT id FROM salt_returns ORDER BY id")]


def prep_jid(nocache: bool = False, passed_jid: str | None = None) -> str:
    """Return the jid of a new job.

    Example::

        salt-g master    # with `master_job_cache: mysql`
    """
    return prepared_jid(passed_jid)


def clean_old_jobs() -> None:
    """Remove jobs older than `keep_jobs_seconds`; with `archive_jobs` move them to archive tables.

    Example::

        salt-g master    # with `master_job_cache: mysql` and `archive_jobs: True`
    """
    seconds = float(opts.get("keep_jobs_seconds") or 0)
    if not seconds:
        return
    with _cursor() as cursor:
        # Ask the server once for the time limit, so that it is the same for all tables.
        cursor.execute("SELECT NOW() - INTERVAL %s SECOND", (seconds,))
        (limit,) = cursor.fetchone()
        if opts.get("archive_jobs"):
            for table in _OLD:
                # The statement commits the transaction, so create all tables before moving rows.
                cursor.execute(f"CREATE TABLE IF NOT EXISTS {table}_archive LIKE {table}")
        for table, is_old in _OLD.items():
            if opts.get("archive_jobs"):
                cursor.execute(
                    f"INSERT IGNORE INTO {table}_archive SELECT * FROM {table} WHERE {is_old}", (limit,)
                )
            cursor.execute(f"DELETE FROM {table} WHERE {is_old}", (limit,))


@contextlib.contextmanager
def _cursor(ret: Any = None) -> Iterator[Any]:
    """Yield a cursor in a transaction, committed at the end of the block or rolled back on an error."""
    import pymysql

    chosen = options("mysql", ret, _DEFAULTS)
    try:
        server = pymysql.connect(
            host=str(chosen["host"]),
            port=int(chosen["port"]),
            user=str(chosen["user"]),
            password=str(chosen["pass"] or ""),
            database=str(chosen["db"]),
            charset="utf8mb4",
            connect_timeout=_CONNECT_TIMEOUT,
            ssl=_tls(chosen),
        )
    except (pymysql.err.MySQLError, OSError) as exc:
        address = "{user}@{host}:{port}/{db}".format(**chosen)
        raise CommandExecutionError(f"mysql: no connection to {address}: {exc}") from exc
    with contextlib.closing(server), server.cursor() as cursor:
        yield cursor
        server.commit()


def _tls(chosen: dict[str, Any]) -> dict[str, str] | None:
    """Return PyMySQL's TLS settings, or None if no TLS option is set."""
    given = {name: str(chosen[f"ssl_{name}"]) for name in ("ca", "cert", "key") if chosen[f"ssl_{name}"]}
    return given or None


def _rows(sql: str, *values: Any) -> list[Any]:
    with _cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
