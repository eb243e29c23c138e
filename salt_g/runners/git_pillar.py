"""Fetch the repositories that hold pillar."""

from __future__ import annotations

from salt_g.api import services


def update(branch: str | None = None, repo: str | None = None) -> dict[str, bool | None]:
    """Fetch the repositories of `ext_pillar`, or those of a branch or with a URL or name.

    Returns {repository: True when something is new, None when nothing is, False when it failed}; the log
    says why. Minions get what is new with their next pillar.

    Example::

        salt-g run git_pillar.update
        salt-g run git_pillar.update branch=dev repo=https://example.org/pillar.git
    """
    outcome: dict[str, bool | None] = services().git_pillars.update(branch, repo)
    return outcome
