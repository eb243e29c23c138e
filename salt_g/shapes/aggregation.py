"""Marker of low chunks that were aggregated into another chunk.

A state module's `mod_aggregate` may put the arguments of several chunks into one, and marks the others, which
the engine then does not call. The marker is a key of the chunk because users' modules, written for stock, set
and read it there; our own code calls these functions.
"""

from collections.abc import Mapping
from typing import Any, cast

from salt_g.shapes import AnyChunk, LowChunk

_AGGREGATED = "__agg__"


def is_aggregated(chunk: Mapping[str, Any]) -> bool:
    """Return whether a chunk was aggregated into another one."""
    return bool(chunk.get(_AGGREGATED))


def mark_aggregated(chunk: LowChunk | AnyChunk) -> None:
    """Mark a chunk as aggregated into another one."""
    cast("AnyChunk", chunk)[_AGGREGATED] = True
