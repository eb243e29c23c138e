"""Banks and keys in a table of MySQL or MariaDB, in stock's layout.

    cache: mysql
    mysql.host: 127.0.0.1
    mysql.port: 3306
    mysql.user: salt
    mysql.password: secret
    mysql.database: salt_cache      # has to exist
    mysql.table_name: salt          # is created

Shapes: one row for each key, its value in MessagePack. The server sets the time of a row.
Errors: SaltCacheError when the server cannot be reached or refuses a statement.
"""

from __future__ import annotations

import re
from typing import Any

from salt_g.api import opts, scratch
from salt_g.errors import WireError
from salt_g.stock_errors import SaltCacheError
from salt_g.wire.packing import AFTER_SIGN_IN, pack_bus, unpack

__virtualname__ = "mysql"
__func_alias__ = {"list_": "list"}

#: Time limit of a connection attempt, and of an answer (s).
_TIMEOUT = 10
_CONNECTION = "cache.mysql.connection"
_TABLE = (
    "CREATE TABLE IF NOT EXISTS {table} (bank CHAR(255), etcd_key CHAR(255), data MEDIUMBLOB,"
    " last_update TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,"
    " PRIMARY KEY (bank, etcd_key))"
)


def __virtual__() -> Any:
    """Return whether the library is available."""
    try:
        import pymysql  # noqa: F401
    except ImportError:
        return False, "the library pymysql is missing: install salt-g[mysql]"
    return True


def store(bank: str, key: str, data: Any) -> None:
    """Store a value.

    Example::

        salt-g master    # with `cache: mysql`
    """
    _run("REPLACE INTO {table} (bank, etcd_key, data) VALUES (%s, %s, %s)", bank, key, pack_bus(data))


def fetch(bank: str, key: str) -> Any:
    """Return a value, or {} if there is none.

    Example::

        salt-g master    # with `cache: mysql`
    """
    limit = AFTER_SIGN_IN.size
    # The size is checked by the server, because the column of a table that was not created here may hold
    # gigabytes.
    columns = "LENGTH(data), IF(LENGTH(data) <= %s, data, NULL)"
    rows = _run(f"SELECT {columns} FROM {{table}} WHERE bank = %s AND etcd_key = %s", limit, bank, key)
    if not rows:
        return {}
    size, data = rows[0]
    if data is None:
        raise SaltCacheError(f"mysql: {key} of {bank} has {size or 'no'} bytes; the limit is {limit}")
    try:
        return unpack(data.encode() if isinstance(data, str) else bytes(data))
    except WireError as exc:
        raise SaltCacheError(f"mysql: {key} of {bank} is not MessagePack: {exc}") from exc


def flush(bank: str, key: str | None = None) -> None:
    """Remove a value, or a bank without the banks below it, as stock's driver does.

    Example::

        salt-g master    # with `cache: mysql`
    """
    if key is None:
        _run("DELETE FROM {table} WHERE bank = %s", bank)
    else:
        _run("DELETE FROM {table} WHERE bank = %s AND etcd_key = %s", bank, key)


def list_(bank: str) -> list[str]:
    """Return the keys of a bank, sorted.

    Example::

        salt-g master    # with `cache: mysql`
    """
    return sorted(key for (key,) in _run("SELECT etcd_key FROM {table} WHERE bank = %s", bank))


def contains(bank: str, key: str | None = None) -> bool:
    """Return whether a value exists, or whether a bank is not empty.

    Example::

        salt-g master    # with `cache: mysql`
    """
    if key is None:
        return bool(_run("SELECT 1 FROM {table} WHERE bank = %s LIMIT 1", bank))
    return bool(_run("SELECT 1 FROM {table} WHERE bank = %s AND etcd_key = %s", bank, key))


def updated(bank: str, key: str) -> int | None:
    """Return when a value was stored (s since 1970), or None if there is none.

    Example::

        salt-g master    # with `cache: mysql`
    """
    rows = _run(
        "SELECT UNIX_TIMESTAMP(last_update) FROM {table} WHERE bank = %s AND etcd_key = %s", bank, key
    )
    return int(rows[0][0]) if rows and rows[0][0] is not None else None


def stamps(bank: str) -> dict[str, int]:
    """Return when each value of a bank was stored (s since 1970), by key.

    Example::

        salt-g master    # with `cache: mysql`
    """
    limit = AFTER_SIGN_IN.entries
    columns = "etcd_key, UNIX_TIMESTAMP(last_update)"
    rows = _run(f"SELECT {columns} FROM {{table}} WHERE bank = %s LIMIT %s", bank, limit + 1)
    if len(rows) > limit:
        raise SaltCacheError(f"mysql: {bank} has more than {limit} keys")
    return {key: int(stamp) for key, stamp in rows if stamp is not None}


def _run(sql: str, *values: Any) -> Any:
    """Run a statement on the persistent connection and return its rows; drop the connection on failure."""
    import pymysql

    statement = sql.format(table=_table())
    try:
        connection = scratch.get(_CONNECTION)
        if connection is None:
            connection = scratch[_CONNECTION] = _connect()
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall()
    except (pymysql.err.MySQLError, OSError) as exc:
        scratch.pop(_CONNECTION, None)
        raise SaltCacheError(f"mysql at {_option('host')} port {_option('port')}: {exc}") from exc


def _connect() -> Any:
    import pymysql

    connection = pymysql.connect(
        host=str(_option("host")),
        port=int(_option("port")),
        user=_option("user"),
        password=str(_option("password") or ""),
        database=str(_option("database")),
        charset="utf8mb4",
        autocommit=True,
        connect_timeout=_TIMEOUT,
        read_timeout=_TIMEOUT,
        write_timeout=_TIMEOUT,
    )
    with connection.cursor() as cursor:
        cursor.execute("SHOW TABLES LIKE %s", (_table().strip("`"),))
        if not cursor.fetchall():
            cursor.execute(_TABLE.format(table=_table()))
    return connection


def _table() -> str:
    name = str(_option("table_name"))
    if not re.fullmatch(r"[A-Za-z0-9_$]{1,64}", name):
        raise SaltCacheError(
            f"`mysql.table_name` {name!r} is not a valid table name: letters, digits, _ and $ only"
        )
    return f"`{name}`"


_DEFAULTS = {
    "host": "127.0.0.1",
    "port": 3306,
    "user": None,
    "password": None,
    "database": "salt_cache",
    "table_name": "salt",
}


def _option(name: str) -> Any:
    value = opts.get(f"mysql.{name}")
    return _DEFAULTS[name] if value in (None, "") else value
