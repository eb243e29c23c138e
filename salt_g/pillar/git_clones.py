"""Clones of git pillar repositories, and their updates.

One fetch serves the pillars of a thousand minions. A master fetches every `git_pillar_update_interval`, a
masterless minion at each call; a repository that was never fetched is fetched first. When a fetch fails, the
last state is used.
Cache: clones and folders of commits below `<cachedir>/git_pillar`. Units: seconds.
Errors: FileServerError with git's message.
"""

from __future__ import annotations

import logging
import os
import threading
import time

from salt_g.errors import FileServerError
from salt_g.git.checkouts import Checkouts
from salt_g.git.repository import Repository
from salt_g.git.source import RemoteSource
from salt_g.git.verified_refs import RefusedRef
from salt_g.pillar.git_branches import Branch, read_branches
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

#: Maximum number of clones in memory, because pillar on demand can name repositories that are not in the
#: settings.
MAX_CLONES = 100
#: Time limit of a fetch for which pillar waits, and delay before a failed fetch is retried (s).
TIMEOUT = 120.0
PAUSE = 10.0


class Clone(Repository):
    """Repository with pillar."""

    def __init__(self, source: RemoteSource, top: str) -> None:
        super().__init__(source, top)
        self.checkouts = Checkouts(self)
        self._turn = threading.Lock()
        self._tried = float("-inf")
        self._problem: FileServerError | None = None

    def fetch_if_older(self, age: float) -> None:
        """Fetch if the last fetch is older than `age` seconds; raise FileServerError if none succeeded."""
        self.notice()
        is_empty = not self.refs()
        if not is_empty and self.age() < age:
            return
        # A caller without any data waits for a fetch that is already running.
        if self._turn.acquire(blocking=is_empty):
            try:
                if not (is_empty and self.refs()):
                    self._try_to_fetch()
            finally:
                self._turn.release()
        if self._problem is not None and not self.refs():
            raise self._problem

    def fetch(self) -> bool:
        """Fetch now; return whether anything changed. Raise FileServerError if the fetch fails."""
        with self._turn:
            return self.update(timeout=TIMEOUT)

    def _try_to_fetch(self) -> None:
        # A repository that has nothing to serve, for example no signed commit, must not be fetched again for
        # each minion.
        has_trouble = self._problem is not None or (self.source.verify is not None and not self.refs())
        if has_trouble and time.monotonic() - self._tried < PAUSE:
            return
        self._tried = time.monotonic()
        try:
            self.update(timeout=TIMEOUT)
            self._problem = None
        except FileServerError as exc:
            self._problem = exc
            if self.refs():
                log.error("git_pillar: fetch failed, using the last fetched state: %s", exc)


_clones: dict[tuple[RemoteSource, str], Clone] = {}


def clone_of(source: RemoteSource, opts: Opts) -> Clone:
    """Return the clone of a repository, one object per process."""
    key = (source, os.path.join(str(opts["cachedir"]), "git_pillar"))
    clone = _clones.get(key)
    if clone is None:
        if len(_clones) >= MAX_CLONES:
            del _clones[next(iter(_clones))]
        clone = _clones[key] = Clone(*key)
    return clone


class GitPillars:
    """Repositories named by the setting `ext_pillar`; raise ConfigError for invalid settings."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts
        self._branches = _configured(opts)

    @property
    def interval(self) -> float | None:
        """Shortest interval between fetches, None if there are no repositories."""
        return min((branch.interval for branch in self._branches), default=None)

    def update(self, ref: str | None = None, repository: str | None = None) -> dict[str, bool | None]:
        """Fetch the repositories with a branch `ref` and with this URL or name; None stands for any.

        Return {repository: True if updated, None if unchanged, False on failure}.
        """
        outcome: dict[str, bool | None] = {}
        for clone in self._chosen(ref, repository):
            try:
                outcome[str(clone.source)] = clone.fetch() or None
            except (FileServerError, OSError) as exc:
                log.error("git_pillar: %s", exc)
                outcome[str(clone.source)] = False
        return outcome

    def repositories(self) -> list[Clone]:
        """Return the clones, each once."""
        return self._chosen(None, None)

    def release(self, repository: str, name: str) -> bool:
        """Forget the served commit of `branch/<name>` or `tag/<name>`; return False if there is none."""
        released = [clone.release(name) for clone in self._chosen(None, repository)]
        return any(released)

    def refused(self) -> list[RefusedRef]:
        """Return the branches and tags that signed trees do not allow to advance."""
        return [refused for clone in self.repositories() for refused in clone.refused()]

    def clear_lock(self, repository: str | None = None) -> list[str]:
        """Remove the locks that block updates; return a line for each."""
        done = [clone.source for clone in self._chosen(None, repository) if clone.clear_lock()]
        return [f"Removed update lock for git_pillar remote '{source}'" for source in done]

    def _chosen(self, ref: str | None, repository: str | None) -> list[Clone]:
        sources = [
            branch.source
            for branch in self._branches
            if ref in (None, branch.ref) and repository in (None, branch.source.url, branch.source.name)
        ]
        return [clone_of(source, self._opts) for source in dict.fromkeys(sources)]


def _configured(opts: Opts) -> list[Branch]:
    branches = []
    for item in opts.get("ext_pillar") or []:
        listed = item.get("git") if isinstance(item, dict) else None
        branches += read_branches(listed if isinstance(listed, list) else [listed] if listed else [], opts)
    return branches
