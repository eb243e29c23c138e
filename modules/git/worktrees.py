"""Worktrees of a repository, and trial merges."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules.git._run import expand, git, text


def list_worktrees(cwd: str, stale: bool = False, all: bool = False, **how: Any) -> dict[str, dict[str, Any]]:
    """Return {path: {"HEAD", "branch", "detached", "stale"}} of the worktrees with existing directories.

    `stale` lists those with missing directories, `all` both. A worktree without a branch has the
    `tags` of its commit.

    Example::

        salt-g git.list_worktrees /srv/repo
    """
    if all and stale:
        raise CommandExecutionError("'all' and 'stale' cannot both be set to True")
    directory = expand(cwd, how.get("user"))
    finished = git(["worktree", "list", "--porcelain"], directory, how, failhard=False)
    if finished["retcode"] != 0:
        reason = f": {finished['stderr']}" if finished["stderr"] else ""
        raise CommandExecutionError(f"Failed to list worktrees{reason}")
    found = {}
    for part in finished["stdout"].strip().split("\n\n"):
        about = dict(line.partition(" ")[::2] for line in part.splitlines())
        # A bare repository is listed as well, and has no commit of its own.
        if "worktree" in about and "HEAD" in about:
            found[about["worktree"]] = _described(about, directory, how)
    return {path: about for path, about in found.items() if all or about["stale"] == stale}


def merge_tree(cwd: str, ref1: str, ref2: str, base: str | None = None, **how: Any) -> str:
    """Return the changes that merging two commits would make; `base` is by default their common ancestor.

    Example::

        salt-g git.merge_tree /srv/repo HEAD develop
    """
    directory = expand(cwd, how.get("user"))
    if base is None:
        finished = git(["merge-base", ref1, ref2], directory, how, failhard=False)
        if finished["retcode"] != 0:
            raise CommandExecutionError(f"Unable to determine merge base for {ref1} and {ref2}")
        base = finished["stdout"].strip()
    return text(["merge-tree", base, ref1, ref2], directory, how)


def _described(about: Mapping[str, str], cwd: str, how: dict[str, Any]) -> dict[str, Any]:
    worktree: dict[str, Any] = {
        "stale": not os.path.isdir(about["worktree"]),
        "HEAD": about["HEAD"],
        "detached": "detached" in about,
        "branch": about["branch"].replace("refs/heads/", "", 1) if "branch" in about else None,
    }
    tags = text(["tag", "--points-at", about["HEAD"]], cwd, how).splitlines() if worktree["detached"] else []
    return {**worktree, "tags": tags} if tags else worktree
