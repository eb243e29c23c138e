"""Stock's `salt.cache`: persistent data in banks of keys, as files on this machine or in an external cache.

Shapes: a bank is a path such as `minions/web1`; a key's value is any data that msgpack supports.
"""

import os
import shutil
from collections.abc import Mapping
from typing import Any

from salt_g.cache.observed_banks import external_driver
from salt_g.compat.exceptions import SaltCacheError
from salt_g.loader.cache_driver import CacheDriver
from salt_g.process import disk


class Cache:
    """Banks below `cachedir`, `<bank>/<key>.p` as stock's; with `cache: redis` those of that driver."""

    def __init__(
        self, opts: Mapping[str, Any], cachedir: str | None = None, driver: str | None = None, **stock: Any
    ) -> None:
        self.opts = opts
        self.cachedir = cachedir or str(opts["cachedir"])
        self.driver = external_driver({"cache": driver or opts.get("cache")})
        self._external = CacheDriver(opts, self.driver) if self.driver else None

    def store(self, bank: str, key: str, data: Any, expires: int | None = None) -> None:
        """Store a value."""
        self._call("store", bank, key, data)

    def fetch(self, bank: str, key: str) -> Any:
        """Return a value, {} if there is none."""
        return self._call("fetch", bank, key)

    def cache(self, bank: str, key: str, fun: Any, loop_fun: Any = None, **kwargs: Any) -> Any:
        """Return a value; if missing, compute it with `fun` and store it."""
        data = self.fetch(bank, key)
        if not data:
            data = fun(**kwargs)
            self.store(bank, key, data)
        return data

    def updated(self, bank: str, key: str) -> int | None:
        """Return the time when a value was stored, in seconds since 1970; None if there is none."""
        stamp: int | None = self._call("updated", bank, key)
        return stamp

    def flush(self, bank: str, key: str | None = None) -> None:
        """Delete a value or a whole bank."""
        self._call("flush", bank, key)

    def list(self, bank: str) -> list[str]:
        """Return the keys and banks in a bank."""
        return list(self._call("list", bank))

    def contains(self, bank: str, key: str | None = None) -> bool:
        """Return whether a bank, or a key in it, exists."""
        return bool(self._call("contains", bank, key))

    def _call(self, function: str, *arguments: Any) -> Any:
        if self._external is not None:
            return self._external.call(function, *arguments)
        return getattr(_Files(self.cachedir), function)(*arguments)


class _Files:
    """Banks as directories below one, with a file for each key."""

    def __init__(self, top: str) -> None:
        self._top = top

    def store(self, bank: str, key: str, data: Any) -> None:
        import msgpack

        path = self._path(bank, key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        disk.write_whole(path, msgpack.packb(data))

    def fetch(self, bank: str, key: str) -> Any:
        import msgpack

        try:
            with open(self._path(bank, key), "rb") as file:
                return msgpack.unpackb(file.read(), strict_map_key=False)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as exc:
            raise SaltCacheError(f"cannot read {key!r} of the bank {bank!r}: {exc}") from exc

    def updated(self, bank: str, key: str) -> int | None:
        path = self._path(bank, key)
        return int(os.path.getmtime(path)) if os.path.isfile(path) else None

    def flush(self, bank: str, key: str | None) -> None:
        if key is None:
            shutil.rmtree(os.path.join(self._top, bank), ignore_errors=True)
        elif os.path.isfile(path := self._path(bank, key)):
            os.unlink(path)

    def list(self, bank: str) -> list[str]:
        directory = os.path.join(self._top, bank)
        names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
        return [name.removesuffix(".p") for name in names]

    def contains(self, bank: str, key: str | None) -> bool:
        if key is None:
            return os.path.isdir(os.path.join(self._top, bank))
        return os.path.isfile(self._path(bank, key))

    def _path(self, bank: str, key: str) -> str:
        return os.path.join(self._top, bank, f"{key}.p")


def factory(opts: Mapping[str, Any], **stock: Any) -> Cache:
    """Return a cache with these settings."""
    return Cache(opts, **stock)


__all__ = ["Cache", "factory"]
