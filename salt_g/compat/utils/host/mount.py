"""Stock's `salt.utils.mount`: data about mounts that lasts longer than a call."""

import os
from collections.abc import Mapping
from typing import Any

from salt_g.compat.utils.values import yaml
from salt_g.process.disk import write_whole


def get_cache(opts: Mapping[str, Any]) -> str:
    """Return the path of the file."""
    return os.path.join(str(opts["cachedir"]), "mounts")


def read_cache(opts: Mapping[str, Any]) -> Any:
    """Return the data; {} if there is none."""
    try:
        with open(get_cache(opts), encoding="utf-8") as file:
            return yaml.safe_load(file.read())
    except OSError:
        return {}


def write_cache(cache: Any, opts: Mapping[str, Any]) -> bool:
    """Keep the data; return whether it could be written."""
    try:
        write_whole(get_cache(opts), str(yaml.safe_dump(cache)))
    except OSError:
        return False
    return True


__all__ = ["get_cache", "read_cache", "write_cache"]
