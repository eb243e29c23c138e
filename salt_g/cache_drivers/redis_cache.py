"""Banks and keys in Redis, in stock's layout.

    cache: redis
    cache.redis.host: localhost
    cache.redis.port: 6379
    cache.redis.db: '0'
    cache.redis.password: secret
    cache.redis.unix_socket_path: /run/redis.sock     # instead of host and port

Shapes: a bank is two hashes in MessagePack, `$KEYS_<bank>/` with the values and `$TSTAMP_<bank>/` with the
times when they were stored (s since 1970); the sorted set `$BANKS_` has the names of all `$KEYS_` hashes.
`cache.redis.banks_prefix`, `keys_prefix`, `timestamp_prefix` and `separator` change these names.
Errors: SaltCacheError when the server cannot be reached or refuses a command.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from salt_g.api import opts, scratch
from salt_g.errors import WireError
from salt_g.net import redis
from salt_g.stock_errors import SaltCacheError
from salt_g.wire.packing import AFTER_SIGN_IN, pack_bus, unpack

__virtualname__ = "redis"
__func_alias__ = {"list_": "list"}

#: Approximate number of keys in one answer.
_PAGE = 500
_CLIENT = "cache.redis.client"


def __virtual__() -> Any:
    """Return whether the library is available."""
    return True if redis.is_available() else (False, redis.MISSING)


def store(bank: str, key: str, data: Any) -> None:
    """Store a value.

    Example::

        salt-g master    # with `cache: redis`
    """
    values, stamps_, banks = _names(bank)
    with _server() as server, server.pipeline() as batch:
        batch.zadd(banks, {values: 0})
        batch.hset(values, key, pack_bus(data))
        batch.hset(stamps_, key, pack_bus(int(time.time())))
        batch.execute()


def fetch(bank: str, key: str) -> Any:
    """Return a value, or {} if there is none.

    Example::

        salt-g master    # with `cache: redis`
    """
    values = _names(bank)[0]
    with _server() as server:
        if (size := server.hstrlen(values, key)) > AFTER_SIGN_IN.size:
            raise SaltCacheError(
                f"redis: {key} of {bank} has {size} bytes; the limit is {AFTER_SIGN_IN.size}"
            )
        found = server.hget(values, key)
    return {} if found is None else _unpacked(found, bank, key)


def flush(bank: str, key: str | None = None) -> None:
    """Remove a value, or a bank with all banks below it.

    Example::

        salt-g master    # with `cache: redis`
    """
    with _server() as server:
        if key is None:
            _remove_banks(server, bank)
            return
        values, stamps_, banks = _names(bank)
        with server.pipeline() as batch:
            batch.hdel(values, key)
            batch.hdel(stamps_, key)
            batch.exists(values)
            is_left = batch.execute()[-1]
        if not is_left:
            server.zrem(banks, values)


def list_(bank: str) -> list[str]:
    """Return the keys of a bank and the names of its direct sub-banks, sorted.

    Example::

        salt-g master    # with `cache: redis`
    """
    values = _names(bank)[0]
    with _server() as server:
        keys = {_text(key) for key in server.hkeys(values)}
        below = {name[len(values) :].partition("/")[0] for name in _banks_below(server, bank)}
    return sorted(keys | below - {""})


def contains(bank: str, key: str | None = None) -> bool:
    """Return whether a value exists, or whether a bank is not empty.

    Example::

        salt-g master    # with `cache: redis`
    """
    values = _names(bank)[0]
    with _server() as server:
        return bool(server.exists(values) if key is None else server.hexists(values, key))


def updated(bank: str, key: str) -> int | None:
    """Return when a value was stored (s since 1970), or None if there is none.

    Example::

        salt-g master    # with `cache: redis`
    """
    with _server() as server:
        found = server.hget(_names(bank)[1], key)
    return None if found is None else _time(found)


def stamps(bank: str) -> dict[str, int]:
    """Return when each value of a bank was stored (s since 1970), by key; invalid times are left out.

    Example::

        salt-g master    # with `cache: redis`
    """
    found: dict[str, int] = {}
    with _server() as server:
        # In pages, so that a daemon does other work between them.
        for key, stamp in server.hscan_iter(_names(bank)[1], count=_PAGE):
            seconds = _time(stamp)
            if seconds is not None:
                found[_text(key)] = seconds
            if len(found) > AFTER_SIGN_IN.entries:
                raise SaltCacheError(f"redis: {bank} has more than {AFTER_SIGN_IN.entries} keys")
    return found


def _text(name: bytes) -> str:
    """Decode a name; bytes that are not UTF-8, from another program, are replaced."""
    return name.decode("utf-8", "replace")


def _time(packed: bytes) -> int | None:
    """Return a stored time as a number, None if it is invalid."""
    try:
        return int(unpack(packed))
    except (WireError, TypeError, ValueError, OverflowError):
        return None


def _unpacked(packed: bytes, bank: str, key: str) -> Any:
    try:
        return unpack(packed)
    except WireError as exc:
        raise SaltCacheError(f"redis: {key} of {bank} is not MessagePack: {exc}") from exc


def _names(bank: str) -> tuple[str, str, str]:
    """Return the names of a bank's hash of values and hash of times, and of the set of all banks."""
    separator = _option("separator", "_")
    values = f"{_option('keys_prefix', '$KEYS')}{separator}{bank}/"
    times = f"{_option('timestamp_prefix', '$TSTAMP')}{separator}{bank}/"
    return values, times, f"{_option('banks_prefix', '$BANKS')}{separator}"


def _banks_below(server: Any, bank: str) -> list[str]:
    """Return the names of the value hashes of a bank and of all banks below it."""
    values, _, banks = _names(bank)
    behind = values[:-1] + chr(ord("/") + 1)
    return [_text(name) for name in server.zrangebylex(banks, f"[{values}", f"({behind}")]


def _remove_banks(server: Any, bank: str) -> None:
    values, times, banks = _names(bank)
    found = _banks_below(server, bank)
    with server.pipeline() as batch:
        for name in found:
            batch.zrem(banks, name)
            batch.unlink(name, times + name[len(values) :])
        batch.execute()


def _option(name: str, default: str) -> str:
    return str(opts.get(f"cache.redis.{name}") or default)


@contextlib.contextmanager
def _server() -> Iterator[Any]:
    """Yield the client, which has persistent connections; turn its errors into SaltCacheError."""
    if _CLIENT not in scratch:
        scratch[_CLIENT] = _client()
    with redis.errors_as(SaltCacheError, f"redis at {redis.address(_settings())}"):
        yield scratch[_CLIENT]


def _client() -> Any:
    if opts.get("cache.redis.cluster_mode"):
        raise SaltCacheError("`cache.redis.cluster_mode` is not supported: name a single server instead")
    return redis.connect(_settings())


def _settings() -> dict[str, Any]:
    return {
        name: opts.get(f"cache.redis.{name}") or redis.DEFAULTS[name]
        for name in ("host", "port", "db", "password", "unix_socket_path")
    }
