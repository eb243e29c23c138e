"""Signed trees of the file server and of pillar (`gitfs_verify`, `git_pillar_verify`)."""

from __future__ import annotations

from typing import Any

from salt_g.api import services
from salt_g.errors import CommandExecutionError
from salt_g.services.daemons import MasterServices


def refused() -> dict[str, dict[str, dict[str, str]]]:
    """Return the branches and tags that are not served as their repository has them, and why.

    The shape is {repository: {"branch/<name>" or "tag/<name>": {`commit`, `served`, `reason`}}}; `commit` is
    empty for one that the repository has no more, `served` for one of which nothing is served.

    Example::

        salt-g run gitfs.refused
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    for one in [
        *services(MasterServices).fileserver.refused(),
        *services(MasterServices).git_pillars.refused(),
    ]:
        entry = {"commit": one.commit, "served": one.served, "reason": one.reason}
        found.setdefault(one.remote, {})[one.ref] = entry
    return found


def release(remote: str, ref: str) -> Any:
    """Forget which commit of a branch or tag is served, and fetch: any signed commit is served then.

    For a branch whose history was rewritten, or that was deleted, on purpose. `remote` is the URL or name of
    the repository, `ref` is `branch/<name>` or `tag/<name>`. Returns what `gitfs.refused` returns afterwards.

    Example::

        salt-g run gitfs.release https://example.org/states.git branch/feature
    """
    files, pillars = services(MasterServices).fileserver, services(MasterServices).git_pillars
    done = [files.release(remote, ref), pillars.release(remote, ref)]
    if not any(done):
        raise CommandExecutionError(
            f"no signed tree {remote!r} serves {ref!r}; 'salt-g run gitfs.refused' lists remotes and refs"
        )
    if done[0]:
        files.chosen(["gitfs"]).update([remote])
    if done[1]:
        pillars.update(repository=remote)
    return refused()
