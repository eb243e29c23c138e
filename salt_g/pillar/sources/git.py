"""External pillar `git`: pillar trees in branches of git repositories.

Settings are read in `git_branches.py`, repositories fetched in `git_clones.py`. Errors: FileServerError with
git's message, ConfigError.
"""

from __future__ import annotations

import hashlib
import logging
import os
from contextlib import suppress
from typing import Any, NamedTuple

from salt_g import api
from salt_g.pillar.git_branches import Branch, read_branches
from salt_g.pillar.git_clones import clone_of
from salt_g.pillar.merging import Merging
from salt_g.process.disk import make_private_directory
from salt_g.shapes import Opts, PillarDict

log = logging.getLogger(__name__)


def git(minion_id: str, pillar: PillarDict, *repositories: Any) -> PillarDict:
    """Return the pillar of all repositories, later ones merged over earlier ones."""
    opts = api.opts
    pillarenv = opts.get("pillarenv")
    merging = Merging.from_opts(opts)
    includes = opts.get("git_pillar_includes", True)
    branches = [b for b in read_branches(repositories, opts) if not pillarenv or b.env == pillarenv]
    trees = [tree for tree in (_tree(branch, opts) for branch in branches) if tree is not None]
    found: PillarDict = {}
    for tree in trees:
        env = tree.branch.env
        others = [other for other in trees if other is not tree and other.branch.env == env]
        data = api.services().pillars.compile(
            roots={env: [tree.root, *(other.mounted() for other in others if includes)]},
            pillarenv=env if env != "base" else None,
            earlier={},
        )
        found = merging.merge(found, data)
    return found


class Tree(NamedTuple):
    """Checked-out branch as a folder of files."""

    folder: str
    branch: Branch

    @property
    def root(self) -> str:
        """Folder with its pillar."""
        return os.path.join(self.folder, "files", self.branch.root).rstrip("/")

    def mounted(self) -> str:
        """Return a folder with the files below the mount point, for includes by other trees."""
        mountpoint = self.branch.mountpoint
        if not mountpoint:
            return self.root
        digest = hashlib.sha256(f"{self.root}\n{mountpoint}".encode()).hexdigest()[:32]
        top = os.path.join(self.folder, digest)
        link = os.path.join(top, mountpoint)
        if not os.path.islink(link):
            make_private_directory(os.path.dirname(link))
            with suppress(FileExistsError):
                os.symlink(self.root, link)
        return top


def _tree(branch: Branch, opts: Opts) -> Tree | None:
    """Check out a branch; return None if the repository has no such branch, tag or commit."""
    clone = clone_of(branch.source, opts)
    # A master fetches at an interval, but possibly a little late; a masterless minion does not fetch by
    # itself.
    clone.fetch_if_older(2 * branch.interval if opts.get("__role") == "master" else 0)
    commit = clone.commit(branch.ref, branch.ref_types)
    if not commit and branch.fallback:
        commit = clone.commit(branch.fallback, branch.ref_types)
    if not commit:
        # If the branch follows the environment, many environments have no branch, which is not an error.
        refused = [str(r) for r in clone.refused() if r.ref in (f"branch/{branch.ref}", f"tag/{branch.ref}")]
        missing = f"{branch.source} has no branch, tag or commit {branch.ref!r}"
        log.error("git_pillar: %s", refused[0] if refused else missing)
        return None
    return Tree(clone.checkouts.folder(commit), branch)
