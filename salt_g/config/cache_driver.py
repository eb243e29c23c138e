"""Cache driver chosen by the setting `cache`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Driver that stores files below `cachedir`.
FILES = "localfs"
#: Stock's drivers for files on this machine; salt-g keeps their data in the master's store, or with `FILES`.
LOCAL = frozenset((FILES, "localfs_key", "mmap_cache", "mmap_key"))


def external_driver(opts: Mapping[str, Any]) -> str:
    """Return the name of the cache driver, or '' for a driver with files on this machine."""
    name = str(opts.get("cache") or "")
    return "" if name in LOCAL else name


def driver_name(opts: Mapping[str, Any]) -> str:
    """Return the name of the cache driver for data of plugins."""
    return external_driver(opts) or FILES
