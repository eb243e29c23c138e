"""Values of a reply that are packed already.

Why its own file: who answers with what many have sent packs it piece by piece, in native threads; the reply
takes it as it is.
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
    """Return a map of packed values, packed."""
    header: bytes = msgpack.Packer().pack_map_header(len(values))
    return Packed(b"".join([header, *(part for key, value in values.items() for part in (pack(key), value))]))
