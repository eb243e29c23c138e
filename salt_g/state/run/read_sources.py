"""Recording of the files, pillar and grains that low chunks name, as part of a run's read-set.

They are recorded here because a skipped chunk, or one in test mode, does not read all of them.
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

#: Pattern of a URL as a quoted value in the text of a chunk.
_URL = re.compile(r"""'(salt://[^'"\\]*)'""")
#: Arguments of `file` states whose values are pillar or grain keys.
_PATHS = {"contents_pillar": "pillar", "dataset_pillar": "pillar", "contents_grains": "grain"}


def note_sources(reads: ReadNotes, chunks: Iterable[LowChunk]) -> None:
    """Record the sources that each chunk names, for its SLS; a directory stands for all files below it."""
    reads.sources(lambda: _note_all(reads, chunks))


def _note_all(reads: ReadNotes, chunks: Iterable[LowChunk]) -> bool:
    """Record the sources that chunks name; return whether some of the chunks run in parallel."""
    runs_in_parallel = False
    templates: set[str] = set()
    for low in chunks:
        values: Mapping[str, Any] = low
        if "parallel" in values:
            runs_in_parallel = runs_in_parallel or bool(values["parallel"])
        if "template" in values:
            templates.add(str(values.get("__sls__") or ""))
        # Most chunks name no source, and searching their text is faster than visiting each value.
        text = repr(values)
        if "salt://" in text:
            for url in _urls(values, text):
                _note(reads, url, values)
        if "_pillar'" in text or "_grains'" in text:
            _note_paths(reads, values)
    if runs_in_parallel:
        # Templates rendered concurrently would record their reads for each other's SLS, so each of these SLS
        # counts as a reader of all pillar and grains.
        for sls in templates:
            reads.name("pillar", sls)
            reads.name("grain", sls)
    return runs_in_parallel


def _urls(low: Mapping[str, Any], text: str) -> Iterable[str]:
    """Return the `salt://` URLs of a chunk; `text` is its `repr`."""
    found = _URL.findall(text)
    if len(found) == text.count("salt://"):
        return found
    # Some URLs are part of a longer text, or contain characters that `repr` escapes.
    values = [value for key, value in low.items() if isinstance(value, str) or key not in ENGINE_KEYS]
    return salt_urls(values)


def _note(reads: ReadNotes, url: str, low: Mapping[str, Any]) -> None:
    parts = (
        salturl.parse(url) if "?" in url or "|" in url else salturl.SaltUrl(url[len("salt://") :].lstrip("/"))
    )
    saltenv = parts.saltenv or str(low.get("__env__") or "base")
    reads.file(parts.path.rstrip("/"), saltenv, owner=str(low.get("__sls__") or ""))


def _note_paths(reads: ReadNotes, low: Mapping[str, Any]) -> None:
    """Record the pillar and grains whose values become contents of files (`contents_pillar`)."""
    sls = str(low.get("__sls__") or "")
    for argument, kind in _PATHS.items():
        paths = low.get(argument)
        delimiter = str(low.get("contents_delimiter") or ":") if argument.startswith("contents") else ":"
        for path in paths if isinstance(paths, list) else [paths] if paths else ():
            reads.name(f"{kind}:{str(path).replace(delimiter, ':')}", sls)
