"""Replies of a master to file commands, over all backends.

All commands look up the file for a peer's path in the same way, in `_found`.
Shapes: replies as in the wire specification, section 9.2; paths are without `salt://`, may end in
`?saltenv=x`, and are literal after a leading `|`.
Units: bytes. Errors: OSError when a file cannot be read.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from salt_g.files.backend import HasRemotes, Updating
from salt_g.files.backend_chain import Backends
from salt_g.files.hashes import HashCache
from salt_g.files.roots import FoundFile
from salt_g.formats import salturl
from salt_g.process.offload import offload_in_daemon

if TYPE_CHECKING:
    from salt_g.git.verified_refs import RefusedRef

#: Replies for a missing file.
NO_PIECE: Mapping[str, Any] = {"data": "", "dest": ""}
NO_PLACE: Mapping[str, Any] = {"path": "", "rel": ""}
#: Maximum size of a piece that is read on the hub, where that is faster than offloading (bytes).
SMALL_PIECE = 32 * 1024
#: Maximum size of a piece on request, as a multiple of the usual size.
LARGER = 4
#: Valid gzip levels, and zlib's window size that means the format gzip.
_LEVELS = range(1, 10)
_GZIP = zlib.MAX_WBITS | 16

#: Message after clearing the cache of a backend.
_CLEARED = "The {} fileserver cache was successfully cleared"
#: (messages, errors), as lines of text.
Lines = tuple[list[str], list[str]]


class FileServer:
    """File commands (`services.daemons.FileServing`); `piece_size` is the setting `file_buffer_size`."""

    def __init__(self, backends: Backends, *, piece_size: int, hash_type: str = "sha256") -> None:
        self.backends = backends
        self._piece_size = piece_size
        self._hash_type = hash_type
        self._hashes = HashCache()

    # Backends

    def chosen(self, names: Iterable[str] = ()) -> FileServer:
        """Return this server restricted to backends with these names, see `Backends.chosen`."""
        return FileServer(self.backends.chosen(names), piece_size=self._piece_size, hash_type=self._hash_type)

    def names(self) -> list[str]:
        """Return the names of the backends, in order."""
        return [backend.name for backend in self.backends.backends]

    def update(self, remotes: Sequence[str] = ()) -> bool:
        """Update the backends now; return whether anything changed."""
        changed = [backend.update(remotes or _all(backend)).changed for backend in self.backends.updating()]
        self.backends.forget_listings()
        return any(changed)

    def forget_listings(self, saltenv: str | None = None) -> dict[str, list[str]]:
        """Discard cached listings; return {backend: environments whose listings were discarded}."""
        forgotten = {b.name: b.forget_listings(saltenv) for b in self.backends.backends}
        return {name: envs for name, envs in forgotten.items() if envs}

    def clear_cache(self) -> Lines:
        """Remove fetched data; return (messages, errors)."""
        problems = {backend.name: backend.clear_cache() for backend in self.backends.updating()}
        return (
            [_CLEARED.format(name) for name, lines in problems.items() if not lines],
            [line for lines in problems.values() for line in lines],
        )

    def lock(self, remotes: Sequence[str] = ()) -> Lines:
        """Block updates; return (messages, errors)."""
        return _gathered(backend.lock(remotes) for backend in self.backends.updating())

    def clear_lock(self, remotes: Sequence[str] = ()) -> Lines:
        """Permit updates again; return (messages, errors)."""
        return _gathered(backend.clear_lock(remotes) for backend in self.backends.updating())

    def refused(self) -> list[RefusedRef]:
        """Return the branches and tags not served as fetched, because their signatures were refused."""
        return [refused for backend in self.backends.verifying() for refused in backend.refused()]

    def release(self, remote: str, name: str) -> bool:
        """Allow `branch/<name>` or `tag/<name>` one rollback; return False if no commit of it is served."""
        released = [backend.release(remote, name) for backend in self.backends.verifying()]
        return any(released)

    # Environments and listings

    def envs(self) -> list[str]:
        """Return the file environments, sorted."""
        return self.backends.envs()

    def files(self, saltenv: str, prefix: str = "") -> list[str]:
        """Return the paths of all files of an environment."""
        return _with_prefix(self.backends.listing(saltenv).files, prefix)

    def directories(self, saltenv: str, prefix: str = "") -> list[str]:
        """Return the paths of all directories of an environment."""
        return _with_prefix(self.backends.listing(saltenv).directories, prefix)

    def empty_directories(self, saltenv: str, prefix: str = "") -> list[str]:
        """Return the empty directories of an environment."""
        return _with_prefix(self.backends.listing(saltenv).empty_directories, prefix)

    def links(self, saltenv: str, prefix: str = "") -> dict[str, str]:
        """Return {path: link target} of an environment."""
        links = self.backends.listing(saltenv).links
        return {path: links[path] for path in _with_prefix(sorted(links), prefix)}

    # One file

    def place(self, path: str, saltenv: str) -> Mapping[str, Any]:
        """Return the location of a file: {path, rel, stat, back}."""
        found = self._found(path, saltenv)
        if found is None:
            return NO_PLACE
        return {"path": found.path, "rel": found.relative, "stat": _status(found), "back": found.backend}

    def digest(self, path: str, saltenv: str) -> dict[str, str] | str:
        """Return {hash_type, hsum} of a file, or '' when it does not exist."""
        found = self._found(path, saltenv)
        return self._digest(found) if found else ""

    def digest_and_status(self, path: str, saltenv: str) -> list[Any]:
        """Return [{hash_type, hsum}, status list], or ['', None] when the file does not exist."""
        found = self._found(path, saltenv)
        return [self._digest(found), _status(found)] if found else ["", None]

    def piece(
        self, path: str, saltenv: str, loc: int, gzip: int | None = None, most: int | None = None
    ) -> Mapping[str, Any]:
        """Return {data, dest} and optionally `gzip`, with the bytes from `loc` on (none at the end).

        `most` is the longest piece that the peer accepts; a value below the usual piece size is ignored.
        """
        found = self._found(path, saltenv)
        if found is None or loc < 0:
            return NO_PIECE
        size = max(self._piece_size, min(most or 0, LARGER * self._piece_size))
        data = self._read(found.path, loc, size)
        reply: dict[str, Any] = {"data": data, "dest": found.relative}
        if data and gzip in _LEVELS:
            reply.update(data=offload_in_daemon(_packed, data, gzip), gzip=gzip)
        return reply

    def small_file(self, path: str, saltenv: str) -> bytes | None:
        """Return the content of a file, or None if it is missing or longer than `SMALL_PIECE` bytes."""
        found = self._found(path, saltenv)
        if found is None or os.stat(found.path).st_size > SMALL_PIECE:
            return None
        data = _read_piece(found.path, 0, SMALL_PIECE + 1)
        return data if len(data) <= SMALL_PIECE else None

    def _found(self, path: str, saltenv: str) -> FoundFile | None:
        parts = salturl.parse(path)
        return self.backends.find(parts.path, parts.saltenv or saltenv)

    def _digest(self, found: FoundFile) -> dict[str, str]:
        return {"hash_type": self._hash_type, "hsum": self._hashes.hash_of(found.path, self._hash_type)}

    def _read(self, path: str, loc: int, size: int) -> bytes:
        left = os.stat(path).st_size - loc
        if left <= SMALL_PIECE:
            return _read_piece(path, loc, size) if left > 0 else b""
        return offload_in_daemon(_read_piece, path, loc, size)


def _gathered(outcomes: Iterable[Lines]) -> Lines:
    done: list[str] = []
    failed: list[str] = []
    for lines, problems in outcomes:
        done += lines
        failed += problems
    return done, failed


def _read_piece(path: str, loc: int, size: int) -> bytes:
    with open(path, "rb", buffering=0) as file:
        file.seek(loc)
        return file.read(size)


def _packed(data: bytes, level: int) -> bytes:
    # Not the module gzip, which would be imported in this native thread.
    packer = zlib.compressobj(level, zlib.DEFLATED, _GZIP)
    return packer.compress(data) + packer.flush()


def _status(found: FoundFile) -> list[int]:
    """Return the `stat` fields of a file, or only the mode of a file in a repository."""
    return [int(number) for number in os.stat(found.path)] if found.mode is None else [found.mode]


def _all(backend: Updating) -> Sequence[str]:
    """Return all remotes, so that remotes which are not yet due are fetched too."""
    return backend.urls() if isinstance(backend, HasRemotes) else ()


def _with_prefix(paths: Any, prefix: str) -> list[str]:
    prefix = prefix.strip("/")
    return [path for path in paths if path.startswith(prefix)] if prefix else list(paths)
