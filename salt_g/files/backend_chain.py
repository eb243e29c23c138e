"""Chain of backends that acts as a single source of files.

The file client of a masterless machine, a master's file server and the runner `fileserver` use it; the
interface of a single backend is in `backend.py`.
Shapes: `FoundFile` and `Listing` of `roots`. The first backend that has a file serves it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from salt_g.files.backend import Backend, Updating, Verifying
from salt_g.files.roots import FoundFile, Listing, Roots, RootsRules
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

#: Alternative names of backends in settings.
ALIASES = {"git": "gitfs", "minion": "minionfs"}


class Backends:
    """Backends in look-up order; implements `Backend` itself."""

    name = "all"

    def __init__(self, backends: Sequence[Backend]) -> None:
        self.backends = list(backends)

    def envs(self) -> list[str]:
        """Return the environments of all backends, sorted."""
        return sorted({env for backend in self.backends for env in backend.envs()})

    def find(self, path: str, saltenv: str) -> FoundFile | None:
        """Return the file of the first backend that has it."""
        for backend in self.backends:
            found = backend.find(path, saltenv)
            if found is not None:
                return found
        return None

    def listing(self, saltenv: str) -> Listing:
        """Return the merged listing of an environment."""
        if len(self.backends) == 1:
            return self.backends[0].listing(saltenv)
        return _joined([backend.listing(saltenv) for backend in self.backends])

    def forget_listings(self, saltenv: str | None = None) -> list[str]:
        """Discard cached listings; return the environments whose listings were discarded."""
        return sorted({env for backend in self.backends for env in backend.forget_listings(saltenv)})

    def chosen(self, names: Iterable[str] = ()) -> Backends:
        """Return a chain of the named backends, or of all; a name with a leading minus is excluded."""
        wanted = [name.strip() for name in names]
        out = {canonical(name[1:]) for name in wanted if name.startswith("-")}
        only = {canonical(name) for name in wanted if not name.startswith("-")}
        return Backends(
            [
                backend
                for backend in self.backends
                if backend.name not in out and (not only or backend.name in only)
            ]
        )

    def updating(self) -> list[Updating]:
        """Return the backends that need updates."""
        return [backend for backend in self.backends if hasattr(backend, "update")]  # type: ignore[misc]

    def verifying(self) -> list[Verifying]:
        """Return the backends that may have signed trees."""
        return [backend for backend in self.backends if hasattr(backend, "refused")]  # type: ignore[misc]


def canonical(name: str) -> str:
    """Return the canonical name of a backend."""
    return ALIASES.get(name, name)


def from_opts(opts: Opts, rules: RootsRules) -> Backends:
    """Return the backends in `fileserver_backend`; unknown ones are logged and skipped."""
    names = opts.get("fileserver_backend") or ["roots"]
    backends: list[Backend] = []
    for name in dict.fromkeys(canonical(str(name)) for name in names):
        backend = _MAKERS[name](opts, rules) if name in _MAKERS else _of_plugin(name, opts, rules)
        if backend is None:
            known = ", ".join(sorted(_MAKERS))
            log.error("unknown file server backend %r; available: %s, and users' plugins", name, known)
        else:
            backends.append(backend)
    return Backends(backends)


def list_age(opts: Opts) -> float:
    """Return how long a listing is valid, in seconds."""
    age = opts.get("fileserver_list_cache_time")
    return 20.0 if age is None else float(age)


def _roots(opts: Opts, rules: RootsRules) -> Backend:
    return Roots(opts.get("file_roots") or {}, rules, list_age=list_age(opts))


def _git(opts: Opts, rules: RootsRules) -> Backend:
    from salt_g.files.git import GitFs  # Imported lazily: few machines serve repositories.

    return GitFs.from_opts(opts, rules)


def _minionfs(opts: Opts, rules: RootsRules) -> Backend:
    from salt_g.files.minionfs import MinionFs

    return MinionFs.from_opts(opts, rules)


def _of_plugin(name: str, opts: Opts, rules: RootsRules) -> Backend | None:
    from salt_g.files.plugin_backend import PluginBackend

    return PluginBackend.from_opts(name, opts, rules, list_age(opts))


_MAKERS: Mapping[str, Callable[[Opts, RootsRules], Backend]] = {
    "roots": _roots,
    "gitfs": _git,
    "minionfs": _minionfs,
}


def _joined(listings: Sequence[Listing]) -> Listing:
    links: dict[str, Any] = {}
    for listing in reversed(listings):
        links.update(listing.links)

    def names(part: str) -> tuple[str, ...]:
        return tuple(sorted({name for listing in listings for name in getattr(listing, part)}))

    return Listing(names("files"), names("directories"), names("empty_directories"), links)
