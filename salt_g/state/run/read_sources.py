"""Files that low chunks name, for the record of what a run reads.

A chunk that does not run (its requisite failed) and a run in test mode do not open all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.formats import salturl
from salt_g.shapes import LowChunk
from salt_g.state.compile.vocabulary import ENGINE_KEYS
from salt_g.state.run.low_digests import salt_urls

if TYPE_CHECKING:
    from salt_g.services.read_notes import ReadNotes


def note_sources(reads: ReadNotes, chunks: Iterable[LowChunk]) -> None:
    """Note the `salt://` URLs of chunks, each for the chunk's SLS; a directory counts with all below it."""
    reads.sources(lambda: _note_all(reads, chunks))


def _note_all(reads: ReadNotes, chunks: Iterable[LowChunk]) -> bool:
    """Note the URLs; return whether some of the states run at the same time."""
    runs_in_parallel = False
    templates: set[str] = set()
    for low in chunks:
        values: Mapping[str, Any] = low
        if "parallel" in values:
            runs_in_parallel = runs_in_parallel or bool(values["parallel"])
        if "template" in values:
            templates.add(str(values.get("__sls__") or ""))
        if "salt://" not in repr(values):
            # Most chunks have none: a look at their text is faster than at each value.
            continue
        for key, value in values.items():
            kind = type(value)
            if kind is str:
                if value.startswith("salt://"):
                    _note(reads, value, values)
            elif (kind is list or kind is dict) and key not in ENGINE_KEYS and "salt://" in repr(value):
                for url in salt_urls(value):
                    _note(reads, url, values)
    if runs_in_parallel:
        # Templates that are rendered at the same time would note for each other.
        for sls in templates:
            reads.name("pillar", sls)
            reads.name("grain", sls)
    return runs_in_parallel


def _note(reads: ReadNotes, url: str, low: Mapping[str, Any]) -> None:
    parts = (
        salturl.parse(url) if "?" in url or "|" in url else salturl.SaltUrl(url[len("salt://") :].lstrip("/"))
    )
    saltenv = parts.saltenv or str(low.get("__env__") or "base")
    reads.file(parts.path.rstrip("/"), saltenv, owner=str(low.get("__sls__") or ""))
