"""Hashes: text fields under one key."""

from __future__ import annotations

from typing import Any

from salt_g.api import own_arguments
from salt_g.modules.redismod._server import ADDRESS, Database, Given, Port, address, connected


def hdel(key: str, *fields: str, **options: Any) -> int:
    """Remove fields of a hash; return the number removed.

    Example::

        salt-g redis.hdel user:1 name
    """
    with connected(**address(options)) as server:
        return int(server.hdel(key, *fields))


def hmget(key: str, *fields: str, **options: Any) -> list[str | None]:
    """Return fields of a hash, None for each missing one.

    Example::

        salt-g redis.hmget user:1 name visits
    """
    with connected(**address(options)) as server:
        return list(server.hmget(key, *fields))


def hmset(key: str, **fieldsvals: Any) -> bool:
    """Set fields of a hash, given by name.

    Example::

        salt-g redis.hmset user:1 name=Ada visits=3
    """
    values = {name: value for name, value in own_arguments(fieldsvals).items() if name not in ADDRESS}
    with connected(**address(fieldsvals)) as server:
        server.hset(key, mapping=values)
    return True


def hexists(
    key: str,
    field: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Return whether a hash has a field.

    Example::

        salt-g redis.hexists user:1 name
    """
    with connected(host, port, db, password) as server:
        return bool(server.hexists(key, field))


def hget(
    key: str,
    field: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> str | None:
    """Return a field of a hash, or None if it does not exist.

    Example::

        salt-g redis.hget user:1 name
    """
    with connected(host, port, db, password) as server:
        found: str | None = server.hget(key, field)
    return found


def hgetall(
    key: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> dict[str, str]:
    """Return all fields of a hash.

    Example::

        salt-g redis.hgetall user:1
    """
    with connected(host, port, db, password) as server:
        return dict(server.hgetall(key))


def hincrby(
    key: str,
    field: str,
    increment: int = 1,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> int:
    """Add to a field of a hash; return the new value.

    Example::

        salt-g redis.hincrby user:1 visits 5
    """
    with connected(host, port, db, password) as server:
        return int(server.hincrby(key, field, amount=increment))


def hincrbyfloat(
    key: str,
    field: str,
    increment: float = 1.0,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> float:
    """Add to a field of a hash; return the new value.

    Example::

        salt-g redis.hincrbyfloat user:1 balance 0.5
    """
    with connected(host, port, db, password) as server:
        return float(server.hincrbyfloat(key, field, amount=increment))


def hlen(
    key: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> int:
    """Return the number of fields of a hash.

    Example::

        salt-g redis.hlen user:1
    """
    with connected(host, port, db, password) as server:
        found: int = server.hlen(key)
    return found


def hset(
    key: str,
    field: str,
    value: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> int:
    """Set a field of a hash; return 1 if it is new, else 0.

    Example::

        salt-g redis.hset user:1 name Ada
    """
    with connected(host, port, db, password) as server:
        return int(server.hset(key, field, value))


def hsetnx(
    key: str,
    field: str,
    value: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> int:
    """Set a field of a hash unless it exists; return 1 if it was set, else 0.

    Example::

        salt-g redis.hsetnx user:1 name Ada
    """
    with connected(host, port, db, password) as server:
        return int(server.hsetnx(key, field, value))


def hvals(
    key: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> list[str]:
    """Return the values of a hash.

    Example::

        salt-g redis.hvals user:1
    """
    with connected(host, port, db, password) as server:
        return list(server.hvals(key))


def hscan(
    key: str,
    cursor: int = 0,
    match: str | None = None,
    count: int | None = None,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> tuple[int, dict[str, str]]:
    """Return the next cursor, and those of the next fields of a hash, {field: value}, that match a glob.

    `cursor` is 0 or the cursor that the previous call returned; the last call returns 0. About `count` fields
    are examined.

    Example::

        salt-g redis.hscan user:1 match='n*'
    """
    with connected(host, port, db, password) as server:
        found: tuple[int, dict[str, str]] = server.hscan(key, cursor=cursor, match=match, count=count)
    return found
