"""Files that low chunks name, for the record of what a run reads.

A chunk that does not run (its requisite failed) and a run in test mode do not open all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.formats import salturl
from salt_g.shapes import LowChunk
from salt_g.state.compile.vocabulary import ENGINE_KEYS
from salt_g.state.run.low_digests import salt_urls

if TYPE_CHECKING:
    from salt_g.services.read_notes import ReadNotes

#: Value in the text of a chunk.
_URL = re.compile(r"""'(salt://[^'"\\]*)'""")


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
        for url in _urls(values):
            _note(reads, url, values)
    if runs_in_parallel:
        # Templates that are rendered at the same time would note for each other.
        for sls in templates:
            reads.name("pillar", sls)
            reads.name("grain", sls)
    return runs_in_parallel


def _urls(low: Mapping[str, Any]) -> Iterable[str]:
    """Return the URLs of a chunk; a look at its text is faster than at each value."""
    text = repr(low)
    if "salt://" not in text:
        return ()
    found = _URL.findall(text)
    if len(found) == text.count("salt://"):
        return found
    # Some are inside of a text, or have characters that are written in another way.
    values = [value for key, value in low.items() if isinstance(value, str) or key not in ENGINE_KEYS]
    return salt_urls(values)


def _note(reads: ReadNotes, url: str, low: Mapping[str, Any]) -> None:
    parts = (
        salturl.parse(url) if "?" in url or "|" in url else salturl.SaltUrl(url[len("salt://") :].lstrip("/"))
    )
    saltenv = parts.saltenv or str(low.get("__env__") or "base")
    reads.file(parts.path.rstrip("/"), saltenv, owner=str(low.get("__sls__") or ""))
