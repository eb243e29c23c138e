"""Job cache and events in PostgreSQL, in the tables of stock's returner of this name.

    master_job_cache: postgres_local_cache
    master_job_cache.postgres.host: localhost
    master_job_cache.postgres.user: salt
    master_job_cache.postgres.passwd: salt
    master_job_cache.postgres.db: salt
    master_job_cache.postgres.port: 5432

As the master's job cache it removes rows older than `keep_jobs_seconds`. The tables, to be created once:

    CREATE TABLE jids (
        jid varchar(20) PRIMARY KEY, started TIMESTAMP WITH TIME ZONE DEFAULT now(),
        tgt_type text NOT NULL, cmd text NOT NULL, tgt text NOT NULL, kwargs text NOT NULL,
        ret text NOT NULL, username text NOT NULL, arg text NOT NULL, fun text NOT NULL);
    CREATE TABLE salt_returns (
        added TIMESTAMP WITH TIME ZONE DEFAULT now(), fun text NOT NULL, jid varchar(20) NOT NULL,
        return text NOT NULL, id text NOT NULL, success boolean);
    CREATE INDEX ON salt_returns (added);
    CREATE INDEX ON salt_returns (jid);
    CREATE TABLE salt_events (
        id SERIAL, tag text NOT NULL, data text NOT NULL,
        alter_time TIMESTAMP WITH TIME ZONE DEFAULT now(), master_id text NOT NULL);
"""

from __future__ import annotations

import ast
import datetime
import json
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.api import opts
from salt_g.data import jid as jids
from salt_g.net.postgres import DEFAULTS
from salt_g.returners._options import as_json, available, listed, prepared_jid
from salt_g.returners._postgres_tables import Server
from salt_g.shapes.loads import EventData, JobLoad, JobSummary, is_job

_SERVER = Server(
    "postgres_local_cache", "master_job_cache.postgres", {**DEFAULTS, "passwd": "salt"}, "passwd"
)
#: {column of `jids`: field of the load}; columns contain the `repr` of Python values, as in stock.
_FIELDS = {
    "tgt_type": "tgt_type",
    "cmd": "cmd",
    "tgt": "tgt",
    "kwargs": "kwargs",
    "ret": "ret",
    "username": "user",
    "fun": "fun",
}
#: Fields of a return that are stored.
_RETURNED = ("return", "retcode", "success")
#: {table: column with the time stamp of a row}
_TIMES = {"jids": "started", "salt_returns": "added", "salt_events": "alter_time"}


def __virtual__() -> Any:
    """Return whether the library is available."""
    return available("psycopg", extra="postgres")


def prep_jid(nocache: bool = False, passed_jid: str | None = None) -> str:
    """Return the jid of a new job.

    Example::

        salt-g master    # with `master_job_cache: postgres_local_cache`
    """
    return prepared_jid(passed_jid)


def returner(load: Mapping[str, Any]) -> None:
    """Store a return.

    Example::

        salt-g '*' test.ping --return postgres_local_cache
    """
    jid = prep_jid() if load["jid"] == "req" else load["jid"]
    fun = load["fun"] if isinstance(load["fun"], str) else ",".join(load["fun"])
    value = as_json({name: load[name] for name in _RETURNED if name in load})
    success = load.get("success")
    with _SERVER.cursor() as cursor:
        cursor.execute(
            "INSERT INTO salt_returns (fun, jid, return, id, success) VALUES (%s, %s, %s, %s, %s)",
            (fun, jid, value, load["id"], None if success is None else bool(success)),
        )


def event_return(events: list[EventData]) -> None:
    """Store events.

    Example::

        salt-g master    # with `event_return: postgres_local_cache`
    """
    _SERVER.save_events(events, encode=as_json)


def save_load(jid: str, clear_load: JobLoad, minions: Iterable[str] | None = None) -> None:
    """Store the load of a job, unless it is already stored.

    Example::

        salt-g master    # with `master_job_cache: postgres_local_cache`
    """
    values: Mapping[str, Any] = clear_load
    columns = {column: str(values.get(field)) for column, field in _FIELDS.items()}
    columns["arg"] = as_json(values.get("arg"))
    with _SERVER.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO jids (jid, started, {', '.join(columns)}) VALUES"
            f" (%s, %s{', %s' * len(columns)}) ON CONFLICT DO NOTHING",
            (jid, _moment(jid), *columns.values()),
        )


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Do nothing: expected minions are not stored.

    Example::

        salt-g master    # with `master_job_cache: postgres_local_cache`
    """


def get_load(jid: str) -> JobLoad:
    """Return the load of a job, or {} for an unknown one.

    Example::

        salt-g run jobs.list_job 20260102030405678901
    """
    return _loads("WHERE jid = %s", jid).get(jid, {})


def get_jid(jid: str) -> dict[str, Any]:
    """Return the returns of a job, by minion.

    Example::

        salt-g run jobs.lookup_jid 20260102030405678901
    """
    rows = _SERVER.rows("SELECT id, return FROM salt_returns WHERE jid = %s ORDER BY added", jid)
    return {minion: json.loads(value) for minion, value in rows}


def get_jids() -> dict[str, JobSummary]:
    """Return all jobs.

    Example::

        salt-g run jobs.list_jobs
    """
    return {jid: listed(jid, load) for jid, load in _loads("ORDER BY jid").items()}


def clean_old_jobs() -> None:
    """Remove jobs, returns and events older than `keep_jobs_seconds`.

    Example::

        salt-g master    # with `master_job_cache: postgres_local_cache`
    """
    seconds = float(opts.get("keep_jobs_seconds") or 0)
    if not seconds:
        return
    with _SERVER.cursor() as cursor:
        for table, column in _TIMES.items():
            cursor.execute(
                f"DELETE FROM {table} WHERE {column} < NOW() - %s * INTERVAL '1 second'", (seconds,)
            )


def _moment(jid: str) -> datetime.datetime:
    """Return the time in a jid, or the current time for any other id."""
    try:
        moment = datetime.datetime.strptime(jid[: jids.LENGTH], "%Y%m%d%H%M%S%f")
    except ValueError:
        return datetime.datetime.now(datetime.timezone.utc)
    return moment.replace(tzinfo=datetime.timezone.utc)


def _loads(condition: str, *values: Any) -> dict[str, JobLoad]:
    """Return the loads of jobs by jid."""
    rows = _SERVER.rows(f"SELECT jid, arg, {', '.join(_FIELDS)} FROM jids {condition}", *values)
    found: dict[str, JobLoad] = {}
    for jid, arguments, *texts in rows:
        fields = zip(_FIELDS.values(), map(_value, texts), strict=True)
        load = {name: value for name, value in fields if value is not None}
        load.update(jid=jid, arg=json.loads(arguments) or [])
        if is_job(load):
            found[jid] = load
    return found


def _value(text: str) -> Any:
    """Parse the text of a Python list, dict or None; return any other text unchanged."""
    if text[:1] not in ("[", "{"):
        return None if text == "None" else text
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
