"""Stock's `salt.utils.cache`: caches with a time to live, in memory or in a file."""

import functools
import os
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgpack

from salt_g import api
from salt_g.process import disk


class CacheDict(dict[Any, Any]):
    """A dict whose entries expire `ttl` seconds after they are set."""

    def __init__(self, ttl: float, *args: Any, **kwargs: Any) -> None:
        self._ttl = ttl
        #: {key: time at which it was set, in seconds since 1970}
        self._key_cache_time: dict[Any, float] = {}
        super().__init__()
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def _forget_old(self, key: Any) -> None:
        if key in self._key_cache_time and time.time() - self._key_cache_time[key] > self._ttl:
            del self._key_cache_time[key]
            super().__delitem__(key)

    def __getitem__(self, key: Any) -> Any:
        self._forget_old(key)
        return super().__getitem__(key)

    def __contains__(self, key: Any) -> bool:
        self._forget_old(key)
        return super().__contains__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """Return a value that has not expired, or `default`."""
        return self[key] if key in self else default  # noqa: SIM401

    def __setitem__(self, key: Any, value: Any) -> None:
        self._key_cache_time[key] = time.time()
        super().__setitem__(key, value)

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        self._key_cache_time.pop(key, None)

    def clear(self) -> None:
        """Remove all entries."""
        super().clear()
        self._key_cache_time.clear()


class CacheDisk(CacheDict):
    """A CacheDict that is stored in a file, which other processes can read."""

    def __init__(self, ttl: float, path: str, *args: Any, **kwargs: Any) -> None:
        self._path = ""
        super().__init__(ttl)
        self._read(path)
        self._path = path
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self.store()

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        self.store()

    def clear(self) -> None:
        """Remove all entries, and write the empty cache to the file."""
        super().clear()
        self.store()

    def store(self) -> None:
        """Write all entries to the file."""
        if self._path:
            data = {"CacheDisk_data": dict(self), "CacheDisk_cachetime": self._key_cache_time}
            disk.write_whole(self._path, msgpack.packb(data, use_bin_type=True))

    def _read(self, path: str) -> None:
        try:
            with open(path, "rb") as file:
                kept = msgpack.unpackb(file.read(), raw=False, strict_map_key=False)
            times, values = kept["CacheDisk_cachetime"], kept["CacheDisk_data"]
        except (OSError, ValueError, KeyError, TypeError, msgpack.UnpackException):
            return
        for key, value in values.items():
            if time.time() - times.get(key, 0) <= self._ttl:
                dict.__setitem__(self, key, value)
                self._key_cache_time[key] = times[key]


class CacheFactory:
    """Factory of caches, selected by name."""

    @classmethod
    def factory(cls, backend: str, ttl: float, *args: Any, **kwargs: Any) -> CacheDict | None:
        """Return a cache in `memory` or on `disk`, or None for any other backend."""
        kinds: dict[str, type[CacheDict]] = {"memory": CacheDict, "disk": CacheDisk}
        return kinds[backend](ttl, *args, **kwargs) if backend in kinds else None


class CacheRegex:
    """Cache of compiled regular expressions; Python's own cache does the work."""

    def __init__(self, prepend: str = "", append: str = "", **stock: Any) -> None:
        self._prepend, self._append = prepend, append

    def get(self, pattern: str) -> re.Pattern[str]:
        """Return the compiled expression."""
        return re.compile(f"{self._prepend}{pattern}{self._append}")

    def clear(self) -> None:
        """Do nothing, because Python limits the size of its cache."""


class ContextCache:
    """The `__context__` of a module, stored in a file for later processes."""

    def __init__(self, opts: Mapping[str, Any], name: str) -> None:
        self.cache_path = os.path.join(str(opts["cachedir"]), "context", f"{name}.p")

    def cache_context(self, context: Mapping[str, Any]) -> None:
        """Write a module's `__context__` to the file."""
        os.makedirs(os.path.dirname(self.cache_path), exist_ok=True)
        disk.write_whole(self.cache_path, msgpack.packb(dict(context), use_bin_type=True))

    def get_cache_context(self) -> dict[str, Any]:
        """Return the `__context__` stored in the file."""
        with open(self.cache_path, "rb") as file:
            kept: dict[str, Any] = msgpack.unpackb(file.read(), raw=False, strict_map_key=False)
        return kept


def context_cache(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a plugin's function so that an empty `__context__` is first loaded from its file.

    If there is no file, the function is called and the `__context__` that it fills is written to the file.
    """

    @functools.wraps(func)
    def filled(*args: Any, **kwargs: Any) -> Any:
        kept = ContextCache(api.opts, str(func.__globals__.get("__name__", func.__module__)))
        context = func.__globals__.get("__context__")
        if not context and context is not None:
            if os.path.exists(kept.cache_path):
                context.update(kept.get_cache_context())
            else:
                result = func(*args, **kwargs)
                kept.cache_context(context)
                return result
        return func(*args, **kwargs)

    return filled


__all__ = ["CacheDict", "CacheDisk", "CacheFactory", "CacheRegex", "ContextCache", "context_cache"]
