"""Stock's `salt.cache`: persistent data in banks of keys, as files on this machine or in an external cache.

Shapes: a bank is a path such as `minions/web1`; a key's value is any data that msgpack supports.
"""

from collections.abc import Mapping
from typing import Any

from salt_g.config.cache_driver import driver_name
from salt_g.loader.cache_driver import CacheDriver


class Cache:
    """Cache of the driver named by `driver` or the setting `cache`: files below `cachedir`, or a server."""

    def __init__(
        self, opts: Mapping[str, Any], cachedir: str | None = None, driver: str | None = None, **stock: Any
    ) -> None:
        self.opts = opts
        self.cachedir = cachedir or str(opts["cachedir"])
        self.driver = driver_name({"cache": driver or opts.get("cache")})
        # Pass a copy, because `opts` may be `__opts__`, a view of the running call's settings.
        self._functions = CacheDriver(dict(opts), self.driver, cachedir=self.cachedir, **stock)

    def store(self, bank: str, key: str, data: Any, expires: int | None = None) -> None:
        """Store a value; `expires` is ignored."""
        self._functions.call("store", bank, key, data)

    def fetch(self, bank: str, key: str) -> Any:
        """Return a value, or {} if there is none."""
        return self._functions.call("fetch", bank, key)

    def cache(self, bank: str, key: str, fun: Any, loop_fun: Any = None, **kwargs: Any) -> Any:
        """Return a value; if it is missing or empty, compute it with `fun` and store it."""
        data = self.fetch(bank, key)
        if not data:
            data = fun(**kwargs)
            self.store(bank, key, data)
        return data

    def updated(self, bank: str, key: str) -> int | None:
        """Return when a value was stored, in seconds since 1970, or None if it does not exist."""
        stamp: int | None = self._functions.call("updated", bank, key)
        return stamp

    def flush(self, bank: str, key: str | None = None) -> None:
        """Delete a value or a whole bank."""
        self._functions.call("flush", bank, key)

    def list(self, bank: str) -> list[str]:
        """Return the names of the keys and banks in a bank."""
        return list(self._functions.call("list", bank))

    def contains(self, bank: str, key: str | None = None) -> bool:
        """Return whether a bank, or a key in it, exists."""
        return bool(self._functions.call("contains", bank, key))


def factory(opts: Mapping[str, Any], **stock: Any) -> Cache:
    """Return a cache with these settings."""
    return Cache(opts, **stock)


__all__ = ["Cache", "factory"]
