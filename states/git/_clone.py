"""Cloning of a repository and checkout of the wanted revision."""

from __future__ import annotations

import os

from salt_g import safe_files
from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.states.git._params import LatestParams
from salt_g.states.git._remote import Wanted
from salt_g.states.git._report import Report, reason
from salt_g.states.git._repository import Repository

_WAY_AROUND = (
    " If you are unable to fix the remote repository, you can work around this by setting the 'branch'"
    " argument (which will ensure that the named branch is created if it does not already exist)."
)
NO_HEAD = (
    "Remote HEAD refers to a ref that does not exist. This can happen when the default branch on the "
    f"remote repository is renamed or deleted.{_WAY_AROUND}"
)
NO_LOCAL_HEAD = (
    "Cannot set/unset upstream tracking branch, local HEAD refers to nonexistent branch. This may have been "
    f"caused by cloning a remote repository for which the default branch was renamed or deleted.{_WAY_AROUND}"
)


def clone(
    args: LatestParams, wanted: Wanted, repository: Repository, report: Report, *, has_head: bool
) -> None:
    """Clone and check out; always ends by raising StateEnded (or CommandExecutionError)."""
    make_room(args.target, args.name, args.force_clone, report)
    if opts["test"]:
        report.changes["new"] = f"{args.name} => {args.target}"
        raise report.end(None, f"Repository {args.name} would be cloned to {args.target}")
    try:
        repository.clone(args.name, _options(args))
    except CommandExecutionError as exc:
        raise report.failed(f"Clone failed: {reason(exc)}") from exc
    report.changes["new"] = f"{args.name} => {args.target}"
    kind = " as mirror" if args.mirror else " as bare repository" if args.bare else ""
    report.comments.append(f"{args.name} cloned to {args.target}{kind}")
    if not args.bare and wanted.sha1:
        _check_out(args, wanted, repository, report, has_head)
        if args.submodules:
            update_submodules(repository, report)
    revision = repository.try_call("revision")
    if revision is not None:
        report.changes["revision"] = {"old": None, "new": revision}
    raise report.done()


def make_room(target: str, url: str, is_forced: bool, report: Report) -> None:
    """Empty the target directory if `is_forced`; otherwise end the state if it is not empty."""
    there = os.listdir(target) if os.path.isdir(target) else None
    if there and not is_forced:
        raise report.failed(
            f"Target '{target}' exists, is non-empty and is not a git repository. Set the 'force_clone' "
            "option to True to remove this directory's contents and proceed with cloning the remote "
            "repository"
        )
    if there is None or not is_forced:
        return
    report.changes["forced clone"] = True
    if opts["test"]:
        report.changes["new"] = f"{url} => {target}"
        raise report.end(
            None,
            f"Target directory {target} exists. Since force_clone=True, the contents of {target} would be "
            f"deleted, and {url} would be cloned into this directory.",
        )
    for path in (os.path.join(target, name) for name in there):
        _remove(path, report)


def update_submodules(repository: Repository, report: Report) -> None:
    """Initialize and update the submodules."""
    try:
        repository.call_remote("submodule", "update", opts=["--init", "--recursive"])
    except CommandExecutionError as exc:
        raise report.failed(f"Failed to update submodules: {reason(exc)}") from exc


def set_upstream(
    args: LatestParams, wanted: Wanted, repository: Repository, report: Report, upstream: str | None
) -> None:
    """Set the upstream of the local branch to the wanted branch, or unset it."""
    change = upstream_change(wanted, upstream)
    if change:
        options, comment = change
        repository.call("branch", opts=options)
        report.comments.append(comment)


def upstream_change(wanted: Wanted, upstream: str | None) -> tuple[list[str], str] | None:
    """Return (options of `git branch`, comment), or None if the upstream is already correct."""
    if wanted.upstream and not upstream:
        return ["--set-upstream-to", str(wanted.upstream)], f"Tracking branch was set to {wanted.upstream}"
    if upstream and wanted.upstream is False:
        return ["--unset-upstream"], "Tracking branch was unset"
    if wanted.upstream and upstream != wanted.upstream:
        return [
            "--set-upstream-to",
            str(wanted.upstream),
        ], f"Tracking branch was updated to {wanted.upstream}"
    return None


def start_of_branch(args: LatestParams, wanted: Wanted) -> str:
    """Return the start point of a new local branch."""
    return str(wanted.sha1 if args.rev == "HEAD" else wanted.upstream or args.rev)


def _options(args: LatestParams) -> list[str]:
    options = ["--mirror"] if args.mirror else ["--bare"] if args.bare else []
    if args.remote != "origin":
        options += ["--origin", args.remote]
    if args.depth is not None:
        options += ["--depth", str(args.depth), "--branch", args.rev]
    return options


def _check_out(
    args: LatestParams, wanted: Wanted, repository: Repository, report: Report, has_head: bool
) -> None:
    if wanted.kind == "tag" and args.rev not in repository.call("list_tags"):
        raise report.failed(f"Revision '{args.rev}' does not exist in clone")
    if args.branch is not None and args.branch not in repository.call("list_branches"):
        repository.call("checkout", start_of_branch(args, wanted), opts=["-b", args.branch])
        report.comments.append(f"Branch '{args.branch}' checked out, with {wanted.place} as a starting point")
    revision, branch = repository.try_call("revision"), repository.try_call("current_branch")
    if branch is None and not has_head:
        raise report.failed(NO_HEAD)
    if not wanted.is_at(revision):
        repository.call("reset", opts=["--hard", wanted.sha1])
        report.comments.append(f"Repository was reset to {wanted.place}")
    set_upstream(args, wanted, repository, report, repository.upstream_of(branch))


def _remove(path: str, report: Report) -> None:
    try:
        safe_files.remove(path)
    except OSError as exc:
        raise report.failed(f"Unable to remove\n  {path}\n    {exc}") from exc
