"""Pre-packed values of a reply.

Replies assembled from the data of many minions are packed piece by piece in native threads; the final
reply embeds the pieces unchanged.
Shapes: network form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgpack

from salt_g.wire.packing import pack


class Packed(NamedTuple):
    """One value in network form."""

    data: bytes


def packed_map(values: Mapping[str, bytes]) -> Packed:
    """Return the packed map of packed values."""
    header: bytes = msgpack.Packer().pack_map_header(len(values))
    return Packed(b"".join([header, *(part for key, value in values.items() for part in (pack(key), value))]))
