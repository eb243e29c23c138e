"""`git.present`: an existing repository, created empty if missing."""

from __future__ import annotations

import os
from typing import Any

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def present(
    name: str,
    force: bool = False,
    bare: bool = True,
    template: str | None = None,
    separate_git_dir: str | None = None,
    shared: Any = None,
    user: str | None = None,
    password: str | None = None,
    output_encoding: str | None = None,
) -> StateReturn:
    """Ensure that a repository exists at `name`, bare unless `bare` is False.

    `force` first removes an existing directory that is not such a repository, with its contents.

    Example::

        salt-g state.single git.present /srv/repo.git
    """
    who = {"user": user, "password": password, "output_encoding": output_encoding}
    if _is_repository(name, bare, who):
        return as_wanted(name)
    kind = "bare " if bare else ""
    changes: dict[str, Any] = {}
    if os.path.isdir(name) and force:
        changes["forced init"] = True
        if opts["test"]:
            what = f"the contents of {name} would be deleted, and a {kind}repository would be initialized"
            comment = f"Target directory {name} exists. Since force=True, {what} in its place."
            return would_change(name, comment, {"new": name, **changes})
        try:
            _remove(name)
        except OSError as exc:
            return failed(name, f"Unable to remove {name}: {exc}")
    elif os.path.isdir(name) and os.listdir(name):
        return failed(
            name,
            f"Target '{name}' exists, is non-empty, and is not a git repository. Set the 'force' option "
            "to True to remove this directory's contents and proceed with initializing a repository",
        )
    changes["new"] = name
    if opts["test"]:
        return would_change(name, f"New {kind}repository would be created", changes)
    how = {"bare": bare, "template": template, "separate_git_dir": separate_git_dir, "shared": shared}
    call("git.init", cwd=name, **how, **who)
    actions = [f"Initialized {kind}repository in {name}"]
    actions += [f"Template directory set to {template}"] if template else []
    actions += [f"Gitdir set to {separate_git_dir}"] if separate_git_dir else []
    return changed(name, ". ".join(actions) + ("." if len(actions) > 1 else ""), changes)


def _is_repository(path: str, bare: bool, who: dict[str, Any]) -> bool:
    if not os.path.isdir(path):
        return False
    if bare:
        return os.path.isfile(os.path.join(path, "HEAD"))
    return os.path.isdir(os.path.join(path, ".git")) or bool(call("git.is_worktree", path, **who))


def _remove(path: str) -> None:
    safe_files.remove(path)
