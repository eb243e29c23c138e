"""File roots: look-up and listing in layers of directories (`file_roots`, `pillar_roots`).

The local client, the pillar compiler and a master's file server all look up files by (path, saltenv); this is
the one place that decides whether a path is beneath a root or escapes it.
Shapes: layers are {saltenv: [directory, ...]}, and the first directory that has a file serves it; the
environment `__env__` applies to every environment without its own layers.
"""

from __future__ import annotations

import collections
import fnmatch
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.process.offload import offload_in_daemon
from salt_g.safe_files import real_path

#: Name of the fallback environment, and placeholder in names of directories.
ANY_ENV = "__env__"
#: Maximum number of links into one directory that a listing follows, so that mutual links end.
_MAX_LINKS = 200


class FoundFile(NamedTuple):
    """File found by a backend: the path of its content, its path for the client, the backend's name.

    `mode` is set if the mode of `path` is not the file's own (for a copy from a repository).
    """

    path: str
    relative: str
    backend: str = "roots"
    mode: int | None = None


class Listing(NamedTuple):
    """Content of an environment; paths are relative, sorted, with forward slashes."""

    files: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    empty_directories: tuple[str, ...] = ()
    links: Mapping[str, str] = {}


class RootsRules(NamedTuple):
    """Rules for serving files of a root.

    `follow_links`: links are followed, also out of a root. `ignore_links`: links are not listed.
    `ignore_regex` and `ignore_glob`: ignored names. `stay_inside`: the target of a link must be beneath its
    root, except in `open_roots`.
    """

    follow_links: bool = True
    ignore_links: bool = False
    ignore_regex: tuple[str, ...] = ()
    ignore_glob: tuple[str, ...] = ()
    stay_inside: bool = False
    open_roots: tuple[str, ...] = ()

    @classmethod
    def from_opts(cls, opts: Mapping[str, Any]) -> RootsRules:
        """Return the rules in the settings `fileserver_*` and `file_ignore_*`."""
        return cls(
            follow_links=bool(opts.get("fileserver_followsymlinks", True)),
            ignore_links=bool(opts.get("fileserver_ignoresymlinks", False)),
            ignore_regex=_texts(opts.get("file_ignore_regex")),
            ignore_glob=_texts(opts.get("file_ignore_glob")),
        )

    @classmethod
    def of_master(cls, opts: Mapping[str, Any]) -> RootsRules:
        """Return the rules for files requested by other machines."""
        open_roots = tuple(os.path.abspath(root) for root in _texts(opts.get("fileserver_open_roots")))
        return cls.from_opts(opts)._replace(stay_inside=True, open_roots=open_roots)

    def may_leave(self, root: str) -> bool:
        """Return whether links of a root may lead out of it."""
        if not self.follow_links:
            return False
        return not self.stay_inside or os.path.abspath(root) in self.open_roots

    def is_ignored(self, name: str) -> bool:
        """Return whether a file with this name is ignored."""
        if any(re.search(regex, name) for regex in self.ignore_regex):
            return True
        return any(fnmatch.fnmatchcase(name, glob) for glob in self.ignore_glob)


class Roots:
    """Layers of directories by environment.

    `list_age` is the lifetime of a listing in seconds (`fileserver_list_cache_time`).
    """

    name = "roots"

    def __init__(
        self, layers: Mapping[str, Sequence[str]], rules: RootsRules | None = None, *, list_age: float = 20
    ) -> None:
        self._layers = layers
        self._rules = rules or RootsRules()
        self._listings = Listings(self.scan, list_age)

    def envs(self) -> list[str]:
        """Return the configured environments, sorted."""
        return sorted(self._layers)

    def directories(self, saltenv: str) -> list[str]:
        """Return the layers of an environment; [] when it does not exist."""
        if saltenv in self._layers:
            return list(self._layers[saltenv] or ())
        if not is_env_name(saltenv):
            return []
        return [layer.replace(ANY_ENV, saltenv) for layer in self._layers.get(ANY_ENV) or ()]

    def find(self, path: str, saltenv: str) -> FoundFile | None:
        """Return the file at `path` of the first layer that may serve it, or None when there is none."""
        relative = os.path.normpath(path)
        # As in stock, no path with `..` is served, even if it stays within the root.
        if os.path.isabs(relative) or os.pardir in path.split(os.sep) or "\0" in relative:
            return None
        for root in self.directories(saltenv):
            full = os.path.join(root, relative)
            if os.path.isfile(full) and self._may_serve(root, full):
                return FoundFile(full, relative)
        return None

    def listing(self, saltenv: str) -> Listing:
        """Return the listing of an environment, at most `list_age` seconds old."""
        # Unknown environments are not cached, because peers can request arbitrarily many.
        there = any(os.path.isdir(directory) for directory in self.directories(saltenv))
        return self._listings.get(saltenv) if there else Listing()

    def forget_listings(self, saltenv: str | None = None) -> list[str]:
        """Discard cached listings; return the environments whose listings were discarded."""
        return self._listings.forget(saltenv)

    def _may_serve(self, root: str, full: str) -> bool:
        if self._rules.is_ignored(full):
            return False
        return self._rules.may_leave(root) or is_beneath(root, full)

    def scan(self, saltenv: str) -> Listing:
        """Scan an environment and return its content; safe for native threads."""
        scan = _Scan(self._rules)
        for root in self.directories(saltenv):
            scan.add(root)
        return scan.listing()


def is_env_name(name: str) -> bool:
    """Return whether a name is a valid directory name, which environments need."""
    return bool(name) and name not in (os.curdir, os.pardir) and not set(name) & {os.sep, "\0"}


def is_beneath(root: str, path: str) -> bool:
    """Return whether `path`, with links resolved, lies beneath `root`."""
    real_root = real_path(root)
    return real_path(path).startswith(real_root.rstrip(os.sep) + os.sep)


class Listings:
    """Cache of listings, each valid for `age` seconds.

    A daemon scans in a native thread; concurrent requests for an environment wait for the same scan.
    """

    def __init__(self, make: Callable[[str], Listing], age: float) -> None:
        self._make = make
        self._age = age
        self._made: dict[str, tuple[float, Listing]] = {}
        self._making = threading.Lock()

    def get(self, saltenv: str) -> Listing:
        """Return the listing of an environment."""
        return self._fresh(saltenv) or self._made_now(saltenv)

    def forget(self, saltenv: str | None = None) -> list[str]:
        """Discard one listing or all; return the environments whose listings were discarded."""
        known = list(self._made) if saltenv is None else [saltenv]
        return sorted(env for env in known if self._made.pop(env, None) is not None)

    def _fresh(self, saltenv: str) -> Listing | None:
        begun, listing = self._made.get(saltenv, (float("-inf"), Listing()))
        return listing if time.monotonic() - begun < self._age else None

    def _made_now(self, saltenv: str) -> Listing:
        with self._making:
            listing = self._fresh(saltenv)
            if listing is None:
                begun = time.monotonic()
                listing = offload_in_daemon(self._make, saltenv)
                self._made[saltenv] = (begun, listing)
        return listing


class _Scan:
    """Collector of the names in several roots."""

    def __init__(self, rules: RootsRules) -> None:
        self._rules = rules
        self._files: set[str] = set()
        self._directories: set[str] = set()
        self._empty: set[str] = set()
        self._links: dict[str, str] = {}

    def listing(self) -> Listing:
        return Listing(
            tuple(sorted(self._files)),
            tuple(sorted(self._directories)),
            tuple(sorted(self._empty)),
            self._links,
        )

    def add(self, root: str) -> None:
        for parent, directories, files in _walk(root, self._rules.follow_links):
            if self._rules.follow_links and not self._rules.may_leave(root):
                _drop_leaving(root, parent, directories)
                _drop_leaving(root, parent, files)
            prefix = "" if parent == root else os.path.relpath(parent, root) + os.sep
            self._directories.update(self._served(root, prefix, directories))
            self._files.update(self._served(root, prefix, files))
            if prefix and not directories and not files and prefix[:-1] in self._directories:
                self._empty.add(prefix[:-1])

    def _served(self, root: str, prefix: str, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            relative = prefix + name
            full = os.path.join(root, relative)
            is_link = os.path.islink(full)
            if (is_link and self._rules.ignore_links) or self._rules.is_ignored(relative):
                continue
            if is_link:
                self._add_link(root, relative, full)
            yield relative

    def _add_link(self, root: str, relative: str, full: str) -> None:
        # A link that leaves the root is followed here, so clients must not see it as a link.
        if not self._rules.follow_links or is_beneath(root, full):
            self._links[relative] = os.readlink(full)


def _walk(root: str, follow_links: bool) -> Iterator[tuple[str, list[str], list[str]]]:
    """Walk a tree in sorted order; enter no link that leads back to a directory above it."""
    entered: collections.Counter[str] = collections.Counter()
    for parent, directories, files in os.walk(root, followlinks=follow_links):
        if follow_links:
            directories[:] = [
                name for name in directories if _may_enter(root, os.path.join(parent, name), entered)
            ]
        directories.sort()
        yield parent, directories, files


def _drop_leaving(root: str, parent: str, names: list[str]) -> None:
    """Remove from `names` the links that lead out of the root, so that they are not walked either."""
    names[:] = [
        name
        for name in names
        if not os.path.islink(path := os.path.join(parent, name)) or is_beneath(root, path)
    ]


def _texts(value: Any) -> tuple[str, ...]:
    """Return a setting that is a text or a list of texts as a tuple."""
    return (value,) if isinstance(value, str) else tuple(value or ())


def _may_enter(root: str, path: str, entered: collections.Counter[str]) -> bool:
    """Return whether to enter a directory, avoiding links that form loops or share a target too often."""
    if not os.path.islink(path):
        return True
    real = os.path.realpath(path)
    entered[real] += 1
    return entered[real] <= _MAX_LINKS and not _leads_back(root, path, real)


def _leads_back(root: str, path: str, real: str) -> bool:
    """Return whether `real` is, or is above, one of the directories on the way from `root` to `path`."""
    above = path
    while above != root:
        above = os.path.dirname(above)
        if f"{os.path.realpath(above)}{os.sep}".startswith(real + os.sep):
            return True
    return False
