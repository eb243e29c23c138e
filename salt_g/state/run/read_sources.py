"""Files that low chunks name, for the record of what a run reads.

A chunk that does not run (its requisite failed) and a run in test mode do not open all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from salt_g.formats import salturl
from salt_g.shapes import LowChunk
from salt_g.state.run.low_digests import salt_urls

if TYPE_CHECKING:
    from salt_g.services.read_notes import ReadNotes


def note_sources(reads: ReadNotes, chunks: Iterable[LowChunk]) -> None:
    """Note the `salt://` URLs of chunks, each for the chunk's SLS; a directory counts with all below it."""
    for low in chunks:
        values: dict[str, Any] = dict(low)
        owner, saltenv = str(values.get("__sls__") or ""), str(values.get("__env__") or "base")
        for url in salt_urls(values):
            parts = salturl.parse(url)
            reads.file(parts.path.rstrip("/"), parts.saltenv or saltenv, owner=owner)
