"""The `msgpack` renderer: packed bytes to data, for backends that generate SLS files."""

from __future__ import annotations

from typing import Any

from salt_g.render.request import RenderRequest


def render(packed: Any, request: RenderRequest) -> Any:
    """Unpack bytes (or the UTF-8 bytes of text); return {} for empty input."""
    import msgpack

    data = packed.encode("utf-8", "surrogateescape") if isinstance(packed, str) else packed
    if data.startswith(b"#!"):
        data = data.partition(b"\n")[2]
    return msgpack.unpackb(data, raw=False, strict_map_key=False) if data.strip() else {}
