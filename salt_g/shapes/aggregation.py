"""Mark of low chunks whose work the call of another chunk does.

A state module's `mod_aggregate` may put the arguments of several chunks into one, and marks the others, which
the engine then does not call. The mark is a key of the chunk because users' modules, written for stock, set
and read it there; our own code calls these functions.
"""

from collections.abc import Mapping
from typing import Any, cast

from salt_g.shapes import AnyChunk, LowChunk

_AGGREGATED = "__agg__"


def is_aggregated(chunk: Mapping[str, Any]) -> bool:
    """Return whether the call of another chunk does this one's work."""
    return bool(chunk.get(_AGGREGATED))


def mark_aggregated(chunk: LowChunk | AnyChunk) -> None:
    """Mark a chunk whose work the call of another chunk does."""
    cast("AnyChunk", chunk)[_AGGREGATED] = True
