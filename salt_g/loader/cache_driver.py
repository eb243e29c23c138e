"""Drivers of external caches: the built-in ones in `salt_g/cache_drivers/`, and users' own in `_cache`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.loader.part_plugins import PartPlugins
from salt_g.shapes import Opts


class CacheDriver:
    """Functions of one driver, whose errors propagate; `given` is passed to the driver's `init_kwargs`."""

    def __init__(self, opts: Opts, name: str, **given: Any) -> None:
        self.name = name
        self._plugins = PartPlugins(opts, "cache")
        self._given = given
        self._options: Mapping[str, Any] | None = None

    def has(self, function: str) -> bool:
        """Return whether the driver has a function."""
        return self._plugins.has(f"{self.name}.{function}")

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a function with the keywords from `init_kwargs`; raise SaltCacheError if it is missing."""
        name = f"{self.name}.{function}"
        if not self.has(function):
            # Imported lazily: its classes take 120 KiB, and few masters have an external cache.
            from salt_g.stock_errors import SaltCacheError

            why = self._plugins.why_missing(name)
            raise SaltCacheError(why or f"there is no driver with the function {name}")
        if self._options is None:
            start = f"{self.name}.init_kwargs"
            self._options = self._plugins.call(start, self._given) if self.has("init_kwargs") else {}
        return self._plugins.call(name, *arguments, **self._options)
