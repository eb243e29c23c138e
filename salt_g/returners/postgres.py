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

import json
from collections.abc import Iterable
from typing import Any

from salt_g.net.postgres import DEFAULTS
from salt_g.returners._options import as_json, available, prepared_jid
from salt_g.returners._postgres_tables import Server, Tables
from salt_g.shapes.loads import Answers, EventData, JobLoad, JobSummary, ReturnLoad

_SERVER = Server("postgres", "returner.postgres", {**DEFAULTS, "passwd": "salt"}, "passwd")
_TABLES = Tables(_SERVER, column="text", encode=as_json, decode=json.loads)


def __virtual__() -> Any:
    """Return whether the library is available."""
    return available("psycopg", extra="postgres")


def returner(ret: ReturnLoad) -> None:
    """Store a return.

    Example::

        salt-g '*' test.ping --return postgres
    """
    _TABLES.save_return(ret)


def event_return(events: list[EventData]) -> None:
    """Store events.

    Example::

        salt-g master    # with `event_return: postgres`
    """
    _TABLES.save_events(events)


def save_load(jid: str, load: JobLoad, minions: Iterable[str] | None = None) -> None:
    """Store the load of a job, unless it is already stored.

    Example::

        salt-g master    # with `master_job_cache: postgres`
    """
    _TABLES.save_load(jid, load, on_conflict="DO NOTHING")


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Do nothing: expected minions are not stored.

    Example::

        salt-g master    # with `master_job_cache: postgres`
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
    return _TABLES.last_returns(fun, newest="jid")


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

        salt-g master    # with `master_job_cache: postgres`
    """
    return prepared_jid(passed_jid)
