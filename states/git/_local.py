"""State of a checkout before an update, and its relation to the wanted revision."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from salt_g.states.git._params import LatestParams
from salt_g.states.git._remote import Wanted
from salt_g.states.git._report import Report
from salt_g.states.git._repository import Repository


@dataclasses.dataclass
class Local:
    """State of the checkout: commit and branch, all branches and tags, whether files were changed.

    `base` is the commit that the update starts from, on the wanted local branch; `upstream` is the upstream
    of that branch before any change. `has_wanted` is whether the wanted commit exists locally; `fast_forward`
    whether it descends from `base` (None: unknown before fetching).
    """

    revision: str | None
    branch: str | None
    branches: list[str]
    tags: set[str]
    is_changed: bool
    base: str | None
    base_branch: str | None
    upstream: str | None = None
    has_wanted: bool = False
    fast_forward: bool | None = None


class Update(NamedTuple):
    """One update: wanted revision, checkout, and report so far."""

    args: LatestParams
    wanted: Wanted
    repository: Repository
    local: Local
    report: Report

    @property
    def is_there(self) -> bool:
        """Whether the wanted commit is checked out."""
        return self.wanted.is_at(self.local.revision)

    @property
    def changes_branch(self) -> bool:
        """Whether the wanted local branch differs from the checked-out one."""
        return self.args.branch not in (None, self.local.branch)


def inspect_checkout(args: LatestParams, wanted: Wanted, repository: Repository, report: Report) -> Update:
    """Inspect a checkout and return its update; raises StateEnded if there is nothing to update to."""
    revision = repository.try_call("revision")
    if not args.bare and wanted.sha1 is None and revision is not None:
        raise report.failed(
            "Remote repository is empty, cannot update from a non-empty to an empty repository"
        )
    branch = repository.try_call("current_branch")
    local = Local(
        revision=revision,
        branch=branch,
        branches=repository.call("list_branches"),
        tags=set(repository.call("list_tags")),
        is_changed=not args.bare and bool(repository.try_call("diff", "HEAD")),
        base=revision,
        base_branch=branch,
    )
    update = Update(args, wanted, repository, local, report)
    if update.changes_branch:
        local.base = wanted.sha1
        if args.branch in local.branches:
            local.base_branch = args.branch
            local.base = repository.call("rev_parse", f"{args.branch}^{{commit}}")
    local.upstream = repository.upstream_of(local.base_branch)
    return update
