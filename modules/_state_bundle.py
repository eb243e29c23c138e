"""Bundles for `state.pkg`: chunks, pillar, and the files of `salt://` that the chunks name.

Shapes: a gzipped tar with `lowstate.json`, `pillar.json` and a folder of files for each saltenv.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.api import call
from salt_g.formats import salturl

#: Digest of bundles.
HASH_TYPE = "sha256"


def pack(path: str, chunks: list[dict[str, Any]], pillar: Mapping[str, Any]) -> str:
    """Write a bundle; return its digest."""
    with tarfile.open(path, "w:gz") as archive:
        _add_text(archive, "lowstate.json", json.dumps(chunks, default=str))
        _add_text(archive, "pillar.json", json.dumps(pillar, default=dict))
        for saltenv, name in sorted(_references(chunks)):
            _add_files(archive, saltenv, name)
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _references(chunks: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """Return (saltenv, path) of all texts in the chunks that name a file of the file server."""
    found = set()
    for chunk in chunks:
        for text in _texts(chunk):
            if salturl.is_salt_url(text):
                url = salturl.parse(text)
                found.add((url.saltenv or str(chunk.get("__env__") or "base"), url.path))
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner)


def _add_files(archive: tarfile.TarFile, saltenv: str, name: str) -> None:
    """Add a file, or all files of a directory; the state that needs a missing file reports it."""
    for path in call("cp.list_master", saltenv):
        if path == name or path.startswith(name.rstrip("/") + "/"):
            cached = call("cp.cache_file", salturl.create(path), saltenv)
            archive.add(cached, arcname=os.path.join(saltenv, path))


def _add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    data = text.encode()
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))
