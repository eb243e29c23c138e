"""File hashes with a cache.

A thousand states may request the hash of one source, which is not read again while `stat` shows no change.
Errors: OSError when the file cannot be read; FileServerError for an unknown algorithm.
"""

from __future__ import annotations

import os
import threading

from salt_g.data.bounded_cache import remember
from salt_g.errors import FileServerError
from salt_g.process.offload import LARGE, offload_large

#: Number of bytes per read.
CHUNK = 1 << 18
#: Maximum number of cached hashes.
REMEMBERED = 50_000

#: Attributes that must be unchanged for a cached hash to be valid.
_Identity = tuple[int, int, int, int]


def hash_of(path: str, hash_type: str = "sha256") -> str:
    """Return the hex digest of a file's content, read with bounded memory."""
    import hashlib  # Imported lazily: 3 ms, and most files are never hashed.

    try:
        digest = hashlib.new(hash_type)
    except ValueError as exc:
        raise FileServerError(f"hash algorithm {hash_type!r} is not available") from exc
    with open(path, "rb", buffering=0) as file:
        # One buffer is reused, because the kernel clears the pages of each new one.
        buffer = memoryview(bytearray(min(os.fstat(file.fileno()).st_size + 1, CHUNK)))
        while length := file.readinto(buffer):
            digest.update(buffer[:length])
    return digest.hexdigest()


class HashCache:
    """Cache of file hashes, each valid while the file is unchanged."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[_Identity, str]] = {}
        # Held so that concurrent requests read a large file once; requests for other large files wait, too.
        self._reading = threading.Lock()

    def hash_of(self, path: str, hash_type: str) -> str:
        """Return the hex digest of a file, from the cache when `stat` shows no change."""
        identity = _identity(path)
        known = self._remembered(path, hash_type, identity)
        if known:
            return known
        if identity[1] < LARGE:
            return self._read(path, hash_type, identity)
        with self._reading:
            return self._remembered(path, hash_type, identity) or self._read(path, hash_type, identity)

    def _remembered(self, path: str, hash_type: str, identity: _Identity) -> str:
        known = self._known.get((path, hash_type))
        return known[1] if known is not None and known[0] == identity else ""

    def _read(self, path: str, hash_type: str, identity: _Identity) -> str:
        digest = offload_large(identity[1], hash_of, path, hash_type)
        remember(self._known, (path, hash_type), (identity, digest), REMEMBERED)
        return digest


def _identity(path: str) -> _Identity:
    status = os.stat(path)
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
