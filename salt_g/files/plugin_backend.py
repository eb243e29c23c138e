"""Users' file server backends (`_fileserver`), served like built-in ones.

Stock's interface serves files in pieces; here a requested file is copied whole below `cachedir`, and the copy
is used as long as the backend reports the same hash.
Shapes: functions `envs()`, `find_file(path, saltenv)` -> {path, rel, ...} (`path` is '' for a missing file),
`serve_file(load, found)` -> {data, dest}, `file_hash(load, found)` -> {hsum, hash_type}, `file_list(load)`.
Optional: `dir_list(load)`, `symlink_list(load)`, `file_list_emptydirs(load)`, `update()`,
`clear_cache()`, `lock()`, `clear_lock()`, `init()`.
Errors: an exception of a backend is logged; the file is then missing, the listing empty.
Source: stock docs, "File Server Backends".
"""

from __future__ import annotations

import hashlib
import logging
import os
import posixpath
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from salt_g.errors import FileServerError
from salt_g.files.backend import Changed
from salt_g.files.hashes import HashCache
from salt_g.files.roots import FoundFile, Listing, RootsRules
from salt_g.loader.part_plugins import PartPlugins
from salt_g.process.disk import PRIVATE_FILE, make_private_directory, replacing
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

#: Maximum size of a copied file (bytes).
MAX_FILE = 4 << 30


class PluginBackend:
    """Backend from a user's module, by its name in `fileserver_backend`."""

    def __init__(
        self,
        name: str,
        plugins: PartPlugins,
        rules: RootsRules,
        *,
        cache: str,
        interval: float,
        list_age: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self.interval = interval
        self._plugins = plugins
        self._rules = rules
        self._cache = cache
        # Not `Listings`, which builds listings in a native thread: a backend may wait for its server on the
        # hub.
        self._listings: dict[str, tuple[float, Listing]] = {}
        self._list_age = list_age
        self._hashes = HashCache()
        self._clock = clock
        self._call("init")

    @classmethod
    def from_opts(cls, name: str, opts: Opts, rules: RootsRules, list_age: float) -> PluginBackend | None:
        """Return the backend of this name, or None if no plugin provides it."""
        plugins = PartPlugins(opts, "fileserver")
        if not plugins.has(f"{name}.envs"):
            return None
        interval = float(opts.get(f"{name}_update_interval") or 60)
        cache = os.path.join(str(opts["cachedir"]), "fileserver", name)
        return cls(name, plugins, rules, cache=cache, interval=interval, list_age=list_age)

    def envs(self) -> list[str]:
        """Return the environments, sorted."""
        found = self._call("envs")
        return sorted(map(str, found)) if isinstance(found, (list, tuple)) else []

    def find(self, path: str, saltenv: str) -> FoundFile | None:
        """Return a copy of the file, or None if the backend has none."""
        if os.path.isabs(path) or os.pardir in path.split("/") or self._rules.is_ignored(path):
            return None
        path = posixpath.normpath(path)
        found = self._call("find_file", path, saltenv)
        if not isinstance(found, dict) or not found.get("path"):
            return None
        load = {"path": path, "saltenv": saltenv, "loc": 0, "gzip": None}
        copy = self._copied(load, found)
        return FoundFile(copy, path, self.name) if copy else None

    def listing(self, saltenv: str) -> Listing:
        """Return the listing of an environment, empty for an unknown one."""
        made, listing = self._listings.get(saltenv, (float("-inf"), Listing()))
        if self._clock() - made >= self._list_age:
            listing = self._listed(saltenv)
            self._listings[saltenv] = (self._clock(), listing)
        return listing

    def forget_listings(self, saltenv: str | None = None) -> list[str]:
        """Discard cached listings; return the environments whose listings were discarded."""
        known = list(self._listings) if saltenv is None else [saltenv]
        return sorted(env for env in known if self._listings.pop(env, None) is not None)

    def update(self, remotes: Sequence[str] = ()) -> Changed:
        """Let the backend fetch changes; discard listings."""
        self._call("update")
        return Changed(bool(self.forget_listings()))

    def update_when_old(self) -> None:
        """Fetch changes unless another process has done so within the interval."""
        stamp = os.path.join(self._cache, ".updated")
        try:
            if self._clock() - os.stat(stamp).st_mtime < self.interval:
                return
        except FileNotFoundError:
            make_private_directory(self._cache)
        with open(stamp, "wb"):
            os.utime(stamp)
        self.update()

    def clear_cache(self) -> list[str]:
        """Remove the copies, and let the backend remove what it has fetched; return its error lines."""
        self._listings.clear()
        shutil.rmtree(self._cache, ignore_errors=True)
        found = self._call("clear_cache")
        return [str(line) for line in found] if isinstance(found, (list, tuple)) else []

    def lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Block updates; return (success lines, error lines)."""
        return _lines(self._call("lock"))

    def clear_lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Permit updates again; return (success lines, error lines)."""
        return _lines(self._call("clear_lock"))

    def _call(self, function: str, *arguments: Any) -> Any:
        """Call a function of the backend; return its result, or None if the function is missing or fails."""
        name = f"{self.name}.{function}"
        if not self._plugins.has(name):
            return None
        try:
            return self._plugins.call(name, *arguments)
        except Exception:  # a plugin call
            log.exception("file server backend %s: %s failed", self.name, function)
            return None

    def _copied(self, load: dict[str, Any], found: dict[str, Any]) -> str:
        """Return the path of a complete copy, or '' if the backend does not serve the whole file."""
        place = f"{load['saltenv']}\0{load['path']}".encode()
        path = os.path.join(self._cache, hashlib.sha256(place).hexdigest())
        if self._is_current(path, self._call("file_hash", load, found)):
            return path
        make_private_directory(self._cache)
        try:
            with replacing(path, new_mode=PRIVATE_FILE) as file:
                for piece in self._pieces(load, found):
                    file.write(piece)
        except FileServerError as exc:
            log.error("file server backend %s: %s", self.name, exc)
            return ""
        return path

    def _is_current(self, path: str, digest: Any) -> bool:
        """Return whether a copy has the reported hash; without a hash, whether it is recent."""
        try:
            if isinstance(digest, dict) and digest.get("hsum"):
                kind = str(digest.get("hash_type") or "sha256")
                return self._hashes.hash_of(path, kind) == str(digest["hsum"])
            return self._clock() - os.stat(path).st_mtime < self._list_age
        except (OSError, FileServerError):
            return False

    def _pieces(self, load: dict[str, Any], found: dict[str, Any]) -> Iterator[bytes]:
        """Yield the pieces of a file; raise FileServerError for one that is incomplete or too large."""
        size = 0
        while size <= MAX_FILE:
            piece = self._call("serve_file", {**load, "loc": size}, found)
            if not isinstance(piece, dict) or not isinstance(piece.get("data"), (str, bytes, type(None))):
                what = f"{load['path']!r} of {load['saltenv']!r} cannot be served from byte {size} on"
                raise FileServerError(f"{what}: {_served_wrongly(piece)}")
            data = piece.get("data") or b""
            if not data:
                return
            yield data.encode() if isinstance(data, str) else data
            size += len(data)
        raise FileServerError(f"{load['path']!r} of {load['saltenv']!r} has more than {MAX_FILE} bytes")

    def _listed(self, saltenv: str) -> Listing:
        load = {"saltenv": saltenv}
        links = self._call("symlink_list", load)
        return Listing(
            self._names("file_list", load),
            self._names("dir_list", load),
            self._names("file_list_emptydirs", load),
            {str(key): str(value) for key, value in links.items()} if isinstance(links, dict) else {},
        )

    def _names(self, function: str, load: dict[str, Any]) -> tuple[str, ...]:
        found = self._call(function, load)
        if not isinstance(found, (list, tuple, set)):
            return ()
        return tuple(sorted(str(name) for name in found if not self._rules.is_ignored(str(name))))


def _served_wrongly(piece: Any) -> str:
    """Return what is wrong with a result of `serve_file`."""
    if piece is None:
        return "serve_file is missing, has failed or returned None"
    if not isinstance(piece, dict):
        return f"serve_file returned a value of type {type(piece).__name__}, not {{'data': ..., 'dest': ...}}"
    return f"'data' of serve_file is of type {type(piece['data']).__name__}, not bytes or text"


def _lines(found: Any) -> tuple[list[str], list[str]]:
    """Return the (success lines, error lines) in a backend's result; empty for a malformed result."""
    if not (isinstance(found, (list, tuple)) and len(found) == 2):
        return [], []
    done, failed = ([str(line) for line in part or ()] for part in found)
    return done, failed
