"""`git.cloned`: an existing clone, optionally on a branch; never updated."""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed
from salt_g.states.git._report import Report, StateEnded, reason
from salt_g.states.git._repository import Repository


def cloned(
    name: str,
    target: str | None = None,
    branch: str | None = None,
    user: str | None = None,
    password: str | None = None,
    identity: Any = None,
    https_user: str | None = None,
    https_pass: str | None = None,
    output_encoding: str | None = None,
) -> StateReturn:
    """Ensure that `target` is a clone of the repository `name`, on `branch` if one is given.

    Example::

        salt-g state.single git.cloned https://example.org/repo.git target=/srv/repo
    """
    if target is None:
        return failed(name, "'target' argument is required")
    if not os.path.isabs(str(target)):
        return failed(name, "'target' path must be absolute")
    if branch is not None and not str(branch):
        return failed(name, "Invalid 'branch' argument")
    arguments = {
        "user": user,
        "password": password,
        "identity": identity,
        "https_user": https_user,
        "https_pass": https_pass,
        "output_encoding": output_encoding,
    }
    repository = Repository(str(target), arguments)
    report = Report(name)
    try:
        if not os.path.exists(repository.path):
            _clone(repository, name, branch, report)
        _change_branch(repository, branch, report)
    except StateEnded as ended:
        return ended.ret
    except CommandExecutionError as exc:
        return failed(name, str(exc), report.changes)
    raise AssertionError("each way ends")


def _clone(repository: Repository, url: str, branch: str | None, report: Report) -> None:
    with_branch = f" with branch '{branch}'" if branch is not None else ""
    if opts["test"]:
        report.changes["new"] = f"{url} => {repository.path}"
        raise report.end(None, f"{url} would be cloned to {repository.path}{with_branch}")
    try:
        repository.clone(url, ["--branch", branch] if branch is not None else [])
    except CommandExecutionError as exc:
        raise report.failed(f"Clone failed: {reason(exc)}") from exc
    report.changes["new"] = f"{url} => {repository.path}"
    raise report.end(True, f"{url} cloned to {repository.path}{with_branch}")


def _change_branch(repository: Repository, branch: str | None, report: Report) -> None:
    repository.call("status")
    now = repository.call("current_branch") if branch is not None else None
    if now == branch:
        raise report.already_cloned(repository.path, branch)
    change = {"old": now, "new": branch}
    if opts["test"]:
        report.changes["branch"] = change
        raise report.end(None, f"Branch would be changed to '{branch}'")
    try:
        if repository.try_call("rev_parse", rev=branch) is None:
            repository.call("checkout", rev=f"origin/{branch}", opts=["-b", branch])
        else:
            repository.call("checkout", rev=branch)
    except CommandExecutionError as exc:
        raise report.failed(f"Failed to change branch to '{branch}': {exc}") from exc
    report.changes["branch"] = change
    raise report.end(True, f"Branch changed to '{branch}'")
