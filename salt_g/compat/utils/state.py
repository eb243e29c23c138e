"""Stock's `salt.utils.state`: the tag of a state call."""

from __future__ import annotations

from salt_g.shapes import LowChunk, low_tag


def gen_tag(low: LowChunk) -> str:
    """Return the key of a chunk in the running dict: `state_|-id_|-name_|-fun`."""
    return low_tag(low)
