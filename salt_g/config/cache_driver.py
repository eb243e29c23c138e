"""Driver that the setting `cache` names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Driver of files below `cachedir`.
FILES = "localfs"
#: Stock's drivers of files on this machine; what they keep is in the store of a master, or in our `FILES`.
LOCAL = frozenset((FILES, "localfs_key", "mmap_cache", "mmap_key"))


def external_driver(opts: Mapping[str, Any]) -> str:
    """Return the name of the driver of the external cache, or '' without one."""
    name = str(opts.get("cache") or "")
    return "" if name in LOCAL else name


def driver_name(opts: Mapping[str, Any]) -> str:
    """Return the name of the driver for values of plugins."""
    return external_driver(opts) or FILES
