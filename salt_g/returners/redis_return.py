"""Job cache and returns in Redis.

    redis.host: localhost
    redis.port: 6379
    redis.db: 0
    redis.password: secret
    redis.unix_socket_path: /run/redis.sock

Keys are stock's: `load:<jid>`, `ret:<jid>` (minion to return), `<minion>:<function>` (its last jid) and
`minions`. Keys of a job expire after `keep_jobs_seconds`.

Errors: CommandExecutionError when the server cannot be reached or refuses a command.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.net import redis
from salt_g.returners._options import as_json, listed, options, prepared_jid
from salt_g.shapes.loads import Answers, JobLoad, JobSummary, ReturnLoad, is_job

__virtualname__ = "redis"

_DEFAULTS: dict[str, Any] = {**redis.DEFAULTS, "host": "salt"}


def __virtual__() -> Any:
    """Return whether the library is available."""
    return True if redis.is_available() else (False, redis.MISSING)


def returner(ret: ReturnLoad) -> None:
    """Store a return.

    Example::

        salt-g '*' test.ping --return redis
    """
    minion, jid, fun = ret["id"], ret["jid"], ret["fun"]
    with _server(ret) as server, server.pipeline() as batch:
        batch.hset(f"ret:{jid}", minion, as_json(ret))
        batch.expire(f"ret:{jid}", _keep_seconds())
        for name in fun if isinstance(fun, list) else [fun]:
            batch.set(f"{minion}:{name}", jid)
        batch.sadd("minions", minion)
        batch.execute()


def save_load(jid: str, load: JobLoad, minions: Iterable[str] | None = None) -> None:
    """Store the load of a job.

    Example::

        salt-g master    # with `master_job_cache: redis`
    """
    with _server() as server:
        server.set(f"load:{jid}", as_json(load), ex=_keep_seconds())


def save_minions(jid: str, minions: Iterable[str], syndic_id: str | None = None) -> None:
    """Do nothing: expected minions are not stored.

    Example::

        salt-g master    # with `master_job_cache: redis`
    """


def get_load(jid: str) -> JobLoad:
    """Return the load of a job, or {} for an unknown one.

    Example::

        salt-g run jobs.list_job 20260102030405678901
    """
    with _server() as server:
        found = server.get(f"load:{jid}")
    load = json.loads(found) if found else None
    return load if is_job(load) else {}


def get_jid(jid: str) -> dict[str, ReturnLoad]:
    """Return the returns of a job, by minion.

    Example::

        salt-g run jobs.lookup_jid 20260102030405678901
    """
    with _server() as server:
        found = server.hgetall(f"ret:{jid}")
    return {minion: json.loads(ret) for minion, ret in found.items()}


def get_fun(fun: str) -> Answers:
    """Return the last return of a function, by minion; for users' code, salt-g never calls it."""
    last = {}
    with _server() as server:
        for minion in server.smembers("minions"):
            jid = server.get(f"{minion}:{fun}")
            found = server.hget(f"ret:{jid}", minion) if jid else None
            if found:
                last[minion] = json.loads(found)
    return last


def get_jids() -> dict[str, JobSummary]:
    """Return all jobs.

    Example::

        salt-g run jobs.list_jobs
    """
    jobs = {}
    with _server() as server:
        for key in server.scan_iter("load:*"):
            load = server.get(key)
            if load:
                jid = key.partition(":")[2]
                jobs[jid] = listed(jid, json.loads(load))
    return jobs


def get_minions() -> list[str]:
    """Return the minions that have returned at least once; for users' code, salt-g never calls it."""
    with _server() as server:
        return sorted(server.smembers("minions"))


def prep_jid(nocache: bool = False, passed_jid: str | None = None) -> str:
    """Return the jid of a new job.

    Example::

        salt-g master    # with `master_job_cache: redis`
    """
    return prepared_jid(passed_jid)


def _keep_seconds() -> int:
    return int(opts.get("keep_jobs_seconds") or 86400)


@contextlib.contextmanager
def _server(ret: Any = None) -> Iterator[Any]:
    settings = options("redis", ret, _DEFAULTS)
    client = redis.connect(settings, decode_responses=True)
    name = f"redis at {redis.address(settings)}"
    with contextlib.closing(client) as server, redis.errors_as(CommandExecutionError, name):
        yield server
