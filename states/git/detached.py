"""`git.detached`: a checkout at one commit, on no branch."""

from __future__ import annotations

import os
import string
from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed
from salt_g.states.git._clone import make_room
from salt_g.states.git._report import Report, StateEnded, reason
from salt_g.states.git._repository import Repository, keys_of


def detached(
    name: str,
    rev: str,
    target: str,
    remote: str = "origin",
    user: str | None = None,
    password: str | None = None,
    force_clone: bool = False,
    force_checkout: bool = False,
    fetch_remote: bool = True,
    hard_reset: bool = False,
    submodules: bool = False,
    identity: Any = None,
    https_user: str | None = None,
    https_pass: str | None = None,
    output_encoding: str | None = None,
) -> StateReturn:
    """Ensure that `target` is a checkout of `name` at exactly `rev` (branch, tag or commit).

    `hard_reset` first discards changes of tracked files; `force_checkout` discards those that prevent the
    checkout.

    Example::

        salt-g state.single git.detached https://example.org/repo.git rev=v1 target=/srv/repo
    """
    rev = str(rev or "")
    problem = _problem(rev, target)
    if problem:
        return failed(name, problem)
    report = Report(name)
    try:
        arguments: dict[str, Any] = {"user": user, "password": password, "output_encoding": output_encoding}
        arguments.update(identity=keys_of(identity), https_user=https_user, https_pass=https_pass)
        repository = Repository(str(target), arguments)
        before = _ensure_clone(repository, name, remote, force_clone, _is_hash(rev), report)
        commit = _wanted_commit(repository, rev, remote, before, fetch_remote, report)
        if hard_reset:
            _reset(repository, report)
        _check_out(repository, commit, before, force_checkout, report)
        if submodules:
            repository.call_remote("submodule", "update", opts=["--init", "--recursive"])
            report.comments.append("Submodules were updated")
        if "HEAD" not in report.changes:
            report.comments.append("Already checked out at correct revision")
        return report.done().ret
    except StateEnded as ended:
        return ended.ret
    except InvocationError as exc:
        return failed(name, str(exc))
    except CommandExecutionError as exc:
        return report.failed(reason(exc)).ret


def _problem(rev: str, target: str) -> str:
    """Return the problem with the arguments, or '' if there is none."""
    if not rev or not target:
        return f"'{rev}' is not a valid value for the '{'target' if rev else 'rev'}' argument"
    if not os.path.isabs(str(target)):
        return f"Target '{target}' is not an absolute path"
    if os.path.isfile(target):
        return f"Target '{target}' exists and is a regular file, cannot proceed"
    return ""


def _is_hash(rev: str) -> bool:
    return len(rev) <= 40 and all(character in string.hexdigits for character in rev)


def _wanted_commit(
    repository: Repository, rev: str, remote: str, before: str | None, fetch_remote: bool, report: Report
) -> str:
    """Return the wanted commit, fetching it if necessary; end the state if it does not exist."""
    is_hash = _is_hash(rev)
    if fetch_remote and not (is_hash and before and repository.is_commit(rev)):
        _fetch(repository, remote, report)
    commit = rev.lower() if is_hash else _commit_of(repository, remote, rev)
    if commit is None or not repository.is_commit(commit):
        raise report.failed(f"Revision '{rev}' does not exist")
    return commit


def _ensure_clone(
    repository: Repository, url: str, remote: str, force_clone: bool, is_hash: bool, report: Report
) -> str | None:
    """Clone if missing; return the commit that is checked out, or None in a new clone.

    In an existing checkout, set the URL of the remote unless a commit is wanted.
    """
    path = repository.path
    is_checkout = os.path.isdir(os.path.join(path, ".git"))
    if is_checkout or (os.path.isdir(path) and call("git.is_worktree", path)):
        if not is_hash:
            _set_remote(repository, url, remote, report)
        found: str | None = repository.try_call("revision")
        return found
    make_room(path, url, force_clone, report)
    if opts["test"]:
        raise report.end(None, f"Repository {url} would be cloned to {path}")
    origin = ["--origin", remote] if remote != "origin" else []
    repository.clone(url, ["--no-checkout", *origin])
    report.comments.append(f"{url} cloned to {path}")
    return None


def _set_remote(repository: Repository, url: str, remote: str, report: Report) -> None:
    now = repository.call("remotes", redact_auth=False).get(remote, {}).get("fetch")
    if now and url in now:
        return
    if opts["test"]:
        raise report.end(None, f"Remote {remote} would be set to {url}")
    repository.set_remote(remote, url)
    report.comments.append(f"Remote {remote} updated from '{now}' to '{url}'")


def _fetch(repository: Repository, remote: str, report: Report) -> None:
    if opts["test"]:
        raise report.end(None, f"Repository remote {remote} would be fetched")
    refspecs = [f"refs/heads/*:refs/remotes/{remote}/*", "+refs/tags/*:refs/tags/*"]
    try:
        news = repository.call_remote("fetch", remote=remote, force=True, refspecs=refspecs)
    except CommandExecutionError as exc:
        raise report.failed(f"Fetch failed:\n\n{exc}") from exc
    if news:
        report.comments.append(f"Remote {remote} was fetched, resulting in updated refs")


def _commit_of(repository: Repository, remote: str, rev: str) -> str | None:
    """Return the commit of a remote branch or a tag, as known locally."""
    for name in (f"refs/remotes/{remote}/{rev}", f"refs/tags/{rev}"):
        found: str | None = repository.try_call("rev_parse", f"{name}^{{commit}}", opts=["--verify"])
        if found:
            return found
    return None


def _reset(repository: Repository, report: Report) -> None:
    if opts["test"]:
        raise report.end(None, f"Hard reset to HEAD would be performed on {repository.path}")
    repository.call("reset", opts=["--hard", "HEAD"])
    report.comments.append("Repository was reset to HEAD before checking out revision")


def _check_out(repository: Repository, commit: str, before: str | None, force: bool, report: Report) -> None:
    if commit == before:
        return
    if opts["test"]:
        report.changes["HEAD"] = {"old": before, "new": commit}
        raise report.end(None, f"Commit ID {commit} would be checked out at {repository.path}")
    repository.call("checkout", commit, force=force)
    report.comments.append(f"Commit ID {commit} was checked out at {repository.path}")
    report.changes["HEAD"] = {"old": before, "new": repository.call("revision")}
