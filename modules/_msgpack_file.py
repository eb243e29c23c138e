"""A dict in a private msgpack file of the cache directory.

A damaged file counts as empty.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import opts
from salt_g.process import disk


def read_mapping(name: str) -> dict[str, Any]:
    """Return the content of the file `name`; {} if it is missing or damaged."""
    # Imported lazily: few plugins need the library.
    import msgpack

    try:
        with open(_path(name), "rb") as file:
            kept = msgpack.unpackb(file.read(), strict_map_key=False)
    except (OSError, ValueError, msgpack.exceptions.UnpackException):
        return {}
    return kept if isinstance(kept, dict) else {}


def write_mapping(name: str, kept: Mapping[str, Any]) -> None:
    """Replace the content of the file `name`; raise TypeError or ValueError for unserializable data."""
    import msgpack

    packed = msgpack.packb(dict(kept))
    disk.make_private_directory(os.path.dirname(_path(name)))
    disk.write_whole(_path(name), packed)


def _path(name: str) -> str:
    return os.path.join(opts["cachedir"], name)
