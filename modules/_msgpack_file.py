"""Keep a dict in one private msgpack file of the cache directory.

Why its own file: `data` and `mine` both do, and both must take a damaged file for an empty one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import opts
from salt_g.process import disk


def read_kept(name: str) -> dict[str, Any]:
    """Return what the file `name` holds; {} when it is missing or damaged."""
    # Late: the library is needed by the functions of few plugins only.
    import msgpack

    try:
        with open(_path(name), "rb") as file:
            kept = msgpack.unpackb(file.read(), strict_map_key=False)
    except (OSError, ValueError, msgpack.exceptions.UnpackException):
        return {}
    return kept if isinstance(kept, dict) else {}


def write_kept(name: str, kept: Mapping[str, Any]) -> None:
    """Replace what the file `name` holds; raises TypeError or ValueError for what is not plain data."""
    import msgpack

    packed = msgpack.packb(dict(kept))
    disk.make_private_directory(os.path.dirname(_path(name)))
    disk.write_whole(_path(name), packed)


def _path(name: str) -> str:
    return os.path.join(opts["cachedir"], name)
