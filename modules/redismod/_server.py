"""Connections to Redis, or to its sentinels.

Errors: CommandExecutionError with the address of the server and the failure.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError
from salt_g.net import redis

#: Time limit for an answer (s), which may take long (`save`, `flushall`).
_ANSWER = 600

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
    is_socket = host.startswith("/")
    where = {"unix_socket_path": host} if is_socket else {"host": host, "port": port}
    server = redis.connect(
        {**where, "db": db, "password": password},
        decode_responses=True,
        socket_timeout=_ANSWER,
        # Users who want retries set `retry` in the state.
        retry=redis.no_retries(),
    )
    place = host if is_socket else f"{host}:{port}"
    with contextlib.closing(server), redis.errors_as(CommandExecutionError, f"Redis at {place}"):
        yield server
