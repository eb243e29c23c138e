"""`git.latest`: a checkout at the newest commit of a branch, at a tag or at a commit.

Source: stock docs of `git.latest`; conformance case `states/git-latest`.
"""

from __future__ import annotations

import os
from typing import Any

import salt_g.states.git._clone as _clone
import salt_g.states.git._remote as _remote
import salt_g.states.git._update as _update
from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed
from salt_g.states.git._params import LatestParams
from salt_g.states.git._report import Report, StateEnded, reason
from salt_g.states.git._repository import Repository, keys_of

_NEEDS_NAME = (
    "When 'depth' is used, 'rev' must be set to the name of a branch or tag on the remote repository"
)


def latest(
    name: str,
    target: str,
    rev: str = "HEAD",
    branch: str | None = None,
    user: str | None = None,
    password: str | None = None,
    update_head: bool = True,
    force_checkout: bool = False,
    force_clone: bool = False,
    force_fetch: bool = False,
    force_reset: bool | str = False,
    submodules: bool = False,
    bare: bool = False,
    mirror: bool = False,
    remote: str = "origin",
    fetch_tags: bool = True,
    sync_tags: bool = True,
    depth: int | None = None,
    identity: Any = None,
    https_user: str | None = None,
    https_pass: str | None = None,
    refspec_branch: str = "*",
    refspec_tag: str = "*",
    output_encoding: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that `target` is a checkout of the repository `name`, at `rev`.

    `rev` is a branch, a tag, a commit or HEAD; `branch` is the local branch to check out. The `force_…`
    arguments permit losing data: uncommitted changes (`force_checkout`), these and local commits
    (`force_reset`, where `remote-changes` limits this to real updates), other files in `target`
    (`force_clone`), old commits of rewritten branches (`force_fetch`). `identity`: SSH keys, paths or URLs.

    Example::

        salt-g state.single git.latest https://example.org/repo.git target=/srv/repo rev=main
    """
    args = LatestParams(
        name=name,
        target=str(target or ""),
        rev=str(rev or ""),
        branch=None if branch is None else str(branch),
        update_head=update_head,
        force_checkout=force_checkout,
        force_clone=force_clone,
        force_fetch=force_fetch,
        force_reset=force_reset,
        submodules=submodules,
        bare=bare or mirror,
        mirror=mirror,
        remote=str(remote or ""),
        sync_tags=sync_tags,
        depth=depth,
        login=(https_user, https_pass),
        refspecs=_refspecs(remote, refspec_branch, refspec_tag) if fetch_tags else [],
    )
    who = {"user": user, "password": password, "output_encoding": output_encoding, "identity": identity}
    problem = _problem(args, kwargs)
    return failed(name, problem) if problem else _ask_remote(args, who)


def _ask_remote(args: LatestParams, who: dict[str, Any]) -> StateReturn:
    https_user, https_pass = args.login
    arguments: dict[str, Any] = {
        key: str(value) for key, value in who.items() if value is not None and key != "identity"
    }
    arguments.update(https_user=https_user, https_pass=https_pass)
    try:
        repository = Repository(args.target, {**arguments, "identity": keys_of(who["identity"])})
        refs = repository.refs_at(args.name)
    except InvocationError as exc:
        return failed(args.name, str(exc))
    except CommandExecutionError as exc:
        return failed(args.name, f"Failed to check remote refs: {reason(exc)}")
    return _reach(args, repository, refs)


def _reach(args: LatestParams, repository: Repository, refs: dict[str, str]) -> StateReturn:
    wanted = _remote.find(args.rev, refs, args.remote, is_bare=args.bare)
    if args.depth is not None and wanted.kind not in ("branch", "tag"):
        return failed(args.name, _NEEDS_NAME)
    if wanted.sha1 is None and not args.bare and args.rev != "HEAD":
        return failed(args.name, f"No revision matching '{args.rev}' exists in the remote repository")
    report = Report(args.name)
    try:
        if _is_checkout(args, repository):
            _update.update(args, wanted, repository, report)
        else:
            _clone.clone(args, wanted, repository, report, has_head="HEAD" in refs)
    except StateEnded as ended:
        return ended.ret
    except CommandExecutionError as exc:
        return report.failed(reason(exc)).ret
    raise AssertionError("each way ends")


def _problem(args: LatestParams, unknown: dict[str, Any]) -> str:
    """Return the problem with the arguments, or '' if there is none."""
    given = [key for key in unknown if not key.startswith("__")]
    if given:
        shown = ", ".join(f"{key}={unknown[key]}" for key in given)
        return f"The following keyword arguments are not valid: {shown}"
    if not args.remote:
        return "'remote' argument is required"
    if not args.target:
        return "'target' argument is required"
    if not args.rev:
        return f"'{args.rev}' is not a valid value for the 'rev' argument"
    if args.force_reset not in (True, False, "remote-changes"):
        return "'force_reset' must be one of True, False, or 'remote-changes'"
    if not os.path.isabs(args.target):
        return f"target '{args.target}' is not an absolute path"
    if os.path.isfile(args.target):
        return f"Target '{args.target}' exists and is a regular file, cannot proceed"
    if args.login != (None, None) and not args.name.startswith("https://"):
        return "Basic Auth is only supported for HTTPS"
    if args.rev != "HEAD" and args.bare:
        return "'rev' is not compatible with the 'mirror' and 'bare' arguments"
    return ""


def _refspecs(remote: str, branches: str, tags: str) -> list[str]:
    return [
        f"refs/heads/{branches}:refs/remotes/{remote}/{branches}",
        f"+refs/tags/{tags}:refs/tags/{tags}",
    ]


def _is_checkout(args: LatestParams, repository: Repository) -> bool:
    if os.path.isdir(os.path.join(args.target, "refs" if args.bare else ".git")):
        return True
    return os.path.isdir(args.target) and bool(call("git.is_worktree", args.target))
