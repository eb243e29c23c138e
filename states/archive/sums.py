"""Stored hashes of unpacked archives, for `source_hash_update`.

Shapes: {"hsum": hex digest, "hash_type": name}; a line `type:digest` in a file below `cachedir`/archive_hash.
Source: location and format of stock's file.
"""

from __future__ import annotations

import hashlib
import os

from salt_g.api import opts
from salt_g.process import disk

#: Bytes per read.
PIECE = 1 << 20


def remembered(path: str) -> dict[str, str] | None:
    """Return the stored hash of an archive, or None if there is none."""
    digest = _read(_file_of(path)).get(_hash_type())
    return {"hash_type": _hash_type(), "hsum": digest} if digest else None


def current(path: str) -> dict[str, str]:
    """Return the hash of an archive as it is now."""
    return {"hash_type": _hash_type(), "hsum": _digest(path)}


def remember(path: str, digest: dict[str, str]) -> None:
    """Store the hash of an archive."""
    file = _file_of(path)
    disk.make_private_directory(os.path.dirname(file))
    sums = {**_read(file), digest["hash_type"]: digest["hsum"]}
    disk.write_whole(file, "".join(f"{kind}:{digest}\n" for kind, digest in sums.items()))


def _hash_type() -> str:
    return opts.get("hash_type") or "sha256"


def _digest(path: str) -> str:
    digest = hashlib.new(_hash_type())
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _file_of(path: str) -> str:
    cachedir = opts["cachedir"]
    relative = os.path.relpath(path, cachedir)
    if relative.startswith("../"):
        relative = os.path.join("local", path.lstrip("/"))
    return os.path.join(cachedir, "archive_hash", f"{relative}.hash")


def _read(file: str) -> dict[str, str]:
    try:
        with open(file, encoding="utf-8") as lines:
            return dict(line.strip().split(":", 1) for line in lines if ":" in line)
    except OSError:
        return {}
