"""Connections to Redis, or to its sentinels.

The library comes with the extra `salt-g[redis]` and is imported lazily.

Errors: CommandExecutionError with the address of the server and the failure.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError

#: Time limits for connecting and for an answer (s). An answer may take long (`save`, `flushall`): version 8
#: of the library would wait 5 s for it, earlier ones without end.
_PATIENCE, _ANSWER = 10, 600

Given = str | None
Port = int | str | None
Database = int | str | None


#: The address arguments.
ADDRESS = ("host", "port", "db", "password")


def address(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return only the connection arguments (`ADDRESS`) of a call."""
    return {name: given[name] for name in ADDRESS if name in given}


@contextlib.contextmanager
def connected(
    host: Given = None, port: Port = None, db: Database = None, password: Given = None
) -> Iterator[Any]:
    """Open a connection for the duration of the block; a host that begins with `/` is a socket.

    Missing arguments come from the settings `redis.host`, `redis.port`, `redis.db`, `redis.password`.
    """
    host = host or _option("redis.host", "localhost")
    port = port or _option("redis.port", 6379)
    db = _option("redis.db", 0) if db is None else db
    with _opened(host, port, db, password or _option("redis.password", None)) as server:
        yield server


@contextlib.contextmanager
def sentinel(host: Given = None, port: Port = None, password: Given = None) -> Iterator[Any]:
    """Open a connection to a sentinel for the duration of the block.

    Missing arguments come from the settings `redis_sentinel.host`, `redis_sentinel.port`,
    `redis_sentinel.password`.
    """
    host = _option("redis_sentinel.host", "localhost") if host is None else host
    port = _option("redis_sentinel.port", 26379) if port is None else port
    password = _option("redis_sentinel.password", None) if password is None else password
    with _opened(host, port, 0, password) as server:
        yield server


def _option(name: str, default: Any) -> Any:
    return call("config.option", name, default) or default


@contextlib.contextmanager
def _opened(host: str, port: Any, db: Any, password: Given) -> Iterator[Any]:
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    is_socket = host.startswith("/")
    where: dict[str, Any] = {"unix_socket_path": host} if is_socket else {"host": host, "port": int(port)}
    server = redis.Redis(
        **where,
        db=int(db),
        password=str(password) if password else None,
        decode_responses=True,
        socket_connect_timeout=_PATIENCE,
        socket_timeout=_ANSWER,
        # The library would retry for seconds; users who want that set `retry` in the state.
        retry=Retry(NoBackoff(), 0),
    )
    place = host if is_socket else f"{host}:{port}"
    try:
        yield server
    except redis.RedisError as exc:
        raise CommandExecutionError(f"Redis at {place}: {exc}") from exc
    finally:
        server.close()
