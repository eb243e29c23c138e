"""Git file server backend: branches, tags and commits are environments.

This file maps a minion's request (path, environment) to a reference and a path in a repository; settings are
parsed in `git_remotes.py`, git is run in `git/repository.py`. Links are followed within the served folder,
never out of it.
Source: stock docs "Git Fileserver Backend Walkthrough".
"""

from __future__ import annotations

import logging
import os
import posixpath
import stat
import time
from collections.abc import Callable, Iterator, Sequence

from salt_g.errors import FileServerError
from salt_g.files.backend import Changed
from salt_g.files.git_remotes import Remote, read_remotes
from salt_g.files.roots import FoundFile, Listing, RootsRules
from salt_g.git.repository import Repository, Tree, TreeEntry, is_commit_name
from salt_g.git.verified_refs import RefusedRef
from salt_g.process.offload import yield_to_hub
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

#: Maximum length of a chain of links.
MAX_LINKS = 40
#: Number of tree entries between two yields to the hub (about 2 ms).
STRIDE = 1000
#: Maximum number of cached listings, by environment and commits.
REMEMBERED_LISTINGS = 100


class Served(Repository):
    """A repository with its mapping of branches and folders."""

    def __init__(self, remote: Remote, top: str) -> None:
        super().__init__(remote.source, top)
        self.remote = remote

    def is_wanted(self, name: str) -> bool:
        """Return whether a branch or tag may be served."""
        kind, _, ref = name.partition("/")
        return kind in self.remote.ref_types and self.remote.uses(ref)


class GitFs:
    """The backend `gitfs`."""

    name = "gitfs"

    def __init__(
        self,
        remotes: Sequence[Remote],
        top: str,
        rules: RootsRules,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        #: Repositories in search order.
        self.repositories = [Served(remote, top) for remote in remotes]
        self._rules = rules
        self._clock = clock
        self._updated: dict[str, float] = {}
        self._listings: dict[tuple[str, ...], Listing] = {}
        self._envs: list[str] | None = None
        self.interval = min((remote.interval for remote in remotes), default=60.0)

    @classmethod
    def from_opts(cls, opts: Opts, rules: RootsRules) -> GitFs:
        """Return the backend configured by the settings; raises ConfigError."""
        return cls(read_remotes(opts), os.path.join(str(opts["cachedir"]), "gitfs"), rules)

    # Queries

    def envs(self) -> list[str]:
        """Return the environments of all branches and tags, sorted."""
        if self._envs is None:
            self._envs = self._read_envs()
        return list(self._envs)

    def find(self, path: str, saltenv: str) -> FoundFile | None:
        """Return the file of the first repository that has it, extracted into the cache."""
        if os.path.isabs(path) or os.pardir in path.split("/") or self._rules.is_ignored(path):
            return None
        for repository in self.repositories:
            found = self._find_in(repository, posixpath.normpath(path), saltenv)
            if found is not None:
                return found
        return None

    def listing(self, saltenv: str) -> Listing:
        """Return the listing of an environment."""
        serving = [(repository, self._commit(repository, saltenv)) for repository in self.repositories]
        key = (saltenv, *(commit for _, commit in serving))
        listing = self._listings.get(key)
        if listing is None and any(commit for _, commit in serving):
            collected = _Collected(self._rules)
            for repository, commit in serving:
                if commit:
                    collected.add(repository, repository.tree(commit), saltenv)
            # Commits never change, so a listing stays valid for its commits.
            if len(self._listings) >= REMEMBERED_LISTINGS:
                self._listings.clear()
            listing = self._listings[key] = collected.listing()
        return listing or Listing()

    def forget_listings(self, saltenv: str | None = None) -> list[str]:
        """Discard cached listings; return the environments whose listings were discarded."""
        keys = [key for key in self._listings if saltenv in (None, key[0])]
        for key in keys:
            del self._listings[key]
        return sorted({key[0] for key in keys})

    # Updates

    def update(self, remotes: Sequence[str] = ()) -> Changed:
        """Fetch changes of some remotes or of those that are due; failures are logged."""
        changed = False
        for repository in self._chosen(remotes):
            if remotes or self._is_due(repository):
                changed |= self._update_one(repository)
        if changed:
            self._forget()
        return Changed(changed, refused=tuple(self.refused()))

    def refused(self) -> list[RefusedRef]:
        """Return the branches and tags that signed trees do not allow to advance."""
        return [refused for repository in self.repositories for refused in repository.refused()]

    def urls(self) -> list[str]:
        """Return the URLs of all remotes."""
        return [repository.source.url for repository in self.repositories]

    def update_when_old(self) -> None:
        """Fetch changes unless another process has done so within the interval; for short-lived programs."""
        for repository in self.repositories:
            if repository.age() >= repository.remote.interval:
                self._update_one(repository)

    def clear_cache(self) -> list[str]:
        """Remove the clones; return error lines for those that could not be removed."""
        self._forget()
        self._updated.clear()
        problems = []
        for repository in self.repositories:
            try:
                repository.clear_cache()
            except OSError as exc:
                problems.append(f"Unable to delete {repository.directory}: {exc}")
        return problems

    def lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Block updates; return (success lines, error lines)."""
        done = [r.remote for r in self._chosen(remotes) if r.lock()]
        return [f"Set update lock for gitfs remote '{remote}'" for remote in done], []

    def clear_lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Permit updates again; return (success lines, error lines)."""
        done = [r.remote for r in self._chosen(remotes) if r.clear_lock()]
        return [f"Removed update lock for gitfs remote '{remote}'" for remote in done], []

    def release(self, remote: str, name: str) -> bool:
        """Allow `branch/<name>` or `tag/<name>` one rollback; return False if no commit of it is served."""
        done = [repository.release(name) for repository in self._chosen([remote])]
        self._forget()
        return any(done)

    def _chosen(self, remotes: Sequence[str]) -> list[Served]:
        if not remotes:
            return self.repositories
        return [r for r in self.repositories if r.source.url in remotes or r.source.name in remotes]

    def _is_due(self, repository: Served) -> bool:
        last = self._updated.get(repository.directory, float("-inf"))
        return self._clock() - last >= repository.remote.interval

    def _update_one(self, repository: Served) -> bool:
        self._updated[repository.directory] = self._clock()
        try:
            return repository.update()
        except (FileServerError, OSError) as exc:
            # The last fetched state is still served.
            log.error("gitfs: %s", exc)
            return False

    def _forget(self) -> None:
        self._listings.clear()
        self._envs = None

    # Files

    def _read_envs(self) -> list[str]:
        envs: set[str] = set()
        for repository in self.repositories:
            remote = repository.remote
            for kind, ref in (name.split("/", 1) for name in repository.refs()):
                if kind in remote.ref_types:
                    envs |= remote.envs_of(ref)
            configured = [env for env in ("base", *remote.overlays) if remote.ref_of(env)]
            envs.update(env for env in configured if _commit_of(repository, env))
        return sorted(env for env in envs if any(r.remote.exposes(env) for r in self.repositories))

    def _commit(self, repository: Served, saltenv: str) -> str:
        """Return the commit that a repository serves as an environment, or '' if there is none."""
        remote = repository.remote
        if not remote.exposes(saltenv):
            return ""
        is_known = remote.fallback or is_commit_name(saltenv) or saltenv in self.envs()
        return _commit_of(repository, saltenv) if is_known else ""

    def _find_in(self, repository: Served, path: str, saltenv: str) -> FoundFile | None:
        root, mountpoint = repository.remote.place(saltenv)
        inner = _below(path, mountpoint)
        commit = inner and self._commit(repository, saltenv)
        if not commit:
            return None
        tree = repository.tree(commit)
        entry = _resolved(repository, tree, _joined(root, inner), root)
        if entry is None:
            return None
        return FoundFile(repository.content(entry.sha), path, self.name, entry.mode)


class _Collected:
    """Collector of the names in several trees."""

    def __init__(self, rules: RootsRules) -> None:
        self._rules = rules
        self._files: set[str] = set()
        self._directories: set[str] = set()
        self._links: dict[str, str] = {}

    def listing(self) -> Listing:
        return Listing(tuple(sorted(self._files)), tuple(sorted(self._directories)), (), self._links)

    def add(self, repository: Served, tree: Tree, saltenv: str) -> None:
        root, mountpoint = repository.remote.place(saltenv)
        if mountpoint:
            self._directories.add(mountpoint)
        for number, (path, entry) in enumerate(_beneath(tree, root)):
            if number % STRIDE == STRIDE - 1:
                yield_to_hub()
            served = _joined(mountpoint, path)
            if self._rules.is_ignored(served):
                continue
            if entry.kind == "tree":
                self._directories.add(served)
            elif not stat.S_ISLNK(entry.mode):
                self._files.add(served)
            elif not self._rules.ignore_links:
                self._add_link(repository, tree, _joined(root, path), root, served)

    def _add_link(self, repository: Served, tree: Tree, path: str, root: str, served: str) -> None:
        if _resolved(repository, tree, path, root) is not None:
            self._files.add(served)
            self._links.setdefault(served, repository.link_target(tree[path].sha))


def _commit_of(repository: Served, saltenv: str) -> str:
    """Return the commit of an environment in a repository, or '' if there is none."""
    remote = repository.remote
    ref = remote.ref_of(saltenv)
    commit = repository.commit(ref, remote.ref_types) if ref else ""
    if not commit and ref and remote.fallback:
        commit = repository.commit(remote.fallback, remote.ref_types)
    return commit


def _resolved(repository: Served, tree: Tree, path: str, root: str) -> TreeEntry | None:
    """Return the file at a path of a tree, following links; None if it is missing or a link leaves `root`."""
    for _ in range(MAX_LINKS):
        entry = tree.get(path)
        if entry is None or entry.kind != "blob":
            return None
        if not stat.S_ISLNK(entry.mode):
            return entry
        target = repository.link_target(entry.sha)
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if posixpath.isabs(target) or not _below(path, root) or path.split("/")[0] == os.pardir:
            return None
    return None


def _beneath(tree: Tree, root: str) -> Iterator[tuple[str, TreeEntry]]:
    """Yield (path below root, entry)."""
    for path, entry in tree.items():
        inner = _below(path, root)
        if inner:
            yield inner, entry


def _below(path: str, folder: str) -> str:
    """Return `path` relative to `folder`, or '' when it is not below it."""
    if not folder:
        return path
    return path[len(folder) + 1 :] if path.startswith(f"{folder}/") else ""


def _joined(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path
