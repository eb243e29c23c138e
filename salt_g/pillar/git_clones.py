"""The clones that pillar is read from, and when they are fetched.

Why its own file: a thousand pillars are compiled from one fetch. A master fetches by its clock
(`git_pillar_update_interval`), a machine without one with each call; what was never fetched is fetched
before anything else. When a fetch fails the last state is used.
Cache: clones and folders of commits below `<cachedir>/git_pillar`. Units: seconds.
Errors: FileServerError with what git said.
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
from salt_g.pillar.git_branches import Branch, read_branches
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

#: Clones remembered: pillar on demand may name others than the settings do.
REMEMBERED = 100
#: For how long pillar waits for a fetch, and until one that failed is tried again.
TIMEOUT = 120.0
PAUSE = 10.0


class Clone(Repository):
    """A repository that pillar is read from."""

    def __init__(self, source: RemoteSource, top: str) -> None:
        super().__init__(source, top)
        self.checkouts = Checkouts(self)
        self._turn = threading.Lock()
        self._tried = float("-inf")
        self._problem: FileServerError | None = None

    def bring_up_to_date(self, age: float) -> None:
        """Fetch what is older than `age` seconds; raises FileServerError where nothing was ever fetched."""
        self.notice()
        is_empty = not self.refs()
        if not is_empty and self.age() < age:
            return
        # Who has nothing to go on with waits for whoever fetches already.
        if self._turn.acquire(blocking=is_empty):
            try:
                if not (is_empty and self.refs()):
                    self._try_to_fetch()
            finally:
                self._turn.release()
        if self._problem is not None and not self.refs():
            raise self._problem

    def fetch(self) -> bool:
        """Fetch now; return whether anything is new. Raises FileServerError."""
        with self._turn:
            return self.update(timeout=TIMEOUT)

    def _try_to_fetch(self) -> None:
        if self._problem is not None and time.monotonic() - self._tried < PAUSE:
            return
        self._tried = time.monotonic()
        try:
            self.update(timeout=TIMEOUT)
            self._problem = None
        except FileServerError as exc:
            self._problem = exc
            if self.refs():
                log.error("git_pillar goes on with what it has: %s", exc)


_clones: dict[tuple[RemoteSource, str], Clone] = {}


def clone_of(source: RemoteSource, opts: Opts) -> Clone:
    """Return the clone of a repository, one object for the whole process."""
    key = (source, os.path.join(str(opts["cachedir"]), "git_pillar"))
    clone = _clones.get(key)
    if clone is None:
        if len(_clones) >= REMEMBERED:
            del _clones[next(iter(_clones))]
        clone = _clones[key] = Clone(*key)
    return clone


class GitPillars:
    """The repositories that the setting `ext_pillar` names; raises ConfigError for what cannot be read."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts
        self._branches = _configured(opts)

    @property
    def interval(self) -> float | None:
        """How often they have to be fetched, None when there are none."""
        return min((branch.interval for branch in self._branches), default=None)

    def update(self, ref: str | None = None, repository: str | None = None) -> dict[str, bool | None]:
        """Fetch the branches that are meant, by name and by URL or name of the repository.

        Returns {repository: True when something is new, None when nothing is, False when it failed}.
        """
        outcome: dict[str, bool | None] = {}
        for clone in self._chosen(ref, repository):
            try:
                outcome[str(clone.source)] = clone.fetch() or None
            except (FileServerError, OSError) as exc:
                log.error("git_pillar: %s", exc)
                outcome[str(clone.source)] = False
        return outcome

    def clear_lock(self, repository: str | None = None) -> list[str]:
        """Let updates be done again that were kept away; return a line for each."""
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
