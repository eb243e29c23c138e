"""Server administration: settings, persistence, clock, shutdown, replication."""

from __future__ import annotations

from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules.redismod._server import Database, Given, Port, connected, sentinel

#: Default port of a master.
_PORT = 6379


def bgrewriteaof(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Rewrite the append-only file in the background.

    Example::

        salt-g redis.bgrewriteaof
    """
    with connected(host, port, db, password) as server:
        return bool(server.bgrewriteaof())


def bgsave(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Save the data in the background.

    Example::

        salt-g redis.bgsave
    """
    with connected(host, port, db, password) as server:
        return bool(server.bgsave())


def config_get(
    pattern: str = "*",
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> dict[str, str]:
    """Return the server's settings that match a glob.

    Example::

        salt-g redis.config_get 'max*'
    """
    with connected(host, port, db, password) as server:
        return dict(server.config_get(pattern))


def config_set(
    name: str,
    value: str,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Change a setting of the server until it restarts.

    Example::

        salt-g redis.config_set maxmemory 100mb
    """
    with connected(host, port, db, password) as server:
        return bool(server.config_set(name, value))


def dbsize(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> int:
    """Return the number of keys of a database.

    Example::

        salt-g redis.dbsize
    """
    with connected(host, port, db, password) as server:
        return int(server.dbsize())


def flushall(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Remove all keys of all databases.

    Example::

        salt-g redis.flushall
    """
    with connected(host, port, db, password) as server:
        return bool(server.flushall())


def flushdb(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Remove all keys of a database.

    Example::

        salt-g redis.flushdb
    """
    with connected(host, port, db, password) as server:
        return bool(server.flushdb())


def info(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> dict[str, Any]:
    """Return information and statistics of the server.

    Example::

        salt-g redis.info
    """
    with connected(host, port, db, password) as server:
        return dict(server.info())


def lastsave(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> int:
    """Return when the data was last saved (s since 1970).

    Example::

        salt-g redis.lastsave
    """
    with connected(host, port, db, password) as server:
        return int(server.lastsave().timestamp())


def save(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Save the data; the server is blocked meanwhile.

    Example::

        salt-g redis.save
    """
    with connected(host, port, db, password) as server:
        return bool(server.save())


def time(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> int:
    """Return the server's clock (s since 1970).

    Example::

        salt-g redis.time
    """
    with connected(host, port, db, password) as server:
        return int(server.time()[0])


def ping(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Return whether the server answers.

    Example::

        salt-g redis.ping
    """
    try:
        with connected(host, port, db, password) as server:
            return bool(server.ping())
    except CommandExecutionError:
        return False


def shutdown(
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Shut the server down; return whether it was running and has stopped.

    Example::

        salt-g redis.shutdown
    """
    if not ping(host, port, db, password):
        return False
    with connected(host, port, db, password) as server:
        server.shutdown()
    return not ping(host, port, db, password)


def slaveof(
    master_host: Given = None,
    master_port: Port = None,
    host: Given = None,
    port: Port = None,
    db: Database = None,
    password: Given = None,
) -> bool:
    """Make the server a replica of a master, or stop replication if `master_host` is None.

    Example::

        salt-g redis.slaveof master.example 6379
    """
    with connected(host, port, db, password) as server:
        return bool(server.slaveof(master_host, (master_port or _PORT) if master_host else None))


def sentinel_get_master_ip(
    master: str, host: Given = None, port: Port = None, password: Given = None
) -> dict[str, Any]:
    """Return {"master_host", "master_port"} of the master with this name, from a sentinel.

    Example::

        salt-g redis.sentinel_get_master_ip mymaster
    """
    with sentinel(host, port, password) as server:
        found = server.sentinel_get_master_addr_by_name(master)
    if not found:
        raise CommandExecutionError(f"no sentinel knows a master {master!r}")
    return {"master_host": found[0], "master_port": found[1]}


def get_master_ip(host: Given = None, port: Port = None, password: Given = None) -> dict[str, Any]:
    """Return {"master_host", "master_port"} of the server's master; both are '' if it has none.

    Example::

        salt-g redis.get_master_ip
    """
    with connected(host, port, None, password) as server:
        info = server.info()
    return {"master_host": info.get("master_host", ""), "master_port": info.get("master_port", "")}
