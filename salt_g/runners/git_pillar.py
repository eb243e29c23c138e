"""Repositories that hold pillar."""

from __future__ import annotations

from salt_g.api import services
from salt_g.services.daemons import MasterServices


def update(branch: str | None = None, repo: str | None = None) -> dict[str, bool | None]:
    """Fetch the repositories of `ext_pillar`, or only those with a given branch, URL or name.

    Returns {repository: True after changes, None without changes, False on failure}; the log
    has the reason. Minions receive the changes with their next pillar.

    Example::

        salt-g run git_pillar.update
        salt-g run git_pillar.update branch=dev repo=https://example.org/pillar.git
    """
    return services(MasterServices).git_pillars.update(branch, repo)
