"""Connections to Redis servers.

The library comes with the extra `salt-g[redis]` and is imported lazily.

Shapes: a server is {host, port, db, username, password, unix_socket_path: value}, as in `DEFAULTS`.
Units: seconds.
Errors: CommandExecutionError if the library is missing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.errors import CommandExecutionError

#: Default connection settings; with `unix_socket_path`, host and port are not used.
DEFAULTS: Mapping[str, Any] = {
    "host": "localhost",
    "port": 6379,
    "db": 0,
    "username": None,
    "password": None,
    "unix_socket_path": None,
}
#: Time limit for connecting, and for an answer unless the caller gives another (s). The library's own limits
#: differ by version.
TIMEOUT = 10.0
MISSING = "the library redis is missing: install salt-g[redis]"


def is_available() -> bool:
    """Return whether the library is installed."""
    from importlib.util import find_spec  # Cheaper than importing the library.

    return find_spec("redis") is not None


def connect(server: Mapping[str, Any], **options: Any) -> Any:
    """Return a client, which connects at its first command; `options` are passed to the library.

    Parts of `server` that are left out have their defaults.
    """
    place = {**DEFAULTS, **server}
    options = {"socket_timeout": TIMEOUT, "socket_connect_timeout": TIMEOUT, **options}
    if place["unix_socket_path"]:
        options["unix_socket_path"] = place["unix_socket_path"]
    else:
        options.update(host=place["host"], port=int(place["port"]))
    return _library().Redis(
        db=int(place["db"]),
        username=_text(place["username"]),
        password=_text(place["password"]),
        **options,
    )


def no_retries() -> Any:
    """Return the option `retry` of a client that reports a failure at once.

    Without this option recent versions of the library try again for seconds.
    """
    _library()
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return Retry(NoBackoff(), 0)


@contextlib.contextmanager
def errors_as(error: type[Exception], server: str) -> Iterator[None]:
    """Raise errors of the library as `error`, with the name of the server in front."""
    failure = _library().RedisError
    try:
        yield
    except failure as exc:
        raise error(f"{server}: {exc}") from exc


def address(server: Mapping[str, Any]) -> str:
    """Return host and port of a server, or its socket, for an error message."""
    return str(server.get("unix_socket_path") or f"{server['host']} port {server['port']}")


def _library() -> Any:
    try:
        import redis
    except ImportError as exc:
        raise CommandExecutionError(MISSING) from exc
    return redis


def _text(value: Any) -> str | None:
    """Return a name or password as text, which YAML may have read as a number; None for an empty one."""
    return str(value) if value else None
