"""Keys: texts, lists and sets."""

from __future__ import annotations

from typing import Any

from salt_g.modules.redismod._server import Database, Given, Port, address, connected


def delete(*keys: str, **connection_args: Any) -> int:
    """Remove keys; return the number removed.

    Example::

        salt-g redis.delete greeting queue
    """
    with connected(**address(connection_args)) as server:
        return int(server.delete(*keys))


def exists(
    key: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> int:
    """Return 1 if the key exists, else 0.

    Example::

        salt-g redis.exists greeting
    """
    with connected(host, port, db, password) as server:
        return int(server.exists(key))


def expire(
    key: str,
    seconds: int,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Set a key to expire after this many seconds; return whether it exists.

    Example::

        salt-g redis.expire greeting 300
    """
    with connected(host, port, db, password) as server:
        return bool(server.expire(key, seconds))


def expireat(
    key: str,
    timestamp: int,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Set a key to expire at a time (s since 1970); return whether it exists.

    Example::

        salt-g redis.expireat greeting 1900000000
    """
    with connected(host, port, db, password) as server:
        return bool(server.expireat(key, timestamp))


def get_key(
    key: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> str | None:
    """Return the text of a key, or None if it does not exist.

    Example::

        salt-g redis.get_key greeting
    """
    with connected(host, port, db, password) as server:
        found: str | None = server.get(key)
    return found


def keys(
    pattern: str = "*",
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> list[str]:
    """Return the names of keys that match a glob.

    Example::

        salt-g redis.keys 'user:*'
    """
    with connected(host, port, db, password) as server:
        return list(server.keys(pattern))


def key_type(
    key: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> str:
    """Return the type of a key: string, list, set, zset, hash, stream or none.

    Example::

        salt-g redis.key_type greeting
    """
    with connected(host, port, db, password) as server:
        found: str = server.type(key)
    return found


def set_key(
    key: str,
    value: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Set the text of a key; return whether that succeeded.

    Example::

        salt-g redis.set_key greeting hello
    """
    with connected(host, port, db, password) as server:
        return bool(server.set(key, value))


def llen(
    key: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> int:
    """Return the length of a list.

    Example::

        salt-g redis.llen queue
    """
    with connected(host, port, db, password) as server:
        found: int = server.llen(key)
    return found


def lrange(
    key: str,
    start: int,
    stop: int,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> list[str]:
    """Return the items of a list from `start` to `stop`, both included; -1 is the last.

    Example::

        salt-g redis.lrange queue 0 -1
    """
    with connected(host, port, db, password) as server:
        found: list[str] = server.lrange(key, start, stop)
    return found


def smembers(
    key: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> list[str]:
    """Return the members of a set.

    Example::

        salt-g redis.smembers colours
    """
    with connected(host, port, db, password) as server:
        return list(server.smembers(key))


def zcard(
    key: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> int:
    """Return the number of members of a sorted set.

    Example::

        salt-g redis.zcard scores
    """
    with connected(host, port, db, password) as server:
        found: int = server.zcard(key)
    return found


def zrange(
    key: str,
    start: int,
    stop: int,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> list[str]:
    """Return the members of a sorted set from position `start` to `stop`, both included; -1 is the last.

    Example::

        salt-g redis.zrange scores 0 -1
    """
    with connected(host, port, db, password) as server:
        found: list[str] = server.zrange(key, start, stop)
    return found
