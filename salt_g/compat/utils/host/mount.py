"""Stock's `salt.utils.mount`: a cache file with data about mounts."""

import os
from collections.abc import Mapping
from typing import Any

from salt_g.compat.utils.values import yaml
from salt_g.process.disk import write_whole


def get_cache(opts: Mapping[str, Any]) -> str:
    """Return the path of the cache file."""
    return os.path.join(str(opts["cachedir"]), "mounts")


def read_cache(opts: Mapping[str, Any]) -> Any:
    """Return the cached data, or {} if there is no cache file."""
    try:
        with open(get_cache(opts), encoding="utf-8") as file:
            return yaml.safe_load(file.read())
    except OSError:
        return {}


def write_cache(cache: Any, opts: Mapping[str, Any]) -> bool:
    """Write the data to the cache file; return whether that succeeded."""
    try:
        write_whole(get_cache(opts), str(yaml.safe_dump(cache)))
    except OSError:
        return False
    return True


__all__ = ["get_cache", "read_cache", "write_cache"]
