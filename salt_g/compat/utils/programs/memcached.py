"""Stock's `salt.utils.memcached`: values on a memcached server, with the library python-memcached."""

from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError

try:
    import memcache  # type: ignore[import-not-found]

    HAS_LIBS = True
except ImportError:
    HAS_LIBS = False

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 11211


def get_conn(opts: Mapping[str, Any], profile: str | None = None, host: Any = None, port: Any = None) -> Any:
    """Return a connection to the server of a profile, or of the settings `memcached.host` and `.port`."""
    if not HAS_LIBS:
        raise CommandExecutionError(
            "memcached needs the library python-memcached: pip install python-memcached"
        )
    settings = opts.get(profile, {}) if profile else opts
    address = host or settings.get("memcached.host", DEFAULT_HOST)
    return memcache.Client([f"{address}:{port or settings.get('memcached.port', DEFAULT_PORT)}"], debug=0)


def set_(conn: Any, key: str, value: Any, time: int = 0, min_compress_len: int = 0) -> bool:
    """Set a value for `time` seconds (0: no limit); raise CommandExecutionError if there is no server."""
    _check(conn)
    return bool(conn.set(key, value, time, min_compress_len))


def get(conn: Any, key: str) -> Any:
    """Return a value, or None if it is missing; raise CommandExecutionError if there is no server."""
    _check(conn)
    return conn.get(key)


def _check(conn: Any) -> None:
    if not conn.get_stats():
        raise CommandExecutionError("memcached server is down or does not exist")


__all__ = ["DEFAULT_HOST", "DEFAULT_PORT", "HAS_LIBS", "get", "get_conn", "set_"]
