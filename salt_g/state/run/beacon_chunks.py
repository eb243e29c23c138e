"""Chunks that run after all others and call `mod_beacon`, to configure beacons for states with `beacon`.

Shapes: `beacon_nodes` takes the nodes that ran and returns their beacon nodes in the same order.
Source: stock docs of the `beacon` argument; tested.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from salt_g.shapes import LowChunk, low_tag
from salt_g.state.compile.node import Node
from salt_g.state.compile.vocabulary import REQUISITES


def beacon_nodes(nodes: Iterable[Node]) -> list[Node]:
    """Return a node for each chunk with a `beacon` argument."""
    return [_beacon_node(node.low) for node in nodes if "beacon" in node.low and not node.is_preview]


def _beacon_node(low: LowChunk) -> Node:
    kept = cast("LowChunk", {key: value for key, value in low.items() if key not in REQUISITES})
    chunk: LowChunk = {**kept, "sfun": low["fun"], "fun": "mod_beacon", "__id__": f"beacon_{low['__id__']}"}
    return Node(chunk, tag=low_tag(chunk))
